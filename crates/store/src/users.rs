//! Accounts.

use ledger::Currency;
use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Param, Type, statements};
use crate::{Error, Tx, fold};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
    pub preferred_currency: Currency,
    pub residence: Option<String>,
    pub disabled: bool,
    /// Rises with every write that changes what the user's answers say.
    pub version: i64,
    pub created_at: i64,
}

/// No `Debug`: the hash of a password has no place in a log.
#[derive(Clone)]
pub struct NewUser {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
    pub preferred_currency: Currency,
    pub residence: Option<String>,
    pub password_hash: Option<String>,
    pub created_at: i64,
}

pub async fn add(tx: &mut Tx, user: &NewUser) -> Result<(), Error> {
    let key = fold::key(&user.email);
    let params = [
        user.id.into(),
        user.email.as_str().into(),
        key.as_str().into(),
        user.name.as_deref().into(),
        user.preferred_currency.code().into(),
        user.residence.as_deref().into(),
        user.password_hash.as_deref().into(),
        user.created_at.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Case and blanks around the address do not count.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, Error> {
    tx.query_one(&BY_EMAIL, &[fold::key(email).as_str().into()], user).await
}

pub async fn by_id(tx: &mut Tx, user_id: Uuid) -> Result<Option<User>, Error> {
    tx.query_one(&BY_ID, &[user_id.into()], user).await
}

/// All accounts, by e-mail address.
pub async fn list(tx: &mut Tx) -> Result<Vec<User>, Error> {
    tx.query(&LIST, &[], user).await
}

pub async fn password_hash(tx: &mut Tx, user_id: Uuid) -> Result<Option<String>, Error> {
    Ok(tx.query_one(&PASSWORD_HASH, &[user_id.into()], |row| row.opt_text(0)).await?.flatten())
}

/// False when there is no such account.
pub async fn set_disabled(tx: &mut Tx, user_id: Uuid, disabled: bool) -> Result<bool, Error> {
    Ok(tx.execute(&SET_DISABLED, &[disabled.into(), user_id.into()]).await? > 0)
}

/// Belongs into the same transaction as every write that changes what the user's answers say.
pub async fn bump_version(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&BUMP_VERSION, &[user_id.into()]).await.map(drop)
}

/// The version that answers computed in this transaction belong to.
pub async fn version(tx: &mut Tx, user_id: Uuid) -> Result<Option<i64>, Error> {
    tx.query_one(&VERSION, &[user_id.into()], |row| row.i64(0)).await
}

/// Deletes the account and every row of it in every table. False when there is no such account.
pub async fn delete(tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    let of_user: [Param<'_>; 1] = [user_id.into()];
    for statement in [
        &DELETE_TRACKING,
        &DELETE_RADAR,
        &DELETE_ENTRIES,
        &DELETE_ACCRUALS,
        &DELETE_STATEMENTS,
        &DELETE_IMPORT_FILES,
        &DELETE_IMPORTS,
        &DELETE_INSTRUMENTS,
        &DELETE_COLUMN_MAPS,
        &DELETE_PORTFOLIOS,
        &DELETE_TOKENS,
    ] {
        tx.execute(statement, &of_user).await?;
    }
    Ok(tx.execute(&DELETE, &of_user).await? > 0)
}

fn user(row: &Row<'_>) -> Result<User, Error> {
    Ok(User {
        id: row.uuid(0)?,
        email: row.text(1)?,
        name: row.opt_text(2)?,
        preferred_currency: row.currency(3)?,
        residence: row.opt_text(4)?,
        disabled: row.bool(5)?,
        version: row.i64(6)?,
        created_at: row.i64(7)?,
    })
}

const USER: &[Type] = &[Type::Uuid, Type::Text, Type::Text, Type::Text, Type::Text, Type::Boolean, Type::Integer, Type::Integer];

statements! {
    ADD = "INSERT INTO users
        (id, email, email_key, name, preferred_currency, residence, password_hash, disabled, version, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, FALSE, 1, $8)",
        [Uuid, Text, Text, Text, Text, Text, Text, Integer] => [];
    BY_EMAIL = "SELECT id, email, name, preferred_currency, residence, disabled, version, created_at
        FROM users WHERE email_key = $1", [Text] => USER;
    BY_ID = "SELECT id, email, name, preferred_currency, residence, disabled, version, created_at
        FROM users WHERE id = $1", [Uuid] => USER;
    LIST = "SELECT id, email, name, preferred_currency, residence, disabled, version, created_at
        FROM users ORDER BY email_key", [] => USER;
    PASSWORD_HASH = "SELECT password_hash FROM users WHERE id = $1", [Uuid] => [Text];
    SET_DISABLED = "UPDATE users SET disabled = $1 WHERE id = $2", [Boolean, Uuid] => [];
    BUMP_VERSION = "UPDATE users SET version = version + 1 WHERE id = $1", [Uuid] => [];
    VERSION = "SELECT version FROM users WHERE id = $1", [Uuid] => [Integer];
    DELETE_TRACKING = "DELETE FROM tracking WHERE user_id = $1", [Uuid] => [];
    DELETE_RADAR = "DELETE FROM radar WHERE user_id = $1", [Uuid] => [];
    DELETE_ENTRIES = "DELETE FROM entries WHERE user_id = $1", [Uuid] => [];
    DELETE_ACCRUALS = "DELETE FROM accruals WHERE user_id = $1", [Uuid] => [];
    DELETE_STATEMENTS = "DELETE FROM statements WHERE user_id = $1", [Uuid] => [];
    DELETE_INSTRUMENTS = "DELETE FROM instruments WHERE user_id = $1", [Uuid] => [];
    DELETE_COLUMN_MAPS = "DELETE FROM column_maps WHERE user_id = $1", [Uuid] => [];
    DELETE_IMPORT_FILES = "DELETE FROM import_files WHERE user_id = $1", [Uuid] => [];
    DELETE_IMPORTS = "DELETE FROM imports WHERE user_id = $1", [Uuid] => [];
    DELETE_PORTFOLIOS = "DELETE FROM portfolios WHERE user_id = $1", [Uuid] => [];
    DELETE_TOKENS = "DELETE FROM tokens WHERE user_id = $1", [Uuid] => [];
    DELETE = "DELETE FROM users WHERE id = $1", [Uuid] => [];
}
