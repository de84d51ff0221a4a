//! What was recorded for a payment, and what is estimated if nothing was.

use super::node::{Node, Rule, Source};
use super::position::recorded;
use crate::expected::{Trace, estimate};
use crate::number::Number;
use crate::{Currency, Entry, Event, Kind, Money};

impl Trace for Node {
    fn plus(self, other: Node) -> Option<Node> {
        let unit = self.unit;
        let mut all = if self.rule == Rule::Sum { self.inputs } else { vec![self] };
        all.push(other);
        Some(Node::sum(all.into_iter().map(Some))?.in_unit(unit))
    }

    fn without(self, payments: &[Money]) -> Option<Node> {
        let payment = |sum: Node, payment: &Money| sum.less(Node::money("other_payment", *payment));
        payments.iter().try_fold(self.named("recorded_sum"), payment)
    }

    fn part(self, payment: Money) -> Node {
        Node::money("part_of_sum", payment).with_source(Source::Ledger).with_rows(rows(&self))
    }
}

fn rows(node: &Node) -> Vec<String> {
    node.rows.iter().cloned().chain(node.inputs.iter().flat_map(rows)).collect()
}

/// A recorded dividend or return of capital.
pub fn booked(entry: &Entry, gross: Money) -> Node {
    let name = match &entry.event {
        Event::Dividend(paid) if paid.gross_known => "gross",
        Event::Dividend(_) => "net",
        _ => Kind::ReturnOfCapital.word(),
    };
    recorded(Node::money(name, gross), entry)
}

/// Recorded − expected.
pub fn difference(recorded: Node, expected: Node) -> Option<Node> {
    Some(recorded.less(expected)?.named("difference"))
}

/// Gross, tax and net of a payment that nobody recorded.
pub fn estimated(gross: Node, withheld: Node, currency: Currency) -> Option<[Node; 3]> {
    let [gross, tax, net] = estimate(gross, withheld, currency.minor_units())?;
    Some([gross, tax, net.named("net")])
}
