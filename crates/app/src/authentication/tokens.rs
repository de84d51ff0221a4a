//! Personal access tokens: create, show once, list and revoke; and the look-up for every request.

use store::oauth::Audience;
use store::tokens::{self, NewToken};
use store::{Session, Tx};
use uuid::Uuid;

pub use store::tokens::Token;

use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::{App, Error, refusal};

const LIVE_MAX: i64 = 25;
const NAME_MAX: usize = 100;
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// The token only exists here and with its owner.
pub struct Created {
    pub id: Uuid,
    pub token: String,
}

/// A token that lasts until it is revoked.
pub async fn create(app: &App, user_id: Uuid, name: &str) -> Result<Created, Error> {
    create_for(app, user_id, name, None).await
}

/// A token that expires after this many days, if given.
pub async fn create_for(app: &App, user_id: Uuid, name: &str, days: Option<u16>) -> Result<Created, Error> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(refusal::Token::NameLength { max: NAME_MAX }.into());
    }
    let token = secret::generate(secret::PERSONAL)?;
    let hash = secret::hash_of(&token).ok_or(getrandom::Error::UNEXPECTED)?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    if tokens::count_live(&mut tx, user_id, now).await? >= LIVE_MAX {
        return Err(refusal::Token::TooMany { max: LIVE_MAX }.into());
    }
    let id = Uuid::now_v7();
    let expires_at = days.map(|days| now + i64::from(days) * DAY);
    let row = NewToken { hash: hash.0, id, user_id, name: name.to_owned(), created_at: now, expires_at };
    tokens::add(&mut tx, &row).await?;
    audit::record(&mut tx, user_id, now, Event::TokenCreated, name).await?;
    tx.commit().await?;
    Ok(Created { id, token })
}

/// Oldest first, including revoked ones.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Token>, Error> {
    let mut tx = app.store.read().await?;
    Ok(tokens::list(&mut tx, user_id).await?)
}

/// By id alone, for the operator. The token is refused from the next request on.
pub async fn revoke(app: &App, id: &str) -> Result<(), Error> {
    let id: Uuid = id.parse().map_err(|_| refusal::Token::MalformedId { id: id.to_owned() })?;
    revoke_in(app, app.store.write().await?, id).await
}

/// The same for the user's own tokens; another user's token is not found.
pub async fn revoke_of(app: &App, user_id: Uuid, id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let own = tokens::list(&mut tx, user_id).await?.iter().any(|token| token.id == id && token.revoked_at.is_none());
    if !own {
        return Err(no_live(id));
    }
    revoke_in(app, tx, id).await
}

async fn revoke_in(app: &App, mut tx: Tx, id: Uuid) -> Result<(), Error> {
    let now = app.clock.now_micros();
    let owner = tokens::revoke(&mut tx, id, now).await?.ok_or_else(|| no_live(id))?;
    let named = tokens::list(&mut tx, owner).await?.into_iter().find(|token| token.id == id);
    let name = named.map_or_else(String::new, |token| token.name);
    audit::record(&mut tx, owner, now, Event::TokenRevoked, &name).await?;
    Ok(tx.commit().await?)
}

/// Belongs in the transaction of the change that requires it. Returns how many there were.
pub(crate) async fn end_all(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<usize, Error> {
    let mut live = tokens::list(tx, user_id).await?;
    live.retain(|token| token.revoked_at.is_none() && token.expires_at.is_none_or(|expiry| now < expiry));
    for token in &live {
        tokens::revoke(tx, token.id, now).await?;
        audit::record(tx, user_id, now, Event::TokenRevoked, &token.name).await?;
    }
    Ok(live.len())
}

fn no_live(id: Uuid) -> Error {
    refusal::Token::Unknown { id }.into()
}

/// Whether it can be a token at all, by its checksum, without a look-up.
pub fn is_well_formed(token: &str) -> bool {
    secret::is_well_formed(token)
}

/// The session of a valid token for this front end. Invalid tokens are recognised by their checksum, without a look-up.
pub async fn session(app: &App, token: &str, door: Audience) -> Result<Option<Session>, Error> {
    let Some(hash) = secret::hash_of(token) else { return Ok(None) };
    Ok(app.store.session(&hash.0).await?.and_then(|session| used(app, session, door)))
}

/// The same if no waiting is needed, else `None`.
pub fn session_at_once(app: &App, token: &str, door: Audience) -> Option<Result<Option<Session>, Error>> {
    let Some(hash) = secret::hash_of(token) else { return Some(Ok(None)) };
    let session = app.store.session_at_once(&hash.0)?;
    Some(session.map(|session| session.and_then(|session| used(app, session, door))).map_err(Error::from))
}

/// Why a token is not valid for a front end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    Revoked,
    Expired,
    Elsewhere,
}

/// Why a token was refused, and its id. `None` if it does not exist, or is valid by now.
pub async fn past(app: &App, token: &str, door: Audience) -> Result<Option<(Past, Uuid)>, Error> {
    let Some(hash) = secret::hash_of(token) else { return Ok(None) };
    let mut tx = app.store.read().await?;
    let Some(known) = tokens::known(&mut tx, &hash.0).await? else { return Ok(None) };
    let past = if known.revoked_at.is_some() {
        Past::Revoked
    } else if known.expires_at.is_some_and(|expiry| expiry <= app.clock.now_micros()) {
        Past::Expired
    } else if known.audience.is_some_and(|audience| audience != door) {
        Past::Elsewhere
    } else {
        return Ok(None);
    };
    Ok(Some((past, known.id)))
}

/// Records the use of a token that is valid for the front end.
fn used(app: &App, session: Session, door: Audience) -> Option<Session> {
    let now = app.clock.now_micros();
    let opens = session.expires_at.is_none_or(|expiry| now < expiry) && session.audience.is_none_or(|audience| audience == door);
    opens.then(|| {
        app.last_used.note(session.token_id, now);
        session
    })
}

/// Saves when tokens were last used and returns how many were updated; called every half minute and at the end.
pub async fn save_last_used(app: &App) -> Result<u64, Error> {
    app.last_used.save(&app.store).await
}
