//! One dividend told twice.

use super::row::Row;
use super::{Held, days_between};

/// Two ex-dates this near with one amount are one dividend under two dates.
const NEAR_DAYS: i64 = 3;

/// Rows alike in all that tells dividends apart are one; it takes its dates from whichever has them.
pub fn once(rows: Vec<Row>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let on_the_day = kept.iter_mut().rev().take_while(|before| before.ex_date == row.ex_date);
        match on_the_day.into_iter().find(|before| same_dividend(before, &row)) {
            Some(before) => {
                before.pay_date = before.pay_date.or(row.pay_date);
                before.declared_date = before.declared_date.or(row.declared_date);
            }
            None => kept.push(row),
        }
    }
    kept
}

pub fn booked_once(rows: Vec<Row>, held: &mut Vec<Held>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let near = kept.iter().rev().take_while(|before| days_between(before.ex_date, row.ex_date) <= NEAR_DAYS);
        match near.into_iter().find(|before| same_dividend(before, &row)) {
            Some(before) => held.push(row.hold(format!("the same amount went ex on {}; booked twice", before.ex_date))),
            None => kept.push(row),
        }
    }
    kept
}

fn same_dividend(a: &Row, b: &Row) -> bool {
    (a.currency, a.is_special(), a.amount) == (b.currency, b.is_special(), b.amount)
}
