//! Market data as the operator brings and steers it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use market::files::{Files, Problem, Stock as Listed};
use store::dividends::Dividend;
use store::stocks::{self, Stock};
use store::{Tx, dividends, fx_rates, prices, splits, tracking, versions};

use crate::{App, Error};

#[derive(Debug)]
pub struct Loaded {
    pub stocks: usize,
    pub dividends: usize,
    pub splits: usize,
    pub prices: usize,
    pub fx: usize,
}

/// Loads the offline folder: all of it or nothing.
pub async fn load_folder(app: &App, folder: &Path, stage: &dyn Fn(&'static str)) -> Result<Loaded, Error> {
    stage("reading");
    load(app, market::files::read(folder).map_err(Error::MarketFiles)?, stage).await
}

/// The same from texts in memory, named as the files of the folder.
pub async fn load_texts(app: &App, texts: &[(&str, String)]) -> Result<Loaded, Error> {
    let files = market::files::parse(texts.iter().map(|(name, text)| (*name, text.as_bytes()))).map_err(Error::MarketFiles)?;
    load(app, files, &|_| {}).await
}

async fn load(app: &App, files: Files, stage: &dyn Fn(&'static str)) -> Result<Loaded, Error> {
    let mut tx = app.store.write().await?;
    let loaded = Loaded {
        stocks: files.stocks.len(),
        dividends: files.dividends.len(),
        splits: files.splits.len(),
        prices: files.prices.len(),
        fx: files.fx.len(),
    };
    stage("storing stocks");
    let mut rows: Vec<Stock> = files.stocks.iter().map(stock).collect();
    date_prices(&mut tx, &mut rows, app.clock.now_micros()).await?;
    stocks::upsert(&mut tx, &rows).await?;
    let units = units(&mut tx, &files).await?;
    stage("storing dividends and splits");
    for (symbol, rows) in grouped(files.dividends, |row| row.symbol.clone()) {
        let own = units[&symbol];
        let rows: Vec<Dividend> = rows
            .into_iter()
            .map(|row| {
                let unit = row.unit.unwrap_or(own);
                Dividend {
                    ex_date: row.ex_date,
                    currency: unit.currency,
                    special: row.special,
                    pay_date: row.pay_date,
                    declared_date: row.declared_date,
                    amount: unit.normalise(row.amount),
                }
            })
            .collect();
        refuse_twins(&symbol, &rows)?;
        dividends::upsert(&mut tx, &symbol, &rows).await?;
    }
    for (symbol, rows) in grouped(files.splits, |row| row.symbol.clone()) {
        let rows: Vec<ledger::Split> = rows.iter().map(|row| ledger::Split { date: row.date, ratio: row.ratio }).collect();
        splits::upsert(&mut tx, &symbol, &rows).await?;
    }
    stage("storing prices and exchange rates");
    for (symbol, rows) in grouped(files.prices, |row| row.symbol.clone()) {
        let unit = units[&symbol];
        let rows: Vec<(Date, Decimal)> = rows.iter().map(|row| (row.date, unit.normalise(row.close))).collect();
        prices::upsert(&mut tx, &symbol, &rows).await?;
    }
    let rates: Vec<fx_rates::Rate> = files.fx.iter().map(|row| (row.currency, row.date, row.rate)).collect();
    fx_rates::upsert(&mut tx, &rates).await?;
    versions::bump_market(&mut tx).await?;
    versions::bump_tracking(&mut tx).await?;
    tx.commit().await?;
    Ok(loaded)
}

/// A row without a currency may turn out to be another one's twin.
fn refuse_twins(symbol: &str, rows: &[Dividend]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match rows.iter().find(|row| !seen.insert((row.ex_date, row.currency, row.special))) {
        None => Ok(()),
        Some(twin) => {
            let reason =
                format!("{symbol} has two dividends of {} in {}, one without a currency; keep one", twin.ex_date, twin.currency);
            Err(Error::MarketFiles(vec![Problem::new("dividends.csv", 0, reason)]))
        }
    }
}

/// The unit every named symbol is quoted in; a symbol that nobody knows is a problem of its file.
async fn units(tx: &mut Tx, files: &Files) -> Result<HashMap<String, QuoteUnit>, Error> {
    let mut units: HashMap<String, QuoteUnit> = files.stocks.iter().map(|stock| (stock.symbol.clone(), stock.unit)).collect();
    let mut problems = Vec::new();
    let named = (files.dividends.iter().map(|row| ("dividends.csv", &row.symbol)))
        .chain(files.splits.iter().map(|row| ("splits.csv", &row.symbol)))
        .chain(files.prices.iter().map(|row| ("prices.csv", &row.symbol)));
    for (file, symbol) in named {
        if units.contains_key(symbol) {
            continue;
        }
        match stocks::by_symbol(tx, symbol).await? {
            Some(stock) => {
                units.insert(symbol.clone(), stock.quote_unit);
            }
            None => {
                let problem = Problem::new(file, 0, format!("{symbol} is not known; add it to stocks.csv"));
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { Ok(units) } else { Err(Error::MarketFiles(problems)) }
}

fn grouped<T>(rows: Vec<T>, key: impl Fn(&T) -> String) -> HashMap<String, Vec<T>> {
    let mut groups: HashMap<String, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(key(&row)).or_default().push(row);
    }
    groups
}

/// Quotes in hundredths become whole units here, where they enter.
fn stock(listed: &Listed) -> Stock {
    let whole = |figure: Option<Decimal>| figure.map(|figure| listed.unit.normalise(figure));
    Stock {
        symbol: listed.symbol.clone(),
        name: listed.name.clone(),
        currency: listed.unit.currency,
        quote_unit: listed.unit,
        exchange: listed.exchange.clone(),
        kind: listed.kind.clone(),
        isin: listed.isin.clone(),
        country: listed.country.clone(),
        sector: listed.sector.clone(),
        industry: listed.industry.clone(),
        instrument_type: listed.instrument_type.clone(),
        price: whole(listed.price),
        price_as_of: listed.price_as_of.map(|instant| instant.as_microsecond()),
        forward_rate: whole(listed.forward_rate),
        payout_ratio: listed.payout_ratio,
        fcf_cover: listed.fcf_cover,
        pe: listed.pe,
        ma50: whole(listed.ma50),
        ma200: whole(listed.ma200),
        low52: whole(listed.low52),
        high52: whole(listed.high52),
        yield_avg_5y_pct: listed.yield_avg_5y_pct,
        tracked: listed.tracked,
        placeholder: false,
    }
}

/// A price that comes without its time was seen now, or, when it is the one already stored, back then.
async fn date_prices(tx: &mut Tx, rows: &mut [Stock], now: i64) -> Result<(), Error> {
    for row in rows.iter_mut().filter(|row| row.price.is_some() && row.price_as_of.is_none()) {
        let before = stocks::by_symbol(tx, &row.symbol).await?.filter(|before| before.price == row.price);
        row.price_as_of = before.and_then(|before| before.price_as_of).or(Some(now));
    }
    Ok(())
}

/// All of the symbols or none: an unknown one is named.
pub async fn set_tracked(app: &App, symbols: &[String], tracked: bool) -> Result<(), Error> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.trim().to_uppercase()).collect();
    let mut tx = app.store.write().await?;
    for symbol in &symbols {
        if stocks::by_symbol(&mut tx, symbol).await?.is_none() {
            return Err(Error::refused(format!(
                "{symbol} is not known here; load it with `dripline market load`. Nothing was changed"
            )));
        }
    }
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    stocks::set_tracked(&mut tx, &symbols, tracked).await?;
    versions::bump_tracking(&mut tx).await?;
    Ok(tx.commit().await?)
}

pub struct Status {
    pub stocks: usize,
    pub tracked: usize,
    /// Symbols of ledgers that market data does not know yet.
    pub unknown: Vec<String>,
    pub newest_rate: Option<Date>,
    pub currencies: usize,
    pub market_version: i64,
}

pub async fn status(app: &App) -> Result<Status, Error> {
    let mut tx = app.store.read().await?;
    let listings = stocks::listings(&mut tx).await?;
    let rates = fx_rates::latest(&mut tx, app.clock.today()).await?;
    Ok(Status {
        stocks: listings.iter().filter(|listing| !listing.placeholder).count(),
        tracked: tracking::tracked_symbols(&mut tx).await?.len(),
        unknown: listings.iter().filter(|listing| listing.placeholder).map(|listing| listing.symbol.clone()).collect(),
        newest_rate: rates.iter().map(|(_, date, _)| *date).max(),
        currencies: rates.len(),
        market_version: versions::get(&mut tx).await?.market,
    })
}
