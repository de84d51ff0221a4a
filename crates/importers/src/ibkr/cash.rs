//! Cash: dividends, their withholding tax and fees, which have separate rows. Everything else is not part of a share ledger.

use jiff::civil::Date;

use super::accruals::ExDates;
use super::book::{Book, later};
use super::entry::Entry;
use super::instrument::{Instrument, no_share};
use super::paired::{Is, Payment, joined, without_taken_back};
use super::trades::id;
use super::wording;
use crate::reading::Words;
use crate::{Kind, Parsed, Reason, Record};

static TYPES: Words = Words::new(include_str!("cash.txt"));

pub fn read<'b>(book: &Book, entries: impl Iterator<Item = &'b Entry>, ex_dates: &ExDates, parsed: &mut Parsed) {
    let (mut dividends, mut charges) = (Vec::new(), Vec::new());
    for entry in entries {
        let read = match kind(entry) {
            Ok(Some(kind)) => payment(book, entry, kind, ex_dates),
            Ok(None) => Ok(None),
            Err(reason) => Err(reason),
        };
        match read {
            Ok(Some(payment)) if payment.is == Is::Dividend => dividends.push(payment),
            Ok(Some(payment)) => charges.push(payment),
            Ok(None) => parsed.skip(entry.line, skipped(entry)),
            Err(reason) => parsed.error(entry.line, reason),
        }
    }
    let dividends = without_taken_back(dividends, parsed);
    for record in joined(dividends, charges, parsed) {
        parsed.records.push(record);
    }
}

/// `None` if it neither is nor belongs to a dividend.
fn kind(entry: &Entry) -> Result<Option<Is>, Reason> {
    let description = entry.lower("description");
    let kind = entry.lower("type");
    let found = match kind.as_str() {
        "dividends" | "dividend" => Is::Dividend,
        _ if kind.starts_with("payment in lieu") => Is::Dividend,
        "withholding tax" | "871(m) withholding" | "foreign tax withholding" => Is::Tax,
        _ if kind.contains("fee") && description.contains("dividend") && description.trim_end().ends_with("- fee") => Is::Fee,
        "" => return Err(Reason::flex_field_missing("type")),
        _ if TYPES.has("other", &kind) || Instrument::of(entry).is_none() => return Ok(None),
        _ if no_share(entry).is_some() => return Ok(None),
        _ => {
            return Err(Reason::unsupported(entry.text("type").unwrap_or_default()));
        }
    };
    let nameless = found != Is::Dividend && Instrument::of(entry).is_none();
    Ok((!nameless && no_share(entry).is_none()).then_some(found))
}

fn skipped(entry: &Entry) -> Reason {
    let kind = entry.lower("type");
    match no_share(entry) {
        Some(reason) if kind.contains("dividend") || kind.contains("withholding") => reason,
        _ if kind.contains("withholding") => Reason::TaxWithoutDividend,
        _ if kind.contains("interest") => Reason::Interest,
        _ if kind.contains("fee") => Reason::AccountFee,
        _ => Reason::Cash,
    }
}

fn payment(book: &Book, entry: &Entry, is: Is, ex_dates: &ExDates) -> Result<Option<Payment>, Reason> {
    let description = entry.text("description").unwrap_or_default();
    let instrument = Instrument::of(entry).ok_or(Reason::NoSecurity)?;
    let unit = entry.unit()?;
    let amount = unit.normalise(entry.figure_needed("amount")?);
    let (date, time) = entry.first_moment(&["datetime", "settledate", "paydate", "reportdate", "date"])?;
    let booked = entry.day("reportdate")?;
    let upper = description.to_ascii_uppercase();
    let returns = is == Is::Dividend && upper.contains("(RETURN OF CAPITAL)");
    let in_lieu = upper.contains("IN LIEU") || entry.lower("type").contains("in lieu");
    let rate = wording::per_share(description);
    let mut record =
        Record { time, ..Record::new(entry.line, date, if returns { Kind::ReturnOfCapital } else { Kind::Dividend }) };
    instrument.put(&mut record);
    record.currency = Some(unit.currency);
    record.id = id(entry);
    record.ex_date = entry.day("exdate")?;
    if record.id.is_some() {
        // A row without an id is recognised by its figures, so they must not depend on other rows.
        record.ex_date = record.ex_date.or_else(|| ex_dates.ex_date(entry, date));
        record.fx_rate = book.rate(entry, &instrument.key, &unit);
    }
    if is == Is::Dividend {
        record.amount = Some(amount);
        record.price = rate.filter(|(of, _)| of.currency == unit.currency).map(|(_, rate)| rate);
    }
    record.note = note(description, in_lieu, is, date, booked);
    let loose = [
        book.account_of(entry),
        &instrument.key,
        &date.to_string(),
        &booked.map(|day| day.to_string()).unwrap_or_default(),
        unit.currency.code(),
    ]
    .join("|");
    let rate = rate.map(|(of, rate)| format!("{} {rate}", of.currency)).unwrap_or_default();
    let undated = booked.is_none().then_some(upper);
    Ok(Some(Payment { is, record, amount, key: format!("{loose}|{rate}|{in_lieu}"), loose, undated }))
}

fn note(description: &str, in_lieu: bool, is: Is, date: Date, booked: Option<Date>) -> Option<String> {
    let sort =
        wording::bracket(description).filter(|sort| is == Is::Dividend && sort.parse::<u64>().is_err() && sort.contains(' '));
    let sort = sort.filter(|sort| !["ordinary dividend", "return of capital"].contains(&sort.to_lowercase().as_str()));
    let late = booked.filter(|_| later(booked, date, 7)).map(|day| format!("booked on {day}"));
    let parts =
        in_lieu.then(|| "payment in lieu of a dividend".to_owned()).into_iter().chain(sort.map(str::to_owned)).chain(late);
    wording::plain(&parts.collect::<Vec<_>>().join(", "))
}
