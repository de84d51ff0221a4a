//! Splits from market data.

use jiff::civil::Date;
use ledger::{Ratio, Split};

use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

/// Adds a symbol's splits, replacing those of the same day.
pub async fn upsert(tx: &mut Tx, symbol: &str, splits: &[Split]) -> Result<(), Error> {
    let rows = splits.iter().map(|split| [symbol.into(), split.date.into(), split.ratio.new.into(), split.ratio.old.into()]);
    tx.execute_all(&UPSERT, rows).await.map(drop)
}

/// Oldest first.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Split>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()], split).await
}

/// The same for several symbols.
pub async fn of_symbols(tx: &mut Tx, symbols: &[&str]) -> Result<Vec<Vec<Split>>, Error> {
    tx.query_all(&OF_SYMBOL, symbols.iter().map(|symbol| [(*symbol).into()]), split).await
}

fn split(row: &Row<'_>) -> Result<Split, Error> {
    Ok(Split { date: row.date(0)?, ratio: Ratio { new: row.decimal(1)?, old: row.decimal(2)? } })
}

/// Removes the splits of these days; returns how many were there.
pub async fn remove(tx: &mut Tx, symbol: &str, dates: &[Date]) -> Result<u64, Error> {
    tx.execute_all(&REMOVE, dates.iter().map(|date| [symbol.into(), (*date).into()])).await
}

statements! {
    UPSERT = "INSERT INTO splits (symbol, date, new_shares, old_shares) VALUES ($1, $2, $3, $4)
        ON CONFLICT (symbol, date) DO UPDATE SET new_shares = excluded.new_shares, old_shares = excluded.old_shares",
        [Text, Date, Decimal, Decimal] => [];
    OF_SYMBOL = "SELECT date, new_shares, old_shares FROM splits WHERE symbol = $1 ORDER BY date",
        [Text] => [Date, Decimal, Decimal];
    REMOVE = "DELETE FROM splits WHERE symbol = $1 AND date = $2", [Text, Date] => [];
}
