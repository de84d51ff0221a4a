//! Another address to sign in with. Where mail can be sent it counts once a link that goes there is opened, and the answer is
//! the same whether or not somebody has that address already. Without mail it counts at once, and tries are few.

use store::users::{self, User};
use store::{Store, Tx, email_changes, mail_links, resets};
use uuid::Uuid;

use super::fields;
use super::own::by_id;
use crate::audit::{self, Event};
use crate::mail::{Letter, LetterWriter};
use crate::mail_links::send_later;
use crate::throttle::{self, Admission, Key};
use crate::{App, Error, refusal, secret};

const GOOD_FOR: i64 = 30 * 60 * 1_000_000;
/// Of an account at a time: nobody's mailbox is filled by a stranger.
const MAILED_MAX: i64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmailChange {
    Done,
    /// A letter is on its way; nothing has changed yet.
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

/// At once, and not verified. Links that were mailed to the address of before are void.
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

/// The address that a link is for, while it is good and the user's own.
pub async fn email_of_link(app: &App, user_id: Uuid, secret: &str) -> Result<Option<String>, Error> {
    let mut tx = app.store.read().await?;
    Ok(email_changes::email(&mut tx, user_id, &secret::hash(secret), app.clock.now_micros()).await?)
}

/// The new address; none when the link is not good any more, or somebody has taken the address meanwhile.
pub async fn finish_email_change(app: &App, user_id: Uuid, secret: &str, writer: LetterWriter) -> Result<Option<String>, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    let Some(email) = email_changes::email(&mut tx, user_id, &secret::hash(secret), now).await? else { return Ok(None) };
    let user = by_id(&mut tx, user_id).await?;
    // Who had shown an address to be theirs goes on being that person.
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

/// Returns before it has looked whether somebody has the address, so that time tells nothing.
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
    // One for an address that is taken counts, too, and opens nothing: nobody was told it.
    let secret = secret::bare()?;
    email_changes::add(&mut tx, &secret::hash(&secret), user_id, email, now + GOOD_FOR).await?;
    tx.commit().await?;
    Ok(if taken { Link::Taken } else { Link::Good(secret) })
}
