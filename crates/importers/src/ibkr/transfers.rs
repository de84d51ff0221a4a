//! Shares transferred from or to another account.

use std::collections::HashSet;

use ledger::Decimal;

use super::book::Book;
use super::entry::Entry;
use super::instrument::{Instrument, no_share};
use super::trades::id;
use crate::{Kind, Parsed, Reason, Record};

pub fn read<'b>(book: &Book, entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) {
    let accounts: HashSet<&str> = book.statements.iter().map(|statement| statement.account.as_str()).collect();
    for entry in entries {
        match transfer(book, entry, &accounts) {
            Ok(Ok(record)) => parsed.records.push(record),
            Ok(Err(reason)) => parsed.skip(entry.line, reason),
            Err(reason) => parsed.error(entry.line, reason),
        }
    }
}

/// The inner error is the reason why the row is skipped.
fn transfer(book: &Book, entry: &Entry, accounts: &HashSet<&str>) -> Result<Result<Record, Reason>, Reason> {
    if let Some(reason) = no_share(entry) {
        let cash = entry.lower("assetcategory") == "cash";
        return Ok(Err(if cash { Reason::Cash } else { reason }));
    }
    let quantity = entry.figure("quantity")?.unwrap_or_default();
    let Some(instrument) = Instrument::named(entry) else { return Ok(Err(Reason::Cash)) };
    if quantity.is_zero() {
        return Ok(Err(Reason::NoShares));
    }
    let other = entry.text("account").unwrap_or_default();
    if entry.lower("type") == "internal" && other != book.account_of(entry) && accounts.contains(other) {
        return Ok(Err(Reason::MovedInside));
    }
    let comes = match entry.lower("direction").as_str() {
        "in" => true,
        "out" => false,
        _ => quantity.is_sign_positive(),
    };
    let (date, time) = entry.first_moment(&["date", "datetime", "reportdate", "settledate"])?;
    let kind = if comes { Kind::TransferIn } else { Kind::TransferOut };
    let mut record = Record { time, id: id(entry), shares: Some(quantity.abs()), ..Record::new(entry.line, date, kind) };
    instrument.put(&mut record);
    if comes {
        cost(entry, &mut record)?;
    }
    Ok(Ok(record))
}

/// The transferred cost, else the value on that day.
fn cost(entry: &Entry, record: &mut Record) -> Result<(), Reason> {
    let unit = entry.unit()?;
    record.currency = Some(unit.currency);
    let stated = |name: &str| -> Result<Option<Decimal>, Reason> {
        Ok(entry.figure(name)?.map(|figure| unit.normalise(figure.abs())).filter(|figure| !figure.is_zero()))
    };
    record.price = stated("transferprice")?;
    if record.price.is_none() {
        record.amount = stated("positionamount")?;
        record.note = Some(match record.amount.is_none() {
            true => "came without a cost; set it by hand".to_owned(),
            false => "came without a cost; its value on that day stands for it".to_owned(),
        });
    }
    Ok(())
}
