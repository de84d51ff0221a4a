//! Values of providers that failed validation, for the operator to review, and values that the operator removed.

use crate::refreshes::Topic;
use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = held_back [symbol, topic, provider, field]

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RejectedValue {
        pub symbol: String,
        pub topic: Topic,
        pub provider: String,
        pub field: String,
        pub value: String,
        pub reason: String,
        /// When the field was first rejected, even if its value has changed since.
        pub seen_at: i64,
    }
}

/// Stands for a provider in what the operator removed by hand: it is not counted, and stays whatever the providers answer.
pub const OPERATOR: &str = "operator";

/// Makes `rows` the only rejected values of the symbol, topic and provider; those fields of the rows are ignored. A field that
/// was already rejected keeps its time. True if anything changed.
pub async fn replace(tx: &mut Tx, symbol: &str, topic: Topic, provider: &str, rows: &[RejectedValue]) -> Result<bool, Error> {
    let key = || [symbol.into(), topic.as_str().into(), provider.into()];
    let mut gone = tx.query(&FIELDS, &key()).await?;
    gone.retain(|field| rows.iter().all(|row| row.field != *field));
    let removed = gone.iter().map(|field| {
        let [symbol, topic, provider] = key();
        [symbol, topic, provider, field.into()]
    });
    let removed = tx.execute_all(&REMOVE, removed).await?;
    let rows = rows.iter().map(|row| {
        let [symbol, topic, provider] = key();
        [symbol, topic, provider, (&row.field).into(), (&row.value).into(), (&row.reason).into(), row.seen_at.into()]
    });
    let written = tx.execute_all(&UPSERT, rows).await?;
    Ok(removed + written > 0)
}

/// Adds a single value.
pub async fn put(tx: &mut Tx, row: &RejectedValue) -> Result<(), Error> {
    tx.execute(&UPSERT, &row.params_after([])).await.map(drop)
}

/// What the operator removed, of all stocks.
pub async fn removed_by_operator(tx: &mut Tx) -> Result<Vec<RejectedValue>, Error> {
    tx.query(&OF_PROVIDER, &[OPERATOR.into()]).await
}

/// Forgets that the operator removed a value.
pub async fn forget_removal(tx: &mut Tx, removed: &RejectedValue) -> Result<(), Error> {
    let key = [(&removed.symbol).into(), removed.topic.as_str().into(), OPERATOR.into(), (&removed.field).into()];
    tx.execute(&REMOVE, &key).await.map(drop)
}

/// Newest first, without what the operator removed.
pub async fn list(tx: &mut Tx, limit: i64) -> Result<Vec<RejectedValue>, Error> {
    tx.query(&LIST, &[OPERATOR.into(), limit.into()]).await
}

/// By topic, provider and field.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<RejectedValue>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()]).await
}

/// Without what the operator removed.
pub async fn count(tx: &mut Tx) -> Result<i64, Error> {
    tx.count(&COUNT, &[OPERATOR.into()]).await
}

statements! {
    FIELDS = "SELECT field FROM held_back WHERE symbol = $1 AND topic = $2 AND provider = $3 ORDER BY field",
        [Text, Text, Text] => String;
    REMOVE = "DELETE FROM held_back WHERE symbol = $1 AND topic = $2 AND provider = $3 AND field = $4",
        [Text, Text, Text, Text] => ();
    UPSERT = TABLE.insert() + " ON CONFLICT (symbol, topic, provider, field)
        DO UPDATE SET value = excluded.value, reason = excluded.reason
        WHERE excluded.value <> held_back.value OR excluded.reason <> held_back.reason", TABLE => ();
    LIST = "SELECT * FROM held_back WHERE provider <> $1 ORDER BY seen_at DESC, symbol, topic, provider, field LIMIT $2",
        [Text, Integer] => RejectedValue;
    OF_PROVIDER = "SELECT * FROM held_back WHERE provider = $1 ORDER BY symbol, topic, field", [Text] => RejectedValue;
    OF_SYMBOL = "SELECT * FROM held_back WHERE symbol = $1 ORDER BY topic, provider, field", [Text] => RejectedValue;
    COUNT = "SELECT COUNT(*) FROM held_back WHERE provider <> $1", [Text] => i64;
}
