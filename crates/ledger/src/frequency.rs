//! How often a stock pays, and whether it has stopped.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::dates::{days_between, doubled_median};
use crate::history::{History, Payment};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Frequency {
    Weekly,
    Monthly,
    Quarterly,
    SemiAnnual,
    Annual,
}

impl Frequency {
    pub fn as_str(self) -> &'static str {
        match self {
            Frequency::Weekly => "weekly",
            Frequency::Monthly => "monthly",
            Frequency::Quarterly => "quarterly",
            Frequency::SemiAnnual => "semi_annual",
            Frequency::Annual => "annual",
        }
    }

    pub fn payments_per_year(self) -> u32 {
        match self {
            Frequency::Weekly => 52,
            Frequency::Monthly => 12,
            Frequency::Quarterly => 4,
            Frequency::SemiAnnual => 2,
            Frequency::Annual => 1,
        }
    }

    pub fn nominal_gap_days(self) -> i32 {
        match self {
            Frequency::Weekly => 7,
            Frequency::Monthly => 30,
            Frequency::Quarterly => 91,
            Frequency::SemiAnnual => 182,
            Frequency::Annual => 365,
        }
    }

    /// The class of an interval of `days ÷ parts`: a median can be a fraction of a day.
    fn of_gap(days: i64, parts: i64) -> Option<Frequency> {
        const WIDEST_DAYS: [(i64, Frequency); 5] = [
            (10, Frequency::Weekly),
            (45, Frequency::Monthly),
            (135, Frequency::Quarterly),
            (270, Frequency::SemiAnnual),
            (430, Frequency::Annual),
        ];
        WIDEST_DAYS.into_iter().find(|(widest, _)| days <= parts * widest).map(|(_, frequency)| frequency)
    }
}

/// How a stock pays now. What it paid before a stop, or in another rhythm, does not count for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rhythm {
    /// `None` if unknown or stopped.
    pub frequency: Option<Frequency>,
    /// Payments per year: those of the frequency, unless two years in a row had another number.
    pub per_year: usize,
    pub stopped: bool,
    /// The nominal gap of the class that decides whether it has stopped.
    pub gap_days: i32,
    /// The ex-date of the first payment that counts.
    pub since: Date,
}

impl Rhythm {
    pub fn of(history: &History, today: Date) -> Rhythm {
        let mut ex_dates: Vec<Date> = history.regular().map(|payment| payment.ex_date).collect();
        ex_dates.dedup();
        let current = &ex_dates[current_from(&ex_dates)..];
        let (Some(first), Some(last)) = (current.first(), current.last()) else {
            return Rhythm { frequency: None, per_year: 0, stopped: false, gap_days: 0, since: Date::MIN };
        };
        let class = class(current, today);
        let stopped = is_stop(*last, today, class);
        let frequency = class.filter(|_| !stopped);
        let per_year = frequency.map_or(0, |frequency| per_year(frequency, current));
        Rhythm { frequency, per_year, stopped, gap_days: gap_days(class), since: *first }
    }

    /// The regular payments that count for it, by ex-date.
    pub fn current(self, history: &History) -> impl DoubleEndedIterator<Item = &Payment> {
        history.regular().filter(move |payment| payment.ex_date >= self.since)
    }
}

/// Whether nothing was paid for too long. Without a class the slowest applies: a single payment years ago must not look active.
fn is_stop(last: Date, day: Date, class: Option<Frequency>) -> bool {
    2 * days_between(last, day) > 3 * i64::from(gap_days(class)) + 60
}

fn gap_days(class: Option<Frequency>) -> i32 {
    class.unwrap_or(Frequency::Annual).nominal_gap_days()
}

/// The first payment that counts: a history begins anew after a stop, and when the rhythm changes.
fn current_from(ex_dates: &[Date]) -> usize {
    let mut first = 0;
    for at in 1..ex_dates.len() {
        let before = &ex_dates[first..at];
        // Two payments can be an interim and a final dividend, whose next gap is longer.
        let known = before.last().filter(|_| before.len() >= 3).and_then(|last| class(before, *last));
        if is_stop(ex_dates[at - 1], ex_dates[at], known) {
            first = at;
        } else if let Some(gaps) = changed(&ex_dates[first..=at]) {
            first = at + 1 - gaps;
        }
    }
    first
}

/// How many gaps show a change, if the last ones are all of one class, and the payments before them were of another.
fn changed(ex_dates: &[Date]) -> Option<usize> {
    let gap_class = |pair: &[Date]| Frequency::of_gap(days_between(pair[0], pair[1]), 1);
    let new = ex_dates.windows(2).next_back().and_then(gap_class)?;
    let gaps = if matches!(new, Frequency::Weekly | Frequency::Monthly) { 3 } else { 2 };
    let before = &ex_dates[..ex_dates.len().checked_sub(gaps)?];
    let old = class(before, *before.last()?)?;
    let all_new = || ex_dates.windows(2).rev().take(gaps).all(|pair| gap_class(pair) == Some(new));
    (old != new && all_new()).then_some(gaps)
}

fn class(ex_dates: &[Date], today: Date) -> Option<Frequency> {
    let since = today.saturating_sub(3.years());
    let recent = &ex_dates[ex_dates.partition_point(|date| *date < since)..];
    let last = &recent[recent.len().saturating_sub(8)..];
    let gaps = |payments: usize| last.windows(payments + 1).map(|span| days_between(span[0], span[payments])).collect();
    let single = Frequency::of_gap(doubled_median(gaps(1))?, 2);
    let paired = doubled_median(gaps(2)).and_then(|doubled| Frequency::of_gap(doubled, 4));
    match paired {
        // If intervals alternate (interim and final dividends, four and eight months apart), their median is one or the other by
        // chance. Over two payments they are even, and the number of payments in a year confirms it.
        Some(paired) if in_year(last, 0) == paired.payments_per_year() as usize => Some(paired),
        _ => single,
    }
}

/// Some payers pay three or thirteen times a year, every year.
fn per_year(frequency: Frequency, ex_dates: &[Date]) -> usize {
    let last_year = in_year(ex_dates, 0);
    if last_year == in_year(ex_dates, 1) { last_year } else { frequency.payments_per_year() as usize }
}

/// Payments in the year that ends with the last one, or in one of the years before. Each begins a fortnight late, so that the same
/// payment of the year before is not counted.
fn in_year(ex_dates: &[Date], ago: i64) -> usize {
    let Some(last) = ex_dates.last() else { return 0 };
    let (from, to) = (if ago == 0 { 0 } else { 365 * ago - 15 }, 365 * (ago + 1) - 15);
    ex_dates.iter().filter(|date| (from..to).contains(&days_between(**date, *last))).count()
}
