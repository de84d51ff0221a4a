//! Approximate trading days: weekends are skipped, holidays are ignored.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// The day itself, or the following Monday if it is on a weekend.
pub(super) fn weekday_from(day: Date) -> Date {
    match day.weekday() {
        Weekday::Saturday => later(day, 2),
        Weekday::Sunday => later(day, 1),
        _ => day,
    }
}

/// The day itself, or the preceding Friday if it is on a weekend.
pub(super) fn weekday_until(day: Date) -> Date {
    match day.weekday() {
        Weekday::Saturday => later(day, -1),
        Weekday::Sunday => later(day, -2),
        _ => day,
    }
}

pub(super) fn later(day: Date, days: i32) -> Date {
    day.saturating_add(days.days())
}

pub(super) fn years_before(day: Date, years: i32) -> Date {
    day.saturating_sub(years.years())
}

/// Days from one to the other; negative if the other is earlier.
pub(super) fn days_between(from: Date, to: Date) -> i64 {
    from.duration_until(to).as_hours() / 24
}

/// The last weekday of every month that ended before `today`, for this many years back.
pub(super) fn month_ends(today: Date, years: i32) -> Vec<Date> {
    let this_month = today.first_of_month();
    let months = (1..=12 * years).rev();
    months.map(|back| weekday_until(this_month.saturating_sub(back.months()).last_of_month())).collect()
}

/// The last `count` weekdays before `today`.
pub(super) fn last_weekdays(today: Date, count: usize) -> Vec<Date> {
    let mut days: Vec<Date> =
        (1..).map(|back| later(today, -back)).filter(|day| weekday_from(*day) == *day).take(count).collect();
    days.reverse();
    days
}
