//! A user's matches: which symbol a security of a file is, for later files.

use std::collections::HashMap;

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table, words};
use crate::{Error, Tx};

words! {
    /// Who matched it, or why it has no match.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Origin {
        User = "user",
        Automatic = "automatic",
        /// The user undid an automatic match; the symbol is the one it is kept under.
        Undone = "undone",
        /// It has no ticker; the symbol is the one it is kept under.
        Unlisted = "unlisted",
    }
}

table! {
    TABLE = instruments [user_id, key] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Match {
        /// What files call the security: its ISIN, else its ticker or name.
        pub key: String,
        pub symbol: String,
        pub origin: Origin,
        /// Whether the user knows of it.
        pub seen: bool,
    }
}

impl Match {
    /// One that the user knows of.
    pub fn new(key: &str, symbol: &str, origin: Origin) -> Match {
        Match { key: key.to_owned(), symbol: symbol.to_owned(), origin, seen: true }
    }
}

/// Symbols by the name that files use for the security.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<HashMap<String, String>, Error> {
    Ok(list(tx, user_id).await?.into_iter().map(|one| (one.key, one.symbol)).collect())
}

/// By key.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Match>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

/// The symbols that users have matched each key with, if market data knows them.
pub async fn confirmed(tx: &mut Tx, keys: &[&str]) -> Result<Vec<Vec<String>>, Error> {
    tx.query_all(&CONFIRMED, keys.iter().map(|key| [(*key).into()])).await
}

/// Stores matches, replacing earlier ones with the same keys.
pub async fn put(tx: &mut Tx, user_id: Uuid, matches: &[Match]) -> Result<(), Error> {
    let rows: Vec<_> = matches.iter().map(|one| one.params_after([user_id.into()])).collect();
    tx.execute_rows(&PUT, &rows).await.map(drop)
}

/// The user knows of all matches.
pub async fn set_seen(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&SET_SEEN, &[user_id.into()]).await.map(drop)
}

statements! {
    LIST = "SELECT * FROM instruments WHERE user_id = $1 ORDER BY key", [Uuid] => Match;
    CONFIRMED = "SELECT DISTINCT i.symbol FROM instruments i JOIN stocks s ON s.symbol = i.symbol
        WHERE i.key = $1 AND i.origin = 'user' AND s.placeholder = FALSE ORDER BY i.symbol", [Text] => String;
    PUT = TABLE.upsert(), TABLE => ();
    SET_SEEN = "UPDATE instruments SET seen = TRUE WHERE user_id = $1 AND seen = FALSE", [Uuid] => ();
}
