//! Imported files, stored so that an import can be undone.

use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub id: Uuid,
    pub format: String,
    pub file_name: String,
    /// SHA-256 of the file.
    pub file_hash: [u8; 32],
    /// Data rows of the file.
    pub rows: i64,
    pub added: i64,
    pub existing: i64,
    pub skipped: i64,
    pub created_at: i64,
}

/// `file` is the original file, compressed.
pub async fn add(tx: &mut Tx, user_id: Uuid, import: &Import, file: &[u8]) -> Result<(), Error> {
    let params = [
        user_id.into(),
        import.id.into(),
        import.format.as_str().into(),
        import.file_name.as_str().into(),
        import.file_hash.as_slice().into(),
        import.rows.into(),
        import.added.into(),
        import.existing.into(),
        import.skipped.into(),
        import.created_at.into(),
    ];
    tx.execute(&ADD, &params).await?;
    tx.execute(&ADD_FILE, &[user_id.into(), import.id.into(), file.into()]).await.map(drop)
}

/// The user's imports, oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Import>, Error> {
    tx.query(&LIST, &[user_id.into()], import).await
}

pub async fn one(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Option<Import>, Error> {
    tx.query_one(&ONE, &[user_id.into(), import_id.into()], import).await
}

/// The file of an import, compressed.
pub async fn file(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&FILE, &[user_id.into(), import_id.into()], |row| row.blob(0)).await
}

/// Total compressed size of all imported files.
pub async fn bytes(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    Ok(tx.query(&BYTES, &[user_id.into()], |row| row.i64(0)).await?.into_iter().sum())
}

/// The owner of an import: the operator undoes one by its id alone.
pub async fn owner(tx: &mut Tx, import_id: Uuid) -> Result<Option<Uuid>, Error> {
    tx.query_one(&OWNER, &[import_id.into()], |row| row.uuid(0)).await
}

/// Deletes an import, after [`crate::entries::delete_of_import`]. False if the user has none with that id.
pub async fn delete(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<bool, Error> {
    tx.execute(&DELETE_FILE, &[user_id.into(), import_id.into()]).await?;
    Ok(tx.execute(&DELETE, &[user_id.into(), import_id.into()]).await? > 0)
}

fn import(row: &Row<'_>) -> Result<Import, Error> {
    Ok(Import {
        id: row.uuid(0)?,
        format: row.text(1)?,
        file_name: row.text(2)?,
        file_hash: row.bytes(3)?,
        rows: row.i64(4)?,
        added: row.i64(5)?,
        existing: row.i64(6)?,
        skipped: row.i64(7)?,
        created_at: row.i64(8)?,
    })
}

const IMPORT: &[Type] =
    &[Type::Uuid, Type::Text, Type::Text, Type::Bytes, Type::Integer, Type::Integer, Type::Integer, Type::Integer, Type::Integer];

statements! {
    ADD = "INSERT INTO imports
        (user_id, id, format, file_name, file_hash, row_count, added, existing, skipped, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [Uuid, Uuid, Text, Text, Bytes, Integer, Integer, Integer, Integer, Integer] => [];
    ADD_FILE = "INSERT INTO import_files (user_id, import_id, file) VALUES ($1, $2, $3)", [Uuid, Uuid, Bytes] => [];
    FILE = "SELECT file FROM import_files WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [Bytes];
    BYTES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM import_files WHERE user_id = $1", [Uuid] => [Integer];
    DELETE_FILE = "DELETE FROM import_files WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
    LIST = "SELECT id, format, file_name, file_hash, row_count, added, existing, skipped, created_at FROM imports
        WHERE user_id = $1 ORDER BY created_at, id", [Uuid] => IMPORT;
    ONE = "SELECT id, format, file_name, file_hash, row_count, added, existing, skipped, created_at FROM imports
        WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => IMPORT;
    OWNER = "SELECT user_id FROM imports WHERE id = $1", [Uuid] => [Uuid];
    DELETE = "DELETE FROM imports WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => [];
}
