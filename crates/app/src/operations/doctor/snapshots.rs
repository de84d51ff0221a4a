//! Whether every user's stored snapshots agree with their entries.

use std::collections::HashMap;

use jiff::civil::Date;
use store::{Tx, entries, positions, users, versions};
use uuid::Uuid;

use super::finding::SnapshotPosition;
use super::{Check, Finding, Mismatch, Snapshot, Verdict, check};
use crate::book::lots;
use crate::book::refresh::Market;
use crate::book::snapshot::{Basis, Dividends, PositionSnapshot, seen_since};
use crate::{App, Error};

const NAME: &str = "positions";

/// At most this many are listed individually.
const LISTED_MAX: usize = 10;

pub(super) async fn compared(app: &App) -> Result<Vec<Check>, Error> {
    let (mut count, mut different) = (0, Vec::new());
    for user in users::list(&mut app.store.read().await?).await? {
        let mut tx = app.store.read().await?;
        let (compared, found) = match of_user(app, &mut tx, user.id).await {
            Err(Error::Ledger { symbol, cause }) => (0, vec![(symbol, Mismatch::Unreplayable(cause))]),
            other => other?,
        };
        count += compared;
        different.extend(found.into_iter().map(|(symbol, mismatch)| Finding::SnapshotDiffers {
            symbol,
            user_id: user.id,
            mismatch,
        }));
    }
    if different.is_empty() {
        return Ok(vec![check(NAME, Verdict::Ok, Finding::SnapshotsCurrent { count })]);
    }
    let summary = Finding::SnapshotsDiffer { different: different.len(), count };
    let findings = [summary].into_iter().chain(different.into_iter().take(LISTED_MAX));
    Ok(findings.map(|finding| check(NAME, Verdict::Error, finding)).collect())
}

/// How many were compared, and which of them differ. Outdated snapshots are not used, and not compared.
async fn of_user(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(usize, Vec<(String, Mismatch)>), Error> {
    let (today, market) = (app.clock.today(), Market::load(tx, user_id).await?);
    let rates_version = versions::get(tx).await?.rates;
    let fx = app.rates.at(tx, rates_version).await?;
    let kept = positions::of_user(tx, user_id).await?.into_iter().map(|row| ((row.portfolio_id, row.symbol), row.snapshot));
    let mut kept: HashMap<(Uuid, String), Option<Vec<u8>>> = kept.collect();
    let (mut count, mut different) = (0, Vec::new());
    for lot in lots::gather(&entries::of_user(tx, user_id).await?)? {
        tokio::task::yield_now().await;
        let Some(row) = kept.remove(&(lot.portfolio_id, lot.symbol.clone())) else {
            different.push((lot.symbol, Mismatch::NotStored));
            continue;
        };
        let traded = market.traded(&lot.symbol);
        let holds = |snapshot: &PositionSnapshot| snapshot.basis.is_valid_on(today) && snapshot.basis.is_valid_for(traded, &fx);
        let Some(snapshot) = row.as_deref().and_then(PositionSnapshot::decode).filter(holds) else { continue };
        count += 1;
        let replayed = PositionSnapshot::compute(&lot, traded, market.is_held(&lot, today), &fx, today);
        let snapshot = as_of(snapshot, today);
        if replayed.as_ref().map(PositionSnapshot::encode) != Some(snapshot.encode()) {
            let (stored, replayed) = (summary(&snapshot), replayed.as_ref().map(summary));
            different.push((lot.symbol, Mismatch::Different { stored, replayed }));
        }
    }
    let without_entries = kept.into_iter().filter(|(_, snapshot)| snapshot.is_some());
    different.extend(without_entries.map(|((_, symbol), _)| (symbol, Mismatch::NoEntries)));
    Ok((count, different))
}

/// The snapshot as if it had been computed on that day.
fn as_of(snapshot: PositionSnapshot, day: Date) -> PositionSnapshot {
    let dividends = match snapshot.dividends.sum_since(seen_since(day)) {
        Some(_) => snapshot.dividends,
        None => Dividends::of(snapshot.dividends.each().into_iter().filter(|paid| paid.date >= seen_since(day))),
    };
    PositionSnapshot { dividends, basis: Basis { day, ..snapshot.basis }, ..snapshot }
}

fn summary(snapshot: &PositionSnapshot) -> Snapshot {
    let position = snapshot.position.as_ref().map(|position| SnapshotPosition {
        shares: position.shares,
        cost: position.cost,
        currency: position.currency,
        opened: position.opened,
    });
    Snapshot { dividends: snapshot.dividends.each().len(), position }
}
