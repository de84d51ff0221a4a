//! Which key encrypts the secrets in this database. The key itself is never stored here.

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = encryption_keys [id] { id: Vec<u8>, since: i64 } }

/// The id of the current key; `None` if nothing is encrypted.
pub async fn current(tx: &mut Tx) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&CURRENT, &[]).await
}

/// Replaces the previous one.
pub async fn set_current(tx: &mut Tx, id: &[u8], since: i64) -> Result<(), Error> {
    tx.execute(&CLEAR, &[]).await?;
    tx.execute(&ADD, &[id.into(), since.into()]).await.map(drop)
}

statements! {
    CURRENT = "SELECT id FROM encryption_keys ORDER BY since DESC LIMIT 1", [] => Vec<u8>;
    CLEAR = "DELETE FROM encryption_keys", [] => ();
    ADD = TABLE.insert(), TABLE => ();
}
