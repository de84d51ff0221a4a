//! Changing the e-mail address. If mail can be sent, the change takes effect when a link mailed there is opened, and the answer
//! is the same whether or not another account has the address. Without mail it takes effect at once, and attempts are limited.

use store::users::{self, User};
use store::{Store, Tx, email_changes, mail_links, resets};
use uuid::Uuid;

use super::fields;
use super::own::by_id;
use crate::accounts::audit::{self, Event};
use crate::accounts::mail::{Letter, LetterWriter};
use crate::accounts::mail_links::send_later;
use crate::authentication::secret;
use crate::authentication::throttle::{self, Admission, Key};
use crate::{App, Error, refusal};

const GOOD_FOR: i64 = 30 * 60 * 1_000_000;
/// Per account at a time, so that nobody can flood a mailbox.
const MAILED_MAX: i64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailChange {
    Done,
    /// An e-mail was sent; nothing has changed yet.
    Mailed,
}

pub async fn change_email(
    app: &App,
    user_id: Uuid,
    email: &str,
    base_url: &str,
    writer: LetterWriter,
) -> Result<EmailChange, Error> {
    let email = fields::email(email)?;
    let mut tx = app.store.write_for(user_id).await?;
    if let Admission::Wait { seconds } = throttle::count(&mut tx, Key::of_email_change(user_id), app.clock.now_micros()).await? {
        return Err(Error::Wait { seconds });
    }
    tx.commit().await?;
    if app.mail.is_none() {
        set_email(app, user_id, &email).await?;
        return Ok(EmailChange::Done);
    }
    request(app, user_id, email, base_url, writer);
    Ok(EmailChange::Mailed)
}

/// Takes effect at once, unverified. Links mailed to the previous address become invalid.
pub async fn set_email(app: &App, user_id: Uuid, email: &str) -> Result<(), Error> {
    let email = fields::email(email)?;
    let mut tx = app.store.write_for(user_id).await?;
    let user = by_id(&mut tx, user_id).await?;
    set_in(&mut tx, &user, &email, None, app.clock.now_micros()).await.map_err(|error| match error {
        Error::Store(store::Error::Conflict(store::Rule::Email)) => refusal::Account::EmailUnavailable.into(),
        other => other,
    })?;
    Ok(tx.commit().await?)
}

/// The address of a link, while it is valid and belongs to the user.
pub async fn email_of_link(app: &App, user_id: Uuid, secret: &str) -> Result<Option<String>, Error> {
    let mut tx = app.store.read().await?;
    Ok(email_changes::email(&mut tx, user_id, &secret::hash(secret), app.clock.now_micros()).await?)
}

/// The new address; `None` if the link is no longer valid, or another account has taken the address meanwhile.
pub async fn finish_email_change(app: &App, user_id: Uuid, secret: &str, writer: LetterWriter) -> Result<Option<String>, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    let Some(email) = email_changes::email(&mut tx, user_id, &secret::hash(secret), now).await? else { return Ok(None) };
    let user = by_id(&mut tx, user_id).await?;
    // A user with a verified address stays verified.
    let verified_at = user.email_verified_at.unwrap_or(now);
    match set_in(&mut tx, &user, &email, Some(verified_at), now).await {
        Ok(()) => {}
        Err(Error::Store(store::Error::Conflict(store::Rule::Email))) => return Ok(None),
        Err(error) => return Err(error),
    }
    tx.commit().await?;
    if let Some(settings) = app.mail.clone() {
        send_later(settings, writer, async move { Ok(Some((user.email, Letter::AddressChanged))) });
    }
    Ok(Some(email))
}

async fn set_in(tx: &mut Tx, user: &User, email: &str, verified_at: Option<i64>, now: i64) -> Result<(), Error> {
    users::set_email(tx, user.id, email, verified_at).await?;
    resets::clear(tx, user.id).await?;
    email_changes::clear(tx, user.id).await?;
    mail_links::clear_for(tx, user.id).await?;
    throttle::forgive(tx, Key::of_email(&user.email)).await?;
    users::bump_version(tx, user.id).await?;
    audit::record(tx, user.id, now, Event::EmailChanged, "").await
}

/// Returns before checking whether another account has the address, so that the response time reveals nothing.
fn request(app: &App, user_id: Uuid, email: String, base_url: &str, writer: LetterWriter) {
    let Some(settings) = app.mail.clone() else { return };
    let (store, now, base_url) = (app.store.clone(), app.clock.now_micros(), base_url.trim_end_matches('/').to_owned());
    send_later(settings, writer, async move {
        let letter = match link(&store, user_id, &email, now).await? {
            Link::Good(secret) => Letter::ConfirmAddress { link: format!("{base_url}/settings/email/{secret}") },
            Link::Taken => Letter::AddressTaken,
            Link::TooMany => return Ok(None),
        };
        Ok(Some((email, letter)))
    });
}

enum Link {
    Good(String),
    Taken,
    TooMany,
}

async fn link(store: &Store, user_id: Uuid, email: &str, now: i64) -> Result<Link, Error> {
    let mut tx = store.write_for(user_id).await?;
    email_changes::clear_expired(&mut tx, user_id, now).await?;
    if email_changes::count(&mut tx, user_id, now).await? >= MAILED_MAX {
        return Ok(Link::TooMany);
    }
    let taken = users::by_email(&mut tx, email).await?.is_some_and(|other| other.id != user_id);
    // A link for an address that is taken also counts, but is useless: nobody gets its secret.
    let secret = secret::random_secret()?;
    email_changes::add(&mut tx, &secret::hash(&secret), user_id, email, now + GOOD_FOR).await?;
    tx.commit().await?;
    Ok(if taken { Link::Taken } else { Link::Good(secret) })
}
