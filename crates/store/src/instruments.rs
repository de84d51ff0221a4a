//! A user's matches: which symbol a security of a file is, for later files.

use std::collections::HashMap;

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = instruments [user_id, key] { user_id: Uuid, key: String, symbol: String } }

/// Symbols by the name that files use for the security.
pub async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<HashMap<String, String>, Error> {
    let rows = tx.query(&OF_USER, &[user_id.into()]).await?;
    Ok(rows.into_iter().collect())
}

/// Stores symbols by key, replacing earlier ones.
pub async fn put(tx: &mut Tx, user_id: Uuid, symbols: &[(&str, &str)]) -> Result<(), Error> {
    tx.execute_all(&PUT, symbols.iter().map(|(key, symbol)| [user_id.into(), (*key).into(), (*symbol).into()])).await.map(drop)
}

statements! {
    OF_USER = "SELECT key, symbol FROM instruments WHERE user_id = $1", [Uuid] => (String, String);
    PUT = TABLE.upsert(), TABLE => ();
}
