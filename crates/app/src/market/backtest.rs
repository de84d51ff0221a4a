//! The histories of the back-test: the stored ones, or those of a folder.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::backtest::Record;
use market::files::{Files, Problem, Reason};
use store::stocks::{self, Stock};
use store::{dividends, prices, splits};

use super::load;
use super::profile::{is_fund, market_dividend};
use crate::{App, Error};

/// Of every stock with dividends, by symbol.
pub async fn stored_records(app: &App) -> Result<Vec<Record>, Error> {
    let mut tx = app.store.read().await?;
    let today = app.clock.today();
    let mut symbols: Vec<String> = stocks::listings(&mut tx).await?.into_iter().map(|listing| listing.symbol).collect();
    symbols.sort_unstable();
    let mut records = Vec::new();
    for symbol in symbols {
        let rows = dividends::of_symbol(&mut tx, &symbol).await?;
        let Some(stock) = stocks::by_symbol(&mut tx, &symbol).await?.filter(|_| !rows.is_empty()) else { continue };
        let splits = splits::of_symbol(&mut tx, &symbol).await?;
        let closes = prices::of_symbol(&mut tx, &symbol, rows.iter().map(|row| row.ex_date).max().unwrap_or(today)).await?;
        records.extend(record(&stock, rows, splits, closes.into_iter().map(|(date, _)| date).max(), today));
    }
    Ok(records)
}

/// The same from a folder of market files, without a database.
pub fn folder_records(folder: &Path, today: Date) -> Result<Vec<Record>, Error> {
    let files = market::files::read(folder).map_err(Error::MarketFiles)?;
    refuse_unlisted(&files)?;
    let mut dividends = load::grouped(files.dividends, |row| row.symbol.clone());
    let mut splits = load::grouped(files.splits, |row| row.symbol.clone());
    let closes = load::grouped(files.prices, |row| row.symbol.clone());
    let mut listed = files.stocks;
    listed.sort_unstable_by(|a, b| a.symbol.cmp(&b.symbol));
    let mut records = Vec::new();
    for stock in &listed {
        let rows = dividends.remove(&stock.symbol).unwrap_or_default().into_iter().map(|row| load::dividend(row, stock.unit));
        let rows: Vec<dividends::Dividend> = rows.collect();
        load::refuse_twins(&stock.symbol, &rows)?;
        let splits = splits.remove(&stock.symbol).unwrap_or_default().into_iter();
        let splits = splits.map(|row| ledger::Split { date: row.date, ratio: row.ratio }).collect();
        let last_close = closes.get(&stock.symbol).and_then(|rows| rows.iter().map(|row| row.date).max());
        records.extend(record(&load::stock(stock), rows, splits, last_close, today));
    }
    Ok(records)
}

/// `None` if nothing was paid until today. All payments are known up to the day of the latest price: a stock that has a price and
/// pays nothing has stopped.
fn record(
    stock: &Stock,
    rows: Vec<dividends::Dividend>,
    splits: Vec<ledger::Split>,
    last_close: Option<Date>,
    today: Date,
) -> Option<Record> {
    let rows: Vec<_> = rows.into_iter().filter(|row| row.ex_date <= today).collect();
    let last_ex_date = rows.iter().map(|row| row.ex_date).max()?;
    let price_day = stock.price_as_of.and_then(|micros| Timestamp::from_microsecond(micros).ok());
    let price_day = price_day.map(|instant| instant.to_zoned(TimeZone::UTC).date());
    let until = [price_day, last_close].into_iter().flatten().fold(last_ex_date, Date::max).min(today);
    Some(Record {
        symbol: stock.symbol.clone(),
        currency: stock.currency,
        fund: is_fund(stock),
        dividends: rows.iter().map(market_dividend).collect(),
        splits,
        until,
    })
}

fn refuse_unlisted(files: &Files) -> Result<(), Error> {
    let listed: BTreeSet<&str> = files.stocks.iter().map(|stock| stock.symbol.as_str()).collect();
    let unlisted: BTreeSet<&str> =
        files.dividends.iter().map(|row| row.symbol.as_str()).filter(|symbol| !listed.contains(symbol)).collect();
    if unlisted.is_empty() {
        return Ok(());
    }
    let problem = |symbol: &str| Problem::new("dividends.csv", 0, Reason::UnknownSymbol { symbol: symbol.to_owned() });
    Err(Error::MarketFiles(unlisted.into_iter().map(problem).collect()))
}
