//! Accounts.

pub(crate) mod deletion;

use ledger::Currency;
use uuid::Uuid;

pub use deletion::delete;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx, name_key};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
    pub preferred_currency: Currency,
    pub residence: Option<String>,
    /// The user's number format; without one, the browser's is used.
    pub number_format: Option<String>,
    pub session_idle_minutes: i64,
    pub disabled: bool,
    /// Rises with every write that changes the user's answers.
    pub version: i64,
    pub created_at: i64,
    /// When the address was verified.
    pub email_verified_at: Option<i64>,
}

/// No `Debug`: the password hash must not appear in a log.
#[derive(Clone)]
pub struct NewUser {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
    pub preferred_currency: Currency,
    pub residence: Option<String>,
    pub password_hash: Option<String>,
    pub created_at: i64,
    pub email_verified_at: Option<i64>,
}

/// The user's own details and preferences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub name: Option<String>,
    pub preferred_currency: Currency,
    pub residence: Option<String>,
    pub number_format: Option<String>,
    pub session_idle_minutes: i64,
}

pub async fn add(tx: &mut Tx, user: &NewUser) -> Result<(), Error> {
    let key = name_key::key(&user.email);
    let params = [
        user.id.into(),
        user.email.as_str().into(),
        key.as_str().into(),
        user.name.as_deref().into(),
        user.preferred_currency.code().into(),
        user.residence.as_deref().into(),
        user.password_hash.as_deref().into(),
        user.created_at.into(),
        user.email_verified_at.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Ignores case and surrounding spaces.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, Error> {
    tx.query_one(&BY_EMAIL, &[name_key::key(email).as_str().into()], user).await
}

pub async fn by_id(tx: &mut Tx, user_id: Uuid) -> Result<Option<User>, Error> {
    tx.query_one(&BY_ID, &[user_id.into()], user).await
}

/// All accounts, by e-mail address.
pub async fn list(tx: &mut Tx) -> Result<Vec<User>, Error> {
    tx.query(&LIST, &[], user).await
}

/// Whether there is any account.
pub async fn is_any(tx: &mut Tx) -> Result<bool, Error> {
    Ok(tx.query_one(&ANY, &[], |row| row.bool(0)).await?.unwrap_or(false))
}

pub async fn password_hash(tx: &mut Tx, user_id: Uuid) -> Result<Option<String>, Error> {
    Ok(tx.query_one(&PASSWORD_HASH, &[user_id.into()], |row| row.opt_text(0)).await?.flatten())
}

/// False if there is no such account.
pub async fn set_password_hash(tx: &mut Tx, user_id: Uuid, hash: &str) -> Result<bool, Error> {
    Ok(tx.execute(&SET_PASSWORD_HASH, &[hash.into(), user_id.into()]).await? > 0)
}

/// False if there is no such account; a conflict if another account has the address.
pub async fn set_email(tx: &mut Tx, user_id: Uuid, email: &str, verified_at: Option<i64>) -> Result<bool, Error> {
    let key = name_key::key(email);
    Ok(tx.execute(&SET_EMAIL, &[email.into(), key.as_str().into(), verified_at.into(), user_id.into()]).await? > 0)
}

/// Only the first time is stored.
pub async fn set_verified(tx: &mut Tx, user_id: Uuid, at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&SET_VERIFIED, &[at.into(), user_id.into()]).await? > 0)
}

/// False if there is no such account.
pub async fn set_profile(tx: &mut Tx, user_id: Uuid, profile: &Profile) -> Result<bool, Error> {
    let params = [
        profile.name.as_deref().into(),
        profile.preferred_currency.code().into(),
        profile.residence.as_deref().into(),
        profile.number_format.as_deref().into(),
        profile.session_idle_minutes.into(),
        user_id.into(),
    ];
    Ok(tx.execute(&SET_PROFILE, &params).await? > 0)
}

/// False if there is no such account.
pub async fn set_disabled(tx: &mut Tx, user_id: Uuid, disabled: bool) -> Result<bool, Error> {
    Ok(tx.execute(&SET_DISABLED, &[disabled.into(), user_id.into()]).await? > 0)
}

/// Belongs in the same transaction as every write that changes the user's answers.
pub async fn bump_version(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&BUMP_VERSION, &[user_id.into()]).await.map(drop)
}

/// The version of answers computed in this transaction.
pub async fn version(tx: &mut Tx, user_id: Uuid) -> Result<Option<i64>, Error> {
    tx.query_one(&VERSION, &[user_id.into()], |row| row.i64(0)).await
}

fn user(row: &Row<'_>) -> Result<User, Error> {
    Ok(User {
        id: row.uuid(0)?,
        email: row.text(1)?,
        name: row.opt_text(2)?,
        preferred_currency: row.currency(3)?,
        residence: row.opt_text(4)?,
        number_format: row.opt_text(5)?,
        session_idle_minutes: row.i64(6)?,
        disabled: row.bool(7)?,
        version: row.i64(8)?,
        created_at: row.i64(9)?,
        email_verified_at: row.opt_i64(10)?,
    })
}

const USER: &[Type] = &[
    Type::Uuid,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Integer,
    Type::Boolean,
    Type::Integer,
    Type::Integer,
    Type::Integer,
];

statements! {
    ADD = "INSERT INTO users
        (id, email, email_key, name, preferred_currency, residence, password_hash, disabled, version, created_at,
        email_verified_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, FALSE, 1, $8, $9)",
        [Uuid, Text, Text, Text, Text, Text, Text, Integer, Integer] => [];
    BY_EMAIL = "SELECT id, email, name, preferred_currency, residence, number_format, session_idle_minutes, disabled, version,
        created_at, email_verified_at
        FROM users WHERE email_key = $1", [Text] => USER;
    BY_ID = "SELECT id, email, name, preferred_currency, residence, number_format, session_idle_minutes, disabled, version,
        created_at, email_verified_at
        FROM users WHERE id = $1", [Uuid] => USER;
    LIST = "SELECT id, email, name, preferred_currency, residence, number_format, session_idle_minutes, disabled, version,
        created_at, email_verified_at
        FROM users ORDER BY email_key", [] => USER;
    ANY = "SELECT EXISTS (SELECT 1 FROM users)", [] => [Boolean];
    SET_PASSWORD_HASH = "UPDATE users SET password_hash = $1 WHERE id = $2", [Text, Uuid] => [];
    SET_EMAIL = "UPDATE users SET email = $1, email_key = $2, email_verified_at = $3 WHERE id = $4",
        [Text, Text, Integer, Uuid] => [];
    SET_VERIFIED = "UPDATE users SET email_verified_at = $1 WHERE id = $2 AND email_verified_at IS NULL", [Integer, Uuid] => [];
    SET_PROFILE = "UPDATE users SET name = $1, preferred_currency = $2, residence = $3, number_format = $4,
        session_idle_minutes = $5 WHERE id = $6", [Text, Text, Text, Text, Integer, Uuid] => [];
    PASSWORD_HASH = "SELECT password_hash FROM users WHERE id = $1", [Uuid] => [Text];
    SET_DISABLED = "UPDATE users SET disabled = $1 WHERE id = $2", [Boolean, Uuid] => [];
    BUMP_VERSION = "UPDATE users SET version = version + 1 WHERE id = $1", [Uuid] => [];
    VERSION = "SELECT version FROM users WHERE id = $1", [Uuid] => [Integer];
}
