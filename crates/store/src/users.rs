//! Accounts.

use ledger::Currency;
use uuid::Uuid;

use crate::row::Columns;
use crate::table::{record, statements, table};
use crate::{Error, Tx, name_key};

table! {
    TABLE = users [id] { email_key: String, password_hash: Option<String> }

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
        /// Whether the account owns the service; at most one does.
        pub owner: bool,
    }
}

record! {
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
}

pub async fn add(tx: &mut Tx, user: &NewUser) -> Result<(), Error> {
    let key = name_key::key(&user.email);
    tx.execute(&ADD, &user.params_after([(&key).into()])).await.map(drop)
}

/// Ignores case and surrounding spaces.
pub async fn by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, Error> {
    tx.query_one(&BY_EMAIL, &[name_key::key(email).as_str().into()]).await
}

pub async fn by_id(tx: &mut Tx, user_id: Uuid) -> Result<Option<User>, Error> {
    tx.query_one(&BY_ID, &[user_id.into()]).await
}

/// All accounts, by e-mail address.
pub async fn list(tx: &mut Tx) -> Result<Vec<User>, Error> {
    tx.query(&LIST, &[]).await
}

/// Whether there is any account.
pub async fn is_any(tx: &mut Tx) -> Result<bool, Error> {
    Ok(tx.query_one(&ANY, &[]).await?.unwrap_or(false))
}

pub async fn password_hash(tx: &mut Tx, user_id: Uuid) -> Result<Option<String>, Error> {
    Ok(tx.query_one(&PASSWORD_HASH, &[user_id.into()]).await?.flatten())
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
    let mut params = profile.params_after([]);
    params.push(user_id.into());
    Ok(tx.execute(&SET_PROFILE, &params).await? > 0)
}

/// False if there is no such account.
pub async fn set_disabled(tx: &mut Tx, user_id: Uuid, disabled: bool) -> Result<bool, Error> {
    Ok(tx.execute(&SET_DISABLED, &[disabled.into(), user_id.into()]).await? > 0)
}

/// The owner of the service.
pub async fn owner(tx: &mut Tx) -> Result<Option<Uuid>, Error> {
    tx.query_one(&OWNER, &[]).await
}

/// The account that owns the service if no other does: the oldest, preferably one that is not disabled.
pub async fn heir(tx: &mut Tx) -> Result<Option<Uuid>, Error> {
    tx.query_one(&HEIR, &[]).await
}

/// Replaces the owner.
pub async fn set_owner(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR_OWNER, &[]).await?;
    tx.execute(&SET_OWNER, &[user_id.into()]).await.map(drop)
}

/// Belongs in the same transaction as every write that changes the user's answers.
pub async fn bump_version(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&BUMP_VERSION, &[user_id.into()]).await.map(drop)
}

statements! {
    ADD = "INSERT INTO users (email_key, id, email, name, preferred_currency, residence, password_hash, created_at,
        email_verified_at, disabled, version, owner) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, FALSE, 1, FALSE)", (String, NewUser) => ();
    BY_EMAIL = "SELECT * FROM users WHERE email_key = $1", [Text] => User;
    BY_ID = "SELECT * FROM users WHERE id = $1", [Uuid] => User;
    LIST = "SELECT * FROM users ORDER BY email_key", [] => User;
    ANY = "SELECT EXISTS (SELECT 1 FROM users)", [] => bool;
    SET_PASSWORD_HASH = "UPDATE users SET password_hash = $1 WHERE id = $2", [Text, Uuid] => ();
    SET_EMAIL = "UPDATE users SET email = $1, email_key = $2, email_verified_at = $3 WHERE id = $4",
        [Text, Text, Integer, Uuid] => ();
    SET_VERIFIED = "UPDATE users SET email_verified_at = $1 WHERE id = $2 AND email_verified_at IS NULL", [Integer, Uuid] => ();
    SET_PROFILE = TABLE.update(&Profile::columns("")), (Profile, Uuid) => ();
    PASSWORD_HASH = "SELECT password_hash FROM users WHERE id = $1", [Uuid] => Option<String>;
    SET_DISABLED = "UPDATE users SET disabled = $1 WHERE id = $2", [Boolean, Uuid] => ();
    OWNER = "SELECT id FROM users WHERE owner", [] => Uuid;
    HEIR = "SELECT id FROM users ORDER BY disabled, created_at, id LIMIT 1", [] => Uuid;
    CLEAR_OWNER = "UPDATE users SET owner = FALSE WHERE owner", [] => ();
    SET_OWNER = "UPDATE users SET owner = TRUE WHERE id = $1", [Uuid] => ();
    BUMP_VERSION = "UPDATE users SET version = version + 1 WHERE id = $1", [Uuid] => ();
    DELETE = "DELETE FROM users WHERE id = $1", [Uuid] => ();
}
