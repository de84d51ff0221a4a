//! Returns of capital, and their reversals by DEGIRO.

use std::collections::HashMap;

use ledger::{Currency, Decimal, Kind};

use super::entries::Entry;
use crate::{Parsed, Reason, Record};

pub fn net_out(payments: Vec<(Entry, Decimal, Currency)>, parsed: &mut Parsed) {
    let what = |entry: &Entry, amount: Decimal, currency: Currency| {
        format!("{} {} {currency}", entry.instrument(), amount.abs().normalize())
    };
    let (back, paid): (Vec<_>, Vec<_>) = payments.into_iter().partition(|(_, amount, _)| *amount < Decimal::ZERO);
    let mut paid: Vec<Option<_>> = paid.into_iter().map(Some).collect();
    let mut open: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, payment) in paid.iter().enumerate() {
        if let Some((entry, amount, currency)) = payment {
            open.entry(what(entry, *amount, *currency)).or_default().push(at);
        }
    }
    for (entry, amount, currency) in back {
        match open.get_mut(&what(&entry, amount, currency)).and_then(Vec::pop).and_then(|at| paid[at].take()) {
            Some((payment, ..)) => {
                payment.skip(parsed, Reason::Cancelled { line: entry.line });
                entry.skip(parsed, Reason::Cancels { line: payment.line });
            }
            None => entry.error(parsed, Reason::ReversedMissing),
        }
    }
    for (entry, amount, currency) in paid.into_iter().flatten() {
        let record = entry.record(Kind::ReturnOfCapital);
        parsed.records.push(Record { amount: Some(amount), currency: Some(currency), ..record });
    }
}
