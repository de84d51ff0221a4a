//! Rows that only make sense in pairs: shares paid out in cash, reverse splits.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use crate::joining::split_ratio;
use crate::reading::{fields, us_security};
use crate::us_history::{Action, Entry};
use crate::{Parsed, Reason, Record};

/// Indexes of the rows on either side.
type Sides = (Vec<usize>, Vec<usize>);

/// Cash mergers and redemptions: the row with the shares and the row with the cash make one sale.
pub fn payouts(entries: &mut Vec<Entry>, parsed: &mut Parsed) {
    let mut rows: HashMap<(String, Option<String>), Sides> = HashMap::new();
    let mut order = Vec::new();
    for (place, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.action == Action::Payout) {
        let words = entry.words.to_lowercase();
        let key = (words.strip_suffix(" adj").unwrap_or(&words).to_owned(), entry.symbol.clone());
        let (shares, cash) = rows.entry(key.clone()).or_insert_with(|| {
            order.push(key);
            Default::default()
        });
        if shares_of(entry).is_some() { shares.push(place) } else { cash.push(place) }
    }
    for key in order {
        let (shares, cash) = rows.remove(&key).unwrap_or_default();
        let mut cash = cash.into_iter();
        for place in shares {
            let entry = &entries[place];
            let beside = if entry.amount.is_some_and(|amount| !amount.is_zero()) { None } else { cash.next() };
            pay_out(entry, beside.map(|place| &entries[place]), parsed);
        }
        for place in cash {
            parsed.error(entries[place].line, Reason::CounterpartMissing);
        }
    }
    entries.retain(|entry| entry.action != Action::Payout);
}

fn pay_out(entry: &Entry, cash: Option<&Entry>, parsed: &mut Parsed) {
    let quantity = shares_of(entry).unwrap_or_default();
    let amount = cash.and_then(|cash| cash.amount).or(entry.amount).filter(|amount| !amount.is_zero());
    let fees = [Some(entry), cash].into_iter().flatten().filter_map(|entry| entry.fees).reduce(Decimal::saturating_add);
    let mut record = Record {
        shares: Some(quantity.abs()),
        amount: amount.map(|amount| amount.saturating_add(fees.unwrap_or_default())),
        fees,
        joined: cash.map(|cash| cash.line).into_iter().collect(),
        note: fields::short(&entry.words),
        ..entry.record(Kind::Sell)
    };
    match (quantity.is_sign_negative(), amount) {
        // The part of a merger that is paid in shares of another company.
        (false, None) => {
            record.kind = Kind::TransferIn;
            record.amount = Some(Decimal::ZERO);
        }
        (true, None) if entry.words.to_lowercase().contains("stock") => record.kind = Kind::TransferOut,
        (true, None) => {
            for line in &record.joined {
                parsed.skip(*line, Reason::PartOfError { line: entry.line });
            }
            return parsed.error(entry.line, Reason::CounterpartMissing);
        }
        _ => {}
    }
    parsed.records.push(record);
}

/// Old shares out and new shares in give the ratio; a single row only says how many shares were removed.
pub fn reverse_splits(entries: &mut Vec<Entry>, parsed: &mut Parsed) {
    let mut days: HashMap<Date, Sides> = HashMap::new();
    for (place, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.action == Action::ReverseSplit) {
        let (out, into) = days.entry(entry.date).or_default();
        if shares_of(entry).unwrap_or_default().is_sign_negative() { out.push(place) } else { into.push(place) }
    }
    let mut days: Vec<_> = days.into_values().collect();
    days.sort();
    for (out, into) in days {
        match (out.as_slice(), into.as_slice()) {
            ([out], [into]) => parsed.records.push(consolidation(&entries[*out], &entries[*into])),
            (out, []) => parsed.records.extend(out.iter().map(|place| {
                let entry = &entries[*place];
                Record { shares: entry.quantity, ..entry.record(Kind::Split) }
            })),
            (out, into) => {
                for place in out.iter().chain(into) {
                    parsed.error(entries[*place].line, Reason::SplitRatioUnknown);
                }
            }
        }
    }
    entries.retain(|entry| entry.action != Action::ReverseSplit);
}

fn consolidation(out: &Entry, into: &Entry) -> Record {
    let ratio = shares_of(into).zip(shares_of(out)).and_then(|(new, old)| split_ratio::of_exchange(old.abs(), new.abs()));
    // The old shares keep the ticker under which they were bought; the new ones may only have a number for a while.
    let is_number = |entry: &Entry| entry.symbol.as_deref().is_none_or(us_security::is_number);
    let named = if is_number(into) && !is_number(out) { out } else { into };
    Record { line: into.line, date: into.date, ratio, joined: vec![out.line], ..named.record(Kind::Split) }
}

fn shares_of(entry: &Entry) -> Option<Decimal> {
    entry.quantity.filter(|quantity| !quantity.is_zero())
}
