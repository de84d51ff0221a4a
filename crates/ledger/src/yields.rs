//! The current yield, and its five-year average.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_between;
use crate::history::{History, Payment};
use crate::number::Number;

const MONTHS: usize = 60;
const MONTHS_MIN: usize = 24;

/// Forward rate ÷ price, as a fraction. A stopped payer yields zero; a stock without a forward rate has no yield.
pub(crate) fn yield_fraction(forward_rate: Decimal, price: Option<Decimal>, stopped: bool) -> Option<Decimal> {
    if forward_rate.is_zero() && !stopped {
        return None;
    }
    forward_rate.checked_div(price.filter(|price| *price > Decimal::ZERO)?)
}

/// The mean of trailing-12-month dividends ÷ close at the last 60 month-ends, in percent, without converting
/// the dividends; `None` with fewer than 24 of them.
pub(crate) fn average_5y_pct(
    history: &History,
    payments_per_year: usize,
    closes: &[(Date, Decimal)],
    today: Date,
) -> Option<Decimal> {
    let months = month_yields(history, payments_per_year, closes, today);
    let yields: Vec<Decimal> = months.filter_map(|month| month.dividends.checked_div(month.close)).collect();
    mean_pct(yields.len(), yields.into_iter().map(Some), |constant| constant)
}

/// `None` with fewer than 24.
pub(crate) fn mean_pct<N: Number>(
    count: usize,
    yields: impl Iterator<Item = Option<N>>,
    constant: impl Fn(Decimal) -> N,
) -> Option<N> {
    if count < MONTHS_MIN {
        return None;
    }
    N::sum(yields)?.times(constant(Decimal::ONE_HUNDRED))?.over(constant(Decimal::from(count)))
}

/// What was paid in the twelve months up to a month-end, and the last close of the month.
pub(crate) struct MonthYield {
    pub month_end: Date,
    pub dividends: Decimal,
    pub closed_on: Date,
    pub close: Decimal,
}

/// Those of the last 60 month-ends that are known, newest first.
pub(crate) fn month_yields(
    history: &History,
    payments_per_year: usize,
    closes: &[(Date, Decimal)],
    today: Date,
) -> impl Iterator<Item = MonthYield> {
    let last = last_month_end(today);
    month_closes(closes, last).into_iter().zip(0i32..).filter_map(move |(close, ago)| {
        let (closed_on, close) = close?;
        let month_end = last.first_of_month().saturating_sub(ago.months()).last_of_month();
        let dividends = trailing_dividends(history, payments_per_year, month_end)?;
        Some(MonthYield { month_end, dividends, closed_on, close })
    })
}

fn last_month_end(today: Date) -> Date {
    match today == today.last_of_month() {
        true => today,
        false => today.first_of_month().saturating_sub(1.day()),
    }
}

/// The last close of each month, the newest month first.
fn month_closes(closes: &[(Date, Decimal)], last: Date) -> [Option<(Date, Decimal)>; MONTHS] {
    let month_number = |date: Date| i32::from(date.year()) * 12 + i32::from(date.month());
    let mut months = [None; MONTHS];
    for (date, close) in closes.iter().filter(|(_, close)| *close > Decimal::ZERO) {
        let ago = usize::try_from(month_number(last) - month_number(*date)).ok();
        if let Some(month) = ago.and_then(|ago| months.get_mut(ago))
            && month.is_none_or(|(latest, _)| latest <= *date)
        {
            *month = Some((*date, *close));
        }
    }
    months
}

/// `None` if the history starts within the twelve months and does not have a year's payments yet.
fn trailing_dividends(history: &History, payments_per_year: usize, month_end: Date) -> Option<Decimal> {
    let since = month_end.saturating_sub(1.year());
    let first = history.regular().next()?.ex_date;
    let paid = || trailing(history, month_end);
    let begins_inside = days_between(since, first) > 1;
    if begins_inside && (payments_per_year == 0 || paid().count() < payments_per_year) {
        return None;
    }
    paid().try_fold(Decimal::ZERO, |sum, payment| sum.checked_add(payment.amount))
}

/// The payments of the twelve months up to a month-end.
pub(crate) fn trailing(history: &History, month_end: Date) -> impl Iterator<Item = &Payment> {
    let since = month_end.saturating_sub(1.year());
    history.regular().filter(move |payment| payment.ex_date > since && payment.ex_date <= month_end)
}
