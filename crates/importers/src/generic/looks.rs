//! Recognises the type of a cell by its appearance.

use ledger::QuoteUnit;

use super::mapping::Meaning;
use super::words::meaning;
use crate::Reason;
use crate::reading::{Decimals, Order, day, fields, figure};

pub fn is_nothing(cell: &str) -> bool {
    matches!(cell, "-" | "--") || ["n/a", "na", "null", "none"].iter().any(|nothing| cell.eq_ignore_ascii_case(nothing))
}

pub fn is_day(cell: &str) -> bool {
    [Order::DayFirst, Order::MonthFirst].iter().any(|order| day("date", cell, *order).is_ok())
}

/// With nothing but a currency next to it: `PETR4` is a ticker.
pub fn is_figure(cell: &str) -> bool {
    let letters = || cell.chars().filter(|letter| letter.is_alphabetic());
    let plain = letters().all(|letter| matches!(letter, 'e' | 'E')) && letters().count() <= 1;
    (plain || unit_beside(cell).is_some())
        && [Decimals::Point, Decimals::Comma].iter().any(|decimals| figure("figure", cell, *decimals).is_ok())
}

pub fn is_isin(cell: &str) -> bool {
    fields::isin("isin", cell).is_ok()
}

pub fn is_currency(cell: &str) -> bool {
    QuoteUnit::parse(cell).is_ok()
}

/// A word for a purchase, a sale or a payment; single letters may mean anything.
pub fn is_type(cell: &str) -> bool {
    cell.len() > 1 && matches!(meaning(cell), Some(Meaning::Kind(_) | Meaning::Tax))
}

pub fn is_ticker(cell: &str) -> bool {
    cell.len() <= 12
        && cell.bytes().any(|byte| byte.is_ascii_uppercase())
        && cell.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':'))
}

/// The unit of money that a code or sign means.
pub fn unit(text: &str) -> Result<QuoteUnit, Reason> {
    let code = match text {
        "€" => "EUR",
        "£" => "GBP",
        "US$" => "USD",
        "R$" => "BRL",
        "C$" | "CA$" => "CAD",
        "A$" | "AU$" => "AUD",
        "NZ$" => "NZD",
        "HK$" => "HKD",
        "zł" => "PLN",
        "Kč" => "CZK",
        text => text,
    };
    // "gbp" may mean pounds or pence.
    let lower = code.len() == 3 && code != "gbp" && code.bytes().all(|byte| byte.is_ascii_lowercase());
    QuoteUnit::parse(code)
        .or_else(|unknown| if lower { QuoteUnit::parse(&code.to_uppercase()) } else { Err(unknown) })
        .map_err(|unknown| Reason::unknown_currency("currency", unknown))
}

/// The unit next to a figure in its cell: `12.50 EUR`, `€3`.
pub fn unit_beside(cell: &str) -> Option<QuoteUnit> {
    let around: String = cell.chars().filter(|letter| letter.is_alphabetic() || matches!(letter, '€' | '£' | '$')).collect();
    unit(&around).ok()
}
