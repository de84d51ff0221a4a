//! Updates what is derived from a user's ledger and watchlist, in the transaction that changes them: the snapshots, and which
//! symbols the user makes the service track.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Fx, Split};
use quick_cache::sync::Cache;
use store::entries::{self, Entry};
use store::{Tx, positions, radar, splits, stocks, tracking, versions};
use tokio::task::yield_now;
use uuid::Uuid;

use crate::automatic::reconcile;
use crate::book::lots::{self, Lot, is_automatic};
use crate::book::snapshot::{PositionSnapshot, rates_used};
use crate::market::traded::{self, Traded};
use crate::{App, Error};

/// Belongs in every write to a ledger or watchlist.
pub(crate) async fn all(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    let mut outdated = Outdated::of_all(app, tx, user_id).await?;
    if outdated.reconcile(app, tx, user_id).await? {
        outdated = Outdated::of_all(app, tx, user_id).await?;
    }
    update(app, tx, user_id, outdated).await
}

/// The same after a write of entries only, whose positions the store has marked.
pub(crate) async fn written(app: &App, tx: &mut Tx, user_id: Uuid, loaded: LoadedEntries) -> Result<(), Error> {
    let mut outdated = Outdated::of(app, tx, user_id, loaded).await?;
    if outdated.reconcile(app, tx, user_id).await? {
        outdated = Outdated::of(app, tx, user_id, LoadedEntries::default()).await?;
    }
    update(app, tx, user_id, outdated).await
}

