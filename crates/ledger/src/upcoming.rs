//! Upcoming payments of one stock: the declared ones, and estimates that follow the last known one.

use jiff::civil::Date;
use jiff::{SignedDuration, ToSpan};
use rust_decimal::Decimal;

use crate::{Frequency, History, Metrics};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    pub ex_date: Date,
    pub pay_date: Date,
    /// In the stock's trading currency.
    pub per_share: Decimal,
    pub declared: bool,
}

/// The payments with an ex-date or payment date between today and `days` later (inclusive); soonest first.
pub fn payments(metrics: &Metrics, today: Date, days: i32) -> Vec<Item> {
    let mut items = declared(&metrics.history);
    items.extend(estimated(metrics).into_iter().filter(|item| item.ex_date >= today));
    items.retain(|item| within(item.ex_date, item.pay_date, today, days));
    items.sort_by_key(|item| (first_to_come(item.ex_date, item.pay_date, today), item.ex_date));
    items
}

/// Long enough for the next payment of every payer that has not stopped.
const NEXT_DAYS: i32 = 400;

/// The payment whose ex-date or payment date comes next, of those for which `counts` is true.
pub fn next(metrics: &Metrics, today: Date, counts: impl Fn(&Item) -> bool) -> Option<Item> {
    payments(metrics, today, NEXT_DAYS).into_iter().find(counts)
}

/// The next ex-date from today on: declared or estimated.
pub fn next_ex(metrics: &Metrics, today: Date) -> Option<Item> {
    let to_come = payments(metrics, today, NEXT_DAYS).into_iter().filter(|item| item.ex_date >= today);
    to_come.min_by_key(|item| item.ex_date)
}

/// The next payment date from today on, of the payments for which `counts` is true.
pub fn next_pay(metrics: &Metrics, today: Date, counts: impl Fn(&Item) -> bool) -> Option<Item> {
    let to_come = payments(metrics, today, NEXT_DAYS).into_iter().filter(|item| item.pay_date >= today && counts(item));
    to_come.min_by_key(|item| item.pay_date)
}

/// Whether an upcoming payment has already gone ex: then the shares held before its ex-date count.
pub fn has_gone_ex(metrics: &Metrics, today: Date) -> bool {
    payments(metrics, today, NEXT_DAYS).iter().any(|item| item.ex_date <= today)
}

/// Whether a payment's ex-date or payment date is between today and `days` later (inclusive).
pub fn within(ex_date: Date, pay_date: Date, today: Date, days: i32) -> bool {
    let window = Window::new(today, days);
    window.holds(ex_date) || window.holds(pay_date)
}

/// The earlier of the two dates that has not passed; the later one if both have.
pub fn first_to_come(ex_date: Date, pay_date: Date, today: Date) -> Date {
    let (earlier, later) = (ex_date.min(pay_date), ex_date.max(pay_date));
    if earlier >= today { earlier } else { later }
}

struct Window {
    first: Date,
    last: Date,
}

impl Window {
    fn new(today: Date, days: i32) -> Window {
        Window { first: today, last: days_after(today, days) }
    }

    fn holds(&self, date: Date) -> bool {
        self.first <= date && date <= self.last
    }
}

fn declared(history: &History) -> Vec<Item> {
    let item = |payment: &crate::Payment| Item {
        ex_date: payment.ex_date,
        pay_date: payment.pay_date,
        per_share: payment.paid_amount,
        declared: true,
    };
    history.payments.iter().map(item).collect()
}

/// The payments estimated after the last known one, over three years: a payer counts as stopped 19 months after its last ex-date
/// at the latest, and no window is longer than 120 days.
fn estimated(metrics: &Metrics) -> Vec<Item> {
    let known: Vec<Date> = metrics.history.regular().map(|payment| payment.ex_date).collect();
    let (Some(frequency), Some(last)) = (metrics.frequency, known.last().copied()) else {
        return Vec::new();
    };
    let Some(per_share) = metrics.forward_rate.checked_div(frequency.payments_per_year().into()).filter(|share| !share.is_zero())
    else {
        return Vec::new();
    };
    let item = |ex_date| Item { ex_date, pay_date: days_after(ex_date, metrics.history.lag_days), per_share, declared: false };
    following(known, frequency).into_iter().filter(|ex_date| *ex_date > last).map(item).collect()
}

/// Three years of ex-dates after the known ones, each a year after the one N payments before it (known or estimated), or a
/// nominal interval after the previous one if there are not that many.
fn following(mut ex_dates: Vec<Date>, frequency: Frequency) -> Vec<Date> {
    let known = ex_dates.len();
    let per_year = frequency.payments_per_year() as usize;
    for _ in 0..3 * per_year {
        let next = match ex_dates.len().checked_sub(per_year) {
            // The 29th of February moves to the 28th.
            Some(year_before) => ex_dates[year_before].saturating_add(1.year()),
            None => days_after(ex_dates[ex_dates.len() - 1], frequency.nominal_gap_days()),
        };
        ex_dates.push(next);
    }
    let mut following = ex_dates.split_off(known);
    // If the frequency has changed, two past years can lead to the same day.
    following.sort_unstable();
    following.dedup();
    following
}

pub fn days_after(date: Date, days: i32) -> Date {
    date.saturating_add(SignedDuration::from_hours(24 * i64::from(days)))
}
