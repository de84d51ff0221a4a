//! Folds what has changed, in the transaction that changed it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Fx, Split};
use store::entries::{self, Entry};
use store::{Tx, positions, splits, stocks};
use tokio::task::yield_now;
use uuid::Uuid;

use crate::lots::{Lot, Traded};
use crate::position_snapshot::PositionSnapshot;
use crate::snapshot_freshness::Moment;
use crate::{App, Error, holding, lots};

/// Folds every lot of the user of which nothing is kept that holds. Returns the symbols of which shares are held today.
pub(crate) async fn refresh(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<BTreeSet<String>, Error> {
    let moment = Moment::now(app, tx).await?;
    let (today, market) = (app.clock.today(), Market::load(tx, user_id).await?);
    let (mut held, mut stale, mut others, mut outdated) = (BTreeSet::new(), HashSet::new(), 0, false);
    let rows = positions::of_user(tx, user_id).await?;
    let snapshots: Vec<Option<PositionSnapshot>> =
        rows.iter().map(|row| row.snapshot.as_deref().and_then(PositionSnapshot::read)).collect();
    let fx = rates(app, tx, snapshots.iter().flatten().any(|snapshot| snapshot.basis.rates.is_some())).await?;
    for (row, snapshot) in rows.into_iter().zip(snapshots) {
        let holds = |snapshot: &PositionSnapshot| {
            let traded = market.traded(&row.symbol);
            // Of a symbol without a stock there may be splits all the same, which count for what is held.
            snapshot.basis.holds_on(today)
                && snapshot.basis.holds_for(traded, &fx)
                && traded.mark == market.splits_fingerprint(&row.symbol)
        };
        match snapshot.filter(holds) {
            None => {
                outdated |= row.snapshot.is_some();
                stale.insert((row.portfolio_id, row.symbol));
            }
            Some(snapshot) => {
                others += 1;
                held.extend(Some(row.symbol).filter(|_| snapshot.held));
            }
        }
    }
    // What is computed only now counts when it is committed, which nobody knows yet.
    if !outdated {
        app.snapshot_freshness.note(user_id, moment);
    }
    if !stale.is_empty() {
        let entries = holding::entries_of(tx, user_id, &stale, others).await?;
        held.extend(fold_anew(app, tx, user_id, stale, &entries, &market).await?);
    }
    Ok(held)
}

/// More than so many symbols are as soon looked at with all the others.
const FEW: usize = 16;

/// Lots as they are now, of which a writer has all the entries at hand.
#[derive(Default)]
pub(crate) struct LoadedEntries {
    lots: HashSet<(Uuid, String)>,
    entries: Vec<Entry>,
}

impl LoadedEntries {
    /// The lots of these entries, and the lot of `gone`, which may have none left.
    pub fn of(entries: Vec<Entry>, gone: Option<&Entry>) -> LoadedEntries {
        LoadedEntries { lots: entries.iter().chain(gone).map(lot_of).collect(), entries }
    }
}

fn lot_of(entry: &Entry) -> (Uuid, String) {
    (entry.portfolio_id, entry.symbol.clone())
}

/// Folds what was marked, and nothing else; where something else may be out of date, or much was marked, nothing at all. Returns
/// the symbols of it, each with whether shares of it are held today, in any portfolio.
pub(crate) async fn refresh_marked(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    loaded: LoadedEntries,
) -> Result<Option<BTreeMap<String, bool>>, Error> {
    if !app.snapshot_freshness.is(user_id, Moment::now(app, tx).await?) {
        return Ok(None);
    }
    let (mut held, mut marked) = (BTreeMap::<String, bool>::new(), HashSet::new());
    for row in positions::of_marked_symbols(tx, user_id).await? {
        let snapshot = row.snapshot.as_deref().and_then(PositionSnapshot::read);
        *held.entry(row.symbol.clone()).or_default() |= snapshot.as_ref().is_some_and(|snapshot| snapshot.held);
        if snapshot.is_none() {
            marked.insert((row.portfolio_id, row.symbol));
        }
    }
    if held.len() > FEW {
        return Ok(None);
    }
    let symbols: Vec<&str> = held.keys().map(String::as_str).collect();
    let market = Market::of_symbols(tx, &symbols).await?;
    let mut entries = match marked.is_subset(&loaded.lots) {
        true => loaded.entries,
        false => entries::of_symbols(tx, user_id, &symbols).await?,
    };
    entries.retain(|entry| marked.contains(&lot_of(entry)));
    for symbol in fold_anew(app, tx, user_id, marked, &entries, &market).await? {
        held.insert(symbol, true);
    }
    Ok(Some(held))
}

/// `entries` are all that these lots have. Returns the symbols of which shares are held.
async fn fold_anew(
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

/// Returns the symbols of those that are held.
async fn keep(app: &App, tx: &mut Tx, user_id: Uuid, lots: &[Lot], market: &Market, today: Date) -> Result<Vec<String>, Error> {
    let asks = lots.iter().any(|lot| super::rates_used(lot, market.traded(&lot.symbol), today).is_some());
    let fx = rates(app, tx, asks).await?;
    let (mut held, mut snapshots) = (Vec::new(), Vec::new());
    for lot in lots {
        // A large ledger takes a while, in which others have their turn.
        yield_now().await;
        let is_held = market.is_held(lot, today);
        held.extend(is_held.then(|| lot.symbol.clone()));
        let snapshot = PositionSnapshot::compute(lot, market.traded(&lot.symbol), is_held, &fx, today);
        snapshots.extend(snapshot.map(|snapshot| (lot.portfolio_id, lot.symbol.as_str(), snapshot.written())));
    }
    positions::keep(tx, user_id, &snapshots).await?;
    Ok(held)
}

/// All of them are much to read, for a process that has not yet; who asks for none gets none.
async fn rates(app: &App, tx: &mut Tx, asks: bool) -> Result<Arc<Fx>, Error> {
    if asks { app.rates.now(tx).await } else { Ok(Arc::default()) }
}

/// What market data says of a user's symbols.
pub(crate) struct Market {
    /// Of those that have a stock; the currency where it is confirmed.
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
            let mark = lots::fingerprint(&splits);
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
            let mark = lots::fingerprint(&of_symbol);
            splits.insert((*symbol).to_owned(), (of_symbol, mark));
        }
        Ok(Market { stocks, splits })
    }

    /// As a stock's profile has it: nothing without a stock.
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
