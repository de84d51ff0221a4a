//! What a transaction in a form comes to.

use super::node::Node;
use crate::Kind;
use crate::cash::{Given, gross_of, net_of};

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
