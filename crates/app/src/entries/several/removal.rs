//! Deleting entries.

use store::{Tx, deleted_entries, entries};
use uuid::Uuid;

use super::selection::Selection;
use crate::automatic::decision;
use crate::book::lots::is_automatic;
use crate::book::refresh::LoadedEntries;
use crate::entries::change::{Change, Changed};
use crate::entries::{Doubt, Problem, Reason, finish};
use crate::{App, Error, refusal};

/// What deleting the entry, with the purchases that reinvest it, would leave behind; empty if deleting is refused anyway.
pub async fn of_removal(app: &App, user_id: Uuid, sequence: i64) -> Result<Vec<Doubt>, Error> {
    let mut tx = app.store.read().await?;
    let change = load(&mut tx, user_id, &Selection::These(vec![sequence])).await?;
    match change.conflicts(app, &mut tx).await?.is_empty() {
        true => change.doubts(app, &mut tx).await,
        false => Ok(Vec::new()),
    }
}

/// Whether it looks like a mistake or not.
pub async fn remove(app: &App, user_id: Uuid, sequence: i64) -> Result<(), Error> {
    match remove_all(app, user_id, &Selection::These(vec![sequence]), |_| true).await {
        Err(Error::Refused(refusal)) if refusal == refusal::Entry::NoneSelected.into() => {
            Err(refusal::Entry::Unknown { sequence }.into())
        }
        removed => removed.map(drop),
    }
}

/// Until it is undone. Dividends go with the purchases that reinvest them. Refused if the remaining entries would be inconsistent;
/// asks first if it looks like a mistake that was not confirmed in `meant`.
pub async fn remove_all(
    app: &App,
    user_id: Uuid,
    selection: &Selection,
    meant: impl Fn(&[Doubt]) -> bool,
) -> Result<Changed, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let change = load(&mut tx, user_id, selection).await?;
    let conflicts = change.conflicts(app, &mut tx).await?;
    if !conflicts.is_empty() {
        let needed = conflicts.into_iter().map(|conflict| Reason::Needed { symbol: conflict.lot.symbol, cause: conflict.cause });
        return Err(Error::Entry(needed.map(|reason| Problem { field: "entry", reason }).collect()));
    }
    let doubts = change.doubts(app, &mut tx).await?;
    if !meant(&doubts) {
        return Ok(Changed::Doubted(doubts));
    }
    for gone in &change.before {
        if is_automatic(gone) {
            change.decide_alone(&mut tx, user_id, gone).await?;
            decision::change(&mut tx, user_id, gone, None).await?;
        } else {
            entries::delete(&mut tx, user_id, gone.sequence).await?;
        }
    }
    deleted_entries::put(&mut tx, user_id, Uuid::now_v7(), app.clock.now_micros(), &change.before).await?;
    finish(app, tx, user_id, LoadedEntries::of(change.others, &change.before)).await?;
    Ok(Changed::Done(change.before.len()))
}

async fn load(tx: &mut Tx, user_id: Uuid, selection: &Selection) -> Result<Change, Error> {
    let gone = selection.load(tx, user_id).await?;
    Change::load(tx, user_id, gone, Vec::new()).await
}
