//! Estimated ex-dates: each stock follows the rule that was nearest on its own last payments. If none was near, the rules vote.

use std::cmp::Reverse;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use rust_decimal::Decimal;

use crate::Frequency;
use crate::dates::{business_day_until, days_after, days_between, doubled_median, is_holiday};
use crate::frequency::Rhythm;
use crate::growth::YEAR_OFF_DAYS_MAX;

/// Where a rule starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    /// The payment that comes about a year before the next one, twelve months on.
    YearBefore,
    /// The last payment, as many months on as there are between two payments.
    Last,
}

/// How a rule finds the day in the month it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// The median of the same dates of three years, or of the dates that the last three payments lead to.
    Median,
}

type Rule = (From, Day);

/// If two rules were equally near, the first is used.
const RULES: [Rule; 13] = [
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
    (From::YearBefore, Day::Median),
    (From::Last, Day::Median),
    (From::Last, Day::SameDate),
];

/// How many of the last payments a rule is judged by.
const JUDGED: usize = 8;

/// The mean points of a rule that is followed alone.
const NEAR: Decimal = Decimal::from_parts(75, 0, 0, false, 2);

#[derive(Clone, Copy)]
struct ExDates<'a> {
    /// Ascending, without the same date twice.
    all: &'a [Date],
    /// The first of the current rhythm.
    first: usize,
    /// The payment that came about a year before the next one will.
    year_before_next: Option<Date>,
}

impl<'a> ExDates<'a> {
    fn new(all: &'a [Date], first: usize) -> ExDates<'a> {
        let year_before_next = year_before_next(all, &all[first..]);
        ExDates { all, first, year_before_next }
    }

    fn current(self) -> &'a [Date] {
        &self.all[self.first..]
    }

    /// The earlier one of two equally near.
    fn nearest(self, day: Date) -> Option<Date> {
        let off = |date: &Date| days_between(day, *date).abs();
        let from = self.all.partition_point(|date| days_between(*date, day) > YEAR_OFF_DAYS_MAX);
        self.all[from..].iter().take_while(|date| days_between(day, **date) <= YEAR_OFF_DAYS_MAX).copied().min_by_key(off)
    }
}

/// The gaps between the last nine payments.
fn gaps(current: &[Date]) -> impl Iterator<Item = i64> {
    current[current.len().saturating_sub(JUDGED + 1)..].windows(2).map(|pair| days_between(pair[0], pair[1]))
}

/// The first payment after the last one's own of the year before. It does not depend on the number of payments in a year, which
/// supplements change.
fn year_before_next(all: &[Date], current: &[Date]) -> Option<Date> {
    let year_ago = days_after(*all.last()?, -365);
    let after = days_after(year_ago, (gaps(current).min()? / 2).max(3) as i32);
    let until = days_after(year_ago, (3 * gaps(current).max()? / 2) as i32);
    all.get(all.partition_point(|date| *date <= after)).filter(|date| **date <= until).copied()
}

/// The ex-dates after the known ones, up to a day. Empty without a frequency.
pub(crate) fn following(known: &[Date], rhythm: Rhythm, until: Date) -> Vec<Date> {
    let mut found = Vec::new();
    each_following(known, rhythm, until, |date, _, _, _| found.push(date));
    found
}

/// An estimated ex-date, and how it was found.
#[derive(Debug)]
pub(crate) struct Estimated {
    pub date: Date,
    pub rule: &'static str,
    pub from: Start,
}

/// The first one from a day on, up to another.
pub(crate) fn first_following(known: &[Date], rhythm: Rhythm, from: Date, until: Date) -> Option<Estimated> {
    let mut first = None;
    each_following(known, rhythm, until, |date, rule, known, steps| {
        if first.is_none() && date >= from {
            let start = rhythm.frequency.and_then(|frequency| start(known, rule, frequency, steps));
            first = start.map(|from| Estimated { date, rule: name(rule), from });
        }
    });
    first
}

