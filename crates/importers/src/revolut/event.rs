//! A row of the statement with its figures parsed.

use jiff::civil::{Date, Time};
use ledger::{Decimal, QuoteUnit};

use super::kind::{Act, act};
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
