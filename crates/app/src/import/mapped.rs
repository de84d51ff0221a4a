//! What a user says an instrument is: remembered, and applied to what was kept under its ISIN until then.

use std::collections::{HashMap, HashSet};

use importers::Record;
use store::entries::{self, Entry};
use store::{Tx, accruals, instruments, stocks, users};
use uuid::Uuid;

use super::identity;
use super::instruments::kept_symbol;
use crate::{App, Error, tracking};

/// Without a file: for instruments kept earlier. Returns how many entries changed.
pub async fn map(app: &App, user_id: Uuid, map: &[(String, String)]) -> Result<u64, Error> {
    let mut tx = app.store.write().await?;
    let mut changed = 0;
    for (key, symbol) in map {
        changed += put(&mut tx, user_id, key, symbol).await?;
    }
    tracking::refresh(&mut tx, user_id, app.clock.today()).await?;
    users::bump_version(&mut tx, user_id).await?;
    tx.commit().await?;
    Ok(changed)
}

/// True when entries changed.
pub(super) async fn remember(tx: &mut Tx, user_id: Uuid, map: &[(String, String)]) -> Result<bool, Error> {
    let mut changed = 0;
    for (key, symbol) in map {
        changed += put(tx, user_id, key, symbol).await?;
    }
    Ok(changed > 0)
}

async fn put(tx: &mut Tx, user_id: Uuid, key: &str, symbol: &str) -> Result<u64, Error> {
    let key = key.to_uppercase();
    instruments::put(tx, user_id, &key, symbol).await?;
    let kept = kept_symbol(&key);
    // What is listed under that very symbol is no makeshift, and stays.
    let makeshift = stocks::by_symbol(tx, &kept).await?.is_some_and(|stock| stock.placeholder);
    if !makeshift || kept == symbol {
        return Ok(0);
    }
    let all = entries::of_user(tx, user_id).await?;
    let mut taken: HashMap<Uuid, HashSet<String>> = HashMap::new();
    for entry in &all {
        taken.entry(entry.portfolio_id).or_default().insert(entry.identity.clone());
    }
    let mut changed = 0;
    for entry in all.iter().filter(|entry| entry.symbol == kept) {
        let others = taken.entry(entry.portfolio_id).or_default();
        let identity = identity::moved(&entry.identity, &record(entry), symbol, others);
        others.insert(identity.clone());
        entries::rename(tx, user_id, entry.sequence, symbol, &identity).await?;
        changed += 1;
    }
    if changed > 0
        && let Some(first) = all.iter().find(|entry| entry.symbol == kept)
    {
        stocks::add_placeholder(tx, symbol, None, None, first.currency).await?;
    }
    accruals::rename_symbol(tx, user_id, &kept, symbol).await?;
    Ok(changed)
}

/// The parts of an entry that its identity is made of.
fn record(entry: &Entry) -> Record {
    Record {
        shares: entry.shares,
        price: entry.price,
        amount: entry.amount,
        fees: entry.fees,
        tax: entry.tax,
        net: entry.net,
        currency: Some(entry.currency),
        fx_rate: entry.fx_rate,
        ratio: entry.ratio,
        ex_date: entry.ex_date,
        ..Record::new(0, entry.date, entry.kind)
    }
}
