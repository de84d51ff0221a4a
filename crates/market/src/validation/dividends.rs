//! Validates paid and declared dividends.

use jiff::civil::Date;

use super::row::{self, Row};
use super::usual::Around;
use super::{Known, KnownDividend, Reason, Rejection, Validated, duplicates, level, pair, special, splits};
use crate::provider::{Dividend, Split};

/// At most one regular and one special row per ex-date and currency, by ex-date. `splits` are the provider's own, unvalidated;
/// known ones are used too. The caller fills in the provider.
pub fn dividends(known: &Known, splits: &[Split], answer: &[Dividend], today: Date) -> Validated<Vec<KnownDividend>> {
    let mut rejected = Vec::new();
    let splits = all_splits(known, splits, today);
    let rows = row::rows(known, &splits, answer, today, &mut rejected);
    let around = Around::of(known, &splits, &rows, today);
    let rows = duplicates::merged(rows);
    let rows = duplicates::booked_once(rows, &mut rejected);
    let rows = pair::one_of_a_kind(rows, &around, known.fund, &mut rejected);
    let rows = level::in_scale(rows, &around, known.fund, &mut rejected);
    let rows = special::marked(rows, &around, known);
    let rows = level::consistent_unit(rows, &around, known, &splits, today, &mut rejected);
    let rows = level::below_price(rows, known, &splits, today, &mut rejected);
    Validated { rows: rows.iter().map(stored).collect(), rejected }
}

fn all_splits(known: &Known, answer: &[Split], today: Date) -> Vec<ledger::Split> {
    let mut all = known.splits.clone();
    let new = splits(known, answer, today).rows;
    all.extend(new.into_iter().filter(|split| !known.splits.contains(split)));
    all
}

fn stored(row: &Row) -> KnownDividend {
    KnownDividend {
        ex_date: row.ex_date,
        currency: row.currency,
        special: row.is_special(),
        pay_date: row.pay_date,
        declared_date: row.declared_date,
        amount: row.amount,
        provider: None,
    }
}

impl Row {
    pub fn reject(&self, reason: Reason) -> Rejection {
        Rejection::new(format!("dividend {}", self.ex_date), format!("{} {}", self.amount, self.currency), reason)
    }
}
