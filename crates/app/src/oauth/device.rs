//! Devices without a browser: they show a code, and a user types it elsewhere and decides.

use store::WriteLock;
use store::oauth::device_codes::{self, DeviceCode, State};
use store::oauth::{consents, grants};
use store::users;
use uuid::Uuid;

use super::clients::{Client, Documents, find};
use super::tokens::{self, Issued};
use super::{Audience, Failure, MINUTE, Refused, SECOND, audience, authorize, check_scope, prune};
use crate::authentication::secret;
use crate::{App, Error};

const CODE_LIVES: i64 = 10 * MINUTE;
const INTERVAL_SECONDS: i64 = 5;
const SLOW_DOWN_SECONDS: i64 = 5;
const TRIES_MAX: i64 = 5;
const PENDING_MAX: i64 = 10_000;
/// Letters that cannot be confused and form no words: 20^8 codes, 34.6 bits.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_CHARS: usize = 8;

pub struct Started {
    pub device_code: String,
    /// As shown: `BCDF-GHJK`.
    pub user_code: String,
    pub expires_in_seconds: i64,
    pub interval_seconds: i64,
}

/// What a user who typed a code decides about.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub client: Client,
    pub audience: Audience,
}

pub async fn start(
    app: &App,
    base_url: &str,
    client: &Client,
    scope: Option<&str>,
    resource: Option<&str>,
) -> Result<Started, Failure> {
    if !client.devices {
        return Err(Refused::DevicesNotDeclared.into());
    }
    check_scope(scope)?;
    let audience = audience(base_url, resource)?;
    let (device_code, user_code) = (secret::random_secret()?, user_code()?);
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    prune::device_codes(&mut tx, now).await?;
    if device_codes::count_pending(&mut tx, now).await? >= PENDING_MAX {
        return Err(Refused::TooManyDevices.into());
    }
    let row = DeviceCode {
        hash: secret::hash(&device_code),
        user_code_hash: secret::hash(&user_code),
        client_id: client.id.clone(),
        audience,
        created_at: now,
        expires_at: now + CODE_LIVES,
        interval_seconds: INTERVAL_SECONDS,
        polled_at: None,
        tries: 0,
        state: State::Pending,
        user_id: None,
        grant_id: None,
    };
    device_codes::add(&mut tx, &row).await?;
    tx.commit().await?;
    let (left, right) = user_code.split_at(USER_CODE_CHARS / 2);
    Ok(Started {
        device_code,
        user_code: format!("{left}-{right}"),
        expires_in_seconds: CODE_LIVES / SECOND,
        interval_seconds: INTERVAL_SECONDS,
    })
}

/// What is waiting for the typed code. Each look-up counts, and their number is limited.
pub async fn look(app: &App, documents: &dyn Documents, typed: &str) -> Result<Option<Waiting>, Error> {
    let now = app.clock.now_micros();
    let found = pending(&mut app.store.read().await?, typed, now).await?;
    let Some(row) = found.filter(|row| row.tries < TRIES_MAX) else { return Ok(None) };
    let mut tx = app.store.write().await?;
    device_codes::count_try(&mut tx, &row.hash).await?;
    tx.commit().await?;
    waiting(app, documents, &row).await
}

/// The result of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Done,
    /// The form was already sent.
    Repeated,
    /// Nothing is waiting for the code any more.
    Unknown,
}

pub async fn decide(
    app: &App,
    documents: &dyn Documents,
    user_id: Uuid,
    typed: &str,
    form: authorize::Form,
    allow: bool,
) -> Result<Decided, Error> {
    if consents::is_used(&mut app.store.read().await?, &form.hash).await? {
        return Ok(Decided::Repeated);
    }
    let now = app.clock.now_micros();
    let found = pending(&mut app.store.read().await?, typed, now).await?;
    let Some(row) = found else { return Ok(Decided::Unknown) };
    let Some(waiting) = waiting(app, documents, &row).await? else { return Ok(Decided::Unknown) };
    let mut tx = app.store.write().await?;
    if !authorize::use_up(&mut tx, form, now).await? {
        return Ok(Decided::Repeated);
    }
    let decided = match allow {
        true => {
            let grant_id =
                authorize::add_grant(&mut tx, user_id, &waiting.client, "", waiting.audience, row.expires_at - now, now).await?;
            device_codes::decide(&mut tx, &row.hash, State::Approved, user_id, Some(grant_id)).await?
        }
        false => device_codes::decide(&mut tx, &row.hash, State::Denied, user_id, None).await?,
    };
    if !decided {
        return Ok(Decided::Unknown);
    }
    tx.commit().await?;
    Ok(Decided::Done)
}

