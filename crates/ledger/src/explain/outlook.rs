//! The projection, the likely range and the months of a year.

use rust_decimal::Decimal;

use super::node::{Node, Rule, Unit};
use crate::income_year::{biggest_months, month_bits, month_count, of_month, parts, share};
use crate::likely::{by_symbol, range};
use crate::{Currency, PayerKind, projection};

/// The income of a position after some years: not rounded. `reinvested` has its yield and its withholding tax.
pub fn projected(income: Node, growth: Node, reinvested: Option<[Node; 2]>, years: u32) -> Option<Node> {
    let reinvested = reinvested.map(|[yield_fraction, withholding]| (yield_fraction, withholding));
    let factor = projection::factor(growth, reinvested)?.named("yearly_factor");
    let (unit, years) = (income.unit, Node::number("years", years, Unit::Years));
    Node::computed(Rule::Grown, unit, vec![income, factor, years])
}

/// The low and the high end of the likely range, from symbols, kinds and incomes; `None` inside without a range.
pub fn likely(payers: Vec<(String, PayerKind, Node)>, currency: Currency) -> Option<Option<[Node; 2]>> {
    let Some(incomes) = by_symbol(payers)? else { return Some(None) };
    let named = incomes.into_iter().map(|(symbol, kind, income)| (kind, alone(income).named(symbol)));
    let [low, high] = range(&named.collect::<Vec<_>>())?;
    let ends = [low.named("likely_low"), high.named("likely_high")];
    Some(Some(ends.map(|end| end.rounded(currency.minor_units()))))
}

/// A sum of one is that one.
fn alone(mut sum: Node) -> Node {
    match (sum.inputs.len(), sum.inputs.pop()) {
        (1, Some(only)) => only,
        (_, last) => Node { inputs: sum.inputs.into_iter().chain(last).collect(), ..sum },
    }
}

/// The net income of a month from 1 to 12: not rounded. From the payment months and the net income of each position.
pub fn month(payers: Vec<(&[i8], Node)>, month: i8, currency: Currency) -> Option<Node> {
    let payers: Vec<_> = payers.into_iter().map(|(months, net)| (month_bits(months), net)).collect();
    let named = |(months, part): (u16, Node)| (months, part.named(format!("paid_in_{}", month_count(months))));
    let parts: Vec<_> = parts(&payers)?.into_iter().map(named).collect();
    Some(of_month(&parts, month)?.named(format!("month_{month}")).in_unit(Unit::Money(currency)))
}

/// The share of the strongest months, from the net income of all twelve and of the year.
pub fn biggest_months_share(months: &[Node], year: Node) -> Option<Node> {
    let of = |month: i8| months.get(usize::from(month.unsigned_abs()).wrapping_sub(1));
    let biggest = biggest_months(|month| of(month).and_then(Node::decimal).unwrap_or(Decimal::ZERO));
    Some(share(biggest.into_iter().map(|month| of(month).cloned()), year)?.named("biggest_months"))
}
