//! The payments of a position that no recorded dividend is.

use std::collections::HashSet;

use jiff::civil::Date;
use ledger::expected::{Booked, Entitlement, estimated, explains, matched};
use ledger::{Decimal, Fx, Kind, Money};
use store::entries::Entry;
use store::payment_decisions::Decision;

use super::decision::is_recorded;
use super::key::Key;
use crate::Error;
use crate::book::lots::{AUTOMATIC, AUTOMATIC_ESTIMATED, Lot};
use crate::import::identity;
use crate::income::expected::{Due, bookings, due};
use crate::market::profile::Profile;

/// A payment that no real entry is.
#[derive(Clone, Debug)]
pub(super) struct Unrecorded {
    pub key: Key,
    pub pay_date_known: bool,
    /// As it is or would be recorded; without a sequence.
    pub entry: Entry,
    /// What the user decided about it: `true` if it is recorded.
    pub decided: Option<bool>,
    /// A dividend of about that day whose amount tax, fees and exchange cannot explain.
    pub beside: Option<Booked>,
}

/// What else decides about the payments of a position.
pub(super) struct Evidence<'a> {
    pub profile: Option<&'a Profile>,
    pub decisions: &'a [&'a Decision],
    /// Imported estimates: they stay even if market data does not know their payment.
    pub imported: &'a [&'a Entry],
    /// The estimated withholding tax, as a fraction.
    pub withheld: Decimal,
    pub fx: &'a Fx,
    pub today: Date,
}

/// Up to today, by ex-date; `lot` has the real entries.
pub(super) fn unrecorded(lot: &Lot, evidence: &Evidence<'_>) -> Result<Vec<Unrecorded>, Error> {
    let Evidence { profile, decisions, imported, withheld, today, fx } = *evidence;
    let decision = |key: &Key| decisions.iter().copied().find(|decision| Key::of(decision) == *key);
    let due = match profile {
        Some(profile) => due(lot, profile, Date::MIN, today)?,
        None => Vec::new(),
    };
    let mut payments = Vec::with_capacity(due.len());
    for due in &due {
        let key = Key::of_payment(lot.portfolio_id, &lot.symbol, due.payment);
        let decision = decision(&key);
        let (entry, entitlement) = match decision.filter(|decision| is_recorded(decision)) {
            Some(decision) => as_recorded(decided_entry(&key, decision)),
            // Matched before it is rounded, as everywhere.
            None => (estimated_entry(&key, due, withheld)?, due.entitlement),
        };
        let (pay_date_known, decided) = (due.payment.pay_date_known, decision.map(is_recorded));
        payments.push((Unrecorded { key, pay_date_known, entry, decided, beside: None }, entitlement));
    }
    let known: HashSet<Key> = payments.iter().map(|(payment, _)| payment.key.clone()).collect();
    // What the user recorded stays even if market data has lost the payment.
    for decision in decisions.iter().filter(|decision| is_recorded(decision) && !known.contains(&Key::of(decision))) {
        let key = Key::of(decision);
        let (entry, entitlement) = as_recorded(decided_entry(&key, decision));
        payments.push((Unrecorded { key, pay_date_known: true, entry, decided: Some(true), beside: None }, entitlement));
    }
    for entry in imported {
        let Some(key) = Key::of_entry(entry) else { continue };
        if payments.iter().all(|(payment, _)| payment.key != key) {
            let decided = decision(&key).map(is_recorded);
            let (entry, entitlement) = as_recorded((*entry).clone());
            payments.push((Unrecorded { key, pay_date_known: true, entry, decided, beside: None }, entitlement));
        }
    }
    payments.sort_by_key(|(payment, _)| (payment.key.ex_date, payment.key.special));
    let entitlements: Vec<Entitlement> = payments.iter().map(|(_, entitlement)| *entitlement).collect();
    let found = matched(&entitlements, &bookings(lot, Date::MIN, today))?;
    let mut left = Vec::new();
    for ((mut payment, _), booked) in payments.into_iter().zip(found.booked) {
        let is_explained = booked.is_some_and(|booked| explains(gross(&payment.entry), &booked, fx));
        if is_explained || payment.entry.date > today {
            continue;
        }
        payment.beside = booked;
        left.push(payment);
    }
    Ok(left)
}

fn as_recorded(entry: Entry) -> (Entry, Entitlement) {
    let entitlement = Entitlement { pay_date: entry.date, amount: gross(&entry) };
    (entry, entitlement)
}

/// As it is or would be recorded.
fn gross(entry: &Entry) -> Money {
    Money::new(entry.amount.or(entry.net).unwrap_or_default(), entry.currency)
}

fn estimated_entry(key: &Key, due: &Due<'_>, withheld: Decimal) -> Result<Entry, Error> {
    let figures = estimated(due.entitlement.amount, withheld)?;
    Ok(Entry {
        date: due.entitlement.pay_date,
        shares: Some(due.shares.normalize()),
        price: Some(due.payment.paid_amount.normalize()),
        amount: Some(figures.gross),
        tax: Some(figures.tax),
        net: Some(figures.net),
        ..entry(key, AUTOMATIC_ESTIMATED)
    })
}

fn decided_entry(key: &Key, decision: &Decision) -> Entry {
    Entry {
        date: decision.pay_date.unwrap_or(key.ex_date),
        shares: decision.shares,
        price: decision.price,
        amount: decision.amount,
        fees: decision.fees,
        tax: decision.tax,
        net: decision.net,
        currency: decision.paid_in.unwrap_or(key.currency),
        note: decision.note.clone(),
        gross_known: decision.amount.is_some(),
        ..entry(key, AUTOMATIC)
    }
}

fn entry(key: &Key, source: &str) -> Entry {
    let id = key.id();
    Entry {
        sequence: 0,
        portfolio_id: key.portfolio_id,
        date: key.ex_date,
        kind: Kind::Dividend,
        symbol: key.symbol.clone(),
        isin: None,
        name: None,
        shares: None,
        price: None,
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency: key.currency,
        fx_rate: None,
        ratio: None,
        ex_date: Some(key.ex_date),
        source: source.to_owned(),
        identity: identity::by_id(source, &id, false),
        source_id: Some(id),
        note: None,
        import_id: None,
        gross_known: true,
        reinvests: None,
    }
}
