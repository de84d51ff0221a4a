//! The payments of a position that no recorded dividend is.

use std::collections::HashSet;

use jiff::civil::Date;
use ledger::expected::{Booked, Entitlement, estimated, explains, matched};
use ledger::{Decimal, Fx, Kind, Money, Payment};
use store::entries::Entry;
use store::payment_decisions::Decision;

use super::decision::is_recorded;
use super::key::Key;
use super::reinvest::{self, Reinvesting};
use crate::Error;
use crate::book::lots::{self, AUTOMATIC, AUTOMATIC_ESTIMATED, Lot};
use crate::entries::reference::reference;
use crate::import::identity;
use crate::income::expected::{Due, bookings, due_of};
use crate::market::profile::Profile;

/// A payment that no real entry is.
#[derive(Clone, Debug)]
pub(super) struct Unrecorded {
    pub key: Key,
    pub pay_date_known: bool,
    /// As it is or would be recorded; without a sequence.
    pub entry: Entry,
    /// The purchase that is or would be recorded with it.
    pub purchase: Option<Entry>,
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
    /// What purchases other than automatic ones reinvest.
    pub reinvested: &'a HashSet<&'a str>,
    /// The estimated withholding tax, as a fraction.
    pub withheld: Decimal,
    /// Whether payments are recorded without being asked.
    pub records: bool,
    pub reinvesting: Option<Reinvesting<'a>>,
    pub fx: &'a Fx,
    pub today: Date,
}

/// How often payments are matched again because purchases changed their amounts.
const ROUNDS_MAX: usize = 10;

/// Up to today, by ex-date; `lot` has the real entries.
pub(super) fn unrecorded(lot: &Lot, evidence: &Evidence<'_>) -> Result<Vec<Unrecorded>, Error> {
    let (mut left, mut recorded) = not_booked(lot, payments(lot, evidence, |_| true)?, evidence)?;
    if left.iter().all(|payment| payment.purchase.is_none()) {
        return Ok(left);
    }
    // Purchases raise the amounts of later payments, which decide whether a booking can be one.
    for _ in 0..ROUNDS_MAX {
        let before = recorded;
        (left, recorded) = not_booked(lot, payments(lot, evidence, |key| before.contains(key))?, evidence)?;
        if recorded == before {
            break;
        }
    }
    Ok(left)
}

/// What market data, decisions and imported estimates know, by ex-date. Those that nobody recorded buy shares for the later ones.
fn payments(
    lot: &Lot,
    evidence: &Evidence<'_>,
    is_recorded_otherwise: impl Fn(&Key) -> bool,
) -> Result<Vec<(Unrecorded, Entitlement)>, Error> {
    let Evidence { profile, decisions, imported, withheld, records, today, .. } = *evidence;
    let known = profile.map_or(&[][..], |profile| &profile.metrics.history.payments);
    let decision = |key: &Key| decisions.iter().copied().find(|decision| Key::of(decision) == *key);
    let key = |payment: &Payment| Key::of_payment(lot.portfolio_id, &lot.symbol, payment);
    let has_gone_ex = |payment: &&Payment| payment.ex_date <= today;
    let mut all: Vec<(Key, Option<&Payment>)> = known.iter().filter(has_gone_ex).map(|one| (key(one), Some(one))).collect();
    let in_market: HashSet<Key> = all.iter().map(|(key, _)| key.clone()).collect();
    // What the user recorded stays even if market data has lost the payment, and so do imported estimates.
    let decided = decisions.iter().filter(|decision| is_recorded(decision)).map(|decision| Key::of(decision));
    let others: HashSet<Key> = decided.chain(imported.iter().filter_map(|entry| Key::of_entry(entry))).collect();
    all.extend(others.into_iter().filter(|key| !in_market.contains(key)).map(|key| (key, None)));
    all.sort_by_key(|(key, _)| (key.ex_date, key.special));
    let mut grown = lot.clone();
    let mut payments = Vec::with_capacity(all.len());
    for (key, payment) in all {
        let decision = decision(&key);
        let import = imported.iter().find(|entry| Key::of_entry(entry).as_ref() == Some(&key));
        let due = match payment.zip(profile) {
            Some((payment, profile)) => due_of(&grown, profile, payment)?,
            None => None,
        };
        let (entry, entitlement) = match (decision.filter(|decision| is_recorded(decision)), due, import) {
            (Some(decision), ..) => as_recorded(decided_entry(&key, decision)),
            // Matched before it is rounded, as everywhere.
            (None, Some(due), _) => (estimated_entry(&key, &due, withheld)?, due.entitlement),
            (None, None, Some(entry)) => as_recorded((*entry).clone()),
            (None, None, None) => continue,
        };
        let decided = decision.map(is_recorded);
        let purchase = purchase(&entry, decision, evidence)?;
        if let Some(purchase) = &purchase
            && decided.unwrap_or(records || import.is_some())
            && entry.date <= today
            && !is_recorded_otherwise(&key)
        {
            grown.entries.push(lots::entry(purchase)?);
        }
        let pay_date_known = payment.is_none_or(|payment| payment.pay_date_known);
        payments.push((Unrecorded { key, pay_date_known, entry, purchase, decided, beside: None }, entitlement));
    }
    Ok(payments)
}

/// What a dividend buys: as the user confirmed it, else by the rule of the position, else as it was imported.
fn purchase(dividend: &Entry, decision: Option<&Decision>, evidence: &Evidence<'_>) -> Result<Option<Entry>, Error> {
    let to = reference(dividend);
    if evidence.reinvested.contains(to.as_str()) {
        return Ok(None);
    }
    match (decision, &evidence.reinvesting) {
        (Some(decision), _) => Ok(reinvest::decided(dividend, decision)),
        (None, Some(reinvesting)) => reinvesting.purchase(dividend),
        (None, None) => Ok(evidence.imported.iter().find(|one| one.reinvests.as_ref() == Some(&to)).map(|one| (*one).clone())),
    }
}

/// Those that no booking of the lot is, and the keys of the others.
fn not_booked(
    lot: &Lot,
    payments: Vec<(Unrecorded, Entitlement)>,
    evidence: &Evidence<'_>,
) -> Result<(Vec<Unrecorded>, HashSet<Key>), Error> {
    let entitlements: Vec<Entitlement> = payments.iter().map(|(_, entitlement)| *entitlement).collect();
    let found = matched(&entitlements, &bookings(lot, Date::MIN, evidence.today))?;
    let (mut left, mut recorded) = (Vec::new(), HashSet::new());
    for ((mut payment, _), booked) in payments.into_iter().zip(found.booked) {
        let is_explained = booked.is_some_and(|booked| explains(gross(&payment.entry), &booked, evidence.fx));
        if is_explained {
            recorded.insert(payment.key);
        } else if payment.entry.date <= evidence.today {
            payment.beside = booked;
            left.push(payment);
        }
    }
    Ok((left, recorded))
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
