//! What to fetch from market-data providers, when, and who is working on it.
//!
//! An expired lease stays with its holder until another takes it, so that late work is not lost.

use std::collections::BTreeSet;

pub(crate) mod overview;
mod topic;

pub use overview::{Overview, failing, is_due, is_first_pending, of_symbol, overview};
pub use topic::Topic;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    pub topic: Topic,
    /// Empty for topics without a symbol.
    pub symbol: String,
    pub due_at: i64,
    /// 0 if nobody is working on it.
    pub leased_until: i64,
    pub holder: Option<String>,
    pub done_at: Option<i64>,
    /// Consecutive failures.
    pub failures: i64,
    pub failed_at: Option<i64>,
    pub last_error: Option<String>,
}

/// Adds refreshes; an existing one becomes due at the earlier of the two times. Returns how many were added or moved.
pub async fn enqueue(tx: &mut Tx, topic: Topic, symbols: &[&str], due_at: i64) -> Result<u64, Error> {
    tx.execute_all(&ENQUEUE, symbols.iter().map(|symbol| [topic.as_str().into(), (*symbol).into(), due_at.into()])).await
}

/// Leases up to `limit` refreshes that are due and not leased: those never done first, then the longest due.
pub async fn claim(tx: &mut Tx, topic: Topic, now: i64, until: i64, holder: &str, limit: usize) -> Result<Vec<Refresh>, Error> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let due = tx.query(&DUE, &[topic.as_str().into(), now.into(), limit.into()], refresh).await?;
    take(tx, due, now, until, holder).await
}

/// Leases the refreshes of these symbols, due or not, unless they are leased already.
pub async fn claim_symbols(
    tx: &mut Tx,
    topic: Topic,
    symbols: &[&str],
    now: i64,
    until: i64,
    holder: &str,
) -> Result<Vec<Refresh>, Error> {
    let mut wanted = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let key = [topic.as_str().into(), (*symbol).into()];
        tx.execute(&ADD_MISSING, &[key[0], key[1], now.into()]).await?;
        wanted.extend(tx.query_one(&BY_KEY, &key, refresh).await?);
    }
    take(tx, wanted, now, until, holder).await
}

/// Of the refreshes, those that nobody else has taken in the meantime.
async fn take(tx: &mut Tx, refreshes: Vec<Refresh>, now: i64, until: i64, holder: &str) -> Result<Vec<Refresh>, Error> {
    let mut taken = Vec::with_capacity(refreshes.len());
    for refresh in refreshes {
        let (topic, symbol) = (refresh.topic.as_str(), refresh.symbol.as_str());
        let params = [until.into(), holder.into(), topic.into(), symbol.into(), now.into()];
        if tx.execute(&TAKE, &params).await? == 1 {
            taken.push(Refresh { leased_until: until, holder: Some(holder.to_owned()), ..refresh });
        }
    }
    Ok(taken)
}

/// Records a success and ends the lease. False, without recording it, if somebody else has the lease.
pub async fn finish(tx: &mut Tx, topic: Topic, symbol: &str, holder: &str, now: i64, next_due: i64) -> Result<bool, Error> {
    let params = [now.into(), next_due.into(), topic.as_str().into(), symbol.into(), holder.into()];
    Ok(tx.execute(&FINISH, &params).await? > 0)
}

/// Records a failure and ends the lease. False, without recording it, if somebody else has the lease.
pub async fn fail(
    tx: &mut Tx,
    topic: Topic,
    symbol: &str,
    holder: &str,
    now: i64,
    error: &str,
    next_due: i64,
) -> Result<bool, Error> {
    let params = [now.into(), error.into(), next_due.into(), topic.as_str().into(), symbol.into(), holder.into()];
    Ok(tx.execute(&FAIL, &params).await? > 0)
}

/// Ends the lease without a result and sets the next due time. A cause is stored; without one, the earlier cause stays. False if
/// somebody else has the lease.
pub async fn postpone(
    tx: &mut Tx,
    topic: Topic,
    symbol: &str,
    holder: &str,
    due_at: i64,
    cause: Option<&str>,
) -> Result<bool, Error> {
    let params = [due_at.into(), cause.into(), topic.as_str().into(), symbol.into(), holder.into()];
    Ok(tx.execute(&POSTPONE, &params).await? > 0)
}

