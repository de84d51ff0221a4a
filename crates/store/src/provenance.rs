//! The provider of each field of a stock. A field without a row comes from the operator's files.

use std::collections::BTreeSet;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = provenance [symbol, field] { symbol: String }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Provenance {
        pub field: String,
        pub provider: String,
        pub seen_at: i64,
    }
}

/// Records the provider of a stock's fields, in pairs of field and provider. True if one was another before: explanations name it.
pub async fn put(tx: &mut Tx, symbol: &str, fields: &[(&str, &str)], seen_at: i64) -> Result<bool, Error> {
    let known = of_symbol(tx, symbol).await?;
    let is_known = |field: &str, provider: &str| known.iter().any(|one| one.field == field && one.provider == provider);
    let changed = fields.iter().any(|(field, provider)| !is_known(field, provider));
    let rows = fields.iter().map(|(field, provider)| [symbol.into(), (*field).into(), (*provider).into(), seen_at.into()]);
    tx.execute_all(&PUT, rows).await?;
    Ok(changed)
}

/// Stocks with data from a provider.
pub async fn symbols(tx: &mut Tx) -> Result<BTreeSet<String>, Error> {
    Ok(tx.query(&SYMBOLS, &[]).await?.into_iter().collect())
}

/// By field.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Provenance>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()]).await
}

/// Returns how many of the fields had a provider.
pub async fn remove(tx: &mut Tx, symbol: &str, fields: &[&str]) -> Result<u64, Error> {
    tx.execute_all(&REMOVE, fields.iter().map(|field| [symbol.into(), (*field).into()])).await
}

statements! {
    PUT = TABLE.upsert(), TABLE => ();
    OF_SYMBOL = "SELECT * FROM provenance WHERE symbol = $1 ORDER BY field", [Text] => Provenance;
    SYMBOLS = "SELECT DISTINCT symbol FROM provenance ORDER BY symbol", [] => String;
    REMOVE = "DELETE FROM provenance WHERE symbol = $1 AND field = $2", [Text, Text] => ();
}
