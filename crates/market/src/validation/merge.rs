//! How stored dividends change when an answer arrives.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Currency;

use super::scale::within;
use super::{KnownDividend, days_between};

/// Providers may disagree about an ex-date by this many days, and about an amount because of rounding or conversion.
const NEAR_DAYS: i64 = 3;
const NEAR_PERCENT: i64 = 2;

/// If a provider no longer lists its own row and the row is this recent, it was moved or withdrawn; an older one is just out of
/// range.
const WITHDRAWN_DAYS: i32 = 45;

/// What to do: remove first, then write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merge {
    pub upsert: Vec<KnownDividend>,
    pub remove: Vec<(Date, Currency, bool)>,
}

/// `rank` orders providers, the most preferred first; `None` stands for the operator's files.
pub fn merge(
    known: &[KnownDividend],
    provider: &str,
    rank: &dyn Fn(Option<&str>) -> usize,
    rows: &[KnownDividend],
    today: Date,
) -> Merge {
    let matches = matches(known, rows);
    let mut merge = Merge::default();
    for (row, stored) in rows.iter().zip(&matches) {
        let Some(stored) = stored.and_then(|place| known.get(place)) else {
            merge.upsert.push(KnownDividend { provider: Some(provider.to_owned()), ..row.clone() });
            continue;
        };
        let preferred = rank(Some(provider)) <= rank(stored.provider.as_deref());
        let result = if preferred { replaced(stored, row, provider) } else { filled(stored, row) };
        if key(&result) != key(stored) {
            merge.remove.push(key(stored));
        }
        if result != *stored {
            merge.upsert.push(result);
        }
    }
    let withdrawn = |(place, stored): &(usize, &KnownDividend)| {
        !rows.is_empty()
            && !matches.contains(&Some(*place))
            && stored.provider.as_deref() == Some(provider)
            && stored.ex_date > today.saturating_sub(WITHDRAWN_DAYS.days())
    };
    merge.remove.extend(known.iter().enumerate().filter(withdrawn).map(|(_, stored)| key(stored)));
    merge
}

fn key(row: &KnownDividend) -> (Date, Currency, bool) {
    (row.ex_date, row.currency, row.special)
}

fn replaced(stored: &KnownDividend, row: &KnownDividend, provider: &str) -> KnownDividend {
    KnownDividend {
        pay_date: row.pay_date.or(stored.pay_date),
        declared_date: row.declared_date.or(stored.declared_date),
        provider: Some(provider.to_owned()),
        ..row.clone()
    }
}

fn filled(stored: &KnownDividend, row: &KnownDividend) -> KnownDividend {
    KnownDividend {
        pay_date: stored.pay_date.or(row.pay_date),
        declared_date: stored.declared_date.or(row.declared_date),
        ..stored.clone()
    }
}

/// For each row, the index of the stored row it repeats. The most certain matches come first, and each stored row is matched
/// once.
fn matches(known: &[KnownDividend], rows: &[KnownDividend]) -> Vec<Option<usize>> {
    let passes: [Same; 3] = [same_day, near_day, other_kind];
    let mut found = vec![None; rows.len()];
    let mut free = vec![true; known.len()];
    for same in passes {
        for (place, row) in rows.iter().enumerate() {
            if found[place].is_some() {
                continue;
            }
            let alike = (0..known.len()).filter(|stored| free[*stored] && same(&known[*stored], row));
            found[place] = alike.min_by_key(|stored| days_between(known[*stored].ex_date, row.ex_date).abs());
            if let Some(stored) = found[place] {
                free[stored] = false;
            }
        }
    }
    found
}

type Same = fn(&KnownDividend, &KnownDividend) -> bool;

fn same_day(stored: &KnownDividend, row: &KnownDividend) -> bool {
    key(stored) == key(row)
}

fn near_day(stored: &KnownDividend, row: &KnownDividend) -> bool {
    let near = days_between(stored.ex_date, row.ex_date).abs() <= NEAR_DAYS;
    near && (stored.currency, stored.special) == (row.currency, row.special) && same_amount(stored, row)
}

/// Whether a payment is special may only become clear from later ones.
fn other_kind(stored: &KnownDividend, row: &KnownDividend) -> bool {
    (stored.ex_date, stored.currency) == (row.ex_date, row.currency) && same_amount(stored, row)
}

fn same_amount(stored: &KnownDividend, row: &KnownDividend) -> bool {
    within(row.amount, stored.amount, NEAR_PERCENT)
}