/// Ends all leases of a holder without a result, so that others need not wait for them to expire. Returns how many.
pub async fn release(tx: &mut Tx, holder: &str) -> Result<u64, Error> {
    tx.execute(&RELEASE, &[holder.into()]).await
}

/// Deletes the topic's refreshes of other symbols, except leased ones. Returns how many.
pub async fn keep_only(tx: &mut Tx, topic: Topic, symbols: &BTreeSet<String>) -> Result<u64, Error> {
    let mut gone = self::symbols(tx, topic).await?;
    gone.retain(|symbol| !symbols.contains(symbol));
    tx.execute_all(&FORGET, gone.iter().map(|symbol| [topic.as_str().into(), symbol.as_str().into()])).await
}

/// The symbols of the topic's refreshes, in order.
pub async fn symbols(tx: &mut Tx, topic: Topic) -> Result<Vec<String>, Error> {
    tx.query(&SYMBOLS, &[topic.as_str().into()], |row| row.text(0)).await
}

fn refresh(row: &Row<'_>) -> Result<Refresh, Error> {
    Ok(Refresh {
        topic: row.parse(0, Topic::parse)?,
        symbol: row.text(1)?,
        due_at: row.i64(2)?,
        leased_until: row.i64(3)?,
        holder: row.opt_text(4)?,
        done_at: row.opt_i64(5)?,
        failures: row.i64(6)?,
        failed_at: row.opt_i64(7)?,
        last_error: row.opt_text(8)?,
    })
}

const REFRESH: &[Type] =
    &[Type::Text, Type::Text, Type::Integer, Type::Integer, Type::Text, Type::Integer, Type::Integer, Type::Integer, Type::Text];

/// The columns of a refresh in the order of [`REFRESH`].
macro_rules! columns {
    () => {
        "topic, symbol, due_at, leased_until, holder, done_at, failures, failed_at, last_error"
    };
}
use columns;

statements! {
    ENQUEUE = "INSERT INTO refreshes (topic, symbol, due_at, leased_until, failures) VALUES ($1, $2, $3, 0, 0)
        ON CONFLICT (topic, symbol) DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < refreshes.due_at",
        [Text, Text, Integer] => [];
    ADD_MISSING = "INSERT INTO refreshes (topic, symbol, due_at, leased_until, failures) VALUES ($1, $2, $3, 0, 0)
        ON CONFLICT (topic, symbol) DO NOTHING",
        [Text, Text, Integer] => [];
    DUE = concat!("SELECT ", columns!(), " FROM refreshes WHERE topic = $1 AND due_at <= $2 AND leased_until <= $2
        ORDER BY done_at IS NOT NULL, due_at, symbol LIMIT $3"), [Text, Integer, Integer] => REFRESH;
    BY_KEY = concat!("SELECT ", columns!(), " FROM refreshes WHERE topic = $1 AND symbol = $2"), [Text, Text] => REFRESH;
    TAKE = "UPDATE refreshes SET leased_until = $1, holder = $2 WHERE topic = $3 AND symbol = $4 AND leased_until <= $5",
        [Integer, Text, Text, Text, Integer] => [];
    FINISH = "UPDATE refreshes SET done_at = $1, due_at = $2, failures = 0, last_error = NULL, leased_until = 0, holder = NULL
        WHERE topic = $3 AND symbol = $4 AND holder = $5",
        [Integer, Integer, Text, Text, Text] => [];
    FAIL = "UPDATE refreshes SET failed_at = $1, last_error = $2, due_at = $3, failures = failures + 1, leased_until = 0,
        holder = NULL WHERE topic = $4 AND symbol = $5 AND holder = $6",
        [Integer, Text, Integer, Text, Text, Text] => [];
    POSTPONE = "UPDATE refreshes SET due_at = $1, last_error = COALESCE($2, last_error), leased_until = 0, holder = NULL
        WHERE topic = $3 AND symbol = $4 AND holder = $5", [Integer, Text, Text, Text, Text] => [];
    RELEASE = "UPDATE refreshes SET leased_until = 0, holder = NULL WHERE holder = $1", [Text] => [];
    FORGET = "DELETE FROM refreshes WHERE topic = $1 AND symbol = $2 AND holder IS NULL", [Text, Text] => [];
    SYMBOLS = "SELECT symbol FROM refreshes WHERE topic = $1 ORDER BY symbol", [Text] => [Text];
}