/// The device asks whether the user has decided.
pub async fn poll(app: &App, client: &Client, device_code: &str) -> Result<Issued, Failure> {
    let no_such = || Refused::DeviceCodeExpired;
    let unknown = || Refused::DeviceCodeUnknown;
    let hash = secret::hash(device_code);
    let now = app.clock.now_micros();
    // Invalid codes never reach the write lock; what is read here is read again under it.
    device_codes::by_hash(&mut app.store.read().await?, &hash).await?.ok_or_else(unknown)?;
    let mut tx = app.store.write_in(WriteLock::Shared).await?;
    let row = device_codes::by_hash(&mut tx, &hash).await?.filter(|row| row.client_id == client.id).ok_or_else(unknown)?;
    if row.state == State::Used || now >= row.expires_at {
        return Err(no_such().into());
    }
    let too_fast = row.polled_at.is_some_and(|before| now - before < row.interval_seconds * SECOND);
    let interval = row.interval_seconds + if too_fast { SLOW_DOWN_SECONDS } else { 0 };
    device_codes::polled(&mut tx, &hash, now, interval).await?;
    let refused = match (too_fast, row.state) {
        (true, _) => Some(Refused::SlowDown { interval_seconds: interval }),
        (false, State::Denied) => Some(Refused::Denied),
        (false, State::Pending) => Some(Refused::Pending),
        (false, State::Approved | State::Used) => None,
    };
    if let Some(refused) = refused {
        tx.commit().await?;
        return Err(refused.into());
    }
    let (Some(user_id), Some(grant_id)) = (row.user_id, row.grant_id) else { return Err(no_such().into()) };
    tx.lock_user(user_id).await?;
    let grant = grants::one(&mut tx, user_id, grant_id, now).await?.ok_or_else(no_such)?;
    let disabled = users::by_id(&mut tx, user_id).await?.is_none_or(|user| user.disabled);
    if disabled || !device_codes::set_used(&mut tx, &hash).await? {
        return Err(no_such().into());
    }
    let issued = tokens::issue_first(&mut tx, user_id, grant, now).await?;
    tx.commit().await?;
    Ok(issued)
}

async fn pending(tx: &mut store::Tx, typed: &str, now: i64) -> Result<Option<DeviceCode>, Error> {
    let Some(code) = as_code(typed) else { return Ok(None) };
    let found = device_codes::by_user_code(tx, &secret::hash(&code)).await?;
    Ok(found.filter(|row| row.state == State::Pending && now < row.expires_at && row.tries <= TRIES_MAX))
}

async fn waiting(app: &App, documents: &dyn Documents, row: &DeviceCode) -> Result<Option<Waiting>, Error> {
    match find(app, documents, &row.client_id).await {
        Ok(client) => Ok(Some(Waiting { client, audience: row.audience })),
        Err(Failure::Refused(_)) => Ok(None),
        Err(Failure::Other(error)) => Err(error),
    }
}

/// In either case, with or without its dash.
fn as_code(typed: &str) -> Option<String> {
    let code: String =
        typed.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect::<String>().to_ascii_uppercase();
    (code.len() == USER_CODE_CHARS && code.bytes().all(|byte| LETTERS.contains(&byte))).then_some(code)
}

fn user_code() -> Result<String, Error> {
    let mut code = String::new();
    let mut bytes = [0_u8; 32];
    while code.len() < USER_CODE_CHARS {
        getrandom::fill(&mut bytes)?;
        // 240 is the largest multiple of 20 in a byte: values above it would favour the first letters.
        let letters = bytes.iter().filter(|byte| **byte < 240).map(|byte| char::from(LETTERS[usize::from(byte % 20)]));
        code.extend(letters.take(USER_CODE_CHARS - code.len()));
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_code_may_be_typed_with_spaces_hyphens_or_in_lowercase() {
        assert_eq!(as_code(" bcdf-ghjk "), Some("BCDFGHJK".to_owned()));
        assert_eq!(as_code("BCDF GHJK"), Some("BCDFGHJK".to_owned()));
        for bad in ["", "BCDF-GHJ", "BCDF-GHJKL", "ABCD-EFGH", "BCDF-GHJ1", "ßCDFGHJK"] {
            assert_eq!(as_code(bad), None, "{bad}");
        }
    }

    #[test]
    fn user_codes_have_eight_letters_out_of_twenty() {
        let code = user_code().unwrap();
        assert_eq!(as_code(&code), Some(code));
    }

    #[test]
    fn user_codes_use_every_letter_evenly() {
        let mut counts = [0_u64; 20];
        for letter in (0..60_000).flat_map(|_| user_code().unwrap().into_bytes()) {
            counts[LETTERS.iter().position(|known| *known == letter).unwrap()] += 1;
        }
        // 480,000 letters over 20: 24,000 each; chi-square with 19 degrees of freedom exceeds 60 once in 250,000 runs.
        let chi_square: u64 = counts.iter().map(|count| count.abs_diff(24_000).pow(2)).sum::<u64>() / 24_000;
        assert!(chi_square < 60, "{chi_square}");
    }
}
