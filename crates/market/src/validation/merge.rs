//! How stored dividends change when others arrive.

use std::collections::{BTreeSet, HashMap};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Currency;

use super::scale::within;
use super::{KnownDividend, days_between};

/// Providers may disagree about an ex-date by this many days, and about an amount because of rounding or conversion.
const NEAR_DAYS: i64 = 3;
const NEAR_PERCENT: i64 = 2;

/// A source moves its own payment by at most this many days, unless the declared date shows that it is the same payment.
const MOVED_DAYS: i64 = 15;

/// If a provider no longer lists its own row and the row is this recent, it was moved or withdrawn; an older one is just out of
/// range.
const WITHDRAWN_DAYS: i32 = 45;

/// Dividends of one stock that arrive together.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    pub source: Source<'a>,
    pub rows: &'a [KnownDividend],
}

#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    /// The operator's files. They may have any rows: a row that is missing is not withdrawn.
    Files,
    /// A provider's answer about the days between two dates, both included: the provider no longer has what is missing there.
    Provider { name: &'a str, from: Date, to: Date },
}

/// What to do: remove first, then write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merge {
    pub upsert: Vec<KnownDividend>,
    pub remove: Vec<(Date, Currency, bool)>,
}

/// `rank` orders providers, the most preferred first; `None` stands for the operator's files.
pub fn merge(known: &[KnownDividend], arrival: Arrival<'_>, rank: &dyn Fn(Option<&str>) -> usize, today: Date) -> Merge {
    let (matches, name) = (matches(known, arrival), arrival.source.name());
    let mut merge = Merge::default();
    for (row, stored) in arrival.rows.iter().zip(&matches) {
        let row = KnownDividend { provider: name.map(str::to_owned), ..row.clone() };
        let Some(stored) = stored.and_then(|place| known.get(place)) else {
            merge.upsert.push(row);
            continue;
        };
        let preferred = rank(name) <= rank(stored.provider.as_deref());
        let result = match (preferred, name) {
            (true, Some(_)) => replaced(stored, row),
            (true, None) => row,
            (false, _) => filled(stored, &row),
        };
        if key(&result) != key(stored) {
            merge.remove.push(key(stored));
        }
        if result != *stored {
            merge.upsert.push(result);
        }
    }
    let Source::Provider { from, to, .. } = arrival.source else { return merge };
    let since = from.max(today.saturating_sub((WITHDRAWN_DAYS - 1).days()));
    let withdrawn = |(place, stored): &(usize, &KnownDividend)| {
        !arrival.rows.is_empty()
            && !matches.contains(&Some(*place))
            && stored.provider.as_deref() == name
            && (since..=to).contains(&stored.ex_date)
    };
    merge.remove.extend(known.iter().enumerate().filter(withdrawn).map(|(_, stored)| key(stored)));
    merge
}

/// Whether the two are the same payment: equal dates and currencies, and almost equal amounts.
pub fn same_payment(stored: &KnownDividend, row: &KnownDividend) -> bool {
    (stored.ex_date, stored.currency) == (row.ex_date, row.currency) && same_amount(stored, row)
}

fn key(row: &KnownDividend) -> (Date, Currency, bool) {
    (row.ex_date, row.currency, row.special)
}

