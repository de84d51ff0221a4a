//! Accounts: this file has what the operator does, the modules what users do themselves, with their audit log and mail.

mod address;
pub mod archive;
pub mod audit;
mod by_mail;
pub mod fields;
pub mod invitations;
mod joining;
pub mod mail;
pub(crate) mod mail_links;
pub mod me;
pub(crate) mod own;
mod owner;
mod verification;

use store::sessions;
use store::users::{self, NewUser, User};
use uuid::Uuid;

pub use address::{EmailChange, change_email, email_of_link, finish_email_change, set_email};
pub use by_mail::{finish_sign_up, request_sign_up, sign_up_address};
use fields::password_hash;
pub use joining::{SignUp, first, is_first_start, sign_up};
use own::by_email;
pub use own::{Ended, Keep, NewProfile, change_password, delete_by_id, set_profile};
pub use verification::{can_mail, is_verified, request_verification, verifiable, verify};

use crate::accounts::audit::Event;
use crate::authentication::{resets, throttle, totp};
use crate::{App, Error, refusal};

pub struct NewAccount<'a> {
    pub email: &'a str,
    pub name: Option<&'a str>,
    pub currency: &'a str,
    /// ISO 3166 code of the country of tax residence.
    pub residence: Option<&'a str>,
    pub password: Option<&'a str>,
}

pub async fn add(app: &App, account: &NewAccount<'_>) -> Result<Uuid, Error> {
    let user = new_user(app, account).await?;
    let user = NewUser { email_verified_at: Some(user.created_at), ..user };
    let mut tx = app.store.write().await?;
    joining::insert(&mut tx, &user, "operator").await.map_err(|error| match error {
        Error::Store(store::Error::Conflict(store::Rule::Email)) => {
            refusal::Account::EmailTaken { email: user.email.clone() }.into()
        }
        other => other,
    })?;
    owner::claim(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok(user.id)
}

/// Sets a password for a user who lost theirs, and ends sessions, tokens, feeds and app access.
pub async fn set_password(app: &App, email: &str, password: &str) -> Result<(), Error> {
    let user = by_email(&mut app.store.read().await?, email).await?;
    let hash = password_hash(app, password, &user.email, user.name.as_deref()).await?;
    let mut tx = app.store.write().await?;
    resets::replace_password(&mut tx, &user, &hash, app.clock.now_micros(), "operator").await?;
    Ok(tx.commit().await?)
}

/// Turns off the second factor of a user who lost it, and ends all sessions. False if it was off.
pub async fn turn_factor_off(app: &App, email: &str) -> Result<bool, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    let was_on = totp::remove(&mut tx, user.id, now, "operator").await?;
    if was_on && sessions::end_all(&mut tx, user.id).await? > 0 {
        audit::record(&mut tx, user.id, now, Event::SessionEnded, "all").await?;
    }
    tx.commit().await?;
    Ok(was_on)
}

/// Lets a user sign in again at once after too many wrong passwords or codes.
pub async fn unlock(app: &App, email: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    throttle::unlock(&mut tx, user.id, &user.email).await?;
    audit::record(&mut tx, user.id, app.clock.now_micros(), Event::Unlocked, "operator").await?;
    Ok(tx.commit().await?)
}

pub async fn list(app: &App) -> Result<Vec<User>, Error> {
    Ok(users::list(&mut app.store.read().await?).await?)
}

pub async fn id_of(app: &App, email: &str) -> Result<Uuid, Error> {
    Ok(by_email(&mut app.store.read().await?, email).await?.id)
}

/// The tokens of a disabled account are refused from the next request on, until it is enabled again; its sessions end.
pub async fn set_disabled(app: &App, email: &str, disabled: bool) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    users::set_disabled(&mut tx, user.id, disabled).await?;
    if disabled {
        sessions::end_all(&mut tx, user.id).await?;
    }
    Ok(tx.commit().await?)
}

/// Makes another account the owner of the service.
pub async fn set_owner(app: &App, email: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    if !user.owner {
        owner::set(&mut tx, user.id, app.clock.now_micros()).await?;
    }
    Ok(tx.commit().await?)
}

/// Deletes the account and all its rows.
pub async fn delete(app: &App, email: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    own::delete_in(app, tx, &user).await
}

async fn new_user(app: &App, account: &NewAccount<'_>) -> Result<NewUser, Error> {
    let (email, name) = (fields::email(account.email)?, account.name.map(fields::name).transpose()?);
    let (preferred_currency, residence) =
        (fields::currency(account.currency)?, account.residence.map(fields::residence).transpose()?);
    let password_hash = match account.password {
        None => None,
        Some(password) => Some(password_hash(app, password, &email, name.as_deref()).await?),
    };
    let created_at = app.clock.now_micros();
    Ok(NewUser {
        id: Uuid::now_v7(),
        email,
        name,
        preferred_currency,
        residence,
        password_hash,
        created_at,
        email_verified_at: None,
    })
}
