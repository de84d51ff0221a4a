//! A row of the statement with its figures parsed.

use jiff::civil::{Date, Time};
use ledger::{Decimal, QuoteUnit};

use crate::Reason;
use crate::reading::{Line, Order, fields, moment};
use crate::reason::Cell;

pub struct Event<'a> {
    pub line: u64,
    pub date: Date,
    pub time: Option<Time>,
    pub kind: &'a str,
    pub act: Act,
    pub ticker: Option<&'a str>,
    pub quantity: Option<Decimal>,
    pub price: Option<Decimal>,
    pub total: Option<Decimal>,
    pub unit: Option<QuoteUnit>,
}

impl<'a> Event<'a> {
    pub fn read(line: &Line<'_, 'a>) -> Result<Event<'a>, Reason> {
        let (date, time) = moment("Date", line.need("date")?, Order::DayFirst)?;
        let kind = line.need("type")?;
        let unit = line.text("currency").map(|code| fields::unit("Currency", code)).transpose()?;
        for name in ["price per share", "total amount"] {
            if let (Some(text), Some(unit)) = (line.text(name), unit) {
                same_currency(name, text, unit)?;
            }
        }
        let money =
            |name: &str| Ok::<_, Reason>(line.figure(name)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure))));
        Ok(Event {
            line: line.number(),
            date,
            time,
            kind,
            act: act(kind),
            ticker: line.text("ticker"),
            quantity: line.figure("quantity")?,
            price: money("price per share")?,
            total: money("total amount")?,
            unit,
        })
    }
}

/// A `€` next to another currency than the euro means two currencies in one row.
fn same_currency(name: &str, text: &str, unit: QuoteUnit) -> Result<(), Reason> {
    let letters: String = text.chars().filter(|letter| letter.is_ascii_alphabetic()).collect();
    let code = match letters.as_str() {
        _ if text.contains('€') => "EUR",
        _ if text.contains('£') => "GBP",
        "US" => "USD",
        code if code.len() == 3 => code,
        _ => return Ok(()),
    };
    match code == unit.currency.code() || code == unit.name() {
        true => Ok(()),
        false => Err(Reason::CurrencyMismatch(Cell::new(name, text))),
    }
}

/// The row types of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Buy,
    Sell,
    Dividend,
    /// Tax on earlier dividends that was withheld or returned later.
    DividendTax,
    /// The shares added, or removed if negative.
    Split,
    /// Shares given up (negative) or received in a merger.
    Merger,
    /// The whole position turned into money, or into nothing.
    Closure,
    SpinOff,
    ReturnOfCapital,
    /// From one of Revolut's companies to another: the position stays the same.
    Move,
    /// Cash movements and fees of the account.
    Cash,
    Other,
}

fn act(kind: &str) -> Act {
    let kind = kind.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let is_trade = |word: &str| {
        kind.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_start_matches([' ', '-']);
            rest.is_empty() || ["MARKET", "LIMIT", "STOP", "STOP LIMIT", "STOP-LIMIT", "RECURRING", "AUTO"].contains(&rest)
        })
    };
    match kind.as_str() {
        _ if is_trade("BUY") => Act::Buy,
        _ if is_trade("SELL") => Act::Sell,
        _ if kind.starts_with("DIVIDEND TAX") => Act::DividendTax,
        "DIVIDEND" | "DIVIDEND (CORRECTION)" | "DIVIDEND (REVERSAL)" | "DIVIDEND CORRECTION" | "DIVIDEND REVERSAL" => {
            Act::Dividend
        }
        "STOCK SPLIT" | "SPLIT" | "REVERSE STOCK SPLIT" => Act::Split,
        "MERGER - STOCK" => Act::Merger,
        "MERGER - CASH" | "POSITION CLOSURE" => Act::Closure,
        "SPINOFF" | "SPIN-OFF" | "SPIN OFF" => Act::SpinOff,
        "RETURN OF CAPITAL" => Act::ReturnOfCapital,
        _ if kind.starts_with("TRANSFER FROM") => Act::Move,
        _ if kind.starts_with("CASH ") || kind.contains(" FEE") => Act::Cash,
        _ => Act::Other,
    }
}
