//! A dividend, and the purchase that it paid for.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use store::entries::{self, Entry, Kind};
use uuid::Uuid;

use super::Row;
use crate::automatic::key;
use crate::book::lots::{AUTOMATIC, AUTOMATIC_ESTIMATED, same_lot};
use crate::{App, Error};

/// The purchases that reinvest a dividend; none for other entries.
pub async fn purchases(app: &App, user_id: Uuid, dividend: &Row) -> Result<Vec<Row>, Error> {
    let all = entries::reinvestments(&mut app.store.read().await?, user_id).await?;
    Ok(of_dividend(&all, dividend))
}

/// Each row with the purchases that reinvest it. These have no row of their own if their dividend has one.
pub async fn with_purchases(app: &App, user_id: Uuid, rows: Vec<Row>) -> Result<Vec<(Row, Vec<Row>)>, Error> {
    let all = entries::reinvestments(&mut app.store.read().await?, user_id).await?;
    let mut rows: Vec<(Row, Vec<Row>)> = rows
        .into_iter()
        .map(|row| {
            let own = of_dividend(&all, &row);
            (row, own)
        })
        .collect();
    let inside: HashSet<i64> = rows.iter().flat_map(|(_, own)| own).map(|row| row.entry.sequence).collect();
    rows.retain(|(row, _)| !inside.contains(&row.entry.sequence));
    Ok(rows)
}

/// The sequence of the dividend that a purchase reinvests, if there is one.
pub async fn dividend_of(app: &App, user_id: Uuid, purchase: &Entry) -> Result<Option<i64>, Error> {
    if purchase.reinvests.is_none() {
        return Ok(None);
    }
    let of_symbol = entries::of_symbols(&mut app.store.read().await?, user_id, &[&purchase.symbol]).await?;
    Ok(of_symbol.iter().find(|entry| is_reinvestment(purchase, entry)).map(|dividend| dividend.sequence))
}

fn of_dividend(purchases: &[Entry], dividend: &Row) -> Vec<Row> {
    let own = purchases.iter().filter(|purchase| is_reinvestment(purchase, &dividend.entry));
    own.map(|purchase| Row { entry: purchase.clone(), ..dividend.clone() }).collect()
}

/// What a purchase stores to refer to a dividend of its lot. It stays the same while an automatic dividend is recomputed,
/// confirmed or renamed.
pub(crate) fn reference(dividend: &Entry) -> String {
    reference_by(&dividend.source, dividend.source_id.as_deref(), dividend.ex_date, &dividend.identity)
}

/// The same from its parts.
pub(crate) fn reference_by(source: &str, id: Option<&str>, ex_date: Option<Date>, identity: &str) -> String {
    let is_automatic = [AUTOMATIC, AUTOMATIC_ESTIMATED].contains(&source);
    let payment = id.filter(|_| is_automatic).and_then(key::without_symbol).zip(ex_date);
    payment.map_or_else(|| identity.to_owned(), |((currency, kind), ex_date)| format!("payment:{ex_date} {currency} {kind}"))
}

pub(crate) fn is_reinvestment(purchase: &Entry, dividend: &Entry) -> bool {
    let kinds = purchase.kind == Kind::Buy && dividend.kind == Kind::Dividend;
    kinds && same_lot(purchase, dividend) && purchase.reinvests.as_ref().is_some_and(|to| *to == reference(dividend))
}

/// Takes the purchases that reinvest a dividend from among other entries.
pub(crate) fn take(others: &mut Vec<Entry>, dividend: &Entry) -> Vec<Entry> {
    others.extract_if(.., |entry| is_reinvestment(entry, dividend)).collect()
}

/// The position of each purchase's dividend; both have the same number.
pub(super) fn numbers(entries: &[Entry]) -> HashMap<i64, usize> {
    let mut dividends: HashMap<String, Vec<usize>> = HashMap::new();
    let purchases: Vec<&Entry> = entries.iter().filter(|entry| entry.reinvests.is_some()).collect();
    if !purchases.is_empty() {
        for (at, dividend) in entries.iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Dividend) {
            dividends.entry(reference(dividend)).or_default().push(at);
        }
    }
    let mut numbers = HashMap::new();
    for purchase in purchases {
        let same = purchase.reinvests.as_ref().and_then(|to| dividends.get(to)).into_iter().flatten();
        if let Some(at) = same.copied().find(|at| is_reinvestment(purchase, &entries[*at])) {
            numbers.extend([(purchase.sequence, at), (entries[at].sequence, at)]);
        }
    }
    numbers
}
