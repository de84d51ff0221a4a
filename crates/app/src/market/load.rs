//! The offline folder: loaded on command, or watched.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use store::WriteLock;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use market::files::{Files, Problem, Reason, Stock as Listed};
use market::validation::{Arrival, KnownDividend, Source};
use store::dividends::Dividend;
use store::stocks::{self, Stock};
use store::{Tx, fx_rates, prices, versions};

use super::dividends::{self, Removed, known_dividend};
use super::ownership::{self, FilesOrigin, date_prices};
use super::splits;
use crate::operations::progress::{Progress, Stage};
use crate::{App, Error, matching};

#[derive(Debug)]
pub struct Loaded {
    pub stocks: usize,
    pub dividends: usize,
    pub splits: usize,
    pub prices: usize,
    pub fx: usize,
}

/// Loads the offline folder, completely or not at all.
pub async fn load_folder(app: &App, folder: &Path, progress: Progress<'_>) -> Result<Loaded, Error> {
    progress(Stage::Reading, 0, 0);
    load(app, market::files::read(folder).map_err(Error::MarketFiles)?, FilesOrigin::ByCommand, progress).await
}

/// The watched folder, which is loaded at every start: that must not undo what preferred providers have said since.
pub(super) async fn load_watched_folder(app: &App, folder: &Path, written_at: Option<Timestamp>) -> Result<Loaded, Error> {
    let now = app.clock.now();
    let origin = FilesOrigin::ByWatch(written_at.unwrap_or(now).min(now));
    load(app, market::files::read(folder).map_err(Error::MarketFiles)?, origin, &|_, _, _| {}).await
}

/// The same from texts in memory, named like the files of the folder.
pub async fn load_texts(app: &App, texts: &[(&str, String)]) -> Result<Loaded, Error> {
    let files = market::files::parse(texts.iter().map(|(name, text)| (*name, text.as_bytes()))).map_err(Error::MarketFiles)?;
    load(app, files, FilesOrigin::ByCommand, &|_, _, _| {}).await
}

async fn load(app: &App, files: Files, origin: FilesOrigin, progress: Progress<'_>) -> Result<Loaded, Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let loaded = Loaded {
        stocks: files.stocks.len(),
        dividends: files.dividends.len(),
        splits: files.splits.len(),
        prices: files.prices.len(),
        fx: files.fx.len(),
    };
    let mut rows: Vec<Stock> = files.stocks.iter().map(stock).collect();
    let seen_at = if let FilesOrigin::ByWatch(written_at) = origin { written_at } else { app.clock.now() };
    date_prices(&mut tx, &mut rows, seen_at.as_microsecond()).await?;
    ownership::keep_owned(app, &mut tx, &mut rows, origin).await?;
    for (done, part) in rows.chunks(ROWS_A_STEP).enumerate() {
        progress(Stage::StoringStocks, done * ROWS_A_STEP, loaded.stocks);
        stocks::upsert(&mut tx, part).await?;
    }
    let units = units(&mut tx, &files).await?;
    let removed = Removed::load(&mut tx).await?;
    let mut touched: HashSet<String> = HashSet::new();
    let mut done = 0;
    for (symbol, rows) in grouped(files.dividends, |row| row.symbol.clone()) {
        progress(Stage::StoringDividends, done, loaded.dividends);
        done += rows.len();
        let own = units[&symbol];
        let rows: Vec<Dividend> = rows.into_iter().map(|row| dividend(row, own)).collect();
        refuse_twins(&symbol, &rows)?;
        put_dividends(app, &mut tx, &symbol, rows, &removed, origin).await?;
        touched.insert(symbol);
    }
    for (symbol, rows) in grouped(files.splits, |row| row.symbol.clone()) {
        let rows: Vec<ledger::Split> = rows.iter().map(|row| ledger::Split { date: row.date, ratio: row.ratio }).collect();
        splits::put(app, &mut tx, &symbol, &rows).await?;
        touched.insert(symbol);
    }
    done = 0;
    for (symbol, rows) in grouped(files.prices, |row| row.symbol.clone()) {
        progress(Stage::StoringPrices, done, loaded.prices);
        done += rows.len();
        let unit = units[&symbol];
        let rows: Vec<(Date, Decimal)> = rows.iter().map(|row| (row.date, unit.normalise(row.close))).collect();
        prices::upsert(&mut tx, &symbol, &rows).await?;
        touched.insert(symbol);
    }
    let touched: Vec<&str> = touched.iter().map(String::as_str).collect();
    stocks::mark_changed(&mut tx, &touched).await?;
    let rates: Vec<fx_rates::Rate> = files.fx.iter().map(|row| (row.currency, row.date, row.rate)).collect();
    for (done, part) in rates.chunks(ROWS_A_STEP).enumerate() {
        progress(Stage::StoringRates, done * ROWS_A_STEP, loaded.fx);
        fx_rates::upsert(&mut tx, part).await?;
    }
    raise_versions(&mut tx, &loaded).await?;
    tx.commit().await?;
    matching::heal_after(app, None).await;
    Ok(loaded)
}

