//! Corporate actions: splits, mergers, tenders, spin-offs, stock dividends. Each row adds or removes shares.

use std::collections::HashMap;

use ledger::{Decimal, Ratio};

use super::carried::Exchange;
use super::entry::Entry;
use super::instrument::{Instrument, no_share, ticker};
use super::trades::id;
use super::wording;
use crate::reading::fields;
use crate::{Kind, Parsed, Reason, Record};

pub fn read<'b>(entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) -> Vec<Exchange> {
    let mut exchanges: HashMap<String, Sides> = HashMap::new();
    let mut splits: Vec<Vec<&Entry>> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for entry in entries {
        if let Some(reason) = no_share(entry) {
            parsed.skip(entry.line, reason);
        } else if is_split(entry) {
            let day = entry.text("datetime").or(entry.text("reportdate")).unwrap_or_default();
            let whose = format!("{}|{}", entry.text("accountid").unwrap_or_default(), day);
            let place = *places.entry((whose, wording::event(text(entry)).to_uppercase())).or_insert(splits.len());
            match splits.get_mut(place) {
                Some(rows) => rows.push(entry),
                None => splits.push(vec![entry]),
            }
        } else {
            match moved(entry) {
                Ok(Some(record)) => {
                    let event = wording::event(text(entry));
                    if is_exchange(event) {
                        let key = format!("{}|{}|{event}", entry.text("accountid").unwrap_or_default(), record.date);
                        exchanges.entry(key).or_default().put(&record, parsed.records.len());
                    }
                    parsed.records.push(record);
                }
                Ok(None) => parsed.skip(entry.line, Reason::NoShares),
                Err(reason) => parsed.error(entry.line, reason),
            }
        }
    }
    for rows in splits {
        split(&rows, parsed);
    }
    exchanges.into_iter().filter_map(|(key, sides)| sides.exchange(&key)).collect()
}

/// The rows of one event in which shares were removed and others added.
#[derive(Default)]
struct Sides {
    went: Vec<usize>,
    came: Vec<usize>,
    paid: bool,
}

impl Sides {
    fn put(&mut self, record: &Record, place: usize) {
        match record.kind {
            Kind::TransferOut => self.went.push(place),
            Kind::TransferIn => self.came.push(place),
            _ => self.paid = true,
        }
    }

    /// Only if one was removed, one was added and no cash moved is it clear where the cost went.
    fn exchange(self, key: &str) -> Option<Exchange> {
        let event = key.splitn(3, '|').last().unwrap_or_default().to_owned();
        match (self.went.as_slice(), self.came.as_slice(), self.paid) {
            ([went], [came], false) => Some(Exchange { went: *went, came: *came, event }),
            _ => None,
        }
    }
}

/// The description of the action; in some queries the company's name is in the other field.
fn text(entry: &Entry) -> &str {
    entry.text("actiondescription").or(entry.text("description")).unwrap_or_default()
}

fn is_split(entry: &Entry) -> bool {
    matches!(entry.text("type"), Some("FS" | "RS")) || text(entry).to_ascii_uppercase().contains(") SPLIT ")
}

/// Old shares may be removed under one ISIN and new ones added under another: still one split.
fn split(rows: &[&Entry], parsed: &mut Parsed) {
    let Some(first) = rows.first() else { return };
    match split_of(first, rows) {
        Ok(Some(record)) => parsed.records.push(record),
        Ok(None) => rows.iter().for_each(|row| parsed.skip(row.line, Reason::Reversed)),
        Err(reason) => rows.iter().for_each(|row| parsed.error(row.line, reason.clone())),
    }
}

