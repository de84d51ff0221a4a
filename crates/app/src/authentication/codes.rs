//! Codes of the second factor: from an authenticator app, or for recovery.

use store::{Tx, totp};
use totp_rs::{Builder, Totp};
use uuid::Uuid;

use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::operations::encryption;
use crate::{App, Error, refusal};

/// 24 characters of 5 bits: 120 bits.
pub(super) const RECOVERY_CHARS: usize = 24;

/// When it was turned on, if it is.
pub(crate) async fn on_since(tx: &mut Tx, user_id: Uuid) -> Result<Option<i64>, Error> {
    Ok(totp::get(tx, user_id).await?.and_then(|factor| factor.confirmed_at))
}

pub(crate) async fn is_on(tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    Ok(on_since(tx, user_id).await?.is_some())
}

/// Accepts a code of either kind; each is valid once.
pub(crate) async fn check(app: &App, tx: &mut Tx, user_id: Uuid, code: &str, now: i64) -> Result<bool, Error> {
    if !is_recovery_shaped(code) {
        return take(app, tx, user_id, code, now).await;
    }
    let taken = totp::take_code(tx, user_id, &secret::hash(&plain(code))).await?;
    if taken {
        audit::record(tx, user_id, now, Event::RecoveryCodeUsed, "").await?;
    }
    Ok(taken)
}

pub(crate) fn is_recovery_shaped(code: &str) -> bool {
    plain(code).len() == RECOVERY_CHARS
}

pub(super) async fn take(app: &App, tx: &mut Tx, user_id: Uuid, code: &str, now: i64) -> Result<bool, Error> {
    let Some(factor) = totp::get(tx, user_id).await? else { return Ok(false) };
    let seconds = u64::try_from(now.div_euclid(1_000_000)).unwrap_or(0);
    let Some(step) = generator(&decrypted(app, user_id, &factor)?, "account")?.check(&plain(code), seconds) else {
        return Ok(false);
    };
    Ok(totp::take_step(tx, user_id, i64::try_from(step).unwrap_or(i64::MAX)).await?)
}

/// If its key is missing, only recovery codes work, which need none.
pub(super) fn decrypted(app: &App, user_id: Uuid, factor: &totp::Totp) -> Result<Vec<u8>, Error> {
    match app.keyring.decrypt(&encryption::totp_secret(&user_id), &factor.secret) {
        Ok(Some(secret)) => return Ok(secret),
        Ok(None) => tracing::error!("a second factor cannot be decrypted; run `dripline doctor`"),
        Err(error) => tracing::error!(%error, "a second factor cannot be decrypted"),
    }
    Err(refusal::SecondFactor::Unreadable.into())
}

/// Six digits, every 30 seconds, one step early or late, SHA-1: supported by every authenticator app.
pub(super) fn generator(secret: &[u8], account: &str) -> Result<Totp, Error> {
    let builder = Builder::new().with_secret(secret.to_vec()).with_skew(1).with_issuer(Some("Dripline"));
    let built = builder.with_account_name(account.replace(':', " ")).build();
    built.map_err(unusable)
}

pub(super) fn unusable(error: impl std::fmt::Display) -> Error {
    Error::SecondFactorSecret { cause: error.to_string() }
}

pub(super) fn plain(code: &str) -> String {
    code.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
