//! Smooth, reproducible levels: yearly growth, and waves of straight lines that are different for each name.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::days::days_between;
use super::stocks::{Stock, TABLE_DAY};

/// The stock's price on a day, in its unit; on the table's day it is the table's price.
pub(super) fn price(stock: &Stock, day: Date) -> Decimal {
    let growth = stock.growth.clamp(Decimal::new(97, 2), Decimal::new(109, 2));
    let grown = stock.price.saturating_mul(grown(growth, days_between(TABLE_DAY, day)));
    let decimals = if stock.unit == "JPY" { 1 } else { 2 };
    grown.saturating_mul(swing(stock.symbol, day, &[(890, 9), (173, 4)])).round_dp(decimals)
}

/// A factor around one that varies by the waves' percentages; exactly one on the table's day. Each wave has a period in days and
/// a height in percent.
pub(super) fn swing(name: &str, day: Date, waves: &[(i64, i64)]) -> Decimal {
    let phase = i64::from(name.bytes().fold(7_u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
    let days = days_between(TABLE_DAY, day);
    let height = |days: i64| waves.iter().map(|(period, percent)| percent * wave(days + phase, *period)).sum::<i64>();
    Decimal::ONE.saturating_add(Decimal::new(height(days) - height(0), 5))
}

/// From −1000 to 1000 and back along straight lines, once per period.
fn wave(day: i64, period: i64) -> i64 {
    let place = 4_000 * day.rem_euclid(period) / period;
    if place < 2_000 { place - 1_000 } else { 3_000 - place }
}

/// Yearly growth over this many days, which may be negative: whole years compounded, the rest linear.
fn grown(growth: Decimal, days: i64) -> Decimal {
    let start = compounded(growth, days.div_euclid(365));
    let rest = Decimal::new(days.rem_euclid(365), 0).checked_div(Decimal::new(365, 0)).unwrap_or_default();
    let rise = growth.saturating_sub(Decimal::ONE).saturating_mul(rest);
    start.saturating_mul(rise.saturating_add(Decimal::ONE))
}

/// Growth over whole years, which may be negative.
pub(super) fn compounded(growth: Decimal, years: i64) -> Decimal {
    let grown = (0..years.abs()).fold(Decimal::ONE, |level, _| level.saturating_mul(growth));
    if years < 0 { Decimal::ONE.checked_div(grown).unwrap_or(grown).round_dp(12) } else { grown }
}
