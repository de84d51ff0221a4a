//! Signed-in browsers, identified by the SHA-256 of their cookie.

use ledger::Currency;
use uuid::Uuid;

use crate::table::{record, statements, table, words};
use crate::{Error, Tx};

record! {
    /// What one look-up returns about the owner of a session cookie. The caller decides how old it may be.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Visit {
        pub session_id: Uuid,
        pub state: State,
        pub created_at: i64,
        pub seen_at: i64,
        pub confirmed_at: i64,
        pub user_id: Uuid,
        pub email: String,
        pub name: Option<String>,
        pub preferred_currency: Currency,
        pub residence: Option<String>,
        pub number_format: Option<String>,
        pub session_idle_minutes: i64,
        pub user_version: i64,
        pub disabled: bool,
        pub has_password: bool,
        pub has_totp: bool,
        /// Whether the user owns the service.
        pub owner: bool,
    }
}

words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        /// The password was correct; the second factor is still missing.
        Code = "code",
        Open = "open",
    }
}

/// No `Debug`: the hash must not appear in a log.
#[derive(Clone)]
pub struct NewSession {
    pub hash: [u8; 32],
    pub id: Uuid,
    pub user_id: Uuid,
    pub state: State,
    pub at: i64,
    pub agent: String,
    pub address: String,
}

table! {
    TABLE = sessions [hash] { hash: [u8; 32], user_id: Uuid, state: State, confirmed_at: i64 }

    /// An open session, as its owner sees it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Listed {
        pub id: Uuid,
        pub created_at: i64,
        pub seen_at: i64,
        pub agent: String,
        pub address: String,
    }
}

pub async fn add(tx: &mut Tx, session: &NewSession) -> Result<(), Error> {
    let NewSession { hash, id, user_id, state, at, agent, address } = session;
    let at = || at.into();
    let params = [hash.into(), user_id.into(), state.into(), at(), id.into(), at(), at(), agent.into(), address.into()];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Open sessions, the last used first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Listed>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

/// An earlier instant never replaces a later one.
pub async fn touch(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), id.into()]).await.map(drop)
}

/// The password, and the code if there is one, was confirmed again.
pub async fn confirm(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&CONFIRM, &[at.into(), user_id.into(), id.into()]).await.map(drop)
}

/// Gives a session a new secret and invalidates the old one. False if it has ended.
pub async fn rotate(tx: &mut Tx, user_id: Uuid, id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&ROTATE, &[hash.into(), user_id.into(), id.into()]).await? > 0)
}

/// False if the user has no such session.
pub async fn end(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&END, &[user_id.into(), id.into()]).await? > 0)
}

pub async fn end_others(tx: &mut Tx, user_id: Uuid, keep: Uuid) -> Result<u64, Error> {
    tx.execute(&END_OTHERS, &[user_id.into(), keep.into()]).await
}

pub async fn end_all(tx: &mut Tx, user_id: Uuid) -> Result<u64, Error> {
    tx.execute(&END_ALL, &[user_id.into()]).await
}

/// Ends sessions that are too old to be valid again, whatever the clock says.
pub async fn end_made_before(tx: &mut Tx, user_id: Uuid, instant: i64) -> Result<u64, Error> {
    tx.execute(&END_MADE_BEFORE, &[user_id.into(), instant.into()]).await
}

statements! {
    VISIT = "SELECT s.id, s.state, s.created_at, s.seen_at, s.confirmed_at, s.user_id, u.email, u.name, u.preferred_currency,
        u.residence, u.number_format, u.session_idle_minutes, u.version, u.disabled, u.password_hash IS NOT NULL,
        EXISTS (SELECT 1 FROM totp t WHERE t.user_id = s.user_id AND t.confirmed_at IS NOT NULL), u.owner
        FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = $1", [Bytes] => Visit;
    ADD = TABLE.insert(), TABLE => ();
    LIST = "SELECT * FROM sessions WHERE user_id = $1 AND state = 'open' ORDER BY seen_at DESC, id DESC", [Uuid] => Listed;
    TOUCH = "UPDATE sessions SET seen_at = $1 WHERE user_id = $2 AND id = $3 AND seen_at < $1", [Integer, Uuid, Uuid] => ();
    CONFIRM = "UPDATE sessions SET confirmed_at = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => ();
    ROTATE = "UPDATE sessions SET hash = $1, state = 'open' WHERE user_id = $2 AND id = $3", [Bytes, Uuid, Uuid] => ();
    END = "DELETE FROM sessions WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => ();
    END_OTHERS = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2", [Uuid, Uuid] => ();
    END_ALL = "DELETE FROM sessions WHERE user_id = $1", [Uuid] => ();
    END_MADE_BEFORE = "DELETE FROM sessions WHERE user_id = $1 AND created_at < $2", [Uuid, Integer] => ();
}
