//! Hargreaves Lansdown: the transaction summary as CSV. Prices are in pence, values in pounds, and securities only have names.

use ledger::Decimal;

use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

const VALUE: &str = "value (£)";

pub const COLUMNS: &[&str] = &["trade date", "reference", "description", "unit cost (p)", "quantity", VALUE];

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, read)
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let reference = line.need("reference")?;
    let kind = reference.to_uppercase();
    let numbered = |letter: char| {
        kind.strip_prefix(letter).is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match kind.as_str() {
        _ if numbered('B') => trade(line, Kind::Buy).map(Read::from),
        _ if numbered('S') => trade(line, Kind::Sell).map(Read::from),
        _ if line.figure("quantity")?.is_some_and(|quantity| !quantity.is_zero()) => Err(Reason::unsupported(reference)),
        _ if kind.contains("DIV") => Ok(Record { net: Some(line.figure_needed(VALUE)?), ..record(line, Kind::Dividend)? }.into()),
        _ => Ok(Read::Skip(Reason::Cash)),
    }
}

fn record(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let date = day("trade date", line.need("trade date")?, Order::DayFirst)?;
    let currency = fields::currency("currency", "GBP")?;
    let name = fields::short(name(line.need("description")?));
    Ok(Record { name, currency: Some(currency), ..Record::new(line.number(), date, kind) })
}

/// `Green Fund 1000 @ 2500.00` without its last three words.
fn name(description: &str) -> &str {
    let before = description.rsplit_once('@').map(|(before, _)| before.trim_end());
    before.and_then(|before| before.rsplit_once(' ')).map_or(description, |(name, _)| name.trim_end())
}

/// The value includes dealing costs in addition to shares × price.
fn trade(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let pence = fields::unit("currency", "GBX")?;
    let shares = line.figure_needed("quantity")?.abs();
    let price = pence.normalise(line.figure_needed("unit cost (p)")?);
    let value = line.figure_needed(VALUE)?.abs();
    let gross = shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?.round_dp(2);
    let fees = match kind {
        Kind::Buy => value.checked_sub(gross),
        _ => gross.checked_sub(value),
    };
    let record = Record { shares: Some(shares), id: line.text("reference").and_then(fields::short), ..record(line, kind)? };
    Ok(match fees.filter(|fees| *fees >= Decimal::ZERO) {
        Some(fees) => Record { price: Some(price), fees: Some(fees), ..record },
        // The rounding of the price exceeds the dealing costs.
        None => Record { amount: Some(value), ..record },
    })
}
