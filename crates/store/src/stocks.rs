//! Instruments and their market data. Amounts are in whole units of the trading currency.

use std::collections::BTreeSet;

use ledger::{Currency, QuoteUnit};
use rust_decimal::Decimal;

pub(crate) mod changes;
pub mod placeholders;

pub use changes::{mark_changed, set_price, version};

use crate::row::Row;
use crate::statement::{Param, Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq)]
pub struct Stock {
    pub symbol: String,
    pub name: Option<String>,
    pub currency: Currency,
    /// The unit of market quotes, such as `GBp`; needed to read a quote, never to read this row.
    pub quote_unit: QuoteUnit,
    pub exchange: Option<String>,
    /// Upper case, such as `EQUITY`.
    pub kind: Option<String>,
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

impl Stock {
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

/// What a search looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub symbol: String,
    pub name: Option<String>,
    pub exchange: Option<String>,
    pub kind: Option<String>,
    pub tracked: bool,
    pub placeholder: bool,
}

/// Adds stocks, or replaces everything stored about existing ones.
pub async fn upsert(tx: &mut Tx, stocks: &[Stock]) -> Result<(), Error> {
    tx.execute_all(&UPSERT, stocks.iter().map(params)).await.map(drop)
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
    tx.query_one(&BY_SYMBOL, &[symbol.into()], stock).await
}

/// The stock of each symbol, in their order.
pub async fn by_symbols(tx: &mut Tx, symbols: &[&str]) -> Result<Vec<Option<Stock>>, Error> {
    let found = tx.query_all(&BY_SYMBOL, symbols.iter().map(|symbol| [(*symbol).into()]), stock).await?;
    Ok(found.into_iter().map(|mut stocks| stocks.pop()).collect())
}

/// The subset of known symbols.
pub async fn known(tx: &mut Tx, symbols: &[&str]) -> Result<BTreeSet<String>, Error> {
    let known = tx.query_all(&KNOWN, symbols.iter().map(|symbol| [(*symbol).into()]), |row| row.text(0)).await?;
    Ok(known.into_iter().flatten().collect())
}

/// All listings of one instrument, by symbol.
pub async fn by_isin(tx: &mut Tx, isin: &str) -> Result<Vec<Stock>, Error> {
    tx.query(&BY_ISIN, &[isin.into()], stock).await
}

/// The same for several instruments.
pub async fn by_isins(tx: &mut Tx, isins: &[&str]) -> Result<Vec<Vec<Stock>>, Error> {
    tx.query_all(&BY_ISIN, isins.iter().map(|isin| [(*isin).into()]), stock).await
}

/// Every stock, by symbol.
pub async fn listings(tx: &mut Tx) -> Result<Vec<Listing>, Error> {
    let mut listings = Vec::new();
    each_listing(tx, |listing| listings.push(listing)).await?;
    Ok(listings)
}

/// All stocks by symbol, one at a time: a hundred thousand at once would need more memory than what is built from them.
pub async fn each_listing(tx: &mut Tx, mut take: impl FnMut(Listing)) -> Result<(), Error> {
    let rows = tx.query(&LISTINGS, &[], |row| {
        take(Listing {
            symbol: row.text(0)?,
            name: row.opt_text(1)?,
            exchange: row.opt_text(2)?,
            kind: row.opt_text(3)?,
            tracked: row.bool(4)?,
            placeholder: row.bool(5)?,
        });
        Ok(())
    });
    rows.await.map(drop)
}

/// Sets whether the operator tracks the stocks; returns how many of them are known.
pub async fn set_tracked(tx: &mut Tx, symbols: &[&str], tracked: bool) -> Result<u64, Error> {
    tx.execute_all(&SET_TRACKED, symbols.iter().map(|symbol| [tracked.into(), (*symbol).into()])).await
}

fn params(stock: &Stock) -> [Param<'_>; 24] {
    [
        stock.symbol.as_str().into(),
        stock.name.as_deref().into(),
        stock.currency.code().into(),
        stock.quote_unit.name().into(),
        stock.exchange.as_deref().into(),
        stock.kind.as_deref().into(),
        stock.isin.as_deref().into(),
        stock.country.as_deref().into(),
        stock.sector.as_deref().into(),
        stock.industry.as_deref().into(),
        stock.instrument_type.as_deref().into(),
        stock.price.into(),
        stock.price_as_of.into(),
        stock.forward_rate.into(),
        stock.payout_ratio.into(),
        stock.fcf_cover.into(),
        stock.pe.into(),
        stock.ma50.into(),
        stock.ma200.into(),
        stock.low52.into(),
        stock.high52.into(),
        stock.yield_avg_5y_pct.into(),
        stock.tracked.into(),
        stock.placeholder.into(),
    ]
}

fn stock(row: &Row<'_>) -> Result<Stock, Error> {
    Ok(Stock {
        symbol: row.text(0)?,
        name: row.opt_text(1)?,
        currency: row.currency(2)?,
        quote_unit: row.parse(3, |unit| QuoteUnit::parse(unit).ok())?,
        exchange: row.opt_text(4)?,
        kind: row.opt_text(5)?,
        isin: row.opt_text(6)?,
        country: row.opt_text(7)?,
        sector: row.opt_text(8)?,
        industry: row.opt_text(9)?,
        instrument_type: row.opt_text(10)?,
        price: row.opt_decimal(11)?,
        price_as_of: row.opt_i64(12)?,
        forward_rate: row.opt_decimal(13)?,
        payout_ratio: row.opt_decimal(14)?,
        fcf_cover: row.opt_decimal(15)?,
        pe: row.opt_decimal(16)?,
        ma50: row.opt_decimal(17)?,
        ma200: row.opt_decimal(18)?,
        low52: row.opt_decimal(19)?,
        high52: row.opt_decimal(20)?,
        yield_avg_5y_pct: row.opt_decimal(21)?,
        tracked: row.bool(22)?,
        placeholder: row.bool(23)?,
    })
}

const STOCK: &[Type] = &[
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Decimal,
    Type::Integer,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Decimal,
    Type::Boolean,
    Type::Boolean,
];

/// The columns of a stock in the order of [`STOCK`].
macro_rules! columns {
    () => {
        "symbol, name, currency, quote_unit, exchange, type, isin, country, sector, industry, instrument_type, price, \
         price_as_of, forward_rate, payout_ratio, fcf_cover, pe, ma50, ma200, low52, high52, yield_avg_5y_pct, tracked, placeholder"
    };
}

statements! {
    UPSERT = concat!("INSERT INTO stocks (", columns!(), ", version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, 1)
        ON CONFLICT (symbol) DO UPDATE SET name = excluded.name, currency = excluded.currency,
        quote_unit = excluded.quote_unit, exchange = excluded.exchange, type = excluded.type, isin = excluded.isin,
        country = excluded.country, sector = excluded.sector, industry = excluded.industry,
        instrument_type = excluded.instrument_type, price = excluded.price, price_as_of = excluded.price_as_of,
        forward_rate = excluded.forward_rate, payout_ratio = excluded.payout_ratio, fcf_cover = excluded.fcf_cover,
        pe = excluded.pe, ma50 = excluded.ma50, ma200 = excluded.ma200, low52 = excluded.low52, high52 = excluded.high52,
        yield_avg_5y_pct = excluded.yield_avg_5y_pct, tracked = excluded.tracked, placeholder = excluded.placeholder,
        version = stocks.version + 1"),
        STOCK => [];
    ADD_PLACEHOLDER = "INSERT INTO stocks (symbol, name, isin, currency, quote_unit, tracked, placeholder)
        VALUES ($1, $2, $3, $4, $4, FALSE, TRUE) ON CONFLICT (symbol) DO NOTHING",
        [Text, Text, Text, Text] => [];
    BY_SYMBOL = concat!("SELECT ", columns!(), " FROM stocks WHERE symbol = $1"), [Text] => STOCK;
    KNOWN = "SELECT symbol FROM stocks WHERE symbol = $1", [Text] => [Text];
    BY_ISIN = concat!("SELECT ", columns!(), " FROM stocks WHERE isin = $1 ORDER BY symbol"), [Text] => STOCK;
    LISTINGS = "SELECT symbol, name, exchange, type, tracked, placeholder FROM stocks ORDER BY symbol",
        [] => [Text, Text, Text, Text, Boolean, Boolean];
    SET_TRACKED = "UPDATE stocks SET version = version + CASE WHEN tracked = $1 THEN 0 ELSE 1 END, tracked = $1
        WHERE symbol = $2", [Boolean, Text] => [];
}
