//! Which values of a provider's answer are accepted, and which are rejected.

#![allow(clippy::unwrap_used)]

mod closes;
mod dividends;
mod history;
mod merge;
mod profile;
mod quote;
mod recorded;
mod special;
mod splits;

use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit, Ratio};
use market::validation::{Held, Known, KnownDividend, Sifted};
use market::{Dividend, DividendUnit, Split};

pub const TODAY: Date = jiff::civil::date(2026, 7, 1);

pub fn day(text: &str) -> Date {
    text.parse().unwrap()
}

pub fn figure(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

pub fn unit(name: &str) -> Option<QuoteUnit> {
    Some(QuoteUnit::parse(name).unwrap())
}

pub fn in_dollars() -> Known {
    Known { unit: unit("USD"), ..Known::default() }
}

/// A dividend in dollars with only ex-date and amount.
pub fn paid(ex_date: &str, amount: &str) -> Dividend {
    Dividend {
        ex_date: day(ex_date),
        pay_date: None,
        declared_date: None,
        amount: figure(amount),
        unit: DividendUnit::Whole(currency("USD")),
        special: None,
    }
}

pub fn history(rows: &[(&str, &str)]) -> Vec<Dividend> {
    rows.iter().map(|(ex_date, amount)| paid(ex_date, amount)).collect()
}

/// 0.25 dollars in March, June, September and December of 2023 to 2025.
pub fn quarterly() -> Vec<Dividend> {
    let quarters = |year| [3, 6, 9, 12].map(|month| paid(&format!("{year}-{month:02}-10"), "0.25"));
    (2023..=2025).flat_map(quarters).collect()
}

pub fn split(date: &str, ratio: &str) -> Split {
    Split { date: day(date), ratio: Ratio::parse(ratio).unwrap() }
}

pub fn known_split(date: &str, ratio: &str) -> ledger::Split {
    ledger::Split { date: day(date), ratio: Ratio::parse(ratio).unwrap() }
}

pub fn sifted(known: &Known, answer: &[Dividend]) -> Sifted<Vec<KnownDividend>> {
    market::validation::dividends(known, &[], answer, TODAY)
}

/// Ex-date, amount and whether special, in short.
pub fn summary(rows: &[KnownDividend]) -> Vec<(String, String, bool)> {
    rows.iter().map(|row| (row.ex_date.to_string(), row.amount.to_string(), row.special)).collect()
}

pub fn fields(held: &[Held]) -> Vec<&str> {
    held.iter().map(|held| held.field.as_str()).collect()
}
