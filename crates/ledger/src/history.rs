//! Paid and declared dividends of a stock, per share, in its trading currency.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::{Currency, Fx, Split};

/// Days from ex-date to payment date for a stock without known payment dates.
pub const USUAL_LAG_DAYS: i32 = 21;

/// A dividend from market data: as paid, in its original currency. A future one is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarketDividend {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub amount: Decimal,
    pub currency: Currency,
    pub special: bool,
}

/// A dividend in the trading currency, comparable with today's shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payment {
    pub ex_date: Date,
    pub pay_date: Date,
    /// False if `pay_date` is the ex-date plus the stock's lag.
    pub pay_date_known: bool,
    /// Split-adjusted.
    pub amount: Decimal,
    /// Per share at the time.
    pub paid_amount: Decimal,
    pub special: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// By ex-date, including specials.
    pub payments: Vec<Payment>,
    /// The stock's usual number of days from ex-date to payment date.
    pub lag_days: i32,
}

impl History {
    pub fn new(dividends: &[MarketDividend], splits: &[Split], currency: Currency, fx: &Fx, today: Date) -> History {
        let rows = one_per_ex_date(dividends, currency, fx, today);
        let lag_days = lag_days(&rows);
        let payments = rows.iter().filter_map(|row| payment(row, splits, lag_days, today)).collect();
        History { payments, lag_days }
    }

    /// The payments without specials, which no derived figure uses.
    pub fn regular(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.payments.iter().filter(|payment| !payment.special)
    }
}

pub(crate) fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_hours() / 24
}

fn payment(row: &MarketDividend, splits: &[Split], lag_days: i32, today: Date) -> Option<Payment> {
    Some(Payment {
        ex_date: row.ex_date,
        pay_date: row.pay_date.unwrap_or_else(|| row.ex_date.saturating_add(lag_days.days())),
        pay_date_known: row.pay_date.is_some(),
        amount: split_adjusted(row, splits, today)?,
        paid_amount: row.amount,
        special: row.special,
    })
}

fn split_adjusted(row: &MarketDividend, splits: &[Split], today: Date) -> Option<Decimal> {
    let later = splits.iter().filter(|split| row.ex_date < split.date && split.date <= today);
    later.map(|split| split.ratio).try_fold(row.amount, |amount, ratio| amount.checked_mul(ratio.old)?.checked_div(ratio.new))
}

/// Rows in the trading currency, ascending, at most one regular and one special per ex-date.
fn one_per_ex_date(dividends: &[MarketDividend], currency: Currency, fx: &Fx, today: Date) -> Vec<MarketDividend> {
    // A provider's row with an amount of zero is not a payment.
    let mut rows: Vec<&MarketDividend> = dividends.iter().filter(|row| row.amount > Decimal::ZERO).collect();
    rows.sort_by_key(|row| (row.ex_date, row.special));
    let same_event = |a: &&MarketDividend, b: &&MarketDividend| (a.ex_date, a.special) == (b.ex_date, b.special);
    rows.chunk_by(same_event).filter_map(|event| one_row(event, currency, fx, today)).collect()
}

/// A payment listed in two currencies is paid once, so only one currency's rows are kept: the trading currency's, else
/// those of the first that has a rate. Within one currency, parts with different amounts (income and capital gain) add up.
fn one_row(event: &[&MarketDividend], trading: Currency, fx: &Fx, today: Date) -> Option<MarketDividend> {
    // A declared dividend has no rate for its own day yet.
    let convert = |row: &MarketDividend, amount| fx.convert(amount, row.currency, trading, row.ex_date.min(today));
    let native = event.iter().find(|row| row.currency == trading);
    let chosen = native.or_else(|| event.iter().find(|row| convert(row, row.amount).is_some()))?;
    let mut parts: Vec<&MarketDividend> = event.iter().filter(|row| row.currency == chosen.currency).copied().collect();
    parts.sort_by_key(|row| row.amount);
    parts.dedup_by_key(|row| row.amount);
    let sum = parts.iter().try_fold(Decimal::ZERO, |sum, row| sum.checked_add(row.amount))?;
    let earliest = |rows: &[&MarketDividend]| rows.iter().filter_map(|row| row.pay_date).min();
    let pay_date = earliest(&parts).or_else(|| earliest(event));
    let amount = convert(chosen, sum)?;
    Some(MarketDividend { ex_date: chosen.ex_date, pay_date, amount, currency: trading, special: chosen.special })
}

fn lag_days(rows: &[MarketDividend]) -> i32 {
    let regular = rows.iter().filter(|row| !row.special);
    let lags = regular.filter_map(|row| Some(days_between(row.ex_date, row.pay_date?))).collect();
    doubled_median(lags).and_then(|doubled| i32::try_from(doubled / 2).ok()).unwrap_or(USUAL_LAG_DAYS)
}

/// Twice the median: for an even count, the median is the mean of the middle two.
pub(crate) fn doubled_median(mut figures: Vec<i64>) -> Option<i64> {
    figures.sort_unstable();
    let upper = figures.get(figures.len() / 2)?;
    Some(figures[(figures.len() - 1) / 2] + upper)
}
