//! The current yield, and its five-year average.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_between;
use crate::history::{History, Payment};

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
    let last = last_month_end(today);
    let yields: Vec<Decimal> = month_closes(closes, last)
        .iter()
        .zip(0i32..)
        .filter_map(|(close, ago)| {
            let month_end = last.first_of_month().saturating_sub(ago.months()).last_of_month();
            trailing_dividends(history, payments_per_year, month_end)?.checked_div(close.as_ref()?.1)
        })
        .collect();
    if yields.len() < MONTHS_MIN {
        return None;
    }
    let sum = yields.iter().try_fold(Decimal::ZERO, |sum, figure| sum.checked_add(*figure))?;
    sum.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(Decimal::from(yields.len()))
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
    let paid = || history.regular().filter(|payment: &&Payment| payment.ex_date > since && payment.ex_date <= month_end);
    let begins_inside = days_between(since, first) > 1;
    if begins_inside && (payments_per_year == 0 || paid().count() < payments_per_year) {
        return None;
    }
    paid().try_fold(Decimal::ZERO, |sum, payment| sum.checked_add(payment.amount))
}
