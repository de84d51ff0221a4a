//! Links with which the owner of an account ends the wait after wrong passwords or codes, whoever typed them.

use store::mail_links::{self, Purpose};
use store::users;

use crate::accounts::audit::{self, Event};
use crate::accounts::mail::{Letter, LetterWriter};
use crate::accounts::mail_links::{NewLink, add, send_later, write};
use crate::authentication::{secret, throttle};
use crate::{App, Error};

/// Mails a link if there is such an account. Returns before checking.
pub fn request(app: &App, email: &str, base_url: &str, writer: LetterWriter) {
    let Some(settings) = app.mail.clone() else { return };
    let (store, now) = (app.store.clone(), app.clock.now_micros());
    let (email, base_url) = (email.to_owned(), base_url.trim_end_matches('/').to_owned());
    send_later(settings, writer, async move {
        let mut tx = write(&store, &email).await?;
        let Some(user) = users::by_email(&mut tx, &email).await?.filter(|user| !user.disabled) else { return Ok(None) };
        let link = NewLink { purpose: Purpose::Unlock, email: &user.email, user_id: Some(user.id), invitation: None };
        let Some(secret) = add(&mut tx, &link, now).await? else { return Ok(None) };
        tx.commit().await?;
        Ok(Some((user.email, Letter::Unlock { link: format!("{base_url}/unlock/{secret}") })))
    });
}

pub async fn is_good(app: &App, secret: &str) -> Result<bool, Error> {
    let mut tx = app.store.read().await?;
    Ok(mail_links::get(&mut tx, Purpose::Unlock, &secret::hash(secret), app.clock.now_micros()).await?.is_some())
}

/// Ends the wait; false if the link is no longer valid. Starts no session.
pub async fn finish(app: &App, secret: &str) -> Result<bool, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    let Some(link) = mail_links::get(&mut tx, Purpose::Unlock, &secret::hash(secret), now).await? else { return Ok(false) };
    let Some(user_id) = link.user_id else { return Ok(false) };
    throttle::unlock(&mut tx, user_id, &link.email).await?;
    mail_links::clear(&mut tx, Purpose::Unlock, &link.email).await?;
    audit::record(&mut tx, user_id, now, Event::Unlocked, "mail").await?;
    tx.commit().await?;
    Ok(true)
}
