//! Uploaded files whose plan is reviewed before they are imported.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = uploads [user_id, id] { user_id: Uuid, file: Vec<u8> }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Upload {
        pub id: Uuid,
        pub file_name: String,
        pub created_at: i64,
        /// Set once it is imported.
        pub import_id: Option<Uuid>,
        pub choices: Choices,
    }
}

record! {
    /// The owner's choices for the file so far.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Choices {
        pub portfolio: Option<String>,
        pub columns: Option<String>,
        pub answers: String,
        pub keep_unresolved: bool,
    }
}

/// `file` is the original file, compressed.
pub async fn add(tx: &mut Tx, user_id: Uuid, upload: &Upload, file: &[u8]) -> Result<(), Error> {
    tx.execute(&ADD, &upload.params_after([user_id.into(), file.into()])).await.map(drop)
}

/// Oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Upload>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

pub async fn one(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<Option<Upload>, Error> {
    tx.query_one(&ONE, &[user_id.into(), id.into()]).await
}

/// As compressed by the caller.
pub async fn file(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&FILE, &[user_id.into(), id.into()]).await
}

/// Total compressed size of the files that are not imported yet.
pub async fn waiting_bytes(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    Ok(tx.query(&WAITING_BYTES, &[user_id.into()]).await?.into_iter().sum())
}

/// Over all users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    pub files: u64,
    pub bytes: u64,
}

pub async fn total(tx: &mut Tx) -> Result<Total, Error> {
    let sizes = tx.query(&SIZES, &[]).await?;
    let bytes = sizes.iter().map(|bytes| u64::try_from(*bytes).unwrap_or_default()).sum();
    Ok(Total { files: sizes.len() as u64, bytes })
}

/// Some of those uploaded before an instant, of any user: user and upload.
pub async fn expired(tx: &mut Tx, instant: i64) -> Result<Vec<(Uuid, Uuid)>, Error> {
    tx.query(&EXPIRED, &[instant.into()]).await
}

/// Replaces earlier choices. False if the user has no such upload, as in the functions below.
pub async fn set_choices(tx: &mut Tx, user_id: Uuid, id: Uuid, choices: &Choices) -> Result<bool, Error> {
    let mut params = choices.params_after([]);
    params.extend([user_id.into(), id.into()]);
    Ok(tx.execute(&SET_SAID, &params).await? > 0)
}

pub async fn set_import(tx: &mut Tx, user_id: Uuid, id: Uuid, import_id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&SET_IMPORT, &[import_id.into(), user_id.into(), id.into()]).await? > 0)
}

pub async fn delete(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[user_id.into(), id.into()]).await? > 0)
}

/// Those uploaded before an instant.
pub async fn delete_before(tx: &mut Tx, user_id: Uuid, instant: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[user_id.into(), instant.into()]).await
}

pub async fn delete_of_import(tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<u64, Error> {
    tx.execute(&DELETE_OF_IMPORT, &[user_id.into(), import_id.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    LIST = "SELECT * FROM uploads WHERE user_id = $1 ORDER BY created_at, id", [Uuid] => Upload;
    ONE = "SELECT * FROM uploads WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => Upload;
    FILE = "SELECT file FROM uploads WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => Vec<u8>;
    WAITING_BYTES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM uploads WHERE user_id = $1 AND import_id IS NULL", [Uuid] => i64;
    SIZES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM uploads", [] => i64;
    EXPIRED = "SELECT user_id, id FROM uploads WHERE created_at < $1 ORDER BY created_at LIMIT 100", [Integer] => (Uuid, Uuid);
    SET_SAID = TABLE.update(&Choices::columns("")), (Choices, Uuid, Uuid) => ();
    SET_IMPORT = "UPDATE uploads SET import_id = $1 WHERE user_id = $2 AND id = $3", [Uuid, Uuid, Uuid] => ();
    DELETE = "DELETE FROM uploads WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
    DELETE_BEFORE = "DELETE FROM uploads WHERE user_id = $1 AND created_at < $2", [Uuid, Integer] => ();
    DELETE_OF_IMPORT = "DELETE FROM uploads WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => ();
}
