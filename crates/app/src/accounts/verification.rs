//! Verifying the e-mail address of an account: with a mailed link, opened by the signed-in owner.

use store::mail_links::{self, Purpose};
use store::users;
use uuid::Uuid;

use super::own::by_id;
use crate::accounts::audit::{self, Event};
use crate::accounts::mail::{Letter, LetterWriter};
use crate::accounts::mail_links::{NewLink, add, send_later, write};
use crate::authentication::secret;
use crate::{App, Error};

pub async fn is_verified(app: &App, user_id: Uuid) -> Result<bool, Error> {
    Ok(by_id(&mut app.store.read().await?, user_id).await?.email_verified_at.is_some())
}

/// Whether links can be mailed.
pub fn can_mail(app: &App) -> bool {
    app.mail.is_some()
}

/// Mails a link to the address of the account.
pub async fn request_verification(app: &App, user_id: Uuid, base_url: &str, writer: LetterWriter) -> Result<(), Error> {
    let Some(settings) = app.mail.clone() else { return Ok(()) };
    let user = by_id(&mut app.store.read().await?, user_id).await?;
    let (store, now, base_url) = (app.store.clone(), app.clock.now_micros(), base_url.trim_end_matches('/').to_owned());
    send_later(settings, writer, async move {
        let mut tx = write(&store, &user.email).await?;
        let link = NewLink { purpose: Purpose::Verify, email: &user.email, user_id: Some(user_id), invitation: None };
        let Some(secret) = add(&mut tx, &link, now).await? else { return Ok(None) };
        tx.commit().await?;
        Ok(Some((user.email, Letter::VerifyAddress { link: format!("{base_url}/settings/verify/{secret}") })))
    });
    Ok(())
}

/// The address a link verifies, while it is valid, belongs to the user, and is still the account's address.
pub async fn verifiable(app: &App, user_id: Uuid, secret: &str) -> Result<Option<String>, Error> {
    let mut tx = app.store.read().await?;
    let link = mail_links::get(&mut tx, Purpose::Verify, &secret::hash(secret), app.clock.now_micros()).await?;
    let Some(link) = link.filter(|link| link.user_id == Some(user_id)) else { return Ok(None) };
    Ok(Some(by_id(&mut tx, user_id).await?.email).filter(|email| *email == link.email))
}

/// False if the link is no longer valid.
pub async fn verify(app: &App, user_id: Uuid, secret: &str) -> Result<bool, Error> {
    let Some(email) = verifiable(app, user_id, secret).await? else { return Ok(false) };
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    if by_id(&mut tx, user_id).await?.email != email {
        return Ok(false);
    }
    mail_links::clear(&mut tx, Purpose::Verify, &email).await?;
    if users::set_verified(&mut tx, user_id, now).await? {
        audit::record(&mut tx, user_id, now, Event::EmailVerified, "").await?;
    }
    tx.commit().await?;
    Ok(true)
}
