//! Links mailed to an address: valid for half an hour, at most three per purpose at a time, so that nobody can flood a mailbox.

use store::mail_links::{self, MailLink, Purpose};
use store::{Store, Tx};
use uuid::Uuid;

use crate::Error;
use crate::accounts::mail::{self, Letter, LetterWriter, Settings};
use crate::authentication::secret;
use crate::authentication::throttle::Key;

const GOOD_FOR: i64 = 30 * 60 * 1_000_000;
const LIVE_MAX: i64 = 3;

pub(crate) struct NewLink<'a> {
    pub purpose: Purpose,
    pub email: &'a str,
    pub user_id: Option<Uuid>,
    pub invitation: Option<[u8; 32]>,
}

/// One at a time per address.
pub(crate) async fn write(store: &Store, email: &str) -> Result<Tx, Error> {
    Ok(store.write_in(Key::of_email(email).turn()).await?)
}

/// The secret of a new link; `None` if three are already valid.
pub(crate) async fn add(tx: &mut Tx, link: &NewLink<'_>, now: i64) -> Result<Option<String>, Error> {
    mail_links::clear_expired(tx, now).await?;
    if mail_links::count(tx, link.purpose, link.email, now).await? >= LIVE_MAX {
        return Ok(None);
    }
    let secret = secret::random_secret()?;
    let row = MailLink {
        purpose: link.purpose,
        email: link.email.to_owned(),
        user_id: link.user_id,
        invitation: link.invitation.map(|hash| hash.to_vec()),
        expires_at: now + GOOD_FOR,
    };
    mail_links::add(tx, &secret::hash(&secret), &row).await?;
    Ok(Some(secret))
}

/// A letter and its recipient; `None` if nothing is to be sent.
pub(crate) type ToSend = Result<Option<(String, Letter)>, Error>;

/// Mails the letter without making the caller wait, so that the response time reveals nothing about the address.
pub(crate) fn send_later(settings: Settings, writer: LetterWriter, letter: impl Future<Output = ToSend> + Send + 'static) {
    tokio::spawn(async move {
        match letter.await {
            Ok(Some((to, letter))) => {
                mail::send(&settings, &to, writer(&letter)).await;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "an e-mail with a link could not be written"),
        }
    });
}
