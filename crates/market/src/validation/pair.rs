//! Several amounts of the same kind with one ex-date and currency.

use ledger::Decimal;

use super::row::Row;
use super::usual::{Around, Point, usual};
use super::{Reason, Rejection};

/// At most one row of each kind per ex-date and currency.
pub fn one_of_a_kind(mut rows: Vec<Row>, around: &Around, fund: bool, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let points = around.with_unambiguous(&rows);
    let kind = |row: &Row| (row.ex_date, row.currency, row.is_special());
    rows.sort_by_key(kind);
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for group in rows.chunk_by(|a, b| kind(a) == kind(b)) {
        match group {
            [row] => kept.push(row.clone()),
            parts if fund => kept.extend(fund_parts(parts, &points)),
            rivals => kept.extend(likeliest(rivals, &points, rejected)),
        }
    }
    if fund {
        kept = add_up(kept, rejected);
    }
    kept
}

/// A fund may pay income and capital gains on the same day: the usual amount is the income, the others are special.
fn fund_parts(parts: &[Row], points: &[Point]) -> Vec<Row> {
    let income = nearest(parts, points).unwrap_or(0);
    let part = |(place, row): (usize, &Row)| match place == income {
        true => row.clone(),
        false => Row { special: Some(true), ..row.clone() },
    };
    parts.iter().enumerate().map(part).collect()
}

/// Short-term and long-term gains are both special, and both were paid.
fn add_up(rows: Vec<Row>, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let mut kept: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let same = |before: &&mut Row| {
            before.is_special() && row.is_special() && (before.ex_date, before.currency) == (row.ex_date, row.currency)
        };
        match kept.iter_mut().find(same) {
            None => kept.push(row),
            Some(before) => match before.amount.checked_add(row.amount).zip(before.today.checked_add(row.today)) {
                Some((amount, today)) => *before = Row { amount, today, ..before.clone() },
                None => rejected.push(row.reject(Reason::TooLarge)),
            },
        }
    }
    kept
}

/// A company pays one dividend of a kind per day: the one nearest to the usual amount, or none if nothing is usual.
fn likeliest(rivals: &[Row], points: &[Point], rejected: &mut Vec<Rejection>) -> Option<Row> {
    let amounts = || rivals.iter().map(|row| row.amount.to_string()).collect();
    let kept = nearest(rivals, points);
    for (_, row) in rivals.iter().enumerate().filter(|(place, _)| Some(*place) != kept) {
        rejected.push(row.reject(match (kept.and_then(|kept| rivals.get(kept)), usual(points, row)) {
            (Some(_), Some(usual)) => Reason::FartherFromUsual { amounts: amounts(), usual: usual.normalize().to_string() },
            _ => Reason::SeveralAmounts { amounts: amounts() },
        }));
    }
    kept.and_then(|kept| rivals.get(kept)).cloned()
}

/// `None` if nothing is usual, or if two are equally near.
fn nearest(rows: &[Row], points: &[Point]) -> Option<usize> {
    let usual = usual(points, rows.first()?)?;
    let distance = |row: &Row| row.today.checked_sub(usual).map_or(Decimal::MAX, |gap| gap.abs());
    let mut by_distance: Vec<(Decimal, usize)> = rows.iter().map(distance).zip(0..).collect();
    by_distance.sort_unstable();
    match by_distance[..] {
        [(first, _), (second, _), ..] if first == second => None,
        [(_, place), ..] => Some(place),
        [] => None,
    }
}
