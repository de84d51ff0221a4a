//! How a purchase refers to the dividend that paid for it.

use std::collections::HashMap;

use jiff::civil::Date;
use store::entries::{Entry, Kind};

use crate::automatic::key;
use crate::book::lots::{AUTOMATIC, AUTOMATIC_ESTIMATED, same_lot};

/// What a purchase stores to refer to a dividend of its lot. It stays the same while an automatic dividend is recomputed,
/// confirmed or renamed.
pub(crate) fn reference(dividend: &Entry) -> String {
    reference_by(&dividend.source, dividend.source_id.as_deref(), dividend.ex_date, &dividend.identity)
}

/// The same from its parts.
pub(crate) fn reference_by(source: &str, id: Option<&str>, ex_date: Option<Date>, identity: &str) -> String {
    let is_automatic = [AUTOMATIC, AUTOMATIC_ESTIMATED].contains(&source);
    let payment = id.filter(|_| is_automatic).and_then(key::without_symbol).zip(ex_date);
    payment.map_or_else(|| identity.to_owned(), |((currency, kind), ex_date)| format!("payment:{ex_date} {currency} {kind}"))
}

pub(crate) fn is_reinvestment(purchase: &Entry, dividend: &Entry) -> bool {
    let kinds = purchase.kind == Kind::Buy && dividend.kind == Kind::Dividend;
    kinds && same_lot(purchase, dividend) && purchase.reinvests.as_ref().is_some_and(|to| *to == reference(dividend))
}

/// Takes the purchases that reinvest a dividend from among other entries.
pub(crate) fn take(others: &mut Vec<Entry>, dividend: &Entry) -> Vec<Entry> {
    others.extract_if(.., |entry| is_reinvestment(entry, dividend)).collect()
}

/// The position of each purchase's dividend; both have the same number.
pub(super) fn numbers(entries: &[Entry]) -> HashMap<i64, usize> {
    let mut dividends: HashMap<String, Vec<usize>> = HashMap::new();
    let purchases: Vec<&Entry> = entries.iter().filter(|entry| entry.reinvests.is_some()).collect();
    if !purchases.is_empty() {
        for (at, dividend) in entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Dividend) {
            dividends.entry(reference(dividend)).or_default().push(at);
        }
    }
    let mut numbers = HashMap::new();
    for purchase in purchases {
        let same = purchase.reinvests.as_ref().and_then(|to| dividends.get(to)).into_iter().flatten();
        if let Some(at) = same.copied().find(|at| is_reinvestment(purchase, &entries[*at])) {
            numbers.extend([(purchase.sequence, at), (entries[at].sequence, at)]);
        }
    }
    numbers
}
