//! The second factor of an account, and its recovery codes.

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = totp [user_id] { user_id: Uuid }

    /// No `Debug`: the secret must not appear in a log.
    #[derive(Clone, PartialEq, Eq)]
    pub struct Totp {
        /// Encrypted.
        pub secret: Vec<u8>,
        /// Until it is set, no code is asked for.
        pub confirmed_at: Option<i64>,
        pub last_step: i64,
    }
}

table! { CODES = recovery_codes [user_id, hash] { user_id: Uuid, hash: [u8; 32] } }

pub async fn get(tx: &mut Tx, user_id: Uuid) -> Result<Option<Totp>, Error> {
    tx.query_one(&GET, &[user_id.into()]).await
}

/// Starts again; false if a confirmed second factor exists, which stays.
pub async fn begin(tx: &mut Tx, user_id: Uuid, secret: &[u8]) -> Result<bool, Error> {
    Ok(tx.execute(&BEGIN, &[user_id.into(), secret.into()]).await? > 0)
}

/// Of all users, with the owner of each.
pub async fn secrets(tx: &mut Tx) -> Result<Vec<(Uuid, Vec<u8>)>, Error> {
    tx.query(&SECRETS, &[]).await
}

/// The same secrets, encrypted differently.
pub async fn replace_secrets(tx: &mut Tx, secrets: &[(Uuid, Vec<u8>)]) -> Result<(), Error> {
    let rows = secrets.iter().map(|(user_id, secret)| [secret.as_slice().into(), (*user_id).into()]);
    tx.execute_all(&REPLACE_SECRET, rows).await.map(drop)
}

pub async fn confirm(tx: &mut Tx, user_id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&CONFIRM, &[at.into(), user_id.into()]).await.map(drop)
}

/// False if a code of this step or a later one was already used.
pub async fn take_step(tx: &mut Tx, user_id: Uuid, step: i64) -> Result<bool, Error> {
    Ok(tx.execute(&TAKE_STEP, &[step.into(), user_id.into()]).await? > 0)
}

/// Also deletes its recovery codes.
pub async fn delete(tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    tx.execute(&DELETE_CODES, &[user_id.into()]).await?;
    Ok(tx.execute(&DELETE, &[user_id.into()]).await? > 0)
}

/// Replaces all recovery codes.
pub async fn put_codes(tx: &mut Tx, user_id: Uuid, hashes: &[[u8; 32]]) -> Result<(), Error> {
    tx.execute(&DELETE_CODES, &[user_id.into()]).await?;
    tx.execute_all(&ADD_CODE, hashes.iter().map(|hash| [user_id.into(), hash.into()])).await.map(drop)
}

/// Uses up a recovery code; false if it is not one of them.
pub async fn take_code(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&TAKE_CODE, &[user_id.into(), hash.into()]).await? > 0)
}

pub async fn count_codes(tx: &mut Tx, user_id: Uuid) -> Result<i64, Error> {
    tx.count(&COUNT_CODES, &[user_id.into()]).await
}

statements! {
    GET = "SELECT * FROM totp WHERE user_id = $1", [Uuid] => Totp;
    BEGIN = "INSERT INTO totp (user_id, secret, last_step) VALUES ($1, $2, 0)
        ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0 WHERE totp.confirmed_at IS NULL AND totp.user_id = $1",
        [Uuid, Bytes] => ();
    SECRETS = "SELECT user_id, secret FROM totp ORDER BY user_id", [] => (Uuid, Vec<u8>);
    REPLACE_SECRET = "UPDATE totp SET secret = $1 WHERE user_id = $2", [Bytes, Uuid] => ();
    CONFIRM = "UPDATE totp SET confirmed_at = $1 WHERE user_id = $2", [Integer, Uuid] => ();
    TAKE_STEP = "UPDATE totp SET last_step = $1 WHERE user_id = $2 AND last_step < $1", [Integer, Uuid] => ();
    DELETE = "DELETE FROM totp WHERE user_id = $1", [Uuid] => ();
    ADD_CODE = CODES.insert(), CODES => ();
    TAKE_CODE = "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2", [Uuid, Bytes] => ();
    COUNT_CODES = "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1", [Uuid] => i64;
    DELETE_CODES = "DELETE FROM recovery_codes WHERE user_id = $1", [Uuid] => ();
}