/// After market data has learned of a split: whoever had or sold the stock may hold another number of shares, or none.
pub(crate) async fn split_learned(app: &App, tx: &mut Tx, symbol: &str) -> Result<(), Error> {
    let market = Market::of_symbols(tx, &[symbol]).await?;
    let mut changed = false;
    for user_id in entries::users_of_symbol(tx, symbol).await? {
        let lots = lots::gather(&entries::of_symbols(tx, user_id, &[symbol]).await?)?;
        let held = lots.iter().any(|lot| market.is_held(lot, app.clock.today()));
        let tracked = held || radar::has(tx, user_id, symbol).await?;
        changed |= tracking::put_for_user(tx, user_id, &BTreeMap::from([(symbol.to_owned(), tracked)])).await?;
    }
    if changed {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}

/// The lots to recompute, and what that needs.
struct Outdated {
    lots: HashSet<(Uuid, String)>,
    /// All entries of these lots.
    entries: Vec<Entry>,
    market: Market,
    /// The symbols that were looked at, each with whether another lot of it is held today.
    held: BTreeMap<String, bool>,
    /// Whether `held` has all symbols of the user.
    all: bool,
}

async fn update(app: &App, tx: &mut Tx, user_id: Uuid, outdated: Outdated) -> Result<(), Error> {
    let Outdated { lots, entries, market, mut held, all } = outdated;
    if !lots.is_empty() {
        held.extend(recompute(app, tx, user_id, lots, &entries, &market).await?.into_iter().map(|symbol| (symbol, true)));
    }
    let changed = if all {
        let mut symbols: BTreeSet<String> = held.into_iter().filter_map(|(symbol, held)| held.then_some(symbol)).collect();
        symbols.extend(radar::list(tx, user_id).await?.into_iter().map(|row| row.symbol));
        tracking::replace_for_user(tx, user_id, &symbols).await?
    } else {
        for (symbol, tracked) in &mut held {
            *tracked = *tracked || radar::has(tx, user_id, symbol).await?;
        }
        tracking::put_for_user(tx, user_id, &held).await?
    };
    if changed {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}

/// Users whose snapshots were all found current at some moment: they are not checked again until the day or market data change.
/// Snapshots marked since then do not matter here, because every write of entries recomputes them.
pub(crate) struct CurrentSnapshots(Cache<Uuid, Moment>);

const USERS_MAX: usize = 5_000;

impl Default for CurrentSnapshots {
    fn default() -> CurrentSnapshots {
        CurrentSnapshots(Cache::new(USERS_MAX))
    }
}

/// What decides whether a snapshot is current, besides entries: the day, and the versions of market data, listings and rates.
type Moment = (Date, [i64; 3]);

/// Taken before checking anything: a change during the check makes it another moment.
async fn moment(app: &App, tx: &mut Tx) -> Result<Moment, Error> {
    let versions = versions::get(tx).await?;
    Ok((app.clock.today(), [versions.market, versions.listings, versions.rates]))
}

impl Outdated {
    async fn of(app: &App, tx: &mut Tx, user_id: Uuid, loaded: LoadedEntries) -> Result<Outdated, Error> {
        match Outdated::of_marked(app, tx, user_id, loaded).await? {
            Some(few) => Ok(few),
            None => Outdated::of_all(app, tx, user_id).await,
        }
    }

    /// Updates the automatic entries of these lots' symbols; true if any changed.
    async fn reconcile(&self, app: &App, tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
        let symbols = self.lots.iter().map(|(_, symbol)| symbol.as_str()).collect();
        reconcile::written(app, tx, user_id, &symbols, self.entries.iter().any(is_automatic)).await
    }

    /// Every lot of the user without a valid snapshot.
    async fn of_all(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<Outdated, Error> {
        let moment = moment(app, tx).await?;
        let (today, market) = (app.clock.today(), Market::load(tx, user_id).await?);
        let (mut held, mut lots, mut others, mut outdated) = (BTreeMap::new(), HashSet::new(), 0, false);
        let rows = positions::of_user(tx, user_id).await?;
        let snapshots: Vec<Option<PositionSnapshot>> =
            rows.iter().map(|row| row.snapshot.as_deref().and_then(PositionSnapshot::decode)).collect();
        let fx = rates(app, tx, snapshots.iter().flatten().any(|snapshot| snapshot.basis.rates.is_some())).await?;
        for (row, snapshot) in rows.into_iter().zip(snapshots) {
            let holds = |snapshot: &PositionSnapshot| {
                let traded = market.traded(&row.symbol);
                // A symbol without a stock may still have splits, which matter for what is held.
                snapshot.basis.is_valid_on(today)
                    && snapshot.basis.is_valid_for(traded, &fx)
                    && traded.mark == market.splits_fingerprint(&row.symbol)
            };
            match snapshot.filter(holds) {
                None => {
                    outdated |= row.snapshot.is_some();
                    lots.insert((row.portfolio_id, row.symbol));
                }
                Some(snapshot) => {
                    others += 1;
                    *held.entry(row.symbol).or_default() |= snapshot.held;
                }
            }
        }
        // Newly computed snapshots only count once they are committed, which is not certain yet.
        if !outdated {
            app.current_snapshots.0.insert(user_id, moment);
        }
        let symbols: Vec<&str> = lots.iter().map(|(_, symbol)| symbol.as_str()).collect::<HashSet<_>>().into_iter().collect();
        let mut entries = match lots.len() > others {
            true => entries::of_user(tx, user_id).await?,
            false => entries::of_symbols(tx, user_id, &symbols).await?,
        };
        entries.retain(|entry| lots.contains(&lot_of(entry)));
        Ok(Outdated { lots, entries, market, held, all: true })
    }

    /// Only the marked lots; `None` if others may be outdated, or many are marked.
    async fn of_marked(app: &App, tx: &mut Tx, user_id: Uuid, loaded: LoadedEntries) -> Result<Option<Outdated>, Error> {
        if app.current_snapshots.0.get(&user_id) != Some(moment(app, tx).await?) {
            return Ok(None);
        }
        let (mut held, mut lots) = (BTreeMap::<String, bool>::new(), HashSet::new());
        for row in positions::of_marked_symbols(tx, user_id).await? {
            let snapshot = row.snapshot.as_deref().and_then(PositionSnapshot::decode);
            *held.entry(row.symbol.clone()).or_default() |= snapshot.as_ref().is_some_and(|snapshot| snapshot.held);
            if snapshot.is_none() {
                lots.insert((row.portfolio_id, row.symbol));
            }
        }
        if held.len() > FEW {
            return Ok(None);
        }
        let symbols: Vec<&str> = held.keys().map(String::as_str).collect();
        let market = Market::of_symbols(tx, &symbols).await?;
        let mut entries = match lots.is_subset(&loaded.lots) {
            true => loaded.entries,
            false => entries::of_symbols(tx, user_id, &symbols).await?,
        };
        entries.retain(|entry| lots.contains(&lot_of(entry)));
        Ok(Some(Outdated { lots, entries, market, held, all: false }))
    }
}

/// For more symbols than this, checking all lots is as fast.
const FEW: usize = 16;

/// The current lots whose entries a writer has already loaded.
#[derive(Default)]
pub(crate) struct LoadedEntries {
    lots: HashSet<(Uuid, String)>,
    entries: Vec<Entry>,
}

impl LoadedEntries {
    /// The lots of these entries, and those of `gone`, which may have none left.
    pub fn of(entries: Vec<Entry>, gone: &[Entry]) -> LoadedEntries {
        LoadedEntries { lots: entries.iter().chain(gone).map(lot_of).collect(), entries }
    }
}

fn lot_of(entry: &Entry) -> (Uuid, String) {
    (entry.portfolio_id, entry.symbol.clone())
}

/// `entries` are all entries of these lots. Returns the symbols that are held.
async fn recompute(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    mut stale: HashSet<(Uuid, String)>,
    entries: &[Entry],
    market: &Market,
) -> Result<Vec<String>, Error> {
    let found = lots::gather(entries)?;
    let held = keep(app, tx, user_id, &found, market, app.clock.today()).await?;
    for lot in &found {
        stale.remove(&(lot.portfolio_id, lot.symbol.clone()));
    }
    let gone: Vec<(Uuid, &str)> = stale.iter().map(|(portfolio_id, symbol)| (*portfolio_id, symbol.as_str())).collect();
    positions::remove(tx, user_id, &gone).await?;
    Ok(held)
}

/// Returns the symbols that are held.
async fn keep(app: &App, tx: &mut Tx, user_id: Uuid, lots: &[Lot], market: &Market, today: Date) -> Result<Vec<String>, Error> {
    let asks = lots.iter().any(|lot| rates_used(lot, market.traded(&lot.symbol), today).is_some());
    let fx = rates(app, tx, asks).await?;
    let (mut held, mut snapshots) = (Vec::new(), Vec::new());
    for lot in lots {
        // A large ledger takes a while, so other tasks get a turn.
        yield_now().await;
        let is_held = market.is_held(lot, today);
        held.extend(is_held.then(|| lot.symbol.clone()));
        let snapshot = PositionSnapshot::compute(lot, market.traded(&lot.symbol), is_held, &fx, today);
        snapshots.extend(snapshot.map(|snapshot| (lot.portfolio_id, lot.symbol.as_str(), snapshot.encode())));
    }
    positions::keep(tx, user_id, &snapshots).await?;
    Ok(held)
}

/// Reading all rates takes long for a process that has not yet, so they are only loaded if needed.
async fn rates(app: &App, tx: &mut Tx, asks: bool) -> Result<Arc<Fx>, Error> {
    if asks { app.rates.now(tx).await } else { Ok(Arc::default()) }
}

/// Market data about a user's symbols.
pub(crate) struct Market {
    /// Symbols with a stock; with the currency if it is confirmed.
    stocks: HashMap<String, Option<Currency>>,
    splits: HashMap<String, (Vec<Split>, u64)>,
}

impl Market {
    pub async fn load(tx: &mut Tx, user_id: Uuid) -> Result<Market, Error> {
        let traded = positions::traded(tx, user_id).await?.into_iter();
        let stocks = traded.map(|one| (one.symbol, Some(one.currency).filter(|_| !one.placeholder))).collect();
        let mut splits: HashMap<String, Vec<Split>> = HashMap::new();
        for (symbol, split) in positions::splits(tx, user_id).await? {
            splits.entry(symbol).or_default().push(split);
        }
        let marked = |(symbol, splits): (String, Vec<Split>)| {
            let mark = traded::fingerprint(&splits);
            (symbol, (splits, mark))
        };
        Ok(Market { stocks, splits: splits.into_iter().map(marked).collect() })
    }

    pub async fn of_symbols(tx: &mut Tx, symbols: &[&str]) -> Result<Market, Error> {
        let (mut stocks, mut splits) = (HashMap::new(), HashMap::new());
        for symbol in symbols {
            if let Some(stock) = stocks::by_symbol(tx, symbol).await? {
                stocks.insert((*symbol).to_owned(), Some(stock.currency).filter(|_| !stock.placeholder));
            }
            let of_symbol = splits::of_symbol(tx, symbol).await?;
            let mark = traded::fingerprint(&of_symbol);
            splits.insert((*symbol).to_owned(), (of_symbol, mark));
        }
        Ok(Market { stocks, splits })
    }

    /// As in a stock's profile: empty without a stock.
    pub fn traded(&self, symbol: &str) -> Traded<'_> {
        let Some(currency) = self.stocks.get(symbol).copied() else { return Traded::default() };
        Traded { currency, splits: self.splits(symbol), mark: self.splits_fingerprint(symbol) }
    }

    /// Whether shares are held at the end of the day.
    pub fn is_held(&self, lot: &Lot, day: Date) -> bool {
        !ledger::shares_before(&lot.entries, self.splits(&lot.symbol), day.saturating_add(1.day())).is_zero()
    }

    fn splits(&self, symbol: &str) -> &[Split] {
        self.splits.get(symbol).map_or(&[], |(splits, _)| splits)
    }

    fn splits_fingerprint(&self, symbol: &str) -> u64 {
        self.splits.get(symbol).map_or(0, |(_, mark)| *mark)
    }
}
