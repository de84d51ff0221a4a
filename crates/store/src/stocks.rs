//! Instruments and their market data. Amounts are in whole units of the trading currency.

use std::collections::BTreeSet;

use jiff::Timestamp;
use ledger::{Currency, QuoteUnit};
use rust_decimal::Decimal;

pub mod placeholders;

use crate::row::{self, Columns};
use crate::table::{record, statements, table};
use crate::value::Param;
use crate::{Error, Tx};

table! {
    TABLE = stocks [symbol] { version: i64 }

    #[derive(Debug, Clone, PartialEq)]
    pub struct Stock {
        pub symbol: String,
        pub name: Option<String>,
        pub currency: Currency,
        /// The unit of market quotes, such as `GBp`; needed to read a quote, never to read this row.
        pub quote_unit: QuoteUnit,
        pub exchange: Option<String>,
        /// Upper case, such as `EQUITY`.
        pub kind: Option<String> as type,
        pub isin: Option<String>,
        pub country: Option<String>,
        pub sector: Option<String>,
        pub industry: Option<String>,
        pub instrument_type: Option<String>,
        pub price: Option<Decimal>,
        pub price_as_of: Option<i64>,
        pub forward_rate: Option<Decimal>,
        pub payout_ratio: Option<Decimal>,
        pub fcf_cover: Option<Decimal>,
        pub pe: Option<Decimal>,
        pub ma50: Option<Decimal>,
        pub ma200: Option<Decimal>,
        pub low52: Option<Decimal>,
        pub high52: Option<Decimal>,
        pub yield_avg_5y_pct: Option<Decimal>,
        /// By the operator; users track through [`crate::tracking`].
        pub tracked: bool,
        /// Created for a symbol of a ledger that has no market data yet.
        pub placeholder: bool,
    }
}

impl Stock {
    /// The time of the price.
    pub fn price_time(&self) -> Option<Timestamp> {
        self.price_as_of.and_then(|at| Timestamp::from_microsecond(at).ok())
    }

    /// A stock of which only the quote unit is known, and which nobody tracks.
    pub fn new(symbol: impl Into<String>, unit: QuoteUnit) -> Stock {
        Stock {
            symbol: symbol.into(),
            name: None,
            currency: unit.currency,
            quote_unit: unit,
            exchange: None,
            kind: None,
            isin: None,
            country: None,
            sector: None,
            industry: None,
            instrument_type: None,
            price: None,
            price_as_of: None,
            forward_rate: None,
            payout_ratio: None,
            fcf_cover: None,
            pe: None,
            ma50: None,
            ma200: None,
            low52: None,
            high52: None,
            yield_avg_5y_pct: None,
            tracked: false,
            placeholder: false,
        }
    }
}

record! {
    /// What a search looks at.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Listing {
        pub symbol: String,
        pub name: Option<String>,
        pub exchange: Option<String>,
        pub kind: Option<String> as type,
        pub tracked: bool,
        pub placeholder: bool,
    }
}

/// Adds stocks, or replaces everything stored about existing ones.
pub async fn upsert(tx: &mut Tx, stocks: &[Stock]) -> Result<(), Error> {
    // The version of a new one.
    let rows: Vec<_> = stocks.iter().map(|stock| stock.params_after([1.into()])).collect();
    tx.execute_rows(&UPSERT, &rows).await.map(drop)
}

/// Adds a stock that has no row. False if it has one, which stays unchanged.
pub async fn add(tx: &mut Tx, stock: &Stock) -> Result<bool, Error> {
    Ok(tx.execute(&ADD, &stock.params_after([1.into()])).await? > 0)
}

/// Adds a row for a symbol that has none. False if it has one, which stays unchanged.
pub async fn add_placeholder(
    tx: &mut Tx,
    symbol: &str,
    name: Option<&str>,
    isin: Option<&str>,
    currency: Currency,
) -> Result<bool, Error> {
    let params = [symbol.into(), name.into(), isin.into(), currency.code().into()];
    Ok(tx.execute(&ADD_PLACEHOLDER, &params).await? > 0)
}

/// The same for several symbols, with only their currencies known.
pub async fn add_placeholders<'a>(tx: &mut Tx, symbols: impl IntoIterator<Item = (&'a str, Currency)>) -> Result<(), Error> {
    let symbols: Vec<(&str, Currency)> = symbols.into_iter().collect();
    let rows = symbols.iter().map(|(symbol, currency)| [(*symbol).into(), Param::Null, Param::Null, currency.code().into()]);
    tx.execute_all(&ADD_PLACEHOLDER, rows).await.map(drop)
}

pub async fn by_symbol(tx: &mut Tx, symbol: &str) -> Result<Option<Stock>, Error> {
    tx.query_one(&BY_SYMBOL, &[symbol.into()]).await
}

