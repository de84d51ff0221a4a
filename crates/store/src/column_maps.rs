//! Column mappings: which column is which in a user's files with the same header.

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = column_maps [user_id, header] { user_id: Uuid, header: String, columns: String } }

pub async fn get(tx: &mut Tx, user_id: Uuid, header: &str) -> Result<Option<String>, Error> {
    tx.query_one(&GET, &[user_id.into(), header.into()]).await
}

/// Replaces the earlier mapping.
pub async fn put(tx: &mut Tx, user_id: Uuid, header: &str, columns: &str) -> Result<(), Error> {
    tx.execute(&PUT, &[user_id.into(), header.into(), columns.into()]).await.map(drop)
}

statements! {
    GET = "SELECT columns FROM column_maps WHERE user_id = $1 AND header = $2", [Uuid, Text] => String;
    PUT = TABLE.upsert(), TABLE => ();
}
