//! The offline folder: loaded by command, or watched.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use market::files::{Files, Problem, Stock as Listed};
use store::dividends::Dividend;
use store::stocks::{self, Stock};
use store::{Tx, dividends, fx_rates, prices, provenance, splits, versions};

use crate::{App, Error};

#[derive(Debug)]
pub struct Loaded {
    pub stocks: usize,
    pub dividends: usize,
    pub splits: usize,
    pub prices: usize,
    pub fx: usize,
}

/// Told what is being done, how much of it is, and how much there is in all.
pub type Progress<'a> = &'a (dyn Fn(&'static str, usize, usize) + Sync);

/// Loads the offline folder: all of it or nothing.
pub async fn load_folder(app: &App, folder: &Path, progress: Progress<'_>) -> Result<Loaded, Error> {
    progress("reading", 0, 0);
    load(app, market::files::read(folder).map_err(Error::MarketFiles)?, Told::ByCommand, progress).await
}

/// The watched folder, which is loaded anew at every start: what preferred providers said since is not undone by it.
pub(super) async fn load_watched_folder(app: &App, folder: &Path, written_at: Option<Timestamp>) -> Result<Loaded, Error> {
    let now = app.clock.now();
    let told = Told::ByWatch(written_at.unwrap_or(now).min(now));
    load(app, market::files::read(folder).map_err(Error::MarketFiles)?, told, &|_, _, _| {}).await
}

#[derive(Clone, Copy)]
enum Told {
    /// Replaces what the files name.
    ByCommand,
    /// Takes its place in the operator's order; the files were written then.
    ByWatch(Timestamp),
}

impl Told {
    /// Whether a provider's word stays, though the files have one, too.
    fn yields_to(self, app: &App, provider: Option<&str>) -> bool {
        matches!(self, Told::ByWatch(_)) && provider.is_some() && app.sources.rank(provider) < app.sources.rank(None)
    }
}

/// The same from texts in memory, named as the files of the folder.
pub async fn load_texts(app: &App, texts: &[(&str, String)]) -> Result<Loaded, Error> {
    let files = market::files::parse(texts.iter().map(|(name, text)| (*name, text.as_bytes()))).map_err(Error::MarketFiles)?;
    load(app, files, Told::ByCommand, &|_, _, _| {}).await
}

async fn load(app: &App, files: Files, told: Told, progress: Progress<'_>) -> Result<Loaded, Error> {
    let mut tx = app.store.write().await?;
    let loaded = Loaded {
        stocks: files.stocks.len(),
        dividends: files.dividends.len(),
        splits: files.splits.len(),
        prices: files.prices.len(),
        fx: files.fx.len(),
    };
    let mut rows: Vec<Stock> = files.stocks.iter().map(stock).collect();
    let seen_at = if let Told::ByWatch(written_at) = told { written_at } else { app.clock.now() };
    date_prices(&mut tx, &mut rows, seen_at.as_microsecond()).await?;
    own(app, &mut tx, &mut rows, told).await?;
    for (done, part) in rows.chunks(ROWS_A_STEP).enumerate() {
        progress("storing stocks", done * ROWS_A_STEP, loaded.stocks);
        stocks::upsert(&mut tx, part).await?;
    }
    let units = units(&mut tx, &files).await?;
    let mut touched: HashSet<String> = HashSet::new();
    let mut done = 0;
    for (symbol, rows) in grouped(files.dividends, |row| row.symbol.clone()) {
        progress("storing dividends", done, loaded.dividends);
        done += rows.len();
        let own = units[&symbol];
        let rows: Vec<Dividend> = rows.into_iter().map(|row| dividend(row, own)).collect();
        refuse_twins(&symbol, &rows)?;
        let rows = without_yielding(app, &mut tx, &symbol, rows, told).await?;
        dividends::upsert(&mut tx, &symbol, &rows).await?;
        touched.insert(symbol);
    }
    for (symbol, rows) in grouped(files.splits, |row| row.symbol.clone()) {
        let rows: Vec<ledger::Split> = rows.iter().map(|row| ledger::Split { date: row.date, ratio: row.ratio }).collect();
        splits::upsert(&mut tx, &symbol, &rows).await?;
        touched.insert(symbol);
    }
    done = 0;
    for (symbol, rows) in grouped(files.prices, |row| row.symbol.clone()) {
        progress("storing prices", done, loaded.prices);
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
        progress("storing exchange rates", done * ROWS_A_STEP, loaded.fx);
        fx_rates::upsert(&mut tx, part).await?;
    }
    raise_versions(&mut tx, &loaded).await?;
    tx.commit().await?;
    Ok(loaded)
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

fn dividend(row: market::files::Dividend, own: QuoteUnit) -> Dividend {
    let unit = row.unit.unwrap_or(own);
    Dividend {
        ex_date: row.ex_date,
        currency: unit.currency,
        special: row.special,
        pay_date: row.pay_date,
        declared_date: row.declared_date,
        amount: unit.normalise(row.amount),
        provider: None,
    }
}

/// What the files say is the operator's from now on; what they leave empty and a provider had said stays.
async fn own(app: &App, tx: &mut Tx, rows: &mut [Stock], told: Told) -> Result<(), Error> {
    let said = provenance::symbols(tx).await?;
    for row in rows.iter_mut().filter(|row| said.contains(&row.symbol)) {
        let Some(before) = stocks::by_symbol(tx, &row.symbol).await? else { continue };
        let owners = provenance::of_symbol(tx, &row.symbol).await?;
        let owned: HashMap<&str, &str> = owners.iter().map(|one| (one.field.as_str(), one.provider.as_str())).collect();
        let yields = |field: &str| told.yields_to(app, owned.get(field).copied());
        let mut taken: Vec<&str> = Vec::new();
        macro_rules! keep {
            ($($field:ident $name:literal),*) => {
                $(if row.$field.is_some() && !yields($name) { taken.push($name) }
                    else if owned.contains_key($name) { row.$field = before.$field; })*
            };
        }
        // Of two prices the newer one counts, as between providers.
        let older = matches!(told, Told::ByWatch(_)) && row.price_as_of < before.price_as_of;
        if (row.price.is_none() || older) && owned.contains_key("price") {
            (row.price, row.price_as_of) = (before.price, before.price_as_of);
        } else {
            taken.push("price");
        }
        keep!(name "name", exchange "exchange", kind "type", isin "isin", country "country", sector "sector",
            industry "industry", instrument_type "instrument_type", forward_rate "forward_rate",
            payout_ratio "payout_ratio", fcf_cover "fcf_cover", pe "pe", ma50 "ma50", ma200 "ma200", low52 "low52",
            high52 "high52", yield_avg_5y_pct "yield_avg_5y_pct");
        provenance::remove(tx, &row.symbol, &taken).await?;
    }
    Ok(())
}

async fn without_yielding(app: &App, tx: &mut Tx, symbol: &str, rows: Vec<Dividend>, told: Told) -> Result<Vec<Dividend>, Error> {
    if matches!(told, Told::ByCommand) {
        return Ok(rows);
    }
    let key = |row: &Dividend| (row.ex_date, row.currency, row.special);
    let stored = dividends::of_symbol(tx, symbol).await?;
    let kept: HashSet<_> = stored.iter().filter(|row| told.yields_to(app, row.provider.as_deref())).map(key).collect();
    Ok(rows.into_iter().filter(|row| !kept.contains(&key(row))).collect())
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
