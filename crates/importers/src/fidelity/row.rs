//! A row of Fidelity's history, in any of its layouts.

use jiff::civil::Date;
use ledger::Decimal;

use super::verb;
use crate::reading::{Line, Order, Table, day, fields};
use crate::us_history::{Action, Entry};
use crate::{Opened, Parsed, Reason};

pub const COLUMNS: &[&str] = &["run date", "action", "symbol", "quantity"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    Table::find(file, COLUMNS).filter(|table| table.has("amount ($)") || table.has("amount"))
}

/// The readable rows; the others become skips and errors.
pub fn entries(table: &Table<'_>, parsed: &mut Parsed) -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in table.lines() {
        parsed.rows += 1;
        match read(&line) {
            Ok(Some(entry)) => entries.push(entry),
            Ok(None) => parsed.skip(line.number(), Reason::Remark),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    entries
}

/// `None` for the disclaimer below the table and the download date at its end.
fn read(line: &Line<'_, '_>) -> Result<Option<Entry>, Reason> {
    let first = line.text("run date").unwrap_or_default();
    let amount = |names: [&str; 2]| -> Result<Option<Decimal>, Reason> {
        let name = names.into_iter().find(|name| line.text(name).is_some());
        Ok(name.map(|name| line.figure(name)).transpose()?.flatten().filter(|figure| !figure.is_zero()))
    };
    let run = day("Run Date", first, Order::MonthFirst);
    let is_text = line.any(&["symbol", "quantity", "amount ($)", "amount", "settlement date"]).is_none();
    if run.is_err() && (is_text || first.split_whitespace().count() > 3) {
        return Ok(None);
    }
    let booked = run?;
    let words = line.need("action")?.split_whitespace().collect::<Vec<_>>().join(" ");
    let action = verb::parse(&words);
    let charges = [amount(["commission ($)", "commission"])?, amount(["fees ($)", "fees"])?];
    let description = line.any(&["description", "security description"]).unwrap_or_default();
    Ok(Some(Entry {
        line: line.number(),
        date: as_of(&words).unwrap_or(booked),
        booked,
        account: line.any(&["account number", "account"]).unwrap_or_default().to_owned(),
        action,
        symbol: line.text("symbol").map(str::to_owned).or_else(|| in_brackets(action, &words)),
        description: if description.eq_ignore_ascii_case("no description") { String::new() } else { description.to_owned() },
        words,
        quantity: amount(["quantity", "quantity"])?,
        price: amount(["price ($)", "price"])?,
        fees: charges.into_iter().flatten().map(|fee| fee.abs()).reduce(Decimal::saturating_add),
        amount: amount(["amount ($)", "amount"])?,
        currency: Some(fields::currency("Currency", line.text("currency").unwrap_or("USD"))?),
    }))
}

/// `DIVIDEND RECEIVED as of Apr-09-2026 …`: booked on the day of the row, but paid or traded on this one.
fn as_of(words: &str) -> Option<Date> {
    let at = words.to_ascii_lowercase().find(" as of ")?;
    let written = words.get(at + " as of ".len()..)?.split(' ').next()?;
    day("Action", written, Order::MonthFirst).ok()
}

/// `… (BND) (Cash)`: the last brackets that do not name a part of the account. In the texts of payments they may be anything.
fn in_brackets(action: Action, words: &str) -> Option<String> {
    if matches!(action, Action::Unknown | Action::Move | Action::Fee) {
        return None;
    }
    let parts = words.rsplit('(').filter_map(|part| part.split_once(')').map(|(inside, _)| inside.trim()));
    let is_part = |inside: &&str| !["cash", "margin", "short", "shares"].contains(&inside.to_lowercase().as_str());
    let is_symbol = |inside: &&str| (1..=9).contains(&inside.len()) && inside.bytes().all(|byte| byte.is_ascii_alphanumeric());
    parts.filter(is_part).find(is_symbol).map(str::to_owned)
}