fn split_of(first: &Entry, rows: &[&Entry]) -> Result<Option<Record>, Reason> {
    let event = wording::event(text(first));
    let (new, old) = wording::split_terms(event).ok_or(Reason::SplitRatioUnknown)?;
    let mut moved: HashMap<String, Decimal> = HashMap::new();
    for row in rows {
        let key = subject(row).map(|subject| subject.key).unwrap_or_default();
        let sum = moved.entry(key).or_default();
        *sum = sum.checked_add(row.figure_needed("quantity")?).ok_or(Reason::FiguresTooLarge)?;
    }
    if moved.values().all(Decimal::is_zero) {
        return Ok(None);
    }
    let (date, time) = first.first_moment(&["datetime", "reportdate", "date"])?;
    let mut record = Record { time, id: id(first), ..Record::new(first.line, date, Kind::Split) };
    let came = rows.iter().filter_map(|row| subject(row)).find(|subject| subject.suffix.is_some());
    let head = wording::head(event);
    let old_isin = head.as_ref().and_then(|head| head.id).and_then(|id| fields::isin("isin", id).ok());
    let mut instrument = subject(first).ok_or(Reason::NoSecurity)?;
    let isins: Vec<String> =
        rows.iter().filter_map(|row| subject(row)?.isin).filter(|isin| Some(isin) != old_isin.as_ref()).collect();
    if let Some(new_isin) = isins.first().filter(|_| old_isin.is_some()) {
        record.note = Some(format!("the shares go on as {new_isin}"));
        instrument.cusip = None;
    }
    instrument.isin = old_isin.or(instrument.isin);
    instrument.suffix = instrument.suffix.or(came.and_then(|subject| subject.suffix));
    if let Some(head) = head {
        instrument.ticker = Some(ticker(head.symbol, instrument.suffix));
    }
    instrument.put(&mut record);
    record.ratio = Ratio::parse(&format!("{new}:{old}"));
    record.joined = rows.iter().skip(1).map(|row| row.line).collect();
    Ok(Some(record))
}

/// The share that a row is about: from its fields, else from the last brackets of its description. The text before the event is
/// the original share.
fn subject(entry: &Entry) -> Option<Instrument> {
    let Some((symbol, name, number)) = wording::subject(text(entry)) else { return Instrument::of(entry) };
    let known = Instrument::of(entry).filter(|_| entry.text("symbol").is_some() || entry.text("isin").is_some());
    let own =
        known.unwrap_or_else(|| Instrument { ticker: Some(symbol.to_owned()), key: number.to_owned(), ..Instrument::default() });
    let isin = [entry.text("isin"), entry.text("securityid"), Some(number)].into_iter().flatten();
    let before = wording::head(text(entry)).filter(|head| symbol.ends_with(".OLD") && head.id == Some(number));
    let own = match before {
        // The name used in its trades.
        Some(head) => Instrument { ticker: Some(ticker(head.symbol, own.suffix)), ..own },
        None => own,
    };
    Some(Instrument { isin: isin.filter_map(|isin| fields::isin("isin", isin).ok()).next(), name: wording::plain(name), ..own })
}

/// Shares added or removed, with the cash paid or received for them.
fn moved(entry: &Entry) -> Result<Option<Record>, Reason> {
    let quantity = entry.figure_needed("quantity")?;
    if quantity.is_zero() {
        return Ok(None);
    }
    let event = wording::event(text(entry));
    let unit = entry.unit()?;
    let money = |name: &str| -> Result<Decimal, Reason> { Ok(unit.normalise(entry.figure(name)?.unwrap_or_default())) };
    let (proceeds, value) = (money("proceeds")?, money("value")?.abs());
    let came = quantity.is_sign_positive();
    let kind = match (came, proceeds.is_zero()) {
        (true, false) => Kind::Buy,
        (true, true) => Kind::TransferIn,
        (false, false) => Kind::Sell,
        (false, true) => Kind::TransferOut,
    };
    let (date, time) = entry.first_moment(&["datetime", "reportdate", "date"])?;
    let mut record = Record { time, id: id(entry), shares: Some(quantity.abs()), ..Record::new(entry.line, date, kind) };
    subject(entry).ok_or(Reason::NoSecurity)?.put(&mut record);
    record.currency = Some(unit.currency);
    record.note = wording::plain(event);
    match kind {
        Kind::Buy | Kind::Sell => record.amount = Some(proceeds.abs()),
        // Shares received for others take over their value; shares received for nothing cost nothing.
        Kind::TransferIn => {
            record.amount = Some(if is_exchange(event) { value } else { Decimal::ZERO });
            if is_exchange(event) && value.is_zero() {
                record.note = wording::plain(&format!("came without a cost, set it by hand: {event}"));
            }
        }
        _ => {}
    }
    Ok(Some(record))
}

fn is_exchange(event: &str) -> bool {
    let upper = event.to_ascii_uppercase();
    ["MERGED", "TENDER", "CHANGE", "CONVERT", "EXCHANGE", "ACQUI", "SUBSCRIBE"].iter().any(|word| upper.contains(word))
}
