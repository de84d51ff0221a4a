//! Dividends received.

use rust_decimal::Decimal;

use super::node::{Node, Rule, Unit};
use super::position::recorded;
use crate::number::Number;
use crate::{Dividend, Entry};

/// A recorded dividend before tax.
pub fn gross_receipt(entry: &Entry, paid: &Dividend, exchange: Option<[Node; 2]>) -> Option<Node> {
    converted(amount("gross", paid.gross, entry), exchange)
}

/// A recorded dividend after tax: the recorded net amount, or what tax and fees leave of the gross.
pub fn net_receipt(entry: &Entry, paid: &Dividend, exchange: Option<[Node; 2]>) -> Option<Node> {
    let less = |node: Node, (name, less): (&'static str, Decimal)| {
        let inputs = vec![node, amount(name, less, entry)];
        Node::computed(Rule::Difference, Unit::Money(entry.currency), inputs)
    };
    let net = match paid.net {
        Some(net) => amount("net", net, entry),
        None => {
            let kept = [("withheld", paid.tax), ("fees", paid.fees)];
            let mut kept = kept.into_iter().filter_map(|(name, less)| Some((name, less.filter(|less| !less.is_zero())?)));
            kept.try_fold(amount("gross", paid.gross, entry), less)?
        }
    };
    converted(net, exchange)
}

/// From the twelve months before to the last ones.
pub fn received_growth(last: Node, before: Node) -> Option<Node> {
    let one = Node::number("constant", Decimal::ONE, Unit::Fraction);
    Some(Node::computed(Rule::Difference, Unit::Fraction, vec![last.over(before)?, one])?.named("received_growth"))
}

fn amount(name: &'static str, amount: Decimal, entry: &Entry) -> Node {
    recorded(Node::number(name, amount, Unit::Money(entry.currency)), entry)
}

/// With the units per euro of both currencies, if they differ.
pub fn converted(node: Node, exchange: Option<[Node; 2]>) -> Option<Node> {
    match exchange {
        Some([from, to]) => node.converted(from, to),
        None => Some(node),
    }
}
