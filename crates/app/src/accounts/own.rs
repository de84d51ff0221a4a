//! What the owner of an account does to it.

use store::users::{self, Profile, User};
use store::{Tx, email_changes, resets, sessions, stocks, versions};
use uuid::Uuid;

use super::{check_password, fields};
use crate::audit::{self, Event};
use crate::sessions::{IDLE_MINUTES_MAX, Visit, rotate_in};
use crate::throttle::{self, Key};
use crate::{App, Error, passwords};

const IDLE_MINUTES_MIN: i64 = 5;

pub struct NewProfile<'a> {
    pub name: Option<&'a str>,
    pub currency: &'a str,
    /// ISO 3166 code of the country of tax residence.
    pub residence: Option<&'a str>,
    pub number_format: Option<&'a str>,
    pub session_idle_minutes: i64,
}

/// The other sessions end, and links that were mailed are void; this session goes on under the secret that is returned.
pub async fn change_password(app: &App, visit: &Visit, password: &str) -> Result<String, Error> {
    check_password(password, &visit.email, visit.name.as_deref())?;
    let hash = passwords::hash(app, password).await?;
    let (user_id, now) = (visit.user_id, app.clock.now_micros());
    let mut tx = app.store.write_for(visit.user_id).await?;
    users::set_password_hash(&mut tx, user_id, &hash).await?;
    resets::clear(&mut tx, user_id).await?;
    email_changes::clear(&mut tx, user_id).await?;
    sessions::end_others(&mut tx, user_id, visit.session_id).await?;
    let session = rotate_in(&mut tx, visit).await?;
    audit::record(&mut tx, user_id, now, Event::PasswordChanged, "").await?;
    tx.commit().await?;
    Ok(session)
}

pub async fn set_profile(app: &App, user_id: Uuid, profile: &NewProfile<'_>) -> Result<(), Error> {
    if !(IDLE_MINUTES_MIN..=IDLE_MINUTES_MAX).contains(&profile.session_idle_minutes) {
        return Err(Error::refused("a session stays open unused for 5 minutes to 7 days (10,080 minutes)"));
    }
    let row = Profile {
        name: profile.name.map(fields::name).transpose()?,
        preferred_currency: fields::currency(profile.currency)?,
        residence: profile.residence.map(fields::residence).transpose()?,
        number_format: profile.number_format.map(fields::number_format).transpose()?,
        session_idle_minutes: profile.session_idle_minutes,
    };
    let mut tx = app.store.write_for(user_id).await?;
    by_id(&mut tx, user_id).await?;
    users::set_profile(&mut tx, user_id, &row).await?;
    users::bump_version(&mut tx, user_id).await?;
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::ProfileChanged, "").await?;
    Ok(tx.commit().await?)
}

/// Deletes the account and every row of it but the audit, which knows it by its id alone and keeps no words.
pub async fn delete_by_id(app: &App, user_id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_id(&mut tx, user_id).await?;
    delete_in(app, tx, &user).await
}

pub(super) async fn delete_in(app: &App, mut tx: Tx, user: &User) -> Result<(), Error> {
    audit::record(&mut tx, user.id, app.clock.now_micros(), Event::Deleted, "").await?;
    audit::forget_details(&mut tx, user.id).await?;
    throttle::forgive(&mut tx, Key::of_email(&user.email)).await?;
    throttle::forgive(&mut tx, Key::of_code(user.id)).await?;
    throttle::forgive(&mut tx, Key::of_email_change(user.id)).await?;
    let named = stocks::placeholders::named_by(&mut tx, user.id).await?;
    users::delete(&mut tx, user.id).await?;
    if stocks::placeholders::forget_unused(&mut tx, &named).await? > 0 {
        versions::bump_listings(&mut tx).await?;
        versions::bump_market(&mut tx).await?;
    }
    versions::bump_tracking(&mut tx).await?;
    tx.commit().await?;
    // The account is gone either way; the log goes when nobody reads any more.
    if let Err(error) = app.store.checkpoint().await {
        tracing::warn!(%error, "the database's log still holds what was deleted; it is emptied with a later write");
    }
    Ok(())
}

pub(super) async fn by_id(tx: &mut Tx, user_id: Uuid) -> Result<User, Error> {
    users::by_id(tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))
}
