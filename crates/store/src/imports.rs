//! Imported files, stored so that an import can be undone.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = imports [user_id, id] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Import {
        pub id: Uuid,
        pub format: String,
        pub file_name: String,
        /// SHA-256 of the file.
        pub file_hash: [u8; 32],
        /// Data rows of the file.
        pub rows: i64 as row_count,
        pub added: i64,
        pub existing: i64,
        pub skipped: i64,
        pub created_at: i64,
        /// The opening positions that it changed, as they were before; one per line.
        pub openings_before: String,
        /// The lines of the rows that became no entry.
        pub left_out: String,
    }
}

table! { FILES = import_files [user_id, import_id] { user_id: Uuid, import_id: Uuid, file: Vec<u8> } }

/// `file` is the original file, compressed.
pub async fn add(tx: &mut Tx, user_id: Uuid, import: &Import, file: &[u8]) -> Result<(), Error> {
    tx.execute(&ADD, &import.params_after([user_id.into()])).await?;
    tx.execute(&ADD_FILE, &[user_id.into(), import.id.into(), file.into()]).await.map(drop)
}

/// The user's imports, oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Import>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

pub async fn one(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Option<Import>, Error> {
    tx.query_one(&ONE, &[user_id.into(), import_id.into()]).await
}

/// The file of an import, compressed.
pub async fn file(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&FILE, &[user_id.into(), import_id.into()]).await
}

/// Total compressed size of all imported files.
pub async fn bytes(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    Ok(tx.query(&BYTES, &[user_id.into()]).await?.into_iter().sum())
}

/// The owner of an import: the operator undoes one by its id alone.
pub async fn owner(tx: &mut Tx, import_id: Uuid) -> Result<Option<Uuid>, Error> {
    tx.query_one(&OWNER, &[import_id.into()]).await
}

/// Deletes an import, after [`crate::entries::delete_of_import`]. False if the user has none with that id.
pub async fn delete(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<bool, Error> {
    tx.execute(&DELETE_FILE, &[user_id.into(), import_id.into()]).await?;
    Ok(tx.execute(&DELETE, &[user_id.into(), import_id.into()]).await? > 0)
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    ADD_FILE = FILES.insert(), FILES => ();
    FILE = "SELECT file FROM import_files WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => Vec<u8>;
    BYTES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM import_files WHERE user_id = $1", [Uuid] => i64;
    DELETE_FILE = "DELETE FROM import_files WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => ();
    LIST = "SELECT * FROM imports WHERE user_id = $1 ORDER BY created_at, id", [Uuid] => Import;
    ONE = "SELECT * FROM imports WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => Import;
    OWNER = "SELECT user_id FROM imports WHERE id = $1", [Uuid] => Uuid;
    DELETE = "DELETE FROM imports WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
}
