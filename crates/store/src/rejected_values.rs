//! Values of providers that failed validation, for the operator to review.

use crate::refreshes::Topic;
use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

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

/// Makes `rows` the only rejected values of the symbol, topic and provider; those fields of the rows are ignored. A field that
/// was already rejected keeps its time. True if anything changed.
pub async fn replace(tx: &mut Tx, symbol: &str, topic: Topic, provider: &str, rows: &[RejectedValue]) -> Result<bool, Error> {
    let key = [symbol.into(), topic.as_str().into(), provider.into()];
    let mut gone = tx.query(&FIELDS, &key, |row| row.text(0)).await?;
    gone.retain(|field| rows.iter().all(|row| row.field != *field));
    let removed = tx.execute_all(&REMOVE, gone.iter().map(|field| [key[0], key[1], key[2], field.as_str().into()])).await?;
    let rows = rows.iter().map(|row| {
        let (field, value, reason) = (row.field.as_str().into(), row.value.as_str().into(), row.reason.as_str().into());
        [key[0], key[1], key[2], field, value, reason, row.seen_at.into()]
    });
    let written = tx.execute_all(&UPSERT, rows).await?;
    Ok(removed + written > 0)
}

/// Newest first.
pub async fn list(tx: &mut Tx, limit: i64) -> Result<Vec<RejectedValue>, Error> {
    tx.query(&LIST, &[limit.into()], held_back).await
}

/// By topic, provider and field.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<RejectedValue>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()], held_back).await
}

pub async fn count(tx: &mut Tx) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT, &[], |row| row.i64(0)).await?.unwrap_or(0))
}

fn held_back(row: &Row<'_>) -> Result<RejectedValue, Error> {
    Ok(RejectedValue {
        symbol: row.text(0)?,
        topic: row.parse(1, Topic::parse)?,
        provider: row.text(2)?,
        field: row.text(3)?,
        value: row.text(4)?,
        reason: row.text(5)?,
        seen_at: row.i64(6)?,
    })
}

const HELD_BACK: &[Type] = &[Type::Text, Type::Text, Type::Text, Type::Text, Type::Text, Type::Text, Type::Integer];

statements! {
    FIELDS = "SELECT field FROM held_back WHERE symbol = $1 AND topic = $2 AND provider = $3 ORDER BY field",
        [Text, Text, Text] => [Text];
    REMOVE = "DELETE FROM held_back WHERE symbol = $1 AND topic = $2 AND provider = $3 AND field = $4",
        [Text, Text, Text, Text] => [];
    UPSERT = "INSERT INTO held_back (symbol, topic, provider, field, value, reason, seen_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (symbol, topic, provider, field)
        DO UPDATE SET value = excluded.value, reason = excluded.reason
        WHERE excluded.value <> held_back.value OR excluded.reason <> held_back.reason", HELD_BACK => [];
    LIST = "SELECT symbol, topic, provider, field, value, reason, seen_at FROM held_back
        ORDER BY seen_at DESC, symbol, topic, provider, field LIMIT $1", [Integer] => HELD_BACK;
    OF_SYMBOL = "SELECT symbol, topic, provider, field, value, reason, seen_at FROM held_back
        WHERE symbol = $1 ORDER BY topic, provider, field", [Text] => HELD_BACK;
    COUNT = "SELECT COUNT(*) FROM held_back", [] => [Integer];
}
