//! Signing up by e-mail: first the address, then the rest through the mailed link. The answer is the same whether or not the
//! address has an account.

use store::mail_links::{self, MailLink, Purpose};
use store::users::{self, NewUser};
use store::{Store, Tx, invitations};

use super::joining::{insert, invited, not_invited, with_password};
use super::{NewAccount, SignUp, fields};
use crate::accounts::audit::{self, Event};
use crate::accounts::mail::{Letter, LetterWriter};
use crate::accounts::mail_links::{NewLink, ToSend, add, send_later, write};
use crate::authentication::secret;
use crate::{App, Error};

/// Mails a link to create an account, or a note that there already is one. Returns before checking which.
pub async fn request_sign_up(
    app: &App,
    rule: SignUp,
    email: &str,
    invitation: Option<&str>,
    base_url: &str,
    writer: LetterWriter,
) -> Result<(), Error> {
    let email = fields::email(email)?;
    let invitation = invited(app, rule, invitation).await?;
    let Some(settings) = app.mail.clone() else { return Ok(()) };
    let (store, now, base_url) = (app.store.clone(), app.clock.now_micros(), base_url.trim_end_matches('/').to_owned());
    send_later(settings, writer, async move { letter(&store, email, invitation, &base_url, now).await });
    Ok(())
}

async fn letter(store: &Store, email: String, invitation: Option<[u8; 32]>, base_url: &str, now: i64) -> ToSend {
    let mut tx = write(store, &email).await?;
    let there = users::by_email(&mut tx, &email).await?;
    // A link for an address that is taken also counts, but is useless: nobody gets its secret.
    let link = NewLink { purpose: Purpose::SignUp, email: &email, user_id: None, invitation };
    let Some(secret) = add(&mut tx, &link, now).await? else { return Ok(None) };
    let letter = match &there {
        Some(_) => Letter::AccountExists { sign_in: format!("{base_url}/sign-in"), reset: format!("{base_url}/reset") },
        None => Letter::CreateAccount { link: format!("{base_url}/sign-up/{secret}") },
    };
    if let Some(user) = there {
        tx.lock_user(user.id).await?;
        audit::record(&mut tx, user.id, now, Event::SignUpAgain, "").await?;
    }
    tx.commit().await?;
    Ok(Some((email, letter)))
}

/// The address for which a link creates an account, while it is valid.
pub async fn sign_up_address(app: &App, secret: &str) -> Result<Option<String>, Error> {
    let mut tx = app.store.read().await?;
    Ok(link(&mut tx, secret, app.clock.now_micros()).await?.map(|link| link.email))
}

/// Creates the account with a verified address, and uses up the invitation. False if the link is no longer valid.
pub async fn finish_sign_up(app: &App, rule: SignUp, secret: &str, account: &NewAccount<'_>) -> Result<bool, Error> {
    if rule == SignUp::Closed {
        return Ok(false);
    }
    let Some(email) = sign_up_address(app, secret).await? else { return Ok(false) };
    let user = with_password(app, &NewAccount { email: &email, ..*account }).await?;
    let user = NewUser { email_verified_at: Some(user.created_at), ..user };
    let mut tx = app.store.write().await?;
    let Some(link) = link(&mut tx, secret, user.created_at).await? else { return Ok(false) };
    if users::by_email(&mut tx, &email).await?.is_some() {
        return Ok(false);
    }
    if rule == SignUp::Invite {
        let hash: [u8; 32] = link.invitation.and_then(|hash| hash.try_into().ok()).ok_or_else(not_invited)?;
        invitations::take(&mut tx, &hash, user.created_at).await?.then_some(()).ok_or_else(not_invited)?;
    }
    mail_links::clear(&mut tx, Purpose::SignUp, &email).await?;
    insert(&mut tx, &user, "sign-up").await?;
    audit::record(&mut tx, user.id, user.created_at, Event::EmailVerified, "").await?;
    tx.commit().await?;
    Ok(true)
}

async fn link(tx: &mut Tx, secret: &str, now: i64) -> Result<Option<MailLink>, Error> {
    Ok(mail_links::get(tx, Purpose::SignUp, &secret::hash(secret), now).await?)
}
