//! Paid and declared dividends of a stock, per share, in the currency they are declared in.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::{days_between, doubled_median};
use crate::number::Number;
use crate::{Currency, Ratio, Split};

/// Days from ex-date to payment date for a stock without known payment dates.
pub const USUAL_LAG_DAYS: i32 = 21;
/// The same for a fund.
pub(crate) const USUAL_LAG_DAYS_FUND: i32 = 5;

/// A dividend from market data: as paid, in its original currency. A future one is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarketDividend {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub amount: Decimal,
    pub currency: Currency,
    pub special: bool,
}

/// A dividend that can be compared with today's shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payment {
    pub ex_date: Date,
    pub pay_date: Date,
    /// False if `pay_date` is the ex-date plus the stock's lag.
    pub pay_date_known: bool,
    /// Per share of today: adjusted for the splits between.
    pub amount: Decimal,
    /// Per share on the ex-date, after the splits of that day.
    pub paid_amount: Decimal,
    pub currency: Currency,
    pub special: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// By ex-date, including specials and payments in other currencies.
    pub payments: Vec<Payment>,
    /// The currency of the latest regular payment, else the trading currency.
    pub currency: Currency,
    /// The stock's usual number of days from ex-date to payment date.
    pub lag_days: i32,
}

impl History {
    pub fn new(dividends: &[MarketDividend], splits: &[Split], trading: Currency, fund: bool, today: Date) -> History {
        let currency = currency_of_latest(dividends, trading);
        let rows = one_per_ex_date(dividends, [currency, trading]);
        let lag_days = lag_days(&rows, currency).unwrap_or(if fund { USUAL_LAG_DAYS_FUND } else { USUAL_LAG_DAYS });
        let payments = rows.iter().filter_map(|row| payment(row, splits, lag_days, today)).collect();
        History { payments, currency, lag_days }
    }

    /// The payments that the derived figures use: without specials, and only those in the currency of the latest.
    pub fn regular(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.payments.iter().filter(|payment| !payment.special && payment.currency == self.currency)
    }
}

fn payment(row: &MarketDividend, splits: &[Split], lag_days: i32, today: Date) -> Option<Payment> {
    Some(Payment {
        ex_date: row.ex_date,
        pay_date: row.pay_date.unwrap_or_else(|| row.ex_date.saturating_add(lag_days.days())),
        pay_date_known: row.pay_date.is_some(),
        amount: per_share_on(today, row.amount, row.ex_date, splits, |ratio| [ratio.new, ratio.old])?,
        paid_amount: row.amount,
        currency: row.currency,
        special: row.special,
    })
}

/// An amount per share of one day, per share of another. A payment on the day of a split is per new share.
pub(crate) fn per_share_on<N: Number>(
    day: Date,
    amount: N,
    of: Date,
    splits: &[Split],
    sides: impl Fn(&Ratio) -> [N; 2],
) -> Option<N> {
    splits.iter().try_fold(amount, |amount, split| match (of < split.date, split.date <= day) {
        (true, true) => {
            let [new, old] = sides(&split.ratio);
            amount.times(old)?.over(new)
        }
        (false, false) => {
            let [new, old] = sides(&split.ratio);
            amount.times(new)?.over(old)
        }
        _ => Some(amount),
    })
}

/// The currency of the latest regular payment; the trading currency if it is one of several.
fn currency_of_latest(dividends: &[MarketDividend], trading: Currency) -> Currency {
    let regular = || paid(dividends).filter(|row| !row.special);
    let latest = regular().map(|row| row.ex_date).max();
    let mut listed = regular().filter(|row| Some(row.ex_date) == latest).map(|row| row.currency);
    let first = listed.next().unwrap_or(trading);
    if listed.any(|currency| currency == trading) { trading } else { first }
}

/// A provider's row with an amount of zero is not a payment.
fn paid(dividends: &[MarketDividend]) -> impl Iterator<Item = &MarketDividend> {
    dividends.iter().filter(|row| row.amount > Decimal::ZERO)
}

/// Ascending, at most one regular and one special per ex-date.
fn one_per_ex_date(dividends: &[MarketDividend], preferred: [Currency; 2]) -> Vec<MarketDividend> {
    let mut rows: Vec<&MarketDividend> = paid(dividends).collect();
    rows.sort_by_key(|row| (row.ex_date, row.special));
    let same_event = |a: &&MarketDividend, b: &&MarketDividend| (a.ex_date, a.special) == (b.ex_date, b.special);
    rows.chunk_by(same_event).filter_map(|event| one_row(event, preferred)).collect()
}

/// A payment listed in two currencies is paid once, so only one currency's rows are kept: a preferred one's, else those of the
/// first. Within one currency, parts with different amounts (income and capital gain) add up.
fn one_row(event: &[&MarketDividend], preferred: [Currency; 2]) -> Option<MarketDividend> {
    let listed = |currency: Currency| event.iter().find(|row| row.currency == currency);
    let chosen = *preferred.into_iter().find_map(listed).or(event.first())?;
    let mut parts: Vec<&MarketDividend> = event.iter().filter(|row| row.currency == chosen.currency).copied().collect();
    parts.sort_by_key(|row| row.amount);
    parts.dedup_by_key(|row| row.amount);
    let amount = parts.iter().try_fold(Decimal::ZERO, |sum, row| sum.checked_add(row.amount))?;
    let earliest = |rows: &[&MarketDividend]| rows.iter().filter_map(|row| row.pay_date).min();
    Some(MarketDividend { pay_date: earliest(&parts).or_else(|| earliest(event)), amount, ..*chosen })
}

/// `None` if no payment date is known.
fn lag_days(rows: &[MarketDividend], currency: Currency) -> Option<i32> {
    let regular = rows.iter().filter(|row| !row.special && row.currency == currency);
    let lags = regular.filter_map(|row| Some(days_between(row.ex_date, row.pay_date?))).collect();
    doubled_median(lags).and_then(|doubled| i32::try_from(doubled / 2).ok())
}
