//! Whether a ledger stays consistent when entries are added or removed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Currency, Fx, Oversell, Position, ReplayError, Split};
use store::entries::Entry;
use store::stocks::{self, Stock};
use store::{Tx, splits};
use tokio::task::yield_now;
use uuid::Uuid;

use crate::book::lots::{self, Lot, lot_of};
use crate::{App, Error};

/// A lot that is no longer consistent.
pub(crate) struct Conflict {
    /// The entry that does not fit, if there is one.
    pub sequence: Option<i64>,
    /// The first new entry of the same lot.
    pub first_new: Option<i64>,
    /// The lot, with the splits from market data that it was checked with.
    pub lot: Lot,
    pub splits: Vec<Split>,
    /// The trading currency of the instrument.
    pub currency: Currency,
    pub cause: ReplayError,
    /// The rates of all currencies in the lot.
    pub fx: Arc<Fx>,
}

/// Replays every lot that the new entries affect, old and new entries together.
pub(super) async fn with_new(
    app: &App,
    tx: &mut Tx,
    old: &[Entry],
    new: &[&Entry],
    unseen: &BTreeMap<String, Currency>,
) -> Result<Vec<Conflict>, Error> {
    let touched: HashSet<(Uuid, &str)> = new.iter().filter(|_| !old.is_empty()).map(|entry| lot_of(entry)).collect();
    let old: Vec<&Entry> = old.iter().filter(|entry| touched.contains(&lot_of(entry))).collect();
    let all: Vec<&Entry> = old.iter().chain(new).copied().collect();
    let first_new = new.iter().map(|entry| entry.sequence).min();
    conflicts(app, tx, old, all, unseen, first_new).await
}

/// Replays the entries of lots as they are after a change. A split that contradicts what was `stored` before the change is left
/// out: market data may have learned of it later, and that must not stop the user from recording anything. `unseen` has the trading currencies of symbols that are not known here yet.
pub(crate) async fn conflicts<'a>(
    app: &App,
    tx: &mut Tx,
    stored: impl IntoIterator<Item = &'a Entry>,
    after: impl IntoIterator<Item = &'a Entry>,
    unseen: &BTreeMap<String, Currency>,
    first_new: Option<i64>,
) -> Result<Vec<Conflict>, Error> {
    let mut conflicts = Vec::new();
    let (stored, lots) = (lots::gather(stored)?, lots::gather(after)?);
    let stored: HashMap<(Uuid, &str), &Lot> = stored.iter().map(|lot| ((lot.portfolio_id, lot.symbol.as_str()), lot)).collect();
    let symbols: Vec<&str> = lots.iter().map(|lot| lot.symbol.as_str()).collect();
    let stocks = stocks::by_symbols(tx, &symbols).await?;
    let splits = splits::of_symbols(tx, &symbols).await?;
    for ((lot, stock), splits) in lots.into_iter().zip(stocks).zip(splits) {
        // A large ledger takes a while, so other tasks get a turn.
        yield_now().await;
        let Some(currency) = currency_of(&lot, stock, unseen) else { continue };
        let before = stored.get(&(lot.portfolio_id, lot.symbol.as_str())).map_or(&[][..], |lot| &lot.entries);
        let splits = ledger::possible_splits(before, &splits).into_owned();
        let fx = rates(app, tx, &lot, currency, Date::MAX).await?;
        if let Err(error) = ledger::replay(&lot.entries, currency, &splits, &fx, Date::MAX, Oversell::Refuse) {
            let foreign = lot.entries.iter().any(|entry| entry.currency != currency);
            let fx = if foreign { app.rates.now(tx).await? } else { fx };
            conflicts.push(Conflict {
                sequence: sequence_of(&error),
                first_new: first_of(&lot, first_new),
                lot,
                splits,
                currency,
                cause: error,
                fx,
            });
        }
    }
    Ok(conflicts)
}

/// The position of a single lot with these entries, up to and including a day.
pub(crate) async fn position<'a>(
    app: &App,
    tx: &mut Tx,
    entries: impl IntoIterator<Item = &'a Entry>,
    unseen: &BTreeMap<String, Currency>,
    until: Date,
) -> Result<Option<Position>, Error> {
    let Some(lot) = lots::gather(entries)?.pop() else { return Ok(None) };
    let stock = stocks::by_symbol(tx, &lot.symbol).await?;
    let Some(currency) = currency_of(&lot, stock, unseen) else { return Ok(None) };
    let splits = splits::of_symbol(tx, &lot.symbol).await?;
    let fx = rates(app, tx, &lot, currency, until).await?;
    let position = ledger::replay(&lot.entries, currency, &splits, &fx, until, Oversell::Close);
    position.map_err(|error| Error::Ledger { symbol: lot.symbol.clone(), cause: error.into() })
}

/// Only those that a replay needs: reading all of them takes long for a process that has not yet.
async fn rates(app: &App, tx: &mut Tx, lot: &Lot, currency: Currency, until: Date) -> Result<Arc<Fx>, Error> {
    match ledger::rates_asked(&lot.entries, currency, until).next() {
        Some(_) => app.rates.now(tx).await,
        None => Ok(Arc::default()),
    }
}

/// The trading currency of the instrument.
fn currency_of(lot: &Lot, stock: Option<Stock>, unseen: &BTreeMap<String, Currency>) -> Option<Currency> {
    // Until market data confirms a symbol, each ledger defines its currency; other users' entries do not matter.
    let confirmed = stock.filter(|stock| !stock.placeholder);
    let known = confirmed.map(|stock| stock.currency);
    let first = lot.entries.first().map(|entry| entry.currency);
    known.or_else(|| unseen.get(&lot.symbol).copied()).or(first)
}

fn first_of(lot: &Lot, first_new: Option<i64>) -> Option<i64> {
    let first_new = first_new?;
    lot.entries.iter().map(|entry| entry.sequence).filter(|sequence| *sequence >= first_new).min()
}

/// The entry that does not fit.
fn sequence_of(error: &ReplayError) -> Option<i64> {
    match error {
        ReplayError::Oversold { sequence, .. } | ReplayError::MissingRate { sequence, .. } => Some(*sequence),
        ReplayError::Overflow => None,
    }
}