async fn put_dividends(
    app: &App,
    tx: &mut Tx,
    symbol: &str,
    rows: Vec<Dividend>,
    removed: &Removed,
    origin: FilesOrigin,
) -> Result<(), Error> {
    let mut rows: Vec<KnownDividend> = rows.into_iter().map(known_dividend).collect();
    match origin {
        FilesOrigin::ByCommand => removed.forget(tx, symbol, &rows).await?,
        FilesOrigin::ByWatch(_) => rows = removed.without(symbol, rows),
    }
    let known: Vec<KnownDividend> = store::dividends::of_symbol(tx, symbol).await?.into_iter().map(known_dividend).collect();
    let arrival = Arrival { source: Source::Files, rows: &rows };
    dividends::put(app, tx, symbol, &known, arrival, &|provider| origin.rank(app, provider)).await.map(drop)
}

const ROWS_A_STEP: usize = 5_000;

async fn raise_versions(tx: &mut Tx, loaded: &Loaded) -> Result<(), Error> {
    if loaded.stocks > 0 {
        versions::bump_listings(tx).await?;
        versions::bump_tracking(tx).await?;
    }
    if loaded.fx > 0 {
        versions::bump_rates(tx).await?;
    }
    Ok(versions::bump_market(tx).await?)
}

pub(super) fn dividend(row: market::files::Dividend, own: QuoteUnit) -> Dividend {
    let unit = row.unit.unwrap_or(own);
    Dividend {
        ex_date: row.ex_date,
        currency: unit.currency,
        kind: row.special.into(),
        pay_date: row.pay_date,
        declared_date: row.declared_date,
        amount: unit.normalise(row.amount),
        provider: None,
    }
}

/// A row without a currency may turn out to be a duplicate of another one.
pub(super) fn refuse_twins(symbol: &str, rows: &[Dividend]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match rows.iter().find(|row| !seen.insert((row.ex_date, row.currency, row.kind))) {
        None => Ok(()),
        Some(twin) => {
            let reason = Reason::DividendTwice { symbol: symbol.to_owned(), date: twin.ex_date, currency: twin.currency };
            Err(Error::MarketFiles(vec![Problem::new("dividends.csv", 0, reason)]))
        }
    }
}

/// The quote unit of every symbol; an unknown symbol is a problem of its file.
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
        // A symbol from a user's ledger says nothing about the unit of the file's figures.
        match stocks::by_symbol(tx, symbol).await?.filter(|stock| !stock.placeholder) {
            Some(stock) => {
                units.insert(symbol.clone(), stock.quote_unit);
            }
            None => {
                let problem = Problem::new(file, 0, Reason::UnknownSymbol { symbol: symbol.clone() });
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { Ok(units) } else { Err(Error::MarketFiles(problems)) }
}

pub(super) fn grouped<T>(rows: Vec<T>, key: impl Fn(&T) -> String) -> HashMap<String, Vec<T>> {
    let mut groups: HashMap<String, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(key(&row)).or_default().push(row);
    }
    groups
}

pub(super) fn stock(listed: &Listed) -> Stock {
    let profile = listed.profile.clone();
    Stock {
        name: profile.name,
        exchange: profile.exchange,
        kind: profile.kind,
        isin: profile.isin,
        country: profile.country,
        sector: profile.sector,
        industry: profile.industry,
        instrument_type: profile.instrument_type,
        price: listed.price,
        price_as_of: listed.price_as_of.map(|instant| instant.as_microsecond()),
        forward_rate: profile.forward_rate,
        payout_ratio: profile.payout_ratio,
        fcf_cover: profile.fcf_cover,
        pe: profile.pe,
        ma50: profile.ma50,
        ma200: profile.ma200,
        low52: profile.low52,
        high52: profile.high52,
        yield_avg_5y_pct: profile.yield_avg_5y_pct,
        tracked: listed.tracked,
        ..Stock::new(&listed.symbol, listed.unit)
    }
}
