//! Uploaded files whose plan is reviewed before they are imported.

use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    pub id: Uuid,
    pub file_name: String,
    pub created_at: i64,
    /// Set once it is imported.
    pub import_id: Option<Uuid>,
    pub choices: Choices,
}

/// The owner's choices for the file so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    pub portfolio: Option<String>,
    pub columns: Option<String>,
    pub answers: String,
    pub keep_unresolved: bool,
}

/// `file` is the original file, compressed.
pub async fn add(tx: &mut Tx, user_id: Uuid, upload: &Upload, file: &[u8]) -> Result<(), Error> {
    let params = [
        user_id.into(),
        upload.id.into(),
        upload.file_name.as_str().into(),
        file.into(),
        upload.choices.portfolio.as_deref().into(),
        upload.choices.columns.as_deref().into(),
        upload.choices.answers.as_str().into(),
        upload.choices.keep_unresolved.into(),
        upload.created_at.into(),
        upload.import_id.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Upload>, Error> {
    tx.query(&LIST, &[user_id.into()], upload).await
}

pub async fn one(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<Option<Upload>, Error> {
    tx.query_one(&ONE, &[user_id.into(), id.into()], upload).await
}

/// As compressed by the caller.
pub async fn file(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&FILE, &[user_id.into(), id.into()], |row| row.blob(0)).await
}

/// Total compressed size of the files that are not imported yet.
pub async fn waiting_bytes(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    Ok(tx.query(&WAITING_BYTES, &[user_id.into()], |row| row.i64(0)).await?.into_iter().sum())
}

/// Over all users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    pub files: u64,
    pub bytes: u64,
}

pub async fn total(tx: &mut Tx) -> Result<Total, Error> {
    let sizes = tx.query(&SIZES, &[], |row| row.i64(0)).await?;
    let bytes = sizes.iter().map(|bytes| u64::try_from(*bytes).unwrap_or_default()).sum();
    Ok(Total { files: sizes.len() as u64, bytes })
}

/// Some of those uploaded before an instant, of any user: user and upload.
pub async fn expired(tx: &mut Tx, instant: i64) -> Result<Vec<(Uuid, Uuid)>, Error> {
    tx.query(&EXPIRED, &[instant.into()], |row| Ok((row.uuid(0)?, row.uuid(1)?))).await
}

/// Replaces earlier choices. False if the user has no such upload, as in the functions below.
pub async fn set_choices(tx: &mut Tx, user_id: Uuid, id: Uuid, choices: &Choices) -> Result<bool, Error> {
    let params = [
        choices.portfolio.as_deref().into(),
        choices.columns.as_deref().into(),
        choices.answers.as_str().into(),
        choices.keep_unresolved.into(),
        user_id.into(),
        id.into(),
    ];
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

fn upload(row: &Row<'_>) -> Result<Upload, Error> {
    let choices =
        Choices { portfolio: row.opt_text(4)?, columns: row.opt_text(5)?, answers: row.text(6)?, keep_unresolved: row.bool(7)? };
    Ok(Upload { id: row.uuid(0)?, file_name: row.text(1)?, created_at: row.i64(2)?, import_id: row.opt_uuid(3)?, choices })
}

const UPLOAD: &[Type] = &[Type::Uuid, Type::Text, Type::Integer, Type::Uuid, Type::Text, Type::Text, Type::Text, Type::Boolean];

statements! {
    ADD = "INSERT INTO uploads
        (user_id, id, file_name, file, portfolio, columns, answers, keep_unresolved, created_at, import_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [Uuid, Uuid, Text, Bytes, Text, Text, Text, Boolean, Integer, Uuid] => [];
    LIST = "SELECT id, file_name, created_at, import_id, portfolio, columns, answers, keep_unresolved FROM uploads
        WHERE user_id = $1 ORDER BY created_at, id", [Uuid] => UPLOAD;
    ONE = "SELECT id, file_name, created_at, import_id, portfolio, columns, answers, keep_unresolved FROM uploads
        WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => UPLOAD;
    FILE = "SELECT file FROM uploads WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => [Bytes];
    WAITING_BYTES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM uploads WHERE user_id = $1 AND import_id IS NULL",
        [Uuid] => [Integer];
    SIZES = "SELECT CAST(LENGTH(file) AS BIGINT) FROM uploads", [] => [Integer];
    EXPIRED = "SELECT user_id, id FROM uploads WHERE created_at < $1 ORDER BY created_at LIMIT 100",
        [Integer] => [Uuid, Uuid];
    SET_SAID = "UPDATE uploads SET portfolio = $1, columns = $2, answers = $3, keep_unresolved = $4
        WHERE user_id = $5 AND id = $6", [Text, Text, Text, Boolean, Uuid, Uuid] => [];
    SET_IMPORT = "UPDATE uploads SET import_id = $1 WHERE user_id = $2 AND id = $3", [Uuid, Uuid, Uuid] => [];
    DELETE = "DELETE FROM uploads WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => [];
    DELETE_BEFORE = "DELETE FROM uploads WHERE user_id = $1 AND created_at < $2", [Uuid, Integer] => [];
    DELETE_OF_IMPORT = "DELETE FROM uploads WHERE user_id = $1 AND import_id = $2", [Uuid, Uuid] => [];
}
