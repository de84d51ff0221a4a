//! Dividends listed twice.

use super::row::Row;
use super::{Reason, Rejection, days_between};

/// The same amount on ex-dates this close is one dividend.
const NEAR_DAYS: i64 = 3;

/// Merges rows that are equal in everything that distinguishes dividends, taking dates from whichever row has them.
pub fn merged(rows: Vec<Row>) -> Vec<Row> {
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

pub fn booked_once(rows: Vec<Row>, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let near = kept.iter().rev().take_while(|before| days_between(before.ex_date, row.ex_date) <= NEAR_DAYS);
        match near.into_iter().find(|before| same_dividend(before, &row)) {
            Some(before) => rejected.push(row.reject(Reason::BookedTwice { ex_date: before.ex_date.to_string() })),
            None => kept.push(row),
        }
    }
    kept
}

fn same_dividend(a: &Row, b: &Row) -> bool {
    (a.currency, a.is_special(), a.amount) == (b.currency, b.is_special(), b.amount)
}
