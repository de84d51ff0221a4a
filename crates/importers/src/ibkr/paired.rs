//! Which tax and which fee belong to which dividend, and which bookings cancel each other.

use std::collections::HashMap;

use ledger::Decimal;

use crate::joining::payments::Payments;
use crate::{Kind, Parsed, Reason, Record};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Dividend,
    Tax,
    Fee,
}

pub struct Payment {
    pub is: Is,
    pub record: Record,
    /// As booked: positive if received.
    pub amount: Decimal,
    /// What it has in common with its tax, and the certain part of that if the tax row has less information.
    pub key: String,
    pub loose: String,
    /// Its description, if the booking date is unknown.
    pub undated: Option<String>,
}

/// A return of capital is never negative: a reversed one and its reversal are both skipped.
pub fn without_taken_back(dividends: Vec<Payment>, parsed: &mut Parsed) -> Vec<Payment> {
    let name = |payment: &Payment| {
        let record = &payment.record;
        (record.isin.clone().or(record.ticker.clone()), record.date, payment.amount.abs().normalize())
    };
    let mut taken_back: HashMap<_, Vec<u64>> = HashMap::new();
    let (returns, mut kept): (Vec<Payment>, Vec<Payment>) =
        dividends.into_iter().partition(|payment| payment.record.kind == Kind::ReturnOfCapital);
    let (below, above): (Vec<Payment>, Vec<Payment>) = returns.into_iter().partition(|payment| payment.amount.is_sign_negative());
    for payment in below {
        taken_back.entry(name(&payment)).or_default().push(payment.record.line);
    }
    for payment in above {
        match taken_back.get_mut(&name(&payment)).and_then(Vec::pop) {
            Some(line) => {
                parsed.skip(payment.record.line, Reason::Cancelled { line });
                parsed.skip(line, Reason::Cancels { line: payment.record.line });
            }
            None => kept.push(payment),
        }
    }
    let mut left: Vec<u64> = taken_back.into_values().flatten().collect();
    left.sort_unstable();
    for line in left {
        parsed.error(line, Reason::ReversedMissing);
    }
    kept
}

/// Each tax and fee belongs to the dividend it refers to, else to one with the same share, day and booking.
pub fn joined(mut dividends: Vec<Payment>, charges: Vec<Payment>, parsed: &mut Parsed) -> Vec<Record> {
    dividends.sort_by_key(|payment| payment.record.line);
    let mut by_key: HashMap<String, usize> = HashMap::new();
    let mut by_loose: HashMap<String, usize> = HashMap::new();
    for (place, payment) in dividends.iter().enumerate() {
        by_key.entry(payment.key.clone()).or_insert(place);
        let ordinary = by_loose.entry(payment.loose.clone()).or_insert(place);
        if dividends[*ordinary].record.kind == Kind::ReturnOfCapital && payment.record.kind == Kind::Dividend {
            *ordinary = place;
        }
    }
    let mut payments = Payments::default();
    let mut taxes = Vec::new();
    let mut again = Again::of(&dividends);
    for charge in charges {
        let place = by_key.get(&charge.key).or_else(|| by_loose.get(&charge.loose)).copied();
        match (charge.is, place) {
            (Is::Fee, Some(place)) => fee(&mut dividends[place].record, &charge),
            (Is::Fee, None) => parsed.skip(charge.record.line, Reason::FeeWithoutDividend),
            (_, Some(place)) if !again.is_booked_again(&dividends[place].key, &charge) => {
                taxes.push((dividends[place].key.clone(), charge));
            }
            _ => taxes.push((format!("alone {}", taxes.len()), charge)),
        }
    }
    for payment in dividends {
        payments.dividend(payment.key, payment.record);
    }
    for (key, charge) in taxes {
        payments.tax(key, Decimal::ZERO.saturating_sub(charge.amount), charge.record);
    }
    payments.finish().into_iter().map(with_net).collect()
}

/// If a report does not say when a tax was booked, a second booking of the same tax may be of any later day: it stays a separate
/// row, as it would in a report of that day.
struct Again {
    /// Dividends and taxes with one key and sign.
    dividends: HashMap<(String, bool), usize>,
    taxes: HashMap<(String, bool, String), usize>,
}

impl Again {
    fn of(dividends: &[Payment]) -> Again {
        let mut counts = HashMap::new();
        for payment in dividends {
            *counts.entry((payment.key.clone(), payment.amount.is_sign_negative())).or_default() += 1;
        }
        Again { dividends: counts, taxes: HashMap::new() }
    }

    fn is_booked_again(&mut self, key: &str, tax: &Payment) -> bool {
        let Some(text) = &tax.undated else { return false };
        let given_back = tax.amount.is_sign_positive();
        let count = self.taxes.entry((key.to_owned(), given_back, text.clone())).or_default();
        *count += 1;
        *count > self.dividends.get(&(key.to_owned(), given_back)).copied().unwrap_or_default()
    }
}

fn fee(dividend: &mut Record, charge: &Payment) {
    dividend.fees = Some(dividend.fees.unwrap_or_default().saturating_sub(charge.amount));
    dividend.joined.push(charge.record.line);
}

/// Only with a fee does the net differ from the amount minus its tax.
fn with_net(record: Record) -> Record {
    let net = record
        .amount
        .zip(record.fees)
        .map(|(amount, fees)| amount.saturating_sub(record.tax.unwrap_or_default()).saturating_sub(fees));
    Record { net, ..record }
}
