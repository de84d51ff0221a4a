//! Upcoming ex-dividend dates: of every tracked stock for users, of public stocks for strangers.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Frequency;
use store::{Tx, dividends, versions};

use crate::{App, Error};

pub struct Calendar {
    pub from: Date,
    pub stocks: Vec<Stock>,
}

pub struct Stock {
    pub symbol: String,
    pub ex_date: Date,
    pub name: Option<String>,
    pub sector: Option<String>,
    pub frequency: Option<Frequency>,
}

/// Declared ex-dates only, one entry per stock and day, by day, then symbol.
pub async fn calendar(app: &App, days: i32, signed_in: bool) -> Result<Calendar, Error> {
    let today = app.clock.today();
    let holders_min = if signed_in { 1 } else { app.public_holders.min() };
    app.store.with_market(|tx| read(app, tx, today, days, holders_min)).await
}

async fn read(app: &App, mut tx: Tx, today: Date, days: i32, holders_min: i64) -> Result<Calendar, Error> {
    let versions = versions::get(&mut tx).await?;
    let fx = app.rates.at(&mut tx, versions.rates).await?;
    let mut stocks = Vec::new();
    for row in dividends::calendar(&mut tx, today, today.saturating_add(days.days()), holders_min).await? {
        let profile = app.profiles.get(&mut tx, &row.symbol, versions, today, &fx).await?;
        let frequency = profile.and_then(|profile| profile.metrics.frequency);
        stocks.push(Stock { symbol: row.symbol, ex_date: row.ex_date, name: row.name, sector: row.sector, frequency });
    }
    Ok(Calendar { from: today, stocks })
}
