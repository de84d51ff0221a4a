//! Who holds or watches a stock: derived from ledgers and watchlists, and stored so that they need not all be replayed.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = tracking [user_id, symbol] { symbol: String, user_id: Uuid } }

table! { FOLLOWERS = followers [symbol] { symbol: String, people: i64 } }

pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<BTreeSet<String>, Error> {
    Ok(tx.query(&OF_USER, &[user_id.into()]).await?.into_iter().collect())
}

/// Makes `symbols` the user's tracked stocks. True if anything changed.
pub async fn replace_for_user(tx: &mut Tx, user_id: Uuid, symbols: &BTreeSet<String>) -> Result<bool, Error> {
    let current = of_user(tx, user_id).await?;
    let gone = current.difference(symbols).map(|symbol| (symbol.as_str(), -1));
    let come = symbols.difference(&current).map(|symbol| (symbol.as_str(), 1));
    change(tx, user_id, gone.chain(come).collect()).await
}

/// The same for these symbols only: whether each is tracked.
pub async fn put_for_user(tx: &mut Tx, user_id: Uuid, symbols: &BTreeMap<String, bool>) -> Result<bool, Error> {
    let there = tx.query_all(&HAS, symbols.keys().map(|symbol| [user_id.into(), symbol.as_str().into()])).await?;
    let changed = symbols.iter().zip(there).filter(|((_, tracked), there)| there.is_empty() == **tracked);
    let changes = changed.map(|((symbol, tracked), _)| (symbol.as_str(), if *tracked { 1 } else { -1 })).collect();
    change(tx, user_id, changes).await
}

/// In symbol order, so that users who change the same symbols at the same time do not deadlock.
async fn change(tx: &mut Tx, user_id: Uuid, changes: BTreeMap<&str, i64>) -> Result<bool, Error> {
    if changes.is_empty() {
        return Ok(false);
    }
    let of = |change| changes.iter().filter(move |(_, by)| **by == change).map(|(symbol, _)| [(*symbol).into(), user_id.into()]);
    tx.execute_all(&REMOVE, of(-1)).await?;
    tx.execute_all(&ADD, of(1)).await?;
    tx.execute_all(&COUNT, changes.iter().map(|(symbol, by)| [(*symbol).into(), (*by).into()])).await?;
    // A symbol that nobody follows any more may have been private to one user.
    tx.execute_all(&FORGET, changes.iter().filter(|(_, by)| **by < 0).map(|(symbol, _)| [(*symbol).into()])).await?;
    Ok(true)
}

/// How many users hold or watch each stock; stocks without users are not listed.
pub async fn counts(tx: &mut Tx) -> Result<Vec<(String, i64)>, Error> {
    tx.query(&COUNTS, &[]).await
}

/// Whether any user holds or watches the stock, or the operator tracks it.
pub async fn is_tracked(tx: &mut Tx, symbol: &str) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_TRACKED, &[symbol.into()]).await?.unwrap_or(false))
}

/// Whether a stock is visible to strangers: the operator tracks it, or at least this many users hold or watch it. Takes the same
/// time for a stock that is not public and a symbol that does not exist.
pub async fn is_public(tx: &mut Tx, symbol: &str, holders_min: i64) -> Result<bool, Error> {
    let (tracked, people) = tx.query_one(&IS_PUBLIC, &[symbol.into()]).await?.unwrap_or_default();
    Ok(tracked.is_some_and(|tracked| tracked || people.is_some_and(|people| people >= holders_min)))
}

/// The user's stocks for which [`is_public`] is true.
pub async fn public_of_user(tx: &mut Tx, user_id: Uuid, holders_min: i64) -> Result<BTreeSet<String>, Error> {
    let params = [user_id.into(), holders_min.into()];
    Ok(tx.query(&PUBLIC_OF_USER, &params).await?.into_iter().collect())
}

/// Whether this user holds or watches the stock.
pub async fn has(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<bool, Error> {
    Ok(tx.query_one(&HAS, &[user_id.into(), symbol.into()]).await?.is_some())
}

/// All stocks for which [`is_tracked`] is true, by symbol.
pub async fn tracked_symbols(tx: &mut Tx) -> Result<Vec<String>, Error> {
    tx.query(&TRACKED_SYMBOLS, &[]).await
}

statements! {
    OF_USER = "SELECT symbol FROM tracking WHERE user_id = $1 ORDER BY symbol", [Uuid] => String;
    HAS = "SELECT symbol FROM tracking WHERE user_id = $1 AND symbol = $2", [Uuid, Text] => String;
    ADD = TABLE.insert(), TABLE => ();
    REMOVE = "DELETE FROM tracking WHERE symbol = $1 AND user_id = $2", [Text, Uuid] => ();
    COUNT = FOLLOWERS.insert() + " ON CONFLICT (symbol) DO UPDATE SET people = followers.people + excluded.people", FOLLOWERS => ();
    FORGET = "DELETE FROM followers WHERE symbol = $1 AND people = 0", [Text] => ();
    COUNTS = "SELECT symbol, people FROM followers ORDER BY symbol", [] => (String, i64);
    IS_TRACKED = "SELECT EXISTS (SELECT 1 FROM tracking WHERE symbol = $1)
        OR EXISTS (SELECT 1 FROM stocks WHERE symbol = $1 AND tracked = TRUE)", [Text] => bool;
    // Always two look-ups, whatever the first one finds.
    IS_PUBLIC = "SELECT (SELECT tracked FROM stocks WHERE symbol = $1 AND placeholder = FALSE),
        (SELECT people FROM followers WHERE symbol = $1)", [Text] => (Option<bool>, Option<i64>);
    PUBLIC_OF_USER = "SELECT t.symbol FROM tracking t JOIN stocks s ON s.symbol = t.symbol JOIN followers f ON f.symbol = t.symbol
        WHERE t.user_id = $1 AND s.placeholder = FALSE AND (s.tracked = TRUE OR f.people >= $2) ORDER BY t.symbol",
        [Uuid, Integer] => String;
    TRACKED_SYMBOLS = "SELECT symbol FROM stocks WHERE tracked = TRUE
        UNION SELECT symbol FROM followers ORDER BY symbol", [] => String;
}
