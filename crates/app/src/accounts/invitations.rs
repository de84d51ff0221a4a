//! Invitations: links to create an account, if sign-up requires one.

use store::invitations::{self, Invitation};
use uuid::Uuid;

use crate::authentication::secret;
use crate::{App, Error, refusal};

const DAYS_MAX: i64 = 365;
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// The secret only exists here and in the link; no `Debug`.
pub struct Created {
    pub id: Uuid,
    pub secret: String,
    pub expires_at: i64,
}

pub async fn create(app: &App, days: i64) -> Result<Created, Error> {
    if !(1..=DAYS_MAX).contains(&days) {
        return Err(refusal::Invitation::Days { min: 1, max: DAYS_MAX }.into());
    }
    let (id, secret, now) = (Uuid::now_v7(), secret::random_secret()?, app.clock.now_micros());
    let expires_at = now + days * DAY;
    let mut tx = app.store.write().await?;
    let invitation = Invitation { id, created_at: now, expires_at, used_at: None };
    invitations::add(&mut tx, &secret::hash(&secret), &invitation).await?;
    tx.commit().await?;
    Ok(Created { id, secret, expires_at })
}

/// Includes used and expired ones, oldest first.
pub async fn list(app: &App) -> Result<Vec<Invitation>, Error> {
    Ok(invitations::list(&mut app.store.read().await?).await?)
}

/// The link stops working at once.
pub async fn revoke(app: &App, id: &str) -> Result<(), Error> {
    let unknown = || Error::from(refusal::Invitation::Unknown { id: id.to_owned() });
    let parsed: Uuid = id.parse().map_err(|_| unknown())?;
    let mut tx = app.store.write().await?;
    if !invitations::delete(&mut tx, parsed).await? {
        return Err(unknown());
    }
    Ok(tx.commit().await?)
}

/// Neither used nor expired.
pub async fn is_good(app: &App, secret: &str) -> Result<bool, Error> {
    let mut tx = app.store.read().await?;
    Ok(invitations::is_good(&mut tx, &secret::hash(secret), app.clock.now_micros()).await?)
}
