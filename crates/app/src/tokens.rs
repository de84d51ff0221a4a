//! Personal access tokens: made, shown once, listed, revoked; and the look-up behind every request.

use store::Session;
use store::tokens::{self, NewToken, Token};
use uuid::Uuid;

use crate::accounts::by_email;
use crate::{App, Error, secret};

const LIVE_MAX: i64 = 25;

/// The token's text exists here and with its owner, nowhere else.
pub struct Created {
    pub id: Uuid,
    pub token: String,
}

pub async fn create(app: &App, email: &str, name: &str) -> Result<Created, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control) {
        return Err(Error::refused("a token's name has 1 to 100 characters; name it by where it will be used"));
    }
    let token = secret::generate(secret::PERSONAL).map_err(|error| Error::Randomness(error.to_string()))?;
    let hash = secret::hash_of(&token).ok_or_else(|| Error::Randomness("a token without a checksum".to_owned()))?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, email).await?;
    if tokens::count_live(&mut tx, user.id, now).await? >= LIVE_MAX {
        return Err(Error::refused(format!("{} has {LIVE_MAX} live tokens, which is the most; revoke one first", user.email)));
    }
    let id = Uuid::now_v7();
    let row = NewToken { hash: hash.0, id, user_id: user.id, name: name.to_owned(), created_at: now, expires_at: None };
    tokens::add(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(Created { id, token })
}

/// Oldest first, revoked ones too.
pub async fn list(app: &App, email: &str) -> Result<Vec<Token>, Error> {
    let mut tx = app.store.read().await?;
    let user = by_email(&mut tx, email).await?;
    Ok(tokens::list(&mut tx, user.id).await?)
}

/// From the very next request on the token is refused.
pub async fn revoke(app: &App, id: &str) -> Result<(), Error> {
    let id: Uuid =
        id.parse().map_err(|_| Error::refused(format!("\"{id}\" is not a token's id; `dripline token list` shows them")))?;
    let mut tx = app.store.write().await?;
    let owner = tokens::revoke(&mut tx, id, app.clock.now_micros()).await?;
    owner.ok_or_else(|| Error::refused(format!("there is no live token {id}; `dripline token list` shows them")))?;
    Ok(tx.commit().await?)
}

/// The session of a live token. Noise is told apart by its checksum, without a look-up.
pub async fn session(app: &App, token: &str) -> Result<Option<Session>, Error> {
    let Some(hash) = secret::hash_of(token) else { return Ok(None) };
    let now = app.clock.now_micros();
    let session = app.store.session(&hash.0).await?.filter(|session| session.expires_at.is_none_or(|expiry| now < expiry));
    if let Some(session) = &session {
        app.last_used.note(session.token_id, now);
    }
    Ok(session)
}

/// Writes down when tokens were last used; called every half minute and at the end.
pub async fn save_last_used(app: &App) -> Result<(), Error> {
    app.last_used.save(&app.store).await
}
