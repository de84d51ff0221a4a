//! Links to choose a new password: good for half an hour, once.

use store::users::{self, User};
use store::{Store, Tx, devices, email_changes, resets, sessions};

use crate::audit::{self, Event};
use crate::mail::{self, Letter};
use crate::throttle::{self, Key};
use crate::{App, Error, accounts, passwords, secret};

const GOOD_FOR: i64 = 30 * 60 * 1_000_000;
/// Of an account at a time: nobody's mailbox is filled by a stranger.
const MAILED_MAX: i64 = 3;

/// Mails a link, if there is such an account. Returns before it has looked, so that time tells nothing.
pub fn request(app: &App, email: &str, base_url: &str) {
    let Some(settings) = app.mail.clone() else { return };
    let (store, now) = (app.store.clone(), app.clock.now_micros());
    let (email, base_url) = (email.to_owned(), base_url.to_owned());
    tokio::spawn(async move {
        match mailed(&store, &email, now).await {
            Ok(Some((to, secret))) => {
                let text = text(&base_url, &secret);
                mail::send(&settings, Letter { to, subject: "Choose a new password for Dripline", text }).await;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "a link to choose a new password could not be made"),
        }
    });
}

/// Whether [`request`] can do anything.
pub fn is_possible(app: &App) -> bool {
    app.mail.is_some()
}

/// A link for the operator to hand over, under the base URL.
pub async fn create(app: &App, email: &str, base_url: &str) -> Result<String, Error> {
    let mut tx = app.store.write().await?;
    let user = accounts::by_email(&mut tx, email).await?;
    let secret = add(&mut tx, &user, app.clock.now_micros()).await?;
    tx.commit().await?;
    Ok(link(base_url, &secret))
}

pub async fn is_good(app: &App, secret: &str) -> Result<bool, Error> {
    let mut tx = app.store.read().await?;
    Ok(resets::owner(&mut tx, &secret::hash(secret), app.clock.now_micros()).await?.is_some())
}

/// Sets the password and ends all sessions; false when the link is not good any more. Opens no session: who has a second
/// factor is asked for it at the next sign-in.
pub async fn finish(app: &App, secret: &str, password: &str) -> Result<bool, Error> {
    let link = secret::hash(secret);
    let Some(user) = owner(&mut app.store.read().await?, &link, app.clock.now_micros()).await? else { return Ok(false) };
    accounts::check_password(password, &user.email, user.name.as_deref())?;
    let hash = passwords::hash(app, password).await?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    if resets::owner(&mut tx, &link, now).await? != Some(user.id) {
        return Ok(false);
    }
    replace_password(&mut tx, &user, &hash, now).await?;
    audit::record(&mut tx, user.id, now, Event::PasswordReset, "link").await?;
    tx.commit().await?;
    Ok(true)
}

/// Whatever the old password opened is closed; who was kept waiting for wrong ones is not any more.
pub(crate) async fn replace_password(tx: &mut Tx, user: &User, hash: &str, now: i64) -> Result<(), Error> {
    users::set_password_hash(tx, user.id, hash).await?;
    resets::clear(tx, user.id).await?;
    email_changes::clear(tx, user.id).await?;
    sessions::end_all(tx, user.id).await?;
    devices::forget_all(tx, user.id).await?;
    crate::oauth::grants::end_all(tx, user.id, now).await?;
    throttle::forgive(tx, Key::of_email(&user.email)).await
}

async fn owner(tx: &mut Tx, link: &[u8; 32], now: i64) -> Result<Option<User>, Error> {
    match resets::owner(tx, link, now).await? {
        Some(user_id) => Ok(users::by_id(tx, user_id).await?),
        None => Ok(None),
    }
}

async fn mailed(store: &Store, email: &str, now: i64) -> Result<Option<(String, String)>, Error> {
    let mut tx = store.write().await?;
    let Some(user) = users::by_email(&mut tx, email).await?.filter(|user| !user.disabled) else { return Ok(None) };
    if resets::count(&mut tx, user.id, now).await? >= MAILED_MAX {
        return Ok(None);
    }
    let secret = add(&mut tx, &user, now).await?;
    tx.commit().await?;
    Ok(Some((user.email, secret)))
}

async fn add(tx: &mut Tx, user: &User, now: i64) -> Result<String, Error> {
    let secret = secret::bare()?;
    resets::clear_expired(tx, user.id, now).await?;
    resets::add(tx, &secret::hash(&secret), user.id, now + GOOD_FOR).await?;
    Ok(secret)
}

fn link(base_url: &str, secret: &str) -> String {
    format!("{}/reset/{secret}", base_url.trim_end_matches('/'))
}

fn text(base_url: &str, secret: &str) -> String {
    format!(
        "Somebody, probably you, asked to choose a new password for Dripline.\n\n\
         Open this link within 30 minutes; it works once:\n\n{}\n\n\
         If it was not you, do nothing: your password stays as it is.\n",
        link(base_url, secret)
    )
}
