//! What the database knows about the instruments of a file: loaded together, because a server may be far away, and cached.

use std::collections::{HashMap, HashSet};

use ledger::{Currency, Split};
use store::stocks::{self, Stock};
use store::{Tx, entries, radar, splits};
use uuid::Uuid;

use crate::Error;

pub(super) struct StockCache {
    user_id: Uuid,
    symbols: HashMap<String, Known>,
    isins: HashMap<String, Vec<Stock>>,
    /// The user's watchlist, once it is needed.
    watched: Option<HashSet<String>>,
}

#[derive(Default)]
struct Known {
    stock: Option<Stock>,
    splits: Vec<Split>,
    /// Whether the user has entries for it.
    in_ledger: bool,
    /// Of the user's earliest entry, if market data has not confirmed the symbol.
    own_currency: Option<Currency>,
}

impl StockCache {
    pub fn new(user_id: Uuid) -> StockCache {
        StockCache { user_id, symbols: HashMap::new(), isins: HashMap::new(), watched: None }
    }

    pub async fn load(&mut self, tx: &mut Tx, symbols: &HashSet<&str>) -> Result<(), Error> {
        let missing: Vec<&str> = symbols.iter().copied().filter(|symbol| !self.symbols.contains_key(*symbol)).collect();
        let stocks = stocks::by_symbols(tx, &missing).await?;
        let splits = splits::of_symbols(tx, &missing).await?;
        let in_ledger = entries::have_symbols(tx, self.user_id, &missing).await?;
        let known = stocks.into_iter().zip(splits).zip(in_ledger);
        let known = known.map(|((stock, splits), in_ledger)| Known { stock, splits, in_ledger, own_currency: None });
        self.symbols.extend(missing.iter().map(|symbol| (*symbol).to_owned()).zip(known));
        let unconfirmed =
            |symbol: &&str| self.symbols.get(*symbol).is_some_and(|known| known.in_ledger && known.is_placeholder());
        let unconfirmed: Vec<&str> = missing.into_iter().filter(unconfirmed).collect();
        let currencies = entries::currencies_of(tx, self.user_id, &unconfirmed).await?;
        for (symbol, currency) in unconfirmed.into_iter().zip(currencies) {
            self.symbols.entry(symbol.to_owned()).or_default().own_currency = currency;
        }
        Ok(())
    }

    pub async fn load_isins(&mut self, tx: &mut Tx, isins: &HashSet<String>) -> Result<(), Error> {
        let missing: Vec<&str> = isins.iter().map(String::as_str).filter(|isin| !self.isins.contains_key(*isin)).collect();
        let found = stocks::by_isins(tx, &missing).await?;
        self.isins.extend(missing.into_iter().map(str::to_owned).zip(found));
        Ok(())
    }

    /// Symbols of the instruments that were looked up by ISIN.
    pub fn symbols_by_isin(&self) -> impl Iterator<Item = &Stock> {
        self.isins.values().flatten()
    }

    /// All listings of one instrument, by symbol.
    pub async fn by_isin(&mut self, tx: &mut Tx, isin: &str) -> Result<&[Stock], Error> {
        if !self.isins.contains_key(isin) {
            self.load_isins(tx, &HashSet::from([isin.to_owned()])).await?;
        }
        Ok(self.isins.get(isin).map(Vec::as_slice).unwrap_or_default())
    }

    pub async fn stock(&mut self, tx: &mut Tx, symbol: &str) -> Result<Option<&Stock>, Error> {
        Ok(self.known(tx, symbol).await?.stock.as_ref())
    }

    /// Oldest first.
    pub async fn splits(&mut self, tx: &mut Tx, symbol: &str) -> Result<&[Split], Error> {
        Ok(&self.known(tx, symbol).await?.splits)
    }

    pub async fn is_in_ledger(&mut self, tx: &mut Tx, symbol: &str) -> Result<bool, Error> {
        Ok(self.known(tx, symbol).await?.in_ledger)
    }

    /// As [`crate::stocks::stock_visibility::stock`] returns it for the user.
    pub async fn visible(&mut self, tx: &mut Tx, symbol: &str) -> Result<Option<Stock>, Error> {
        let known = self.known(tx, symbol).await?;
        let Some(stock) = known.stock.clone() else { return Ok(None) };
        if !stock.placeholder {
            return Ok(Some(stock));
        }
        if let Some(currency) = known.own_currency {
            return Ok(Some(Stock { currency, quote_unit: currency.into(), ..stock }));
        }
        let watched = match &self.watched {
            Some(watched) => watched,
            None => {
                let list = radar::list(tx, self.user_id).await?;
                self.watched.insert(list.into_iter().map(|one| one.symbol).collect())
            }
        };
        Ok(Some(stock).filter(|stock| watched.contains(&stock.symbol)))
    }

    async fn known(&mut self, tx: &mut Tx, symbol: &str) -> Result<&Known, Error> {
        if !self.symbols.contains_key(symbol) {
            self.load(tx, &HashSet::from([symbol])).await?;
        }
        Ok(self.symbols.entry(symbol.to_owned()).or_default())
    }
}

impl Known {
    fn is_placeholder(&self) -> bool {
        self.stock.as_ref().is_some_and(|stock| stock.placeholder)
    }
}
