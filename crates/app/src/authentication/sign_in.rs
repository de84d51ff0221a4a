//! Signing in: the password, and a code if the account requires one.

use store::sessions::{self, NewSession, State};
use store::users::{self, User};
use store::{Tx, devices, totp as factors};
use uuid::Uuid;

use crate::accounts::audit::{self, Event};
use crate::authentication::sessions::ABSOLUTE;
use crate::authentication::throttle::{self, Admission, Key};
use crate::authentication::{codes, passwords, secret};
use crate::{App, Error};

const PENDING: i64 = 10 * 60 * 1_000_000;
const DEVICES_MAX: i64 = 20;

/// No `Debug`: it contains a password.
pub struct Attempt<'a> {
    pub email: &'a str,
    pub password: &'a str,
    /// The secret of a browser that has signed in before.
    pub device: Option<&'a str>,
    pub agent: &'a str,
    pub address: &'a str,
}

/// Secrets are for cookies; no `Debug`.
#[derive(PartialEq, Eq)]
pub enum Outcome {
    Open {
        session: String,
        device: String,
    },
    /// The password was correct; [`code`] opens the session.
    Code {
        session: String,
    },
    Wrong,
    Wait {
        seconds: i64,
    },
}

struct Admitted {
    user: Option<User>,
    stored: Option<String>,
    device: Option<[u8; 32]>,
    key: Key,
}

/// Gives the same answer in the same time for an address without an account.
pub async fn sign_in(app: &App, attempt: &Attempt<'_>) -> Result<Outcome, Error> {
    // First the queue, then the count: an attempt refused by the queue does not count.
    let turn = app.hasher.turn().await?;
    let admitted = match admit(app, attempt).await? {
        Ok(admitted) => admitted,
        Err(seconds) => return Ok(Outcome::Wait { seconds }),
    };
    let verdict = passwords::verify_in(turn, admitted.stored.as_deref(), attempt.password).await?;
    let better = if verdict.right && verdict.rehash { passwords::hash(app, attempt.password).await.ok() } else { None };
    let now = app.clock.now_micros();
    let mut tx = app.store.write_in(Key::of_email(attempt.email).turn()).await?;
    if let Some(user) = &admitted.user {
        tx.lock_user(user.id).await?;
    }
    let outcome = match &admitted.user {
        Some(user) if verdict.right && !user.disabled && unchanged(&mut tx, user, &admitted).await? => {
            if let Some(better) = better {
                users::set_password_hash(&mut tx, user.id, &better).await?;
            }
            welcome(&mut tx, user, attempt, &admitted, now).await?
        }
        Some(user) => {
            audit::record(&mut tx, user.id, now, Event::SignInFailed, &audit::network(attempt.address)).await?;
            Outcome::Wrong
        }
        None => {
            throttle::write_again(&mut tx, admitted.key).await?;
            Outcome::Wrong
        }
    };
    tx.commit().await?;
    Ok(outcome)
}

/// The address of the user whose code this session is waiting for.
pub async fn pending_email(app: &App, session: &str) -> Result<Option<String>, Error> {
    Ok(pending(app, session).await?.map(|visit| visit.email))
}

/// The code of the second factor, or a recovery code. The session gets a new secret.
pub async fn code(app: &App, session: &str, code: &str) -> Result<Outcome, Error> {
    let Some(visit) = pending(app, session).await? else { return Ok(Outcome::Wrong) };
    let (user_id, now) = (visit.user_id, app.clock.now_micros());
    let mut tx = app.store.write_in(Key::of_email(&visit.email).turn()).await?;
    tx.lock_user(user_id).await?;
    let key = Key::of_code(user_id);
    let recovery = codes::is_recovery_shaped(code);
    // Recovery codes cannot be guessed, and let an owner in whom others have locked out.
    if !recovery && let Admission::Wait { seconds } = throttle::count(&mut tx, key, now).await? {
        return Ok(Outcome::Wait { seconds });
    }
    let opened = secret::random_secret()?;
    let right = codes::check(app, &mut tx, user_id, code, now).await?;
    if !right || !sessions::rotate(&mut tx, user_id, visit.session_id, &secret::hash(&opened)).await? {
        audit::record(&mut tx, user_id, now, Event::SignInFailed, "code").await?;
        tx.commit().await?;
        return Ok(Outcome::Wrong);
    }
    throttle::forgive(&mut tx, key).await?;
    throttle::forgive(&mut tx, Key::of_email(&visit.email)).await?;
    sessions::touch(&mut tx, user_id, visit.session_id, now).await?;
    sessions::confirm(&mut tx, user_id, visit.session_id, now).await?;
    let device = new_device(&mut tx, user_id, now).await?;
    audit::record(&mut tx, user_id, now, Event::SignedIn, if recovery { "recovery code" } else { "code" }).await?;
    tx.commit().await?;
    Ok(Outcome::Open { session: opened, device })
}

