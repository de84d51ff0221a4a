//! The state of refreshes, for planning and for the operator.

use super::{REFRESH, Refresh, Topic, columns, refresh};
use crate::statement::statements;
use crate::{Error, Tx};

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

/// One per topic that has refreshes, in the order of [`Topic::ALL`].
pub async fn overview(tx: &mut Tx, now: i64) -> Result<Vec<Overview>, Error> {
    let mut topics = tx
        .query(&OVERVIEW, &[now.into()], |row| {
            Ok(Overview {
                topic: row.parse(0, Topic::parse)?,
                total: row.i64(1)?,
                never_done: row.i64(2)?,
                overdue: row.i64(3)?,
                failing: row.i64(4)?,
                oldest_done_at: row.opt_i64(5)?,
                newest_done_at: row.opt_i64(6)?,
            })
        })
        .await?;
    topics.sort_by_key(|one| one.topic);
    Ok(topics)
}

/// Those that failed or were postponed since they last succeeded: most failures first, then by symbol.
pub async fn failing(tx: &mut Tx, limit: i64) -> Result<Vec<Refresh>, Error> {
    tx.query(&FAILING, &[limit.into()], refresh).await
}

/// All topics of one stock.
pub async fn of_symbol(tx: &mut Tx, symbol: &str) -> Result<Vec<Refresh>, Error> {
    tx.query(&OF_SYMBOL, &[symbol.into()], refresh).await
}

/// Whether a refresh of the topic can be claimed. Called every second, so it must be cheaper than claiming.
pub async fn is_due(tx: &mut Tx, topic: Topic, now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_DUE, &[topic.as_str().into(), now.into()], |row| row.bool(0)).await?.unwrap_or(false))
}

/// Whether refreshes of the topic that were never tried are due or in progress.
pub async fn is_first_pending(tx: &mut Tx, topic: Topic, now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_FIRST_PENDING, &[topic.as_str().into(), now.into()], |row| row.bool(0)).await?.unwrap_or(false))
}

statements! {
    OVERVIEW = "SELECT topic, COUNT(*), COUNT(CASE WHEN done_at IS NULL THEN 1 END), COUNT(CASE WHEN due_at <= $1 THEN 1 END),
        COUNT(CASE WHEN failures > 0 THEN 1 END), MIN(done_at), MAX(done_at) FROM refreshes GROUP BY topic",
        [Integer] => [Text, Integer, Integer, Integer, Integer, Integer, Integer];
    FAILING = concat!("SELECT ", columns!(), " FROM refreshes WHERE last_error IS NOT NULL
        ORDER BY failures DESC, symbol, topic LIMIT $1"), [Integer] => REFRESH;
    OF_SYMBOL = concat!("SELECT ", columns!(), " FROM refreshes WHERE symbol = $1 ORDER BY topic"), [Text] => REFRESH;
    IS_FIRST_PENDING = "SELECT EXISTS (SELECT 1 FROM refreshes WHERE topic = $1 AND done_at IS NULL AND failures = 0
        AND (due_at <= $2 OR leased_until > $2))", [Text, Integer] => [Boolean];
    IS_DUE = "SELECT EXISTS (SELECT 1 FROM refreshes WHERE topic = $1 AND due_at <= $2 AND leased_until <= $2)",
        [Text, Integer] => [Boolean];
}
