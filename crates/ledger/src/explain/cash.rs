//! What a transaction in a form comes to.

use super::node::{Node, Unit};
use crate::Kind;
use crate::cash::{Given, gross_of, net_of};
use crate::number::Number;
use crate::reinvestment::{price_of, shares_of};

/// Its gross amount.
pub fn entry_amount(kind: Kind, given: Given<Node>) -> Option<Node> {
    Some(gross_of(kind, given)?.named("entry_amount"))
}

/// Its cash effect.
pub fn entry_net(kind: Kind, given: Given<Node>) -> Option<Node> {
    let amount = gross_of(kind, given.clone())?;
    // Named, so that it is a step of its own.
    let amount = if amount.inputs.is_empty() { given.amount } else { Some(amount.named("entry_amount")) };
    Some(net_of(kind, Given { amount, ..given })?.named("entry_net"))
}

/// What of a dividend's net amount is spent on shares.
pub fn reinvested_net(net: Node, fees: Option<Node>) -> Option<Node> {
    let spent = match fees {
        Some(fees) => net.less(fees)?,
        None => net,
    };
    Some(spent.named("reinvested_net"))
}

pub fn reinvested_shares(net: Node, price: Node) -> Option<Node> {
    Some(shares_of(net, price)?.in_unit(Unit::Shares).named("reinvested_shares"))
}

pub fn reinvested_price(net: Node, shares: Node) -> Option<Node> {
    Some(price_of(net, shares)?.named("reinvested_price"))
}

/// Of shares and price that both were given.
pub fn reinvested_cost(shares: Node, price: Node) -> Option<Node> {
    Some(shares.times(price)?.named("reinvested_cost"))
}