async fn admit(app: &App, attempt: &Attempt<'_>) -> Result<Result<Admitted, i64>, Error> {
    let mut tx = app.store.write_in(Key::of_email(attempt.email).turn()).await?;
    let user = users::by_email(&mut tx, attempt.email).await?;
    let hash = attempt.device.map(secret::hash);
    let (mut device, mut stored) = (None, None);
    if let Some(user) = &user {
        stored = users::password_hash(&mut tx, user.id).await?;
        if let Some(hash) = hash {
            device = devices::is_known(&mut tx, user.id, &hash).await?.then_some(hash);
        }
    }
    let key = device.map_or_else(|| Key::of_email(attempt.email), |device| Key::of_device(&device));
    match throttle::count(&mut tx, key, app.clock.now_micros()).await? {
        Admission::Wait { seconds } => Ok(Err(seconds)),
        Admission::Go => {
            tx.commit().await?;
            Ok(Ok(Admitted { user, stored, device, key }))
        }
    }
}

/// The password may have been changed, or the account deleted, while it was compared.
async fn unchanged(tx: &mut Tx, user: &User, admitted: &Admitted) -> Result<bool, Error> {
    Ok(users::password_hash(tx, user.id).await? == admitted.stored)
}

async fn welcome(tx: &mut Tx, user: &User, attempt: &Attempt<'_>, admitted: &Admitted, now: i64) -> Result<Outcome, Error> {
    let asks_code = factors::get(tx, user.id).await?.is_some_and(|factor| factor.confirmed_at.is_some());
    let state = if asks_code { State::Code } else { State::Open };
    let session = secret::random_secret()?;
    let row = NewSession {
        hash: secret::hash(&session),
        id: Uuid::now_v7(),
        user_id: user.id,
        state,
        at: now,
        agent: attempt.agent.chars().filter(|letter| !letter.is_control()).take(200).collect(),
        address: audit::network(attempt.address),
    };
    sessions::end_made_before(tx, user.id, now - ABSOLUTE).await?;
    sessions::add(tx, &row).await?;
    if asks_code {
        // Only the code proves that it is the owner.
        throttle::take_back(tx, admitted.key).await?;
        return Ok(Outcome::Code { session });
    }
    throttle::forgive(tx, admitted.key).await?;
    throttle::forgive(tx, Key::of_email(&user.email)).await?;
    let device = match (admitted.device, attempt.device) {
        (Some(hash), Some(text)) => {
            devices::touch(tx, user.id, &hash, now).await?;
            text.to_owned()
        }
        _ => new_device(tx, user.id, now).await?,
    };
    audit::record(tx, user.id, now, Event::SignedIn, &row.address).await?;
    Ok(Outcome::Open { session, device })
}

async fn new_device(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<String, Error> {
    let device = secret::random_secret()?;
    devices::trim(tx, user_id, DEVICES_MAX - 1).await?;
    devices::add(tx, user_id, &secret::hash(&device), now).await?;
    Ok(device)
}

async fn pending(app: &App, session: &str) -> Result<Option<store::Visit>, Error> {
    let visit = app.store.visit(&secret::hash(session)).await?;
    let now = app.clock.now_micros();
    Ok(visit.filter(|visit| visit.state == State::Code && !visit.disabled && now < visit.created_at + PENDING))
}
