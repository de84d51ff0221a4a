//! Closing prices, adjusted for splits and not for dividends, in whole units of the trading currency.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = prices [symbol, date] { symbol: String, date: Date, close: Decimal } }

/// Adds a symbol's closes, replacing those of the same day.
pub async fn upsert(tx: &mut Tx, symbol: &str, closes: &[(Date, Decimal)]) -> Result<(), Error> {
    let rows = closes.iter().map(|(date, close)| [symbol.into(), date.into(), close.into()]);
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// The closes on and after a day, oldest first.
pub async fn of_symbol(tx: &mut Tx, symbol: &str, since: Date) -> Result<Vec<(Date, Decimal)>, Error> {
    tx.query(&SINCE, &[symbol.into(), since.into()]).await
}

/// The last close of each month on and after a day, oldest first.
pub async fn month_ends(tx: &mut Tx, symbol: &str, since: Date) -> Result<Vec<(Date, Decimal)>, Error> {
    // Newest first, so the first close of a month is its last: only that one is parsed.
    let mut month = None;
    let closes = tx
        .query_with(&SINCE_NEWEST_FIRST, &[symbol.into(), since.into()], |row| {
            let date: Date = row.get(0)?;
            let met = month.replace((date.year(), date.month())) == Some((date.year(), date.month()));
            if met { Ok(None) } else { Ok(Some((date, row.get(1)?))) }
        })
        .await?;
    let mut ends: Vec<_> = closes.into_iter().flatten().collect();
    ends.reverse();
    Ok(ends)
}

statements! {
    UPSERT = TABLE.upsert(), TABLE => ();
    SINCE = "SELECT date, close FROM prices WHERE symbol = $1 AND date >= $2 ORDER BY date", [Text, Date] => (Date, Decimal);
    SINCE_NEWEST_FIRST = "SELECT date, close FROM prices WHERE symbol = $1 AND date >= $2 ORDER BY date DESC",
        [Text, Date] => (Date, Decimal);
}
