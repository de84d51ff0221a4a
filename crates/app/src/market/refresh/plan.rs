//! When refreshes are due. Each stock has its own minute of the day, so that the work is spread out.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use store::refreshes::Topic;

use crate::App;

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// In microseconds, like all times in the database.
pub(crate) fn next_due(app: &App, topic: Topic, symbol: &str) -> i64 {
    let now = app.clock.now_micros();
    match topic {
        Topic::Rates => next_rates(app.clock.now()).as_microsecond(),
        Topic::Files => now + 5_000_000,
        _ => next_slot(now, interval(app, topic), symbol),
    }
}

pub(crate) fn after_failure(app: &App, topic: Topic, failures: i64) -> i64 {
    if topic == Topic::Files {
        // A folder is checked again at the usual time, so that a corrected file counts at once.
        return next_due(app, topic, "");
    }
    let minutes = 1_i64 << failures.clamp(0, 8);
    app.clock.now_micros() + (minutes * MINUTE).min(4 * HOUR)
}

/// An unknown symbol may come back, or be listed tomorrow; it is not requested every hour.
pub(crate) fn after_unknown(app: &App, failures: i64) -> i64 {
    app.clock.now_micros() + if failures < 3 { DAY } else { 7 * DAY }
}

/// Holidays of the ECB look like a late publication; a few small requests an hour do no harm.
pub(crate) fn after_late(app: &App) -> i64 {
    app.clock.now_micros() + 20 * MINUTE
}

pub(crate) fn after_waiting(app: &App) -> i64 {
    app.clock.now_micros() + MINUTE
}

/// A day's budget is renewed at midnight; trying every minute would only burden the database, once per stock.
pub(crate) fn after_spent(app: &App) -> i64 {
    app.clock.now_micros() + HOUR
}

/// Prices often, dividends daily, profiles weekly; prices less often if a provider's daily budget requires it.
fn interval(app: &App, topic: Topic) -> i64 {
    match topic {
        Topic::Quote => (15 * MINUTE).max(affordable(app)),
        Topic::Profile => 7 * DAY,
        _ => DAY,
    }
}

/// The shortest interval at which half of the day's requests suffice for all prices.
fn affordable(app: &App) -> i64 {
    let tracked = app.jobs.tracked();
    let quotes_a_day = app.sources().market.quotes_a_day();
    let rounds = (quotes_a_day / 2) / tracked.max(1);
    DAY / i64::try_from(rounds.max(1)).unwrap_or(i64::MAX).min(DAY)
}

/// The next time of the symbol's own slot that is at least half an interval away.
fn next_slot(now: i64, interval: i64, symbol: &str) -> i64 {
    let mut hasher = DefaultHasher::new();
    symbol.hash(&mut hasher);
    let offset = (hasher.finish() % interval.unsigned_abs()) as i64;
    let earliest = now + interval / 2;
    earliest + (offset - earliest).rem_euclid(interval)
}

/// The ECB publishes around 16:00 in Frankfurt on working days. From then on, rates are requested until that day's are there.
fn next_rates(now: Timestamp) -> Timestamp {
    let frankfurt = TimeZone::get("Europe/Berlin").unwrap_or(TimeZone::UTC);
    let here = now.to_zoned(frankfurt.clone());
    let published = |day: Date| day.at(16, 5, 0, 0).to_zoned(frankfurt.clone()).map(|zoned| zoned.timestamp());
    let working = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    let days = (0..8).map(|ahead| here.date().saturating_add(ahead.days()));
    days.filter(working).filter_map(|day| published(day).ok()).find(|at| *at > now).unwrap_or(now + Duration::from_secs(86_400))
}

/// The date of the latest rates that should be available by now, ignoring holidays.
pub(crate) fn last_publication(now: Timestamp) -> Date {
    let frankfurt = TimeZone::get("Europe/Berlin").unwrap_or(TimeZone::UTC);
    let here = now.to_zoned(frankfurt);
    let mut day = if here.hour() >= 16 { here.date() } else { here.date().saturating_sub(1.day()) };
    while matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
        day = day.saturating_sub(1.day());
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_symbol_keeps_its_own_time_of_day() {
        let first = next_slot(0, DAY, "KO");
        assert!((DAY / 2..DAY * 3 / 2).contains(&first));
        assert_eq!(next_slot(first, DAY, "KO"), first + DAY);
        assert_ne!(first, next_slot(0, DAY, "PEP"));
    }

    #[test]
    fn a_thousand_symbols_are_spread_over_the_day() {
        let hour = |symbol: usize| (next_slot(0, DAY, &format!("S{symbol}")) / HOUR) as usize % 24;
        let mut hours = [0; 24];
        (0..1000).for_each(|symbol| hours[hour(symbol)] += 1);
        assert!(hours.iter().all(|count| (20..65).contains(count)), "{hours:?}");
    }

    #[test]
    fn exchange_rates_are_fetched_after_the_ecb_publishes_them() {
        // 2026-11-16 is a Monday; Frankfurt is one hour ahead of UTC in winter, two in summer.
        assert_eq!(next_rates(at("2026-11-16T10:00:00Z")), at("2026-11-16T15:05:00Z"));
        assert_eq!(next_rates(at("2026-07-15T10:00:00Z")), at("2026-07-15T14:05:00Z"));
        assert_eq!(next_rates(at("2026-11-13T16:00:00Z")), at("2026-11-16T15:05:00Z"), "over the weekend");
    }

    #[test]
    fn the_last_publication_is_on_a_working_day() {
        assert_eq!(last_publication(at("2026-11-16T10:00:00Z")), date(2026, 11, 13));
        assert_eq!(last_publication(at("2026-11-16T16:00:00Z")), date(2026, 11, 16));
        assert_eq!(last_publication(at("2026-11-15T16:00:00Z")), date(2026, 11, 13));
    }
}
