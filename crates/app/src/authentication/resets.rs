//! Links to choose a new password: valid for half an hour, once.

use store::resets::Owner;
use store::users::{self, User};
use store::{Store, Tx, devices, email_changes, mail_links, resets, sessions};

use crate::accounts::audit::{self, Event};
use crate::accounts::fields::password_hash;
use crate::accounts::mail::{Letter, LetterWriter};
use crate::accounts::mail_links::send_later;
use crate::accounts::own::by_email;
use crate::authentication::{codes, feeds, secret, throttle, tokens, totp};
use crate::{App, Error, oauth};

const GOOD_FOR: i64 = 30 * 60 * 1_000_000;
/// Per account at a time, so that nobody can flood a mailbox.
const MAILED_MAX: i64 = 3;

/// Mails a link if there is such an account. Returns before checking, so that the response time reveals nothing.
pub fn request(app: &App, email: &str, base_url: &str, writer: LetterWriter) {
    let Some(settings) = app.mail.clone() else { return };
    let (store, now) = (app.store.clone(), app.clock.now_micros());
    let (email, base_url) = (email.to_owned(), base_url.to_owned());
    send_later(settings, writer, async move {
        let mailed = mailed(&store, &email, now).await?;
        Ok(mailed.map(|(to, secret)| (to, Letter::ResetPassword { link: link(&base_url, &secret) })))
    });
}

/// Whether [`request`] can do anything.
pub fn is_possible(app: &App) -> bool {
    app.mail.is_some()
}

/// A link for the operator to hand over, below the base URL.
pub async fn create(app: &App, email: &str, base_url: &str) -> Result<String, Error> {
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    let secret = add(&mut tx, &user, false, app.clock.now_micros()).await?;
    tx.commit().await?;
    Ok(link(base_url, &secret))
}

pub async fn is_good(app: &App, secret: &str) -> Result<bool, Error> {
    let mut tx = app.store.read().await?;
    Ok(resets::owner(&mut tx, &secret::hash(secret), app.clock.now_micros()).await?.is_some())
}

/// Sets the password and ends all access to the account; false if the link is no longer valid. Starts no session: a second factor
/// is asked for at the next sign-in.
pub async fn finish(app: &App, secret: &str, password: &str) -> Result<bool, Error> {
    let link = secret::hash(secret);
    let mut tx = app.store.read().await?;
    let Some(owner) = resets::owner(&mut tx, &link, app.clock.now_micros()).await? else { return Ok(false) };
    let Some(user) = users::by_id(&mut tx, owner.user_id).await? else { return Ok(false) };
    drop(tx);
    let hash = password_hash(app, password, &user.email, user.name.as_deref()).await?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    if resets::owner(&mut tx, &link, now).await? != Some(owner) {
        return Ok(false);
    }
    let how = if owner.mailed { "mail" } else { "link" };
    replace_password(&mut tx, &user, &hash, now, how).await?;
    if owner.mailed && users::set_verified(&mut tx, user.id, now).await? {
        audit::record(&mut tx, user.id, now, Event::EmailVerified, "reset").await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Ends all access to the account, in case somebody else had it, and lifts the lock after wrong passwords. A second factor only
/// stays if it was set up after the address was verified.
pub(crate) async fn replace_password(tx: &mut Tx, user: &User, hash: &str, now: i64, how: &str) -> Result<(), Error> {
    users::set_password_hash(tx, user.id, hash).await?;
    audit::record(tx, user.id, now, Event::PasswordReset, how).await?;
    resets::clear(tx, user.id).await?;
    email_changes::clear(tx, user.id).await?;
    mail_links::clear_for(tx, user.id).await?;
    if sessions::end_all(tx, user.id).await? > 0 {
        audit::record(tx, user.id, now, Event::SessionEnded, "all").await?;
    }
    devices::forget_all(tx, user.id).await?;
    tokens::end_all(tx, user.id, now).await?;
    feeds::end_all(tx, user.id, now).await?;
    oauth::grants::end_all(tx, user.id, now).await?;
    if let Some(since) = codes::on_since(tx, user.id).await?
        && user.email_verified_at.is_none_or(|verified| since < verified)
    {
        totp::remove(tx, user.id, now, "reset").await?;
    }
    throttle::unlock(tx, user.id, &user.email).await
}

async fn mailed(store: &Store, email: &str, now: i64) -> Result<Option<(String, String)>, Error> {
    let mut tx = store.write().await?;
    let Some(user) = users::by_email(&mut tx, email).await?.filter(|user| !user.disabled) else { return Ok(None) };
    if resets::count(&mut tx, user.id, now).await? >= MAILED_MAX {
        return Ok(None);
    }
    let secret = add(&mut tx, &user, true, now).await?;
    tx.commit().await?;
    Ok(Some((user.email, secret)))
}

async fn add(tx: &mut Tx, user: &User, mailed: bool, now: i64) -> Result<String, Error> {
    let secret = secret::random_secret()?;
    resets::clear_expired(tx, user.id, now).await?;
    resets::add(tx, &secret::hash(&secret), Owner { user_id: user.id, mailed }, now + GOOD_FOR).await?;
    Ok(secret)
}

fn link(base_url: &str, secret: &str) -> String {
    format!("{}/reset/{secret}", base_url.trim_end_matches('/'))
}
