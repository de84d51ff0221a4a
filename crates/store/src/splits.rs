//! Splits from market data.

use jiff::civil::Date;
use ledger::{Ratio, Split};
use rust_decimal::Decimal;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = splits [symbol, date] { symbol: String, date: Date, new_shares: Decimal, old_shares: Decimal } }

/// Adds a symbol's splits, replacing those of the same day.
pub async fn upsert(tx: &mut Tx, symbol: &str, splits: &[Split]) -> Result<(), Error> {
    let rows = splits.iter().map(|split| [symbol.into(), split.date.into(), split.ratio.new.into(), split.ratio.old.into()]);
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// Oldest first.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Split>, Error> {
    Ok(tx.query(&OF_SYMBOL, &[symbol.into()]).await?.into_iter().map(split).collect())
}

/// The same for several symbols.
pub async fn of_symbols(tx: &mut Tx, symbols: &[&str]) -> Result<Vec<Vec<Split>>, Error> {
    let found = tx.query_all(&OF_SYMBOL, symbols.iter().map(|symbol| [(*symbol).into()])).await?;
    Ok(found.into_iter().map(|splits| splits.into_iter().map(split).collect()).collect())
}

fn split((date, new, old): (Date, Decimal, Decimal)) -> Split {
    Split { date, ratio: Ratio { new, old } }
}

statements! {
    UPSERT = TABLE.upsert(), TABLE => ();
    OF_SYMBOL = "SELECT date, new_shares, old_shares FROM splits WHERE symbol = $1 ORDER BY date",
        [Text] => (Date, Decimal, Decimal);
}
