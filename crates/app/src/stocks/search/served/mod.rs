//! The current index. A newer one is built in the background when listings or tracking have changed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use reference::Reference;
use store::{Store, Tx, Versions, stocks, tracking, versions};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use super::{Draft, Index, Listing, Table};
use crate::{Error, PublicHolders};

#[cfg(test)]
mod tests;

/// How long a search waits for a newer index of few listings, which takes milliseconds, before it uses the old one. With many
/// listings it does not wait at all.
const RENEWAL_WAIT: Duration = Duration::from_millis(250);
const FEW: usize = 20_000;

#[derive(Default)]
pub(crate) struct Search {
    built: Arc<ArcSwapOption<Built>>,
    /// Held by the one build in progress.
    building: Arc<Mutex<()>>,
    reference: Option<&'static Reference>,
    /// The reference data's listings, indexed by the first build.
    reference_table: Arc<OnceLock<Arc<Table>>>,
}

pub(crate) struct Built {
    versions: Versions,
    pub index: Index,
    listings: usize,
}

/// Whether the index lacks a change of its data.
fn is_behind(built: &Versions, wanted: &Versions) -> bool {
    built.listings < wanted.listings || built.tracking < wanted.tracking
}

impl Search {
    /// Also finds listings that the database does not have.
    pub fn with_reference(reference: &'static Reference) -> Search {
        Search { reference: Some(reference), ..Search::default() }
    }

    /// The newest index that is available soon, and its versions.
    pub async fn current(&self, store: &Store, public_holders: PublicHolders) -> Result<(Versions, Arc<Built>), Error> {
        let wanted = store.versions().await?;
        let built = match self.built.load_full() {
            Some(built) if !is_behind(&built.versions, &wanted) => built,
            Some(old) => {
                let wait = if old.listings <= FEW { RENEWAL_WAIT } else { Duration::ZERO };
                timeout(wait, self.renewed(store, public_holders, &wanted)).await.ok().flatten().unwrap_or(old)
            }
            None => self.first(store, public_holders).await?,
        };
        let same = !is_behind(&built.versions, &wanted) && !is_behind(&wanted, &built.versions);
        Ok((if same { wanted } else { built.versions }, built))
    }

    async fn first(&self, store: &Store, public_holders: PublicHolders) -> Result<Arc<Built>, Error> {
        let turn = self.building.clone().lock_owned().await;
        if let Some(built) = self.built.load_full() {
            return Ok(built);
        }
        let building = self.build(turn, read(store.clone(), public_holders));
        building.await.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic()))
    }

    /// `None` if a build failed. A build in progress may have begun before the change, but the one after it has not.
    async fn renewed(&self, store: &Store, public_holders: PublicHolders, wanted: &Versions) -> Option<Arc<Built>> {
        for _ in 0..2 {
            if let Ok(turn) = self.building.clone().try_lock_owned() {
                drop(self.build(turn, read(store.clone(), public_holders))); // goes on without us
            }
            drop(self.building.lock().await);
            let built = self.built.load_full().filter(|built| !is_behind(&built.versions, wanted));
            if built.is_some() {
                return built;
            }
        }
        None
    }

    /// Reads and builds without blocking other tasks, and continues even if nobody waits any more.
    fn build(
        &self,
        turn: OwnedMutexGuard<()>,
        read: impl Future<Output = Result<(Versions, Draft), Error>> + Send + 'static,
    ) -> JoinHandle<Result<Arc<Built>, Error>> {
        let held = self.built.clone();
        let (reference, reference_table) = (self.reference, self.reference_table.clone());
        spawn_blocking(move || {
            let _until_done = turn;
            let read = Handle::current().block_on(read);
            let (versions, draft) = read.inspect_err(|error| tracing::error!(%error, "the search index could not be built"))?;
            let all = |reference| reference_table.get_or_init(|| Table::of_all(reference)).clone();
            let beside = reference.map(|reference| (reference, all(reference)));
            let built = Arc::new(Built { versions, listings: draft.len(), index: Index::of(draft, beside) });
            held.store(Some(built.clone()));
            Ok(built)
        })
    }
}

async fn read(store: Store, public_holders: PublicHolders) -> Result<(Versions, Draft), Error> {
    store.with_market(|tx| listings(tx, public_holders)).await
}

async fn listings(mut tx: Tx, public_holders: PublicHolders) -> Result<(Versions, Draft), Error> {
    tx.allow_long_statements().await?;
    let versions = versions::get(&mut tx).await?;
    let followers: HashMap<String, i64> = tracking::counts(&mut tx).await?.into_iter().collect();
    let followers_of = |symbol: &str| followers.get(symbol).copied().unwrap_or(0);
    let mut draft = Draft::default();
    stocks::each_listing(&mut tx, |stock| {
        // A symbol that only ledgers have is private.
        if stock.placeholder {
            return;
        }
        let followers = followers_of(&stock.symbol);
        let is_common = followers >= public_holders.min();
        let counted = u32::try_from(followers).unwrap_or(u32::MAX);
        draft.push(Listing {
            tracked: stock.tracked || followers > 0,
            followers: counted,
            // If there are too few followers to make a stock public, their number must not influence the order either.
            public_followers: (stock.tracked || is_common).then_some(if is_common { counted } else { 0 }),
            symbol: stock.symbol,
            name: stock.name,
            exchange: stock.exchange,
            kind: stock.kind,
        });
    })
    .await?;
    Ok((versions, draft))
}
