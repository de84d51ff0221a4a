//! The estimated withholding tax.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::node::{Node, Rule, Source, Unit};
use crate::withholding::{Basis, Estimate, Official, Source as TaxSource};
use crate::{Currency, Money};

/// A dividend of the user that shows the withholding tax.
pub struct Paid {
    pub sequence: i64,
    pub date: Date,
    pub gross: Decimal,
    pub tax: Decimal,
}

/// `paid` has the dividends that were seen, in one currency.
pub fn withholding(
    estimate: &Estimate,
    source: TaxSource,
    residence: Option<&str>,
    paid: &[Paid],
    currency: Option<Currency>,
) -> Option<Node> {
    let country = || Node::text("source_country", source.country.unwrap_or("unknown"));
    let zero = || Node::number("", Decimal::ZERO, Unit::Fraction);
    let node = match estimate.basis {
        Basis::Home => {
            let inputs = vec![country(), Node::text("residence", residence.unwrap_or_default().to_owned())];
            zero().by(Rule::Home, inputs)
        }
        Basis::UntaxedFund => zero().by(Rule::UntaxedFund, vec![country(), Node::text("fund", "yes")]).with_source(Source::Table),
        Basis::UnknownSource => {
            Node::number("", estimate.rate, Unit::Fraction).with_source(Source::Table).with_rows(["unknown".to_owned()])
        }
        Basis::Table(official) => Node::computed(Rule::Lowest, Unit::Fraction, rates(official, source, residence))?,
        Basis::Withheld { official, .. } => {
            let currency = currency?;
            let sum = |name: &'static str, amount: fn(&Paid) -> Decimal| {
                let each = paid.iter().map(|one| {
                    let node = Node::money(name, Money::new(amount(one), currency)).with_source(Source::Ledger);
                    node.as_of(one.date).with_rows([one.sequence.to_string()])
                });
                Some(Node::computed(Rule::Sum, Unit::Money(currency), each.collect())?.named(name))
            };
            let half = Node::money("half_a_unit", Money::new(Decimal::new(5, currency.minor_units() + 1), currency));
            let count = Node::number("dividends", Decimal::from(paid.len()), Unit::Count);
            let rounding = Node::computed(Rule::Product, Unit::Money(currency), vec![half, count])?.named("rounding");
            let inputs = [sum("gross", |paid| paid.gross)?, sum("withheld", |paid| paid.tax)?, rounding];
            let inputs = inputs.into_iter().chain(rates(official, source, residence)).collect();
            Node::computed(Rule::Withheld, Unit::Fraction, inputs)?
        }
    };
    Some(node.named("withholding"))
}

/// The treaty rate and the statutory rate, those that are known.
fn rates(official: Official, source: TaxSource, residence: Option<&str>) -> Vec<Node> {
    let country = source.country.unwrap_or_default();
    let rate = |name, rate: Option<Decimal>, row: String| {
        Some(Node::number(name, rate?, Unit::Fraction).with_source(Source::Table).with_rows([row]))
    };
    let treaty = rate("treaty_rate", official.treaty, format!("{country}-{}", residence.unwrap_or_default()));
    let statutory = rate("statutory_rate", official.statutory, country.to_owned());
    treaty.into_iter().chain(statutory).collect()
}