/// Dates that the row does not have stay, unless it was moved past them.
fn replaced(stored: &KnownDividend, row: KnownDividend) -> KnownDividend {
    let unmoved = stored.ex_date == row.ex_date;
    KnownDividend {
        pay_date: row.pay_date.or(stored.pay_date.filter(|date| unmoved || *date >= row.ex_date)),
        declared_date: row.declared_date.or(stored.declared_date.filter(|date| unmoved || *date <= row.ex_date)),
        ..row
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
/// once: rows that arrive together never replace each other.
fn matches(known: &[KnownDividend], arrival: Arrival<'_>) -> Vec<Option<usize>> {
    let by_key: HashMap<_, usize> = known.iter().enumerate().map(|(place, stored)| (key(stored), place)).collect();
    let mut found: Vec<Option<usize>> = arrival.rows.iter().map(|row| by_key.get(&key(row)).copied()).collect();
    let mut free = vec![true; known.len()];
    found.iter().flatten().for_each(|place| free[*place] = false);
    let moved = |stored: &KnownDividend, row: &KnownDividend| is_moved(known, arrival, stored, row);
    let passes: [&Same<'_>; 3] = [&near_day, &same_payment, &moved];
    for same in passes {
        for (place, row) in arrival.rows.iter().enumerate().filter(|(place, _)| found[*place].is_none()).collect::<Vec<_>>() {
            let alike = (0..known.len()).filter(|stored| free[*stored] && same(&known[*stored], row));
            found[place] = alike.min_by_key(|stored| days_between(known[*stored].ex_date, row.ex_date).abs());
            if let Some(stored) = found[place] {
                free[stored] = false;
            }
        }
    }
    found
}

type Same<'a> = dyn Fn(&KnownDividend, &KnownDividend) -> bool + 'a;

fn near_day(stored: &KnownDividend, row: &KnownDividend) -> bool {
    let near = days_between(stored.ex_date, row.ex_date).abs() <= NEAR_DAYS;
    near && (stored.currency, stored.special) == (row.currency, row.special) && same_amount(stored, row)
}

fn same_amount(stored: &KnownDividend, row: &KnownDividend) -> bool {
    within(row.amount, stored.amount, NEAR_PERCENT)
}

/// Whether a source that gave the stored row has moved it to where this row is.
fn is_moved(known: &[KnownDividend], arrival: Arrival<'_>, stored: &KnownDividend, row: &KnownDividend) -> bool {
    let near = |one: Date, other: Date| days_between(one, other).abs() <= MOVED_DAYS;
    let same_dates = || {
        near(stored.ex_date, row.ex_date)
            || stored.pay_date.zip(row.pay_date).is_some_and(|(one, other)| near(one, other))
            || stored.declared_date.zip(row.declared_date).is_some_and(|(one, other)| one == other)
    };
    let same = (stored.currency, stored.special, stored.amount) == (row.currency, row.special, row.amount);
    same && arrival.source.gave(stored)
        && same_dates()
        && match arrival.source {
            Source::Provider { from, to, .. } => (from..=to).contains(&stored.ex_date),
            Source::Files => {
                // A file may only have the next payment: if it is about the usual gap away, it is another one.
                let apart = days_between(stored.ex_date, row.ex_date).abs();
                usual_gap(known, arrival.rows, row).is_none_or(|gap| apart * 3 < gap * 2)
            }
        }
}

/// The median of days between payments like this one; `None` if fewer than three are known.
fn usual_gap(known: &[KnownDividend], rows: &[KnownDividend], like: &KnownDividend) -> Option<i64> {
    let alike = |one: &&KnownDividend| (one.currency, one.special) == (like.currency, like.special);
    let dates: BTreeSet<Date> = known.iter().chain(rows).filter(alike).map(|one| one.ex_date).collect();
    let mut gaps: Vec<i64> = dates.iter().zip(dates.iter().skip(1)).map(|(one, next)| days_between(*one, *next)).collect();
    gaps.sort_unstable();
    gaps.get(gaps.len() / 2).copied().filter(|_| gaps.len() >= 2)
}

impl<'a> Source<'a> {
    fn name(self) -> Option<&'a str> {
        match self {
            Source::Files => None,
            Source::Provider { name, .. } => Some(name),
        }
    }

    /// What a provider only announced is stored as from its calendar.
    fn gave(self, stored: &KnownDividend) -> bool {
        let provider = stored.provider.as_deref();
        provider.map(|provider| provider.strip_suffix(" calendar").unwrap_or(provider)) == self.name()
    }
}
