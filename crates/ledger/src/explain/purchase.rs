//! What a purchase would cost and add.

use super::node::{Node, Unit};
use super::totals::{percentage, value};
use crate::number::Number;
use crate::{Currency, purchase};

/// The shares that an amount buys.
pub fn bought_shares(amount: Node, price: Node, exchange: Option<[Node; 2]>) -> Option<Node> {
    Some(purchase::bought(amount, price, exchange)?.in_unit(Unit::Shares).named("bought_shares"))
}

/// Not rounded.
pub fn cost(shares: Node, price: Node, exchange: Option<[Node; 2]>) -> Option<Node> {
    Some(value(shares, price, exchange)?.named("purchase_cost"))
}

/// What the income of a year is more than without the purchase: not rounded.
pub fn added(name: &'static str, after: Node, before: Option<Node>, currency: Currency) -> Option<Node> {
    let before = before.unwrap_or_else(|| Node::number("before", 0, Unit::Money(currency)));
    Some(after.named("with_purchase").less(before.named("before"))?.named(name))
}

/// Added income ÷ cost, in percent.
pub fn purchase_yield(added: Node, cost: Node) -> Option<Node> {
    percentage("purchase_yield", added, cost)
}
