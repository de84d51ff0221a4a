//! Figures of one or more positions, in one currency.

use rust_decimal::Decimal;

use super::node::{Node, Rule, Source, Unit};
use crate::holding;
use crate::income::{weighted_mean, yield_pct};
use crate::number::Number;
use crate::target::distance_pct;
use crate::{Currency, OwnPart};

/// The income of a position in a year: not rounded.
pub fn income(shares: Node, forward_rate: Node, exchange: Option<[Node; 2]>) -> Option<Node> {
    Some(holding::gross_income(shares, forward_rate, exchange)?.named("income"))
}

/// The same after withholding tax.
pub fn net_income(income: Node, withholding: Node) -> Option<Node> {
    Some(holding::net_income(income, withholding)?.named("net_income"))
}

/// The market value of a position, or the amount of a payment: not rounded.
pub fn value(shares: Node, per_share: Node, exchange: Option<[Node; 2]>) -> Option<Node> {
    Some(holding::worth(shares, per_share, exchange)?.named("value"))
}

/// A sum as it is shown: rounded to the currency's decimals.
pub fn total(name: &'static str, currency: Currency, positions: Vec<Node>) -> Option<Node> {
    Some(sum(name, Unit::Money(currency), positions)?.rounded(currency.minor_units()))
}

/// A twelfth of the income of a year.
pub fn monthly_average(currency: Currency, positions: Vec<Node>) -> Option<Node> {
    let annual = sum("net_annual_income", Unit::Money(currency), positions)?;
    let months = Node::number("months_of_year", 12, Unit::Count);
    Some(annual.over(months)?.named("monthly_average").rounded(currency.minor_units()))
}

/// The income of positions ÷ their value; `values` has those of each currency, with its exchange rates.
pub fn current_yield(incomes: Vec<Node>, values: Vec<(Vec<Node>, Option<[Node; 2]>)>, currency: Currency) -> Option<Node> {
    let unit = Unit::Money(currency);
    let converted = |(values, exchange): (Vec<Node>, Option<[Node; 2]>)| {
        let value = Node::sum(values.into_iter().map(Some))?;
        let name = value.unit.text().into_owned();
        match exchange {
            Some([from, to]) => Some(value.named("value").converted(from, to)?.named(name)),
            None => Some(value.named(name)),
        }
    };
    let income = Node::sum(incomes.into_iter().map(Some))?.named("income").in_unit(unit);
    let value = Node::sum(values.into_iter().map(converted))?.named("value").in_unit(unit);
    let node = yield_pct(income, hundred(), value)?;
    Some(node.in_unit(Unit::Percent).named("current_yield").rounded(2))
}

/// A part of a whole in percent, two decimals.
pub fn percentage(name: &'static str, part: Node, whole: Node) -> Option<Node> {
    Some(part.over(whole)?.times(hundred())?.in_unit(Unit::Percent).named(name).rounded(2))
}

/// Not rounded.
pub fn sum(name: &'static str, unit: Unit, inputs: Vec<Node>) -> Option<Node> {
    Some(Node::sum(inputs.into_iter().map(Some))?.named(name).in_unit(unit))
}

/// The amount of a payment after withholding tax: not rounded.
pub fn net_payment(gross: Node, withholding: Node) -> Option<Node> {
    gross.times(withholding.rest()?)
}

/// How far it is to a target, in percent.
pub fn to_target(name: &'static str, remains: Node, whole: Node) -> Option<Node> {
    Some(distance_pct(remains, whole, hundred())?.in_unit(Unit::Percent).named(name))
}

/// By how many percent a ratio with two decimals is above one; a whole number.
pub fn change_pct(name: &'static str, ratio: Node) -> Option<Node> {
    let one = Node::number("whole", Decimal::ONE, ratio.unit);
    Some(ratio.rounded(2).less(one)?.times(hundred())?.in_unit(Unit::Percent).named(name).rounded(0))
}

fn hundred() -> Node {
    Node::number("constant", Decimal::ONE_HUNDRED, Unit::Count)
}

/// The mean of a figure of each position, weighted by its income.
pub fn growth_rate(incomes_and_growths: Vec<(Node, Node)>, currency: Currency) -> Option<Node> {
    let incomes = incomes_and_growths.iter().map(|(income, _)| Some(income.clone()));
    let annual = Node::sum(incomes)?.named("annual_income").in_unit(Unit::Money(currency));
    let weighted = incomes_and_growths.into_iter().map(|(income, growth)| (income, unknown_as_zero(growth)));
    Some(weighted_mean(weighted, annual)?.named("growth").in_unit(Unit::Fraction))
}

/// Counts as zero in a mean or a projection.
pub fn unknown_as_zero(figure: Node) -> Node {
    match figure.value {
        Some(_) => figure,
        None => Node::number(figure.name, Decimal::ZERO, figure.unit).by(Rule::Unknown, figure.inputs),
    }
}

/// The part of the income that is withheld, if it differs between positions.
pub fn withheld_share(incomes_and_rates: Vec<(Node, Node)>, currency: Currency) -> Option<Node> {
    Some(growth_rate(incomes_and_rates, currency)?.named("withholding"))
}

/// A payment of the user's own dividends: their gross ÷ the shares they were paid on.
pub fn own_payment<'a>(parts: impl Iterator<Item = &'a OwnPart> + Clone) -> Option<Node> {
    let recorded = |name, number, unit, part: &OwnPart| {
        let node = Node::number(name, number, unit).with_source(Source::Ledger).as_of(part.date);
        Some(node.with_rows([part.sequence.to_string()]))
    };
    let gross = Node::sum(parts.clone().map(|part| recorded("gross", part.gross, Unit::Money(part.currency), part)))?;
    let shares = Node::sum(parts.map(|part| recorded("shares", part.shares, Unit::Shares, part)))?;
    Some(gross.named("gross").over(shares.named("shares"))?.with_source(Source::Ledger))
}