/// Visits each with its rule, the dates it follows from, and how many payments it is after the last of them.
fn each_following(known: &[Date], rhythm: Rhythm, until: Date, mut visit: impl FnMut(Date, Rule, ExDates<'_>, i32)) {
    let Some(frequency) = rhythm.frequency else { return };
    let mut known = known.to_vec();
    known.dedup();
    let first = known.partition_point(|date| *date < rhythm.since);
    let rules = best_first(&known, first, frequency);
    let last = ExDates::new(&known, first);
    let mut all = known.clone();
    for step in 1.. {
        let estimated = ExDates::new(&all, first);
        let basis = |rule: Rule| match rule.0 {
            From::YearBefore => (estimated, 1),
            From::Last => (last, step),
        };
        // Where a rule does not lead on, the next one does.
        let later = |next: &Date| all.last() < Some(next);
        let next = rules.iter().find_map(|rule| {
            let (known, steps) = basis(*rule);
            estimate(known, *rule, frequency, steps).filter(later).map(|next| (next, *rule))
        });
        let Some((next, rule)) = next.filter(|(next, _)| *next <= until) else { break };
        let (dates, steps) = basis(rule);
        visit(next, rule, dates, steps);
        all.push(next);
    }
}

fn name(rule: Rule) -> &'static str {
    match rule {
        (From::YearBefore, Day::FromEnd) => "year_from_end",
        (From::YearBefore, Day::FromStart) => "year_from_start",
        (From::YearBefore, Day::SameWeekday) => "year_same_weekday",
        (From::YearBefore, Day::FromThirdFriday) => "year_from_third_friday",
        (From::YearBefore, Day::Median) => "year_median",
        (From::YearBefore, _) if rule.1 == Day::Weeks => "364_days",
        (From::YearBefore, _) => "year_same_date",
        (From::Last, Day::FromEnd) => "months_from_end",
        (From::Last, Day::FromStart) => "months_from_start",
        (From::Last, Day::FromThirdFriday) => "months_from_third_friday",
        (From::Last, Day::Median) => "months_median",
        (From::Last, Day::Gap) => "median_gap",
        (From::Last, _) => "months_same_date",
    }
}

/// A rule's day for the next payment, and how far off the rule was on the last ones.
struct Proposal {
    rule: Rule,
    day: Date,
    points: i64,
    /// The sum of the judged payments' weights; 0 if the history is too short to judge the rule.
    weights: i64,
}

impl Proposal {
    /// If it cannot be judged, it is better than a rule that is days off.
    fn mean_points(&self) -> Decimal {
        const UNJUDGED: Decimal = Decimal::from_parts(15, 0, 0, false, 1);
        Decimal::from(self.points).checked_div(Decimal::from(self.weights)).unwrap_or(UNJUDGED)
    }

    /// 1 ÷ (1 + mean points)², in thousandths.
    fn votes(&self) -> i64 {
        const UNJUDGED: i64 = 160;
        if self.weights == 0 { UNJUDGED } else { 1000 * self.weights.pow(2) / (self.points + self.weights).pow(2) }
    }
}

/// Those that lead to a next payment. If one was near, by their points; else by the votes for their day, then by their points.
fn best_first(known: &[Date], first: usize, frequency: Frequency) -> Vec<Rule> {
    let judged = (first + 2).max(known.len().saturating_sub(JUDGED))..known.len();
    let before: Vec<ExDates<'_>> = judged.map(|at| ExDates::new(&known[..at], first)).collect();
    let all = ExDates::new(known, first);
    let counts = |rule: &Rule| frequency != Frequency::Weekly || rule.1 == Day::Gap;
    let rules = RULES.into_iter().filter(counts);
    let mut proposals: Vec<_> = rules.filter_map(|rule| proposal(all, &before, rule, frequency)).collect();
    proposals.sort_by_key(Proposal::mean_points);
    if proposals.first().is_some_and(|nearest| nearest.mean_points() > NEAR) {
        let votes = |day: Date| -> i64 {
            proposals.iter().map(|other| other.votes() * agreement(days_between(day, other.day).abs())).sum()
        };
        let mut rules: Vec<_> = proposals.iter().map(|proposal| (proposal.rule, votes(proposal.day))).collect();
        rules.sort_by_key(|(_, votes)| Reverse(*votes));
        return rules.into_iter().map(|(rule, _)| rule).collect();
    }
    proposals.into_iter().map(|proposal| proposal.rule).collect()
}

/// How much a vote for one day counts for another.
fn agreement(days_apart: i64) -> i64 {
    match days_apart {
        0..=1 => 5,
        2..=3 => 4,
        4..=7 => 3,
        _ => 0,
    }
}

