//! Freetrade: the activity feed as CSV, in both generations of its columns.

mod dividend;
mod order;
mod split;

use std::collections::HashMap;

use ledger::QuoteUnit;

use crate::reading::{Line, Order, Table, Words, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

static VENUES: Words = Words::new(include_str!("venues.txt"));

pub const COLUMNS: &[&str] = &["title", "type", "timestamp", "account currency", "buy / sell", "isin", "instrument currency"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = rows::parse(table, read);
    // Orders have the exchange; dividends of the same share do not.
    let listed = parsed.records.iter().filter_map(|record| Some((record.isin.clone()?, record.suffix?)));
    let suffixes: HashMap<String, &'static str> = listed.collect();
    for record in parsed.records.iter_mut().filter(|record| record.suffix.is_none()) {
        record.suffix = record.isin.as_ref().and_then(|isin| suffixes.get(isin).copied());
    }
    parsed
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let written = line.need("type")?;
    let kind = written.to_uppercase();
    let taken = |record: Record| Ok(record.into());
    match kind.as_str() {
        "ORDER" | "BASIC_ORDER" => taken(order::order(line)?),
        "FREESHARE_ORDER" => taken(order::free_share(line)?),
        "STOCK_SPLIT" => taken(split::split(line)?),
        "DIVIDEND" => taken(dividend::dividend(line, Kind::Dividend, None)?),
        "PROPERTY" => taken(dividend::dividend(line, Kind::Dividend, Some("property income distribution"))?),
        "RETURN_OF_CAPITAL" | "CAPITAL_REPAYMENT" => taken(dividend::dividend(line, Kind::ReturnOfCapital, None)?),
        _ if kind.ends_with("DIVIDEND") => {
            let words = kind.to_lowercase().replace('_', " ");
            taken(dividend::dividend(line, Kind::Dividend, Some(&words))?)
        }
        _ if kind.contains("LENDING") || line.any(&["isin", "ticker"]).is_none() => Ok(Read::Skip(Reason::NoShares)),
        _ => Err(Reason::unsupported(written)),
    }
}

fn record(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = moment("timestamp", line.need("timestamp")?, Order::DayFirst)?;
    Ok(Record {
        time,
        ticker: line.text("ticker").and_then(fields::short),
        suffix: line.text("venue").and_then(suffix),
        isin: line.isin("isin"),
        name: line.text("title").and_then(fields::short),
        id: line.text("order id").and_then(fields::short),
        ..Record::new(line.number(), date, kind)
    })
}

/// The suffix of that exchange in our own notation; `None` for an order filled at several.
fn suffix(venue: &str) -> Option<&'static str> {
    VENUES.meaning_in(&venue.to_lowercase()).map(|suffix| suffix.trim_matches('-'))
}

/// The unit in that column, such as `USD`.
fn unit(line: Line<'_, '_>, name: &str) -> Result<QuoteUnit, Reason> {
    fields::unit(name, line.need(name)?)
}
