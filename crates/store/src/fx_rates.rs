//! Exchange rates: units of a currency per 1 EUR, as `ledger::Fx::new` takes them.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = fx_rates [currency, date] { currency: Currency, date: Date, rate: Decimal } }

pub type Rate = (Currency, Date, Decimal);

/// Adds rates, replacing those of the same currency and day.
pub async fn upsert(tx: &mut Tx, rates: &[Rate]) -> Result<(), Error> {
    let rows = rates.iter().map(|(currency, date, rate)| [currency.into(), date.into(), rate.into()]);
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// All rates, by currency, oldest first.
pub async fn all(tx: &mut Tx) -> Result<Vec<Rate>, Error> {
    tx.query(&ALL, &[]).await
}

/// The rates on and after a day, by currency, oldest first.
pub async fn since(tx: &mut Tx, day: Date) -> Result<Vec<Rate>, Error> {
    tx.query(&SINCE, &[day.into()]).await
}

/// The last rate of each currency on or before a day.
pub async fn latest(tx: &mut Tx, day: Date) -> Result<Vec<Rate>, Error> {
    // Steps from currency to currency along the key: a single statement would read decades of rates.
    let mut rates = Vec::new();
    let mut last = String::new();
    while let Some(currency) = tx.query_one(&NEXT_CURRENCY, &[last.as_str().into()]).await? {
        rates.extend(tx.query_one(&LATEST, &[currency.as_str().into(), day.into()]).await?);
        last = currency;
    }
    Ok(rates)
}

statements! {
    UPSERT = TABLE.upsert(), TABLE => ();
    ALL = "SELECT currency, date, rate FROM fx_rates ORDER BY currency, date", [] => Rate;
    SINCE = "SELECT currency, date, rate FROM fx_rates WHERE date >= $1 ORDER BY currency, date", [Date] => Rate;
    NEXT_CURRENCY = "SELECT currency FROM fx_rates WHERE currency > $1 ORDER BY currency LIMIT 1", [Text] => String;
    LATEST = "SELECT currency, date, rate FROM fx_rates WHERE currency = $1 AND date <= $2 ORDER BY date DESC LIMIT 1",
        [Text, Date] => Rate;
}
