//! What owners do with their own accounts.

use store::users::{self, Profile, User};
use store::{Tx, deletion, email_changes, mail_links, resets, sessions, stocks, versions};
use uuid::Uuid;

use super::fields::{self, password_hash};
use crate::accounts::audit::{self, Event};
use crate::authentication::sessions::{IDLE_MINUTES_MAX, Visit, rotate_in};
use crate::authentication::throttle::{self, Admission, Key};
use crate::authentication::{feeds, tokens};
use crate::{App, Error, oauth, refusal};

const IDLE_MINUTES_MIN: i64 = 5;

pub struct NewProfile<'a> {
    pub name: Option<&'a str>,
    pub currency: &'a str,
    /// ISO 3166 code of the country of tax residence.
    pub residence: Option<&'a str>,
    pub number_format: Option<&'a str>,
    pub session_idle_minutes: i64,
}

/// What stays valid when the password changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keep {
    pub tokens: bool,
    pub feeds: bool,
}

/// How many of each a new password ended; no `Debug`.
pub struct Ended {
    /// The new secret of the visitor's session.
    pub session: String,
    pub sessions: u64,
    pub apps: usize,
    pub tokens: usize,
    pub feeds: usize,
}

/// Ends the other sessions, app access and everything not in `keep`, and invalidates mailed links. Every attempt counts, whether
/// it succeeds or not.
pub async fn change_password(app: &App, visit: &Visit, password: &str, keep: Keep) -> Result<Ended, Error> {
    let (user_id, now) = (visit.user_id, app.clock.now_micros());
    let mut tx = app.store.write_for(user_id).await?;
    if let Admission::Wait { seconds } = throttle::count(&mut tx, Key::of_password_change(user_id), now).await? {
        return Err(Error::Wait { seconds });
    }
    tx.commit().await?;
    let hash = password_hash(app, password, &visit.email, visit.name.as_deref()).await?;
    let mut tx = app.store.write_for(visit.user_id).await?;
    users::set_password_hash(&mut tx, user_id, &hash).await?;
    resets::clear(&mut tx, user_id).await?;
    email_changes::clear(&mut tx, user_id).await?;
    mail_links::clear_for(&mut tx, user_id).await?;
    audit::record(&mut tx, user_id, now, Event::PasswordChanged, "").await?;
    let ended = Ended {
        sessions: sessions::end_others(&mut tx, user_id, visit.session_id).await?,
        session: rotate_in(&mut tx, visit).await?,
        apps: oauth::grants::end_all(&mut tx, user_id, now).await?,
        tokens: if keep.tokens { 0 } else { tokens::end_all(&mut tx, user_id, now).await? },
        feeds: if keep.feeds { 0 } else { feeds::end_all(&mut tx, user_id, now).await? },
    };
    tx.commit().await?;
    Ok(ended)
}

pub async fn set_profile(app: &App, user_id: Uuid, profile: &NewProfile<'_>) -> Result<(), Error> {
    if !(IDLE_MINUTES_MIN..=IDLE_MINUTES_MAX).contains(&profile.session_idle_minutes) {
        return Err(
            refusal::Account::SessionIdleTime { min_minutes: IDLE_MINUTES_MIN, max_days: IDLE_MINUTES_MAX / (24 * 60) }.into()
        );
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

/// Deletes the account and all its rows except the audit log, which only keeps its id and no details.
pub async fn delete_by_id(app: &App, user_id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_id(&mut tx, user_id).await?;
    delete_in(app, tx, &user).await
}

pub(super) async fn delete_in(app: &App, mut tx: Tx, user: &User) -> Result<(), Error> {
    audit::record(&mut tx, user.id, app.clock.now_micros(), Event::Deleted, "").await?;
    audit::forget_details(&mut tx, user.id).await?;
    throttle::unlock(&mut tx, user.id, &user.email).await?;
    throttle::forgive(&mut tx, Key::of_password_change(user.id)).await?;
    throttle::forgive(&mut tx, Key::of_email_change(user.id)).await?;
    let named = stocks::placeholders::named_by(&mut tx, user.id).await?;
    deletion::delete_user(&mut tx, user.id).await?;
    if user.owner {
        super::owner::pass_on(&mut tx, app.clock.now_micros()).await?;
    }
    if stocks::placeholders::forget_unused(&mut tx, &named).await? > 0 {
        versions::bump_listings(&mut tx).await?;
        versions::bump_market(&mut tx).await?;
    }
    versions::bump_tracking(&mut tx).await?;
    tx.commit().await?;
    // The account is deleted either way; the log is emptied once nobody reads it any more.
    if let Err(error) = app.store.checkpoint().await {
        tracing::warn!(%error, "the database's log still holds what was deleted; it is emptied with a later write");
    }
    Ok(())
}

pub(super) async fn by_id(tx: &mut Tx, user_id: Uuid) -> Result<User, Error> {
    users::by_id(tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))
}

pub(crate) async fn by_email(tx: &mut Tx, email: &str) -> Result<User, Error> {
    users::by_email(tx, email).await?.ok_or_else(|| Error::UnknownAccount(email.trim().to_owned()))
}
