//! Column mappings: which column is which in a user's files with the same header.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

pub async fn get(tx: &mut Tx, user_id: Uuid, header: &str) -> Result<Option<String>, Error> {
    tx.query_one(&GET, &[user_id.into(), header.into()], |row| row.text(0)).await
}

/// Replaces the earlier mapping.
pub async fn put(tx: &mut Tx, user_id: Uuid, header: &str, columns: &str) -> Result<(), Error> {
    tx.execute(&PUT, &[user_id.into(), header.into(), columns.into()]).await.map(drop)
}

statements! {
    GET = "SELECT columns FROM column_maps WHERE user_id = $1 AND header = $2", [Uuid, Text] => [Text];
    PUT = "INSERT INTO column_maps (user_id, header, columns) VALUES ($1, $2, $3)
        ON CONFLICT (user_id, header) DO UPDATE SET columns = excluded.columns", [Uuid, Text, Text] => [];
}