/// Each of the last payments is estimated from those before it; the newest weighs most.
fn proposal(known: ExDates<'_>, before: &[ExDates<'_>], rule: Rule, frequency: Frequency) -> Option<Proposal> {
    let day = estimate(known, rule, frequency, 1)?;
    let (mut points, mut weights) = (0, 0);
    for (before, weight) in before.iter().rev().zip((1..=JUDGED as i64).rev()) {
        if let Some(estimate) = estimate(*before, rule, frequency, 1) {
            let off = days_between(known.all[before.all.len()], estimate).abs();
            points += weight * [0, 1, 3, 7].iter().filter(|limit| off > **limit).count() as i64;
            weights += weight;
        }
    }
    Some(Proposal { rule, day, points, weights })
}

/// The payment `steps` after the known ones; `None` if the rule does not lead to one.
fn estimate(known: ExDates<'_>, rule: Rule, frequency: Frequency, steps: i32) -> Option<Date> {
    let last = *known.all.last()?;
    let found = start(known, rule, frequency, steps)?.day(rule.1)?;
    Some(business_day_until(found)).filter(|found| *found > last)
}

/// What a rule computes a day from.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// A day in the month so many months after a payment.
    Month { payment: Date, months: i32 },
    /// So many days after a payment: `steps` times half of the doubled median of the gaps.
    Gap { payment: Date, gaps: Vec<i64>, steps: i32 },
    /// Each date a payment, so many months on.
    Dates(Vec<(Date, i32)>),
}

fn start(known: ExDates<'_>, (from, day): Rule, frequency: Frequency, steps: i32) -> Option<Start> {
    let last = *known.all.last()?;
    let between = 12 / frequency.payments_per_year().min(12) as i32;
    let (payment, months) = match from {
        From::YearBefore => (known.year_before_next?, 12),
        From::Last => (last, between * steps),
    };
    Some(match (day, from) {
        (Day::Gap, _) => Start::Gap { payment: last, gaps: gaps(known.current()).collect(), steps },
        (Day::Median, From::YearBefore) => Start::Dates(
            (0..3).filter_map(|years| Some((known.nearest(payment.saturating_sub(years.years()))?, 12 * (years + 1)))).collect(),
        ),
        (Day::Median, From::Last) => Start::Dates(
            known.current().iter().rev().zip(steps..steps + 3).map(|(date, steps)| (*date, between * steps)).collect(),
        ),
        _ => Start::Month { payment, months },
    })
}

impl Start {
    fn day(self, day: Day) -> Option<Date> {
        let (start, months) = match self {
            Start::Month { payment, months } => (payment, months),
            Start::Gap { payment, gaps, steps } => {
                return Some(days_after(payment, steps * i32::try_from(doubled_median(gaps)? / 2).ok()?));
            }
            Start::Dates(dates) => {
                return median(dates.into_iter().map(|(date, months)| date.saturating_add(months.months())).collect());
            }
        };
        let month = start.first_of_month().saturating_add(months.months());
        Some(match day {
            Day::FromEnd => {
                let ahead = business_days(start).filter(|other| *other >= start).count().max(1);
                business_days(month).rev().take(ahead).last()?
            }
            Day::FromStart => {
                let passed = business_days(start).filter(|other| *other <= start).count().max(1);
                business_days(month).take(passed).last()?
            }
            Day::Weeks => days_after(start, 364),
            Day::SameWeekday => {
                let place = i32::from(start.day() - 1) / 7;
                let first = on_or_after(month, start.weekday());
                let found = days_after(first, 7 * place);
                if found.month() == month.month() { found } else { days_after(found, -7) }
            }
            Day::FromThirdFriday => {
                let off = days_between(third_friday(start), start) as i32;
                days_after(third_friday(month), off)
            }
            Day::SameDate | Day::Gap | Day::Median => start.saturating_add(months.months()),
        })
    }
}

/// Between the middle two, the earlier day.
fn median(dates: Vec<Date>) -> Option<Date> {
    let first = *dates.first()?;
    let doubled = doubled_median(dates.into_iter().map(|date| days_between(first, date)).collect())?;
    Some(days_after(first, i32::try_from(doubled.div_euclid(2)).ok()?))
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
