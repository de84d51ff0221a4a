//! Undoing imports.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use store::entries::{Entry, Kind};
pub use store::imports::Import;
use store::{Tx, accruals, entries, imports, portfolios, uploads, users};
use uuid::Uuid;

use super::opening::reopen::Grown;
use super::{check, source};
use crate::book::lots::lot_of;
use crate::book::refresh;
use crate::entries::reference::reference;
use crate::operations::job_limit;
use crate::{App, Error, Work, refusal};

pub struct Undone {
    pub email: String,
    pub file_name: String,
    /// Deleted entries.
    pub entries: u64,
    /// Opening positions that are needed again.
    pub reopened: u64,
}

/// The user's imports, oldest first.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Import>, Error> {
    Ok(imports::list(&mut app.store.read().await?, user_id).await?)
}

/// One of the user's imports; another user's is not found.
pub async fn import_of(app: &App, user_id: Uuid, id: Uuid) -> Result<Option<Import>, Error> {
    Ok(imports::one(&mut app.store.read().await?, user_id, id).await?)
}

/// What is left of the entries that the import added.
pub async fn entries_of(app: &App, user_id: Uuid, id: Uuid) -> Result<Vec<Entry>, Error> {
    Ok(entries::of_import(&mut app.store.read().await?, user_id, id).await?)
}

/// By its id alone, for the operator.
pub fn undo<'a>(app: &'a App, id: &'a str) -> Work<'a, Result<Undone, Error>> {
    Box::pin(undo_any(app, id))
}

async fn undo_any(app: &App, id: &str) -> Result<Undone, Error> {
    let import_id = Uuid::try_parse(id.trim()).unwrap_or_default();
    let owner = imports::owner(&mut app.store.read().await?, import_id).await?;
    undo_of(app, owner.ok_or_else(|| unknown(id))?, import_id).await
}

/// [`undo_of`] for a server, on a separate thread: how long it takes depends on the imported file.
pub async fn undo_in_turn(app: &Arc<App>, user_id: Uuid, import_id: Uuid) -> Result<Undone, Error> {
    let (app, turn) = (app.clone(), job_limit::turn(app, user_id).await?);
    let work = async move {
        let _turn = turn;
        undo_of(&app, user_id, import_id).await
    };
    source::on_a_thread_of_its_own(work).await
}

/// Deletes everything that the import added: entries, announced payments, and the portfolios it created if they are then empty.
/// Refused if the remaining entries would be inconsistent. Another user's import is not found.
pub async fn undo_of(app: &App, user_id: Uuid, import_id: Uuid) -> Result<Undone, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let id = import_id.to_string();
    let import = imports::one(&mut tx, user_id, import_id).await?.ok_or_else(|| unknown(&id))?;
    let user = users::by_id(&mut tx, user_id).await?.ok_or_else(|| unknown(&id))?;
    let (grown, purchases) = stands_without(app, &mut tx, user_id, &import).await?;
    let mut entries = entries::delete_of_import(&mut tx, user_id, import_id).await?;
    for purchase in &purchases {
        entries += u64::from(entries::delete(&mut tx, user_id, *purchase).await?);
    }
    grown.store(&mut tx, user_id).await?;
    accruals::delete_of_import(&mut tx, user_id, import_id).await?;
    for portfolio_id in portfolios::made_by(&mut tx, user_id, import_id).await? {
        if is_empty(&mut tx, user_id, portfolio_id).await? {
            crate::portfolios::remove(&mut tx, user_id, portfolio_id).await?;
        }
    }
    imports::delete(&mut tx, user_id, import_id).await?;
    uploads::delete_of_import(&mut tx, user_id, import_id).await?;
    refresh::all(app, &mut tx, user_id).await?;
    users::bump_version(&mut tx, user_id).await?;
    tx.commit().await?;
    Ok(Undone { email: user.email, file_name: import.file_name, entries, reopened: grown.count() })
}

pub(super) fn unknown(id: &str) -> Error {
    refusal::Import::Unknown { id: id.to_owned() }.into()
}

/// Returns the opening positions that the remaining entries need again, and the sequences of purchases that were not imported but
/// reinvest an imported dividend.
async fn stands_without(app: &App, tx: &mut Tx, user_id: Uuid, import: &Import) -> Result<(Grown, BTreeSet<i64>), Error> {
    let all = entries::of_user(tx, user_id).await?;
    let is_imported = |entry: &&Entry| entry.import_id == Some(import.id);
    let dividends = all.iter().filter(is_imported).filter(|entry| entry.kind == Kind::Dividend);
    let dividends: HashSet<((Uuid, &str), String)> = dividends.map(|entry| (lot_of(entry), reference(entry))).collect();
    let purchases = all.iter().filter(|entry| entry.kind == Kind::Buy && !is_imported(entry));
    let to_gone = |entry: &Entry| entry.reinvests.clone().is_some_and(|to| dividends.contains(&(lot_of(entry), to)));
    let purchases: BTreeSet<i64> = purchases.filter(|entry| to_gone(entry)).map(|entry| entry.sequence).collect();
    let is_gone = |entry: &&Entry| is_imported(entry) || purchases.contains(&entry.sequence);
    let lot = |entry: &Entry| (entry.portfolio_id, entry.symbol.clone());
    let touched: HashSet<(Uuid, String)> = all.iter().filter(is_gone).map(lot).collect();
    let stored: Vec<&Entry> = all.iter().filter(|entry| touched.contains(&lot(entry))).collect();
    let left: Vec<&Entry> = stored.iter().copied().filter(|entry| !is_gone(entry)).collect();
    let gone: Vec<&Entry> = stored.iter().copied().filter(is_gone).collect();
    let mut grown = Grown::restored(tx, user_id, &import.openings_before, &left).await?;
    let conflicts = check::conflicts(app, tx, stored, grown.with(&left), &BTreeMap::new(), None).await?;
    let next = entries::next_sequence(tx, user_id).await?;
    match grown.fill(conflicts, &left, &gone, next).first() {
        None => Ok((grown, purchases)),
        Some(conflict) => Err(refusal::Import::Needed { symbol: conflict.lot.symbol.clone(), cause: conflict.cause }.into()),
    }
}

async fn is_empty(tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<bool, Error> {
    let stated = accruals::statements(tx, user_id).await?.iter().any(|statement| statement.portfolio_id == portfolio_id);
    Ok(!stated && entries::of_portfolio(tx, user_id, portfolio_id).await?.is_empty())
}
