//! A dividend, and the purchase that it paid for.

use std::collections::HashSet;

use store::Tx;
use store::entries::{self, Entry, Kind};
use uuid::Uuid;

use super::Row;
use super::reference::{is_reinvestment, reference};
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

/// Entries with the purchases that reinvest the dividends among them.
pub(super) async fn with_own_purchases(tx: &mut Tx, user_id: Uuid, mut entries: Vec<Entry>) -> Result<Vec<Entry>, Error> {
    let mut purchases = entries::reinvestments(tx, user_id).await?;
    if !purchases.is_empty() {
        let dividends = entries.iter().filter(|entry| entry.kind == Kind::Dividend);
        let references: HashSet<(Uuid, &str, String)> =
            dividends.map(|one| (one.portfolio_id, one.symbol.as_str(), reference(one))).collect();
        let known: HashSet<i64> = entries.iter().map(|entry| entry.sequence).collect();
        purchases.retain(|one| {
            let to = one.reinvests.clone().unwrap_or_default();
            !known.contains(&one.sequence) && references.contains(&(one.portfolio_id, one.symbol.as_str(), to))
        });
        entries.extend(purchases);
    }
    Ok(entries)
}
