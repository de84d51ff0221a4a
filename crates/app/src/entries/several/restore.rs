//! Undoing the last deletion.

use std::collections::HashSet;

use store::deleted_entries::{self, Deletion};
use store::entries::{self, Entry};
use store::{Tx, imports, payment_decisions, portfolios};
use uuid::Uuid;

use crate::automatic::{Key, decision};
use crate::book::lots::{is_automatic, is_estimated};
use crate::book::refresh::LoadedEntries;
use crate::entries::change::Change;
use crate::entries::reference::is_reinvestment;
use crate::entries::{Problem, Reason, finish};
use crate::{App, Error, refusal};

/// A deletion can be undone for this long, or until the next one.
const KEPT_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The user's last deletion, if it can still be undone.
pub async fn last_deletion(app: &App, user_id: Uuid) -> Result<Option<Deletion>, Error> {
    let last = deleted_entries::last(&mut app.store.read().await?, user_id).await?;
    Ok(last.filter(|last| last.deleted_at > app.clock.now_micros() - KEPT_MICROS))
}

/// Restores the entries as they were, and returns how many. Refused if that has become impossible.
pub async fn undo_deletion(app: &App, user_id: Uuid, deletion_id: Uuid) -> Result<usize, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let oldest = app.clock.now_micros() - KEPT_MICROS;
    let deleted = deleted_entries::of_user(&mut tx, user_id).await?;
    if !deleted.iter().any(|one| one.deletion_id == deletion_id && one.deleted_at > oldest) {
        return Err(refusal::Entry::NotRestorable.into());
    }
    let all: Vec<Entry> = deleted.into_iter().map(|one| one.entry).collect();
    let (count, restored) = (all.len(), missing(&mut tx, user_id, all).await?);
    let change = Change::load(&mut tx, user_id, Vec::new(), restored).await?;
    let mut reasons = gone(&mut tx, user_id, &change.after).await?;
    let back: HashSet<i64> = change.after.iter().map(|entry| entry.sequence).collect();
    for conflict in change.conflicts(app, &mut tx).await? {
        let (symbol, cause) = (conflict.lot.symbol, conflict.cause);
        reasons.push(match conflict.sequence {
            Some(sequence) if back.contains(&sequence) => Reason::Inconsistent { symbol, cause },
            _ => Reason::BreaksOther { symbol, cause },
        });
    }
    if !reasons.is_empty() {
        return Err(Error::Entry(reasons.into_iter().map(|reason| Problem { field: "entry", reason }).collect()));
    }
    deleted_entries::clear(&mut tx, user_id).await?;
    entries::add(&mut tx, user_id, &change.after).await?;
    for entry in change.after.iter().filter(|entry| is_automatic(entry)) {
        decide_again(&mut tx, user_id, entry, &change.after).await?;
    }
    finish(app, tx, user_id, LoadedEntries::default()).await?;
    Ok(count)
}

/// Automatic entries may have come back by themselves.
async fn missing(tx: &mut Tx, user_id: Uuid, entries: Vec<Entry>) -> Result<Vec<Entry>, Error> {
    let identities: Vec<(Uuid, String)> = entries.iter().map(|one| (one.portfolio_id, one.identity.clone())).collect();
    let stored = entries::have_identities(tx, user_id, &identities).await?;
    let is_back = |(entry, stored): &(Entry, bool)| *stored && is_automatic(entry);
    Ok(entries.into_iter().zip(stored).filter(|one| !is_back(one)).map(|(entry, _)| entry).collect())
}

/// What the entries need and is no longer there, or is there again.
async fn gone(tx: &mut Tx, user_id: Uuid, restored: &[Entry]) -> Result<Vec<Reason>, Error> {
    let portfolios: HashSet<Uuid> = portfolios::list(tx, user_id).await?.into_iter().map(|one| one.id).collect();
    let imports: HashSet<Uuid> = imports::list(tx, user_id).await?.into_iter().map(|one| one.id).collect();
    let identities: Vec<(Uuid, String)> = restored.iter().map(|one| (one.portfolio_id, one.identity.clone())).collect();
    let sequences: Vec<i64> = restored.iter().map(|one| one.sequence).collect();
    let is_taken = !entries::some(tx, user_id, &sequences).await?.is_empty();
    let is_stored = entries::have_identities(tx, user_id, &identities).await?.contains(&true);
    let decisions = payment_decisions::of_user(tx, user_id).await?;
    let recorded: HashSet<Key> = decisions.iter().filter(|one| decision::is_recorded(one)).map(Key::of).collect();
    let mut payments = restored.iter().filter(|one| is_automatic(one)).filter_map(Key::of_entry);
    let is_recorded = payments.any(|key| recorded.contains(&key));
    let reasons = [
        (restored.iter().any(|one| !portfolios.contains(&one.portfolio_id)), Reason::PortfolioDeleted),
        (restored.iter().any(|one| one.import_id.is_some_and(|id| !imports.contains(&id))), Reason::ImportUndone),
        (is_taken || is_stored || is_recorded, Reason::Duplicate),
    ];
    Ok(reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, reason)| reason).collect())
}

/// Deleting an automatic dividend ignored its payment; a confirmed one had been recorded with its figures and those of its purchase.
/// If only the purchase was deleted, the dividend is reinvested again.
async fn decide_again(tx: &mut Tx, user_id: Uuid, entry: &Entry, restored: &[Entry]) -> Result<(), Error> {
    let Some(key) = Key::of_entry(entry) else {
        let is_alone = !restored.iter().any(|dividend| is_reinvestment(entry, dividend));
        return if is_alone { decision::reinvest(tx, user_id, entry, true).await } else { Ok(()) };
    };
    if is_estimated(entry) {
        payment_decisions::remove(tx, user_id, &key.ignored()).await?;
    } else {
        let purchase = decision::automatic_purchase(restored, entry);
        payment_decisions::put(tx, user_id, &key.recorded(entry, purchase)).await?;
    }
    Ok(())
}

/// Deletes what can no longer be undone, of all users, and returns how many entries there were.
pub(crate) async fn expire(app: &App) -> Result<u64, Error> {
    let oldest = app.clock.now_micros() - KEPT_MICROS;
    let mut count = 0;
    loop {
        let expired = deleted_entries::expired(&mut app.store.read().await?, oldest).await?;
        if expired.is_empty() {
            return Ok(count);
        }
        for user_id in expired {
            let mut tx = app.store.write_for(user_id).await?;
            count += deleted_entries::delete_before(&mut tx, user_id, oldest).await?;
            tx.commit().await?;
        }
    }
}
