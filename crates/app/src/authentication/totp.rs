//! The second factor: how it is turned on and off, and its recovery codes.

use store::{Tx, sessions, totp};
use uuid::Uuid;

use crate::accounts::audit::{self, Event};
use crate::authentication::codes::{RECOVERY_CHARS, decrypted, generator, is_on, plain, take, unusable};
use crate::authentication::secret;
use crate::authentication::sessions::{Visit, rotate_in};
use crate::operations::encryption;
use crate::{App, Error, refusal};

const SECRET_BYTES: usize = 20;
const RECOVERY_CODES: usize = 10;
/// No 0, 1, 8 or 9, which look like letters.
const RECOVERY_ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// For the authenticator app; no `Debug`.
pub struct Setup {
    /// To type in, in base 32.
    pub secret: String,
    /// To show as a QR code.
    pub url: String,
}

/// Shown once; no `Debug`.
pub struct Enabled {
    pub recovery_codes: Vec<String>,
    /// The new secret of the visitor's session.
    pub session: String,
}

/// Starts the setup. No code is required until [`confirm`].
pub async fn begin(app: &App, visit: &Visit) -> Result<Setup, Error> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)?;
    encryption::ensure_key(app).await?;
    let mut tx = app.store.write_for(visit.user_id).await?;
    let encrypted = encryption::encrypt(app, &mut tx, &encryption::totp_secret(&visit.user_id), &bytes).await?;
    if !totp::begin(&mut tx, visit.user_id, &encrypted).await? {
        return Err(refusal::SecondFactor::AlreadyOn.into());
    }
    tx.commit().await?;
    setup(&bytes, &visit.email)
}

/// The setup started by [`begin`], to show it again; `None` if there is none.
pub async fn pending_setup(app: &App, visit: &Visit) -> Result<Option<Setup>, Error> {
    let factor = totp::get(&mut app.store.read().await?, visit.user_id).await?;
    let Some(factor) = factor.filter(|factor| factor.confirmed_at.is_none()) else { return Ok(None) };
    setup(&decrypted(app, visit.user_id, &factor)?, &visit.email).map(Some)
}

/// Turns it on if the authenticator's code is correct; `None` if it is wrong. Ends the other sessions.
pub async fn confirm(app: &App, visit: &Visit, code: &str) -> Result<Option<Enabled>, Error> {
    let (user_id, now) = (visit.user_id, app.clock.now_micros());
    let mut tx = app.store.write_for(visit.user_id).await?;
    match totp::get(&mut tx, user_id).await? {
        None => return Err(refusal::SecondFactor::NotStarted.into()),
        Some(factor) if factor.confirmed_at.is_some() => return Err(refusal::SecondFactor::AlreadyOn.into()),
        Some(_) => {}
    }
    if !take(app, &mut tx, user_id, code, now).await? {
        return Ok(None);
    }
    totp::confirm(&mut tx, user_id, now).await?;
    let recovery_codes = fresh_codes(&mut tx, user_id).await?;
    sessions::end_others(&mut tx, user_id, visit.session_id).await?;
    let session = rotate_in(&mut tx, visit).await?;
    audit::record(&mut tx, user_id, now, Event::TotpOn, "").await?;
    tx.commit().await?;
    Ok(Some(Enabled { recovery_codes, session }))
}

/// Turns it off; returns the session's new secret and ends the others.
pub async fn disable(app: &App, visit: &Visit) -> Result<String, Error> {
    let mut tx = app.store.write_for(visit.user_id).await?;
    totp::delete(&mut tx, visit.user_id).await?;
    sessions::end_others(&mut tx, visit.user_id, visit.session_id).await?;
    let session = rotate_in(&mut tx, visit).await?;
    audit::record(&mut tx, visit.user_id, app.clock.now_micros(), Event::TotpOff, "").await?;
    tx.commit().await?;
    Ok(session)
}

/// Turned off by somebody other than its owner; the audit log has the reason. False if there is none.
pub(crate) async fn remove(tx: &mut Tx, user_id: Uuid, now: i64, why: &str) -> Result<bool, Error> {
    let was_on = is_on(tx, user_id).await?;
    totp::delete(tx, user_id).await?;
    if was_on {
        audit::record(tx, user_id, now, Event::TotpOff, why).await?;
    }
    Ok(was_on)
}

/// Ten new codes; earlier ones become invalid.
pub async fn new_recovery_codes(app: &App, user_id: Uuid) -> Result<Vec<String>, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    if !is_on(&mut tx, user_id).await? {
        return Err(refusal::SecondFactor::Off.into());
    }
    let codes = fresh_codes(&mut tx, user_id).await?;
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::RecoveryCodesMade, "").await?;
    tx.commit().await?;
    Ok(codes)
}

pub async fn recovery_codes_left(app: &App, user_id: Uuid) -> Result<i64, Error> {
    Ok(totp::count_codes(&mut app.store.read().await?, user_id).await?)
}

fn setup(secret: &[u8], email: &str) -> Result<Setup, Error> {
    let totp = generator(secret, email)?;
    let url = totp.to_url().map_err(unusable)?;
    Ok(Setup { secret: totp_rs::Secret::from(secret.to_vec()).to_base32(), url })
}

async fn fresh_codes(tx: &mut Tx, user_id: Uuid) -> Result<Vec<String>, Error> {
    let codes = (0..RECOVERY_CODES).map(|_| recovery_code()).collect::<Result<Vec<_>, _>>();
    let codes = codes?;
    let hashes: Vec<_> = codes.iter().map(|code| secret::hash(&plain(code))).collect();
    totp::put_codes(tx, user_id, &hashes).await?;
    Ok(codes)
}

/// In groups of four, to write down.
fn recovery_code() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; RECOVERY_CHARS];
    getrandom::fill(&mut bytes)?;
    let letters = bytes.map(|byte| char::from(RECOVERY_ALPHABET[usize::from(byte % 32)]));
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    Ok(groups.join("-"))
}
