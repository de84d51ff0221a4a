//! Sessions of the web app: whose they are, and how they end.

use store::sessions::{self, Listed, State};
use store::users;
use uuid::Uuid;

pub use store::Visit;

use crate::accounts::audit::{self, Event};
use crate::authentication::throttle::{self, Admission, Key};
use crate::authentication::{codes, last_used, passwords, secret};
use crate::{App, Error, refusal};

const MINUTE: i64 = 60 * 1_000_000;
pub(crate) const ABSOLUTE: i64 = 30 * 24 * 60 * MINUTE;
/// The maximum and default time that an unused session stays open.
pub const IDLE_MINUTES_MAX: i64 = 7 * 24 * 60;
const RECENT: i64 = 10 * MINUTE;

/// The owner of a cookie, while the session is open.
pub async fn visit(app: &App, secret: &str) -> Result<Option<Visit>, Error> {
    let now = app.clock.now_micros();
    let found = app.store.visit(&secret::hash(secret)).await?;
    let Some(visit) = found.filter(|visit| is_open(visit, now)) else { return Ok(None) };
    if now - visit.seen_at >= MINUTE
        && let Some(mut tx) = last_used::writer_if_free(app, visit.user_id).await
        && sessions::touch(&mut tx, visit.user_id, visit.session_id, now).await.is_ok()
    {
        // This is optional: if the database has a problem, others will report it.
        let _ = tx.commit().await;
    }
    Ok(Some(visit))
}

/// Whether password and code were confirmed recently enough for actions that require it.
pub fn is_recent(visit: &Visit, now: i64) -> bool {
    now - visit.confirmed_at <= RECENT
}

/// Open sessions, the last used first.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Listed>, Error> {
    let mut tx = app.store.read().await?;
    let idle = users::by_id(&mut tx, user_id).await?.map_or(0, |user| user.session_idle_minutes);
    let now = app.clock.now_micros();
    let mut all = sessions::list(&mut tx, user_id).await?;
    all.retain(|session| is_fresh(session.created_at, session.seen_at, idle, now));
    Ok(all)
}

pub async fn sign_out(app: &App, visit: &Visit) -> Result<(), Error> {
    let mut tx = app.store.write_for(visit.user_id).await?;
    if sessions::end(&mut tx, visit.user_id, visit.session_id).await? {
        audit::record(&mut tx, visit.user_id, app.clock.now_micros(), Event::SignedOut, "").await?;
    }
    Ok(tx.commit().await?)
}

/// The session is refused from the next request on.
pub async fn end(app: &App, user_id: Uuid, session_id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    if !sessions::end(&mut tx, user_id, session_id).await? {
        return Err(refusal::Session::Unknown.into());
    }
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::SessionEnded, "one").await?;
    Ok(tx.commit().await?)
}

/// Returns how many there were.
pub async fn end_others(app: &App, user_id: Uuid, keep: Uuid) -> Result<u64, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let ended = sessions::end_others(&mut tx, user_id, keep).await?;
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::SessionEnded, &format!("{ended} others")).await?;
    tx.commit().await?;
    Ok(ended)
}

/// A new secret for the same session; the old cookie stops working.
pub async fn rotate(app: &App, visit: &Visit) -> Result<String, Error> {
    let mut tx = app.store.write_for(visit.user_id).await?;
    let secret = rotate_in(&mut tx, visit).await?;
    tx.commit().await?;
    Ok(secret)
}

/// Confirms password and code of a signed-in user. Wrong ones are throttled per session, so that nobody else's attempts lock the
/// owner out.
pub async fn confirm(app: &App, visit: &Visit, password: &str, code: Option<&str>) -> Result<bool, Error> {
    let turn = app.hasher.turn().await?;
    let (key, user_id) = (Key::of_session(visit.session_id), visit.user_id);
    let mut tx = app.store.write_for(visit.user_id).await?;
    if let Admission::Wait { seconds } = throttle::count(&mut tx, key, app.clock.now_micros()).await? {
        return Err(Error::Wait { seconds });
    }
    let stored = users::password_hash(&mut tx, user_id).await?;
    tx.commit().await?;
    let verdict = passwords::verify_in(turn, stored.as_deref(), password).await?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(visit.user_id).await?;
    let right = verdict.right
        && (!codes::is_on(&mut tx, user_id).await? || codes::check(app, &mut tx, user_id, code.unwrap_or(""), now).await?);
    match right {
        true => {
            throttle::forgive(&mut tx, key).await?;
            sessions::confirm(&mut tx, user_id, visit.session_id, now).await?;
        }
        false => audit::record(&mut tx, user_id, now, Event::SignInFailed, "confirmation").await?,
    }
    tx.commit().await?;
    Ok(right)
}

pub(crate) async fn rotate_in(tx: &mut store::Tx, visit: &Visit) -> Result<String, Error> {
    let secret = secret::random_secret()?;
    match sessions::rotate(tx, visit.user_id, visit.session_id, &secret::hash(&secret)).await? {
        true => Ok(secret),
        false => Err(refusal::Session::Over.into()),
    }
}

fn is_open(visit: &Visit, now: i64) -> bool {
    let fresh = is_fresh(visit.created_at, visit.seen_at, visit.session_idle_minutes, now);
    visit.state == State::Open && !visit.disabled && fresh
}

fn is_fresh(created_at: i64, seen_at: i64, idle_minutes: i64, now: i64) -> bool {
    now < created_at + ABSOLUTE && now < seen_at + idle_minutes.min(IDLE_MINUTES_MAX) * MINUTE
}
