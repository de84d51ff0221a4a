//! Days: distances, medians and business days.

use jiff::SignedDuration;
use jiff::civil::{Date, Weekday};

pub(crate) fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_hours() / 24
}

pub fn days_after(date: Date, days: i32) -> Date {
    date.saturating_add(SignedDuration::from_hours(24 * i64::from(days)))
}

/// Twice the median: for an even count, the median is the mean of the middle two.
pub(crate) fn doubled_median(mut figures: Vec<i64>) -> Option<i64> {
    figures.sort_unstable();
    let upper = figures.get(figures.len() / 2)?;
    Some(figures[(figures.len() - 1) / 2] + upper)
}

/// Exchanges are closed on weekends and on these two holidays everywhere.
fn is_business_day(date: Date) -> bool {
    !is_holiday(date.month(), date.day()) && !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
}

pub(crate) fn is_holiday(month: i8, day: i8) -> bool {
    matches!((month, day), (1, 1) | (12, 25))
}

/// The day itself, or the last business day before it.
pub(crate) fn business_day_until(date: Date) -> Date {
    (0..).map(|days| days_after(date, -days)).find(|date| is_business_day(*date)).unwrap_or(date)
}

/// The day itself, or the next business day.
pub(crate) fn business_day_from(date: Date) -> Date {
    (0..).map(|days| days_after(date, days)).find(|date| is_business_day(*date)).unwrap_or(date)
}
