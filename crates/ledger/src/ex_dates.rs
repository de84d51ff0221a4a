//! Estimated ex-dates: each stock follows the rule that was nearest on its own last payments.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use rust_decimal::Decimal;

use crate::Frequency;
use crate::dates::{business_day_until, days_after, days_between, doubled_median, is_holiday};
use crate::frequency::Rhythm;

/// Where a rule starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// The payment that comes about a year before the next one, twelve months on.
    YearBefore,
    /// The last payment, as many months on as there are between two payments.
    Last,
}

/// How a rule finds the day in the month it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Day {
    /// The same business day, counted from the end of the month.
    FromEnd,
    /// The same business day, counted from its start.
    FromStart,
    SameDate,
    /// 52 weeks later.
    Weeks,
    /// The same weekday of the month: its third Tuesday.
    SameWeekday,
    /// The median gap later.
    Gap,
    /// As far from the third Friday: option and index funds follow it.
    FromThirdFriday,
}

/// If two rules were equally near, the first is used.
const RULES: [(From, Day); 10] = [
    (From::YearBefore, Day::FromEnd),
    (From::YearBefore, Day::FromStart),
    (From::YearBefore, Day::SameDate),
    (From::YearBefore, Day::Weeks),
    (From::YearBefore, Day::SameWeekday),
    (From::Last, Day::FromEnd),
    (From::Last, Day::FromStart),
    (From::Last, Day::Gap),
    (From::YearBefore, Day::FromThirdFriday),
    (From::Last, Day::FromThirdFriday),
];

/// The error of a rule that cannot be judged, because the history is too short: better than one that is days off.
const UNJUDGED: Decimal = Decimal::from_parts(15, 0, 0, false, 1);

/// How many of the last payments a rule is judged by.
const JUDGED: usize = 8;

/// The ex-dates after the known ones of the current rhythm, up to a day. Empty without a frequency.
pub(crate) fn following(known: &[Date], rhythm: Rhythm, until: Date) -> Vec<Date> {
    let Some(frequency) = rhythm.frequency else { return Vec::new() };
    let mut known = known.to_vec();
    known.dedup();
    let rules = nearest_first(&known, frequency);
    let mut all = known.clone();
    for step in 1.. {
        let estimate = |(from, day): &(From, Day)| match from {
            From::YearBefore => estimate(&all, *from, *day, frequency, 1),
            From::Last => estimate(&known, *from, *day, frequency, step),
        };
        // Where the nearest rule does not lead on, the next one does.
        let later = |next: &Date| all.last() < Some(next);
        let Some(next) = rules.iter().find_map(|rule| estimate(rule).filter(later)).filter(|next| *next <= until) else { break };
        all.push(next);
    }
    all.split_off(known.len())
}

/// Those that lead to a next payment, by their error on the last payments; of equal ones, in their own order.
fn nearest_first(known: &[Date], frequency: Frequency) -> Vec<(From, Day)> {
    let counts = |(from, day): &(From, Day)| {
        let weekly = frequency != Frequency::Weekly || *day == Day::Gap;
        weekly && estimate(known, *from, *day, frequency, 1).is_some()
    };
    let mut rules: Vec<_> = RULES.into_iter().filter(counts).map(|rule| (rule, judged(known, rule, frequency))).collect();
    rules.sort_by_key(|(_, error)| *error);
    rules.into_iter().map(|(rule, _)| rule).collect()
}

/// The weighted mean error on the last payments. Each is estimated from those before it; the newest
/// weighs most.
fn judged(known: &[Date], (from, day): (From, Day), frequency: Frequency) -> Decimal {
    let (mut error, mut weights) = (0, 0);
    for (at, weight) in (2..known.len()).rev().zip((1..=JUDGED as i64).rev()) {
        if let Some(estimate) = estimate(&known[..at], from, day, frequency, 1) {
            let off = days_between(known[at], estimate).abs();
            error += weight * [0, 1, 3, 7].iter().filter(|limit| off > **limit).count() as i64;
            weights += weight;
        }
    }
    Decimal::from(error).checked_div(Decimal::from(weights)).unwrap_or(UNJUDGED)
}

/// The payment `steps` after the known ones; `None` if the rule does not lead to one.
fn estimate(known: &[Date], from: From, day: Day, frequency: Frequency, steps: i32) -> Option<Date> {
    let last = *known.last()?;
    let (start, months) = match from {
        From::YearBefore => (year_before_next(known)?, 12),
        From::Last => (last, 12 / frequency.payments_per_year().min(12) as i32 * steps),
    };
    let month = start.first_of_month().saturating_add(months.months());
    let found = match day {
        Day::FromEnd => {
            let ahead = business_days(start).filter(|other| *other >= start).count().max(1);
            business_days(month).rev().take(ahead).last()?
        }
        Day::FromStart => {
            let passed = business_days(start).filter(|other| *other <= start).count().max(1);
            business_days(month).take(passed).last()?
        }
        Day::SameDate => start.saturating_add(months.months()),
        Day::Weeks => days_after(start, 364),
        Day::SameWeekday => {
            let place = i32::from(start.day() - 1) / 7;
            let first = on_or_after(month, start.weekday());
            let found = days_after(first, 7 * place);
            if found.month() == month.month() { found } else { days_after(found, -7) }
        }
        Day::Gap => days_after(last, steps * median_gap(known)?),
        Day::FromThirdFriday => {
            let off = days_between(third_friday(start), start) as i32;
            days_after(third_friday(month), off)
        }
    };
    Some(business_day_until(found)).filter(|found| *found > last)
}

/// The gaps between the last nine payments.
fn gaps(known: &[Date]) -> impl Iterator<Item = i64> {
    known[known.len().saturating_sub(JUDGED + 1)..].windows(2).map(|pair| days_between(pair[0], pair[1]))
}

fn median_gap(known: &[Date]) -> Option<i32> {
    doubled_median(gaps(known).collect()).and_then(|doubled| i32::try_from(doubled / 2).ok())
}

/// The payment that came about a year before the next one will: the first after the last one's own of the year before. It does
/// not depend on the number of payments in a year, which supplements change.
fn year_before_next(known: &[Date]) -> Option<Date> {
    let year_ago = days_after(*known.last()?, -365);
    let after = days_after(year_ago, (gaps(known).min()? / 2).max(3) as i32);
    let until = days_after(year_ago, (3 * gaps(known).max()? / 2) as i32);
    known.get(known.partition_point(|date| *date <= after)).filter(|date| **date <= until).copied()
}

/// Of the month of a date, ascending.
fn business_days(date: Date) -> impl DoubleEndedIterator<Item = Date> {
    let (year, month) = (date.year(), date.month());
    let first = date.first_of_month().weekday().to_monday_zero_offset();
    let weekend = move |day: i8| (first + day - 1) % 7 >= 5;
    let open = move |day: &i8| !weekend(*day) && !is_holiday(month, *day);
    (1..=date.days_in_month()).filter(open).filter_map(move |day| Date::new(year, month, day).ok())
}

fn third_friday(date: Date) -> Date {
    days_after(on_or_after(date.first_of_month(), Weekday::Friday), 14)
}

fn on_or_after(date: Date, weekday: Weekday) -> Date {
    days_after(date, i32::from(date.weekday().until(weekday)))
}
