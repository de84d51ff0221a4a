//! Upcoming payments of one stock: those within some days, and the next ones.

use jiff::civil::Date;

use crate::Metrics;
pub use crate::dates::days_after;
pub use crate::to_come::{Item, announced, change};

/// The payments with an ex-date or payment date between today and `days` later (inclusive); soonest first.
pub fn payments(metrics: &Metrics, today: Date, days: i32) -> Vec<Item> {
    let near = |item: &&Item| within(item.ex_date, item.pay_date, today, days);
    let mut items: Vec<Item> = metrics.to_come.iter().filter(near).copied().collect();
    items.sort_by_key(|item| (first_to_come(item.ex_date, item.pay_date, today), item.ex_date));
    items
}

/// The payment whose ex-date or payment date comes next, of those for which `counts` is true.
pub fn next(metrics: &Metrics, today: Date, counts: impl Fn(&Item) -> bool) -> Option<Item> {
    metrics.to_come.iter().filter(|item| counts(item)).min_by_key(|item| next_order(item, today)).copied()
}

fn next_order(item: &Item, today: Date) -> (Date, Date) {
    (first_to_come(item.ex_date, item.pay_date, today), item.ex_date)
}

/// The next regular ex-date from today on: declared, else estimated.
pub fn next_ex(metrics: &Metrics, today: Date) -> Option<Item> {
    metrics.to_come.iter().find(|item| item.ex_date >= today && !item.special).copied()
}

/// The next payment date from today on, of the payments for which `counts` is true.
pub fn next_pay(metrics: &Metrics, today: Date, counts: impl Fn(&Item) -> bool) -> Option<Item> {
    let to_come = metrics.to_come.iter().filter(|item| item.pay_date >= today && counts(item));
    to_come.min_by_key(|item| item.pay_date).copied()
}

/// Whether an upcoming payment has already gone ex: then the shares held before its ex-date count.
pub fn has_gone_ex(metrics: &Metrics, today: Date) -> bool {
    metrics.to_come.iter().any(|item| item.ex_date <= today)
}

/// Whether a payment's ex-date or payment date is between today and `days` later (inclusive).
pub fn within(ex_date: Date, pay_date: Date, today: Date, days: i32) -> bool {
    let window = today..=days_after(today, days);
    window.contains(&ex_date) || window.contains(&pay_date)
}

/// The earlier of the two dates that has not passed; the later one if both have.
pub fn first_to_come(ex_date: Date, pay_date: Date, today: Date) -> Date {
    let (earlier, later) = (ex_date.min(pay_date), ex_date.max(pay_date));
    if earlier >= today { earlier } else { later }
}
