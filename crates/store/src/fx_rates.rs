//! Exchange rates: units of a currency per 1 EUR, as `ledger::Fx::new` takes them.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;

use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

pub type Rate = (Currency, Date, Decimal);

/// Adds rates, replacing those of the same currency and day.
pub async fn upsert(tx: &mut Tx, rates: &[Rate]) -> Result<(), Error> {
    let rows = rates.iter().map(|(currency, date, rate)| [currency.code().into(), (*date).into(), (*rate).into()]);
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// All rates, by currency, oldest first.
pub async fn all(tx: &mut Tx) -> Result<Vec<Rate>, Error> {
    tx.query(&ALL, &[], rate).await
}

/// The rates on and after a day, by currency, oldest first.
pub async fn since(tx: &mut Tx, day: Date) -> Result<Vec<Rate>, Error> {
    tx.query(&SINCE, &[day.into()], rate).await
}

/// The last rate of each currency on or before a day.
pub async fn latest(tx: &mut Tx, day: Date) -> Result<Vec<Rate>, Error> {
    // Steps from currency to currency along the key: a single statement would read decades of rates.
    let mut rates = Vec::new();
    let mut last = String::new();
    while let Some(currency) = tx.query_one(&NEXT_CURRENCY, &[last.as_str().into()], |row| row.text(0)).await? {
        rates.extend(tx.query_one(&LATEST, &[currency.as_str().into(), day.into()], rate).await?);
        last = currency;
    }
    Ok(rates)
}

fn rate(row: &Row<'_>) -> Result<Rate, Error> {
    Ok((row.currency(0)?, row.date(1)?, row.decimal(2)?))
}

statements! {
    UPSERT = "INSERT INTO fx_rates (currency, date, rate) VALUES ($1, $2, $3)
        ON CONFLICT (currency, date) DO UPDATE SET rate = excluded.rate", [Text, Date, Decimal] => [];
    ALL = "SELECT currency, date, rate FROM fx_rates ORDER BY currency, date", [] => [Text, Date, Decimal];
    SINCE = "SELECT currency, date, rate FROM fx_rates WHERE date >= $1 ORDER BY currency, date",
        [Date] => [Text, Date, Decimal];
    NEXT_CURRENCY = "SELECT currency FROM fx_rates WHERE currency > $1 ORDER BY currency LIMIT 1", [Text] => [Text];
    LATEST = "SELECT currency, date, rate FROM fx_rates WHERE currency = $1 AND date <= $2 ORDER BY date DESC LIMIT 1",
        [Text, Date] => [Text, Date, Decimal];
}