/// The stock of each symbol, in their order.
pub async fn by_symbols(tx: &mut Tx, symbols: &[&str]) -> Result<Vec<Option<Stock>>, Error> {
    let found = tx.query_all(&BY_SYMBOL, symbols.iter().map(|symbol| [(*symbol).into()])).await?;
    Ok(found.into_iter().map(|mut stocks| stocks.pop()).collect())
}

/// The subset of known symbols.
pub async fn known(tx: &mut Tx, symbols: &[&str]) -> Result<BTreeSet<String>, Error> {
    let known = tx.query_all(&KNOWN, symbols.iter().map(|symbol| [(*symbol).into()])).await?;
    Ok(known.into_iter().flatten().collect())
}

/// All listings of each instrument, by symbol.
pub async fn by_isins(tx: &mut Tx, isins: &[&str]) -> Result<Vec<Vec<Stock>>, Error> {
    tx.query_all(&BY_ISIN, isins.iter().map(|isin| [(*isin).into()])).await
}

/// Every stock, by symbol.
pub async fn listings(tx: &mut Tx) -> Result<Vec<Listing>, Error> {
    let mut listings = Vec::new();
    each_listing(tx, |listing| listings.push(listing)).await?;
    Ok(listings)
}

/// All stocks by symbol, one at a time: a hundred thousand at once would need more memory than what is built from them.
pub async fn each_listing(tx: &mut Tx, mut take: impl FnMut(Listing) + Send) -> Result<(), Error> {
    tx.query_with(&LISTINGS, &[], |row| row::read(row).map(&mut take)).await.map(drop)
}

/// Sets whether the operator tracks the stocks; returns how many of them are known.
pub async fn set_tracked(tx: &mut Tx, symbols: &[&str], tracked: bool) -> Result<u64, Error> {
    tx.execute_all(&SET_TRACKED, symbols.iter().map(|symbol| [tracked.into(), (*symbol).into()])).await
}

/// Rises with each change of the stock, its dividends, splits or prices; `None` if the stock is unknown.
pub async fn version(tx: &mut Tx, symbol: &str) -> Result<Option<i64>, Error> {
    tx.query_one(&VERSION, &[symbol.into()]).await
}

/// Belongs in the same transaction as every write of the stocks' dividends, splits or prices.
pub async fn mark_changed(tx: &mut Tx, symbols: &[&str]) -> Result<(), Error> {
    tx.execute_all(&MARK_CHANGED, symbols.iter().map(|symbol| [(*symbol).into()])).await.map(drop)
}

/// Sets the price unless it is unchanged or older. True if anything changed.
pub async fn set_price(tx: &mut Tx, symbol: &str, price: Decimal, as_of: i64) -> Result<bool, Error> {
    Ok(tx.execute(&SET_PRICE, &[price.into(), as_of.into(), symbol.into()]).await? > 0)
}

statements! {
    UPSERT = format!("{} ON CONFLICT (symbol) DO UPDATE SET {}, version = stocks.version + 1",
        TABLE.insert(), TABLE.replaced(&["version"])), TABLE => ();
    ADD = TABLE.insert() + " ON CONFLICT (symbol) DO NOTHING", TABLE => ();
    ADD_PLACEHOLDER = "INSERT INTO stocks (symbol, name, isin, currency, quote_unit, tracked, placeholder)
        VALUES ($1, $2, $3, $4, $4, FALSE, TRUE) ON CONFLICT (symbol) DO NOTHING", [Text, Text, Text, Text] => ();
    BY_SYMBOL = "SELECT * FROM stocks WHERE symbol = $1", [Text] => Stock;
    KNOWN = "SELECT symbol FROM stocks WHERE symbol = $1", [Text] => String;
    BY_ISIN = "SELECT * FROM stocks WHERE isin = $1 ORDER BY symbol", [Text] => Stock;
    LISTINGS = "SELECT * FROM stocks ORDER BY symbol", [] => Listing;
    SET_TRACKED = "UPDATE stocks SET version = version + CASE WHEN tracked = $1 THEN 0 ELSE 1 END, tracked = $1
        WHERE symbol = $2", [Boolean, Text] => ();
    VERSION = "SELECT version FROM stocks WHERE symbol = $1", [Text] => i64;
    MARK_CHANGED = "UPDATE stocks SET version = version + 1 WHERE symbol = $1", [Text] => ();
    SET_PRICE = "UPDATE stocks SET price = $1, price_as_of = $2, version = version + 1
        WHERE symbol = $3 AND (price_as_of IS NULL OR price_as_of <= $2)
        AND (price IS NULL OR price <> $1 OR price_as_of IS NULL OR price_as_of <> $2)", [Decimal, Integer, Text] => ();
}
