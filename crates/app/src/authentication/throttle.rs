//! Waiting times after wrong passwords and codes. Each attempt is counted before it is checked, so that simultaneous attempts
//! cannot all pass.

use sha2::{Digest, Sha256};
use store::sign_in_failures::{self, Failures};
use store::{Tx, WriteLock, name_key};
use uuid::Uuid;

use crate::Error;

const MINUTE: i64 = 60_000_000;
const WINDOW: i64 = 15 * MINUTE;
const FREE: i64 = 5;
const LONGEST_MINUTES: i64 = 60;
const STRANGERS_MAX: i64 = 100;
/// After this long without an attempt everything is forgotten, also for addresses without an account.
const KEPT: i64 = 90 * 24 * 60 * MINUTE;

/// What attempts are counted by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key {
    hash: [u8; 32],
    /// Others have a limited number of attempts; the owner's own browsers do not.
    capped: bool,
}

impl Key {
    /// Counted the same with or without an account.
    pub fn of_email(email: &str) -> Key {
        Key { hash: hash("email", name_key::key(email).as_bytes()), capped: true }
    }

    pub fn of_device(device: &[u8; 32]) -> Key {
        Key { hash: hash("device", device), capped: false }
    }

    pub fn of_session(session: Uuid) -> Key {
        Key { hash: hash("session", session.as_bytes()), capped: false }
    }

    /// Counted whether it succeeds or not: a refused address may be somebody else's account.
    pub fn of_email_change(user_id: Uuid) -> Key {
        Key { hash: hash("email change", user_id.as_bytes()), capped: false }
    }

    /// Counted whether it succeeds or not: each takes a turn in the queue that all passwords share.
    pub fn of_password_change(user_id: Uuid) -> Key {
        Key { hash: hash("password change", user_id.as_bytes()), capped: false }
    }

    /// For the second factor, after the correct password. Recovery codes are not counted, so the owner always has a way in.
    pub fn of_code(user_id: Uuid) -> Key {
        Key { hash: hash("code", user_id.as_bytes()), capped: true }
    }
}

impl Key {
    /// Attempts with one key are counted one at a time.
    pub fn turn(&self) -> WriteLock {
        let [a, b, c, d, e, f, g, h, ..] = self.hash;
        WriteLock::Key(i64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }
}

pub enum Admission {
    Go,
    Wait { seconds: i64 },
}

pub async fn count(tx: &mut Tx, key: Key, now: i64) -> Result<Admission, Error> {
    let known = sign_in_failures::get(tx, &key.hash).await?.unwrap_or_default();
    if key.capped && known.consecutive >= STRANGERS_MAX {
        return Ok(Admission::Wait { seconds: LONGEST_MINUTES * 60 });
    }
    if now < known.blocked_until {
        return Ok(Admission::Wait { seconds: (known.blocked_until - now).div_euclid(1_000_000) + 1 });
    }
    sign_in_failures::put(tx, &key.hash, &after(known, now)).await?;
    sign_in_failures::prune(tx, now - KEPT).await?;
    Ok(Admission::Go)
}

fn after(known: Failures, now: i64) -> Failures {
    let over = now >= known.window_start.max(known.blocked_until).saturating_add(WINDOW);
    let (window_start, earlier) = if over { (now, 0) } else { (known.window_start, known.failures) };
    let failures = earlier + 1;
    let minutes = match failures - FREE {
        ..0 => 0,
        past @ 0..=5 => 1 << past,
        6.. => LONGEST_MINUTES,
    };
    let blocked_until = if minutes == 0 { 0 } else { now + minutes * MINUTE };
    Failures { window_start, failures, consecutive: known.consecutive + 1, blocked_until }
}

/// It was correct: forget earlier attempts.
pub async fn forgive(tx: &mut Tx, key: Key) -> Result<(), Error> {
    Ok(sign_in_failures::clear(tx, &key.hash).await?)
}

/// Lets an owner sign in again whom others have locked out.
pub async fn unlock(tx: &mut Tx, user_id: Uuid, email: &str) -> Result<(), Error> {
    forgive(tx, Key::of_email(email)).await?;
    forgive(tx, Key::of_code(user_id)).await
}

/// It was correct so far: this attempt does not count, but earlier wrong ones still do.
pub async fn take_back(tx: &mut Tx, key: Key) -> Result<(), Error> {
    let known = sign_in_failures::get(tx, &key.hash).await?.unwrap_or_default();
    let (failures, consecutive) = (known.failures - 1, known.consecutive - 1);
    match consecutive > 0 {
        true => sign_in_failures::put(tx, &key.hash, &Failures { failures, consecutive, blocked_until: 0, ..known }).await?,
        false => sign_in_failures::clear(tx, &key.hash).await?,
    }
    Ok(())
}

/// Writes the existing values again, only to take the same time.
pub async fn write_again(tx: &mut Tx, key: Key) -> Result<(), Error> {
    if let Some(same) = sign_in_failures::get(tx, &key.hash).await? {
        sign_in_failures::put(tx, &key.hash, &same).await?;
    }
    Ok(())
}

fn hash(kind: &str, bytes: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(kind).chain_update([0]).chain_update(bytes).finalize().into()
}
