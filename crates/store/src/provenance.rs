//! The provider of each field of a stock. A field without a row comes from the operator's files.

use std::collections::BTreeSet;

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    pub field: String,
    pub provider: String,
    pub seen_at: i64,
}

/// Records the provider of a stock's fields, in pairs of field and provider.
pub async fn put(tx: &mut Tx, symbol: &str, fields: &[(&str, &str)], seen_at: i64) -> Result<(), Error> {
    let rows = fields.iter().map(|(field, provider)| [symbol.into(), (*field).into(), (*provider).into(), seen_at.into()]);
    tx.execute_all(&PUT, rows).await.map(drop)
}

/// Stocks with data from a provider.
pub async fn symbols(tx: &mut Tx) -> Result<BTreeSet<String>, Error> {
    Ok(tx.query(&SYMBOLS, &[], |row| row.text(0)).await?.into_iter().collect())
}

/// By field.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Provenance>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()], |row| {
        Ok(Provenance { field: row.text(0)?, provider: row.text(1)?, seen_at: row.i64(2)? })
    })
    .await
}

/// Returns how many of the fields had a provider.
pub async fn remove(tx: &mut Tx, symbol: &str, fields: &[&str]) -> Result<u64, Error> {
    tx.execute_all(&REMOVE, fields.iter().map(|field| [symbol.into(), (*field).into()])).await
}

statements! {
    PUT = "INSERT INTO provenance (symbol, field, provider, seen_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (symbol, field) DO UPDATE SET provider = excluded.provider, seen_at = excluded.seen_at",
        [Text, Text, Text, Integer] => [];
    OF_SYMBOL = "SELECT field, provider, seen_at FROM provenance WHERE symbol = $1 ORDER BY field",
        [Text] => [Text, Text, Integer];
    SYMBOLS = "SELECT DISTINCT symbol FROM provenance ORDER BY symbol", [] => [Text];
    REMOVE = "DELETE FROM provenance WHERE symbol = $1 AND field = $2", [Text, Text] => [];
}
