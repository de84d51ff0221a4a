//! Calendar feeds: addresses with a secret that a calendar program can read without signing in.

use store::Tx;
use store::feeds;
use uuid::Uuid;

pub use store::feeds::Feed;

use crate::accounts::audit::{self, Event};
use crate::authentication::{last_used, secret};
use crate::{App, Error, refusal};

const MAX: usize = 10;
const NAME_MAX: usize = 100;
const HOUR: i64 = 60 * 60 * 1_000_000;

/// The secret only exists here and in the address; no `Debug`.
pub struct Created {
    pub id: Uuid,
    pub secret: String,
}

pub async fn create(app: &App, user_id: Uuid, name: &str) -> Result<Created, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(refusal::Feed::NameLength { max: NAME_MAX }.into());
    }
    let secret = secret::generate(secret::CALENDAR)?;
    let (id, now) = (Uuid::now_v7(), app.clock.now_micros());
    let mut tx = app.store.write_for(user_id).await?;
    if feeds::list(&mut tx, user_id).await?.len() >= MAX {
        return Err(refusal::Feed::TooMany { max: MAX }.into());
    }
    let feed = Feed { id, name: name.to_owned(), created_at: now, last_used_at: None };
    feeds::add(&mut tx, user_id, &secret::hash(&secret), &feed).await?;
    audit::record(&mut tx, user_id, now, Event::FeedCreated, name).await?;
    tx.commit().await?;
    Ok(Created { id, secret })
}

/// Oldest first.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Feed>, Error> {
    Ok(feeds::list(&mut app.store.read().await?, user_id).await?)
}

/// The address is refused from the next request on. Another user's feed is not found.
pub async fn revoke(app: &App, user_id: Uuid, id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    if !feeds::delete(&mut tx, user_id, id).await? {
        return Err(refusal::Feed::Unknown.into());
    }
    audit::record(&mut tx, user_id, app.clock.now_micros(), Event::FeedRevoked, &id.to_string()).await?;
    Ok(tx.commit().await?)
}

/// Belongs in the transaction of the change that requires it. Returns how many there were.
pub(crate) async fn end_all(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<usize, Error> {
    let all = feeds::list(tx, user_id).await?;
    for feed in &all {
        feeds::delete(tx, user_id, feed.id).await?;
        audit::record(tx, user_id, now, Event::FeedRevoked, &feed.id.to_string()).await?;
    }
    Ok(all.len())
}

/// The owner of the feed with this secret. Invalid secrets are recognised by their checksum, without a look-up.
pub async fn owner(app: &App, secret: &str) -> Result<Option<Uuid>, Error> {
    let Some(hash) = secret::hash_with(&[secret::CALENDAR], secret) else { return Ok(None) };
    let found = feeds::owner(&mut app.store.read().await?, &hash.0).await?;
    let Some(owner) = found.filter(|owner| !owner.disabled) else { return Ok(None) };
    let now = app.clock.now_micros();
    if owner.last_used_at.is_none_or(|last| now - last >= HOUR)
        && let Some(mut tx) = last_used::writer_if_free(app, owner.user_id).await
        && feeds::touch(&mut tx, owner.user_id, owner.feed_id, now).await.is_ok()
    {
        // This is optional: if the database has a problem, others will report it.
        let _ = tx.commit().await;
    }
    Ok(Some(owner.user_id))
}
