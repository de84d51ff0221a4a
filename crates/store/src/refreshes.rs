//! What to fetch from market-data providers, when, and who is working on it.
//!
//! An expired lease stays with its holder until another takes it, so that late work is not lost.

use std::collections::BTreeSet;

mod topic;

pub use topic::Topic;

use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = refreshes [topic, symbol]

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
}

/// Adds refreshes; an existing one becomes due at the earlier of the two times. Returns how many were added or moved.
pub async fn enqueue(tx: &mut Tx, topic: Topic, symbols: &[&str], due_at: i64) -> Result<u64, Error> {
    tx.execute_all(&ENQUEUE, symbols.iter().map(|symbol| [topic.as_str().into(), (*symbol).into(), due_at.into()])).await
}

/// Leases up to `limit` refreshes that are due and not leased: those never done first, then the longest due.
pub async fn claim(tx: &mut Tx, topic: Topic, now: i64, until: i64, holder: &str, limit: usize) -> Result<Vec<Refresh>, Error> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let due = tx.query(&DUE, &[topic.as_str().into(), now.into(), limit.into()]).await?;
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
        tx.execute(&ADD_MISSING, &[topic.as_str().into(), (*symbol).into(), now.into()]).await?;
        wanted.extend(tx.query_one(&BY_KEY, &[topic.as_str().into(), (*symbol).into()]).await?);
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
    tx.query(&SYMBOLS, &[topic.as_str().into()]).await
}

record! {
    /// For one topic.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Overview {
        pub topic: Topic,
        pub total: i64,
        pub never_done: i64,
        /// Due now, including those in progress.
        pub overdue: i64,
        /// Failed since they last succeeded.
        pub failing: i64,
        pub oldest_done_at: Option<i64>,
        pub newest_done_at: Option<i64>,
    }
}

/// One per topic that has refreshes, in the order of [`Topic::ALL`].
pub async fn overview(tx: &mut Tx, now: i64) -> Result<Vec<Overview>, Error> {
    let mut topics = tx.query(&OVERVIEW, &[now.into()]).await?;
    topics.sort_by_key(|one| one.topic);
    Ok(topics)
}

/// Those that failed or were postponed since they last succeeded: most failures first, then by symbol.
pub async fn failing(tx: &mut Tx, limit: i64) -> Result<Vec<Refresh>, Error> {
    tx.query(&FAILING, &[limit.into()]).await
}

/// All topics of one stock.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Refresh>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()]).await
}

/// Whether a refresh of the topic can be claimed. Called every second, so it must be cheaper than claiming.
pub async fn is_due(tx: &mut Tx, topic: Topic, now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_DUE, &[topic.as_str().into(), now.into()]).await?.unwrap_or(false))
}

/// Whether refreshes of the topic that were never tried are due or in progress.
pub async fn is_first_pending(tx: &mut Tx, topic: Topic, now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_FIRST_PENDING, &[topic.as_str().into(), now.into()]).await?.unwrap_or(false))
}

statements! {
    ENQUEUE = "INSERT INTO refreshes (topic, symbol, due_at, leased_until, failures) VALUES ($1, $2, $3, 0, 0)
        ON CONFLICT (topic, symbol) DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < refreshes.due_at",
        [Text, Text, Integer] => ();
    ADD_MISSING = "INSERT INTO refreshes (topic, symbol, due_at, leased_until, failures) VALUES ($1, $2, $3, 0, 0)
        ON CONFLICT (topic, symbol) DO NOTHING", [Text, Text, Integer] => ();
    DUE = "SELECT * FROM refreshes WHERE topic = $1 AND due_at <= $2 AND leased_until <= $2
        ORDER BY done_at IS NOT NULL, due_at, symbol LIMIT $3", [Text, Integer, Integer] => Refresh;
    BY_KEY = "SELECT * FROM refreshes WHERE topic = $1 AND symbol = $2", [Text, Text] => Refresh;
    TAKE = "UPDATE refreshes SET leased_until = $1, holder = $2 WHERE topic = $3 AND symbol = $4 AND leased_until <= $5",
        [Integer, Text, Text, Text, Integer] => ();
    FINISH = "UPDATE refreshes SET done_at = $1, due_at = $2, failures = 0, last_error = NULL, leased_until = 0, holder = NULL
        WHERE topic = $3 AND symbol = $4 AND holder = $5", [Integer, Integer, Text, Text, Text] => ();
    FAIL = "UPDATE refreshes SET failed_at = $1, last_error = $2, due_at = $3, failures = failures + 1, leased_until = 0,
        holder = NULL WHERE topic = $4 AND symbol = $5 AND holder = $6", [Integer, Text, Integer, Text, Text, Text] => ();
    POSTPONE = "UPDATE refreshes SET due_at = $1, last_error = COALESCE($2, last_error), leased_until = 0, holder = NULL
        WHERE topic = $3 AND symbol = $4 AND holder = $5", [Integer, Text, Text, Text, Text] => ();
    RELEASE = "UPDATE refreshes SET leased_until = 0, holder = NULL WHERE holder = $1", [Text] => ();
    FORGET = "DELETE FROM refreshes WHERE topic = $1 AND symbol = $2 AND holder IS NULL", [Text, Text] => ();
    SYMBOLS = "SELECT symbol FROM refreshes WHERE topic = $1 ORDER BY symbol", [Text] => String;
    OVERVIEW = "SELECT topic, COUNT(*), COUNT(CASE WHEN done_at IS NULL THEN 1 END), COUNT(CASE WHEN due_at <= $1 THEN 1 END),
        COUNT(CASE WHEN failures > 0 THEN 1 END), MIN(done_at), MAX(done_at) FROM refreshes GROUP BY topic",
        [Integer] => Overview;
    FAILING = "SELECT * FROM refreshes WHERE last_error IS NOT NULL
        ORDER BY failures DESC, symbol, topic LIMIT $1", [Integer] => Refresh;
    OF_SYMBOL = "SELECT * FROM refreshes WHERE symbol = $1 ORDER BY topic", [Text] => Refresh;
    IS_FIRST_PENDING = "SELECT EXISTS (SELECT 1 FROM refreshes WHERE topic = $1 AND done_at IS NULL AND failures = 0
        AND (due_at <= $2 OR leased_until > $2))", [Text, Integer] => bool;
    IS_DUE = "SELECT EXISTS (SELECT 1 FROM refreshes WHERE topic = $1 AND due_at <= $2 AND leased_until <= $2)",
        [Text, Integer] => bool;
}
