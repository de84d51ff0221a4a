//! Client apps: self-registered, added by the operator, or described by a document at an address.

use std::pin::Pin;

use sha2::{Digest, Sha256};
use store::oauth::blocked_clients::{self, BlockedClient};
use store::oauth::clients::{self, AuthMethod, Kind};
use store::oauth::grants;
use store::{Tx, WriteLock};
use subtle::ConstantTimeEq;

pub use store::oauth::clients::Client;

use super::{DescriptionError, Failure, MINUTE, Refused, names, prune, redirects};
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::{App, Error, refusal};

const FRESH_MIN: i64 = 5 * 60;
const FRESH_MAX: i64 = 24 * 60 * 60;
pub(super) const REDIRECTS_MAX: usize = 10;

/// An app's metadata document, found at the address that is the app's id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    pub name: String,
    pub redirect_uris: Vec<String>,
    /// Whether it says that it uses device codes.
    pub devices: bool,
    /// How long it may be cached, according to its server.
    pub fresh_seconds: Option<i64>,
}

/// Fetches metadata documents.
pub trait Documents: Send + Sync {
    fn fetch<'a>(&'a self, address: &'a str) -> Pin<Box<dyn Future<Output = Result<Document, DescriptionError>> + Send + 'a>>;
}

/// Of all its addresses: if they change, it is no longer the app that was allowed something before.
pub(super) fn redirects_hash(client: &Client) -> [u8; 32] {
    Sha256::digest(client.redirect_uris.join("\n")).into()
}

/// The app with this id. A document is fetched if it is unknown or outdated; failures are not cached.
pub async fn find(app: &App, documents: &dyn Documents, id: &str) -> Result<Client, Failure> {
    let now = app.clock.now_micros();
    match find_stored(app, id).await? {
        Some(known) if known.kind == Kind::ResourceServer => Err(Refused::ClientUnknown.into()),
        Some(known) if known.fresh_until.is_none_or(|until| now < until) => Ok(known),
        _ if id.starts_with("https://") => fetch(app, documents, id).await,
        _ => Err(Refused::ClientUnknown.into()),
    }
}

/// The stored app, unless the operator removed it.
async fn find_stored(app: &App, id: &str) -> Result<Option<Client>, Failure> {
    let mut tx = app.store.read().await?;
    check_not_removed(&mut tx, id).await?;
    Ok(clients::by_id(&mut tx, id).await?)
}

pub(super) async fn check_not_removed(tx: &mut Tx, id: &str) -> Result<(), Failure> {
    match blocked_clients::by_id(tx, id).await? {
        None => Ok(()),
        Some(_) => Err(Refused::ClientRemoved.into()),
    }
}

async fn fetch(app: &App, documents: &dyn Documents, id: &str) -> Result<Client, Failure> {
    let document = documents.fetch(id).await.map_err(Refused::Description)?;
    let name = names::shown_name(&document.name);
    let fit = (1..=REDIRECTS_MAX).contains(&document.redirect_uris.len())
        && document.redirect_uris.iter().all(|uri| redirects::way(uri).is_some());
    if !fit || name.is_empty() {
        return Err(Refused::Description(DescriptionError::Unfit { redirects_max: REDIRECTS_MAX }).into());
    }
    let now = app.clock.now_micros();
    let fresh = document.fresh_seconds.unwrap_or(FRESH_MIN).clamp(FRESH_MIN, FRESH_MAX);
    let client = Client {
        id: id.to_owned(),
        kind: Kind::Document,
        name,
        redirect_uris: document.redirect_uris,
        auth_method: AuthMethod::None,
        devices: document.devices,
        created_at: now,
        used_at: None,
        fresh_until: Some(now + fresh * MINUTE / 60),
    };
    let mut tx = app.store.write_in(WriteLock::Shared).await?;
    check_not_removed(&mut tx, id).await?;
    prune::clients(&mut tx, now).await?;
    clients::put(&mut tx, &client, None).await?;
    tx.commit().await?;
    Ok(client)
}

/// Authenticates an app by its id, and by its secret if it has one. No document is fetched: an app with a code or token was known
/// when it got it.
pub async fn authenticate(app: &App, id: &str, secret: Option<&str>) -> Result<Client, Failure> {
    let client = find_stored(app, id).await?.filter(|known| known.kind != Kind::ResourceServer).ok_or(Refused::ClientUnknown)?;
    check_secret(app, &client.id, client.auth_method, secret).await?;
    Ok(client)
}

/// A server that may introspect tokens.
pub async fn authenticate_resource_server(app: &App, id: &str, secret: &str) -> Result<(), Failure> {
    let known = clients::by_id(&mut app.store.read().await?, id).await?;
    let Some(known) = known.filter(|known| known.kind == Kind::ResourceServer) else { return Err(Refused::ClientUnknown.into()) };
    check_secret(app, &known.id, known.auth_method, Some(secret)).await
}

async fn check_secret(app: &App, id: &str, method: AuthMethod, secret: Option<&str>) -> Result<(), Failure> {
    let right = match (method, secret) {
        (AuthMethod::None, None) => true,
        (AuthMethod::None, Some(_)) | (_, None) => false,
        (_, Some(given)) => {
            let stored = clients::secret_hash(&mut app.store.read().await?, id).await?;
            stored.is_some_and(|stored| bool::from(stored.as_slice().ct_eq(&secret::hash(given))))
        }
    };
    if right { Ok(()) } else { Err(Refused::ClientUnknown.into()) }
}

/// A client that the operator adds.
pub struct Entered {
    pub client: Client,
    /// If it has one: shown once.
    pub secret: Option<String>,
}

/// Adds an app, or a resource server that may introspect tokens if `redirect_uris` is `None`.
pub async fn enter(app: &App, name: &str, redirect_uris: Option<&[String]>, confidential: bool) -> Result<Entered, Error> {
    let name = names::shown_name(name);
    if name.is_empty() {
        return Err(refusal::Client::NameMissing.into());
    }
    let uris = redirect_uris.unwrap_or_default();
    if let Some(bad) = uris.iter().find(|uri| redirects::way(uri).is_none()) {
        return Err(refusal::Client::RedirectMalformed { uri: bad.clone() }.into());
    }
    if redirect_uris.is_some() && !(1..=REDIRECTS_MAX).contains(&uris.len()) {
        return Err(refusal::Client::RedirectCount { max: REDIRECTS_MAX }.into());
    }
    let kind = if redirect_uris.is_some() { Kind::Operator } else { Kind::ResourceServer };
    let has_secret = confidential || kind == Kind::ResourceServer;
    let auth_method = if has_secret { AuthMethod::SecretBasic } else { AuthMethod::None };
    let entered = new_client(app, kind, name, uris.to_vec(), auth_method, true)?;
    let mut tx = app.store.write().await?;
    clients::put(&mut tx, &entered.row, entered.secret.as_deref().map(secret::hash).as_ref()).await?;
    tx.commit().await?;
    Ok(Entered { client: entered.row, secret: entered.secret })
}

/// Clients added by the operator, oldest first.
pub async fn entered(app: &App) -> Result<Vec<Client>, Error> {
    Ok(clients::of_operator(&mut app.store.read().await?).await?)
}

/// What ended with a client.
#[derive(Debug, PartialEq, Eq)]
pub struct Removed {
    pub name: String,
    /// How many users had allowed it something.
    pub users: usize,
}

/// Removes a client of any origin, with all its grants. Its id stays blocked. An unknown app can be blocked too: its id is the
/// address of its document.
pub async fn remove(app: &App, id: &str) -> Result<Removed, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write().await?;
    let known = clients::by_id(&mut tx, id).await?.map(|known| known.name);
    let mut users = grants::users_of_client(&mut tx, id, now).await?;
    users.dedup_by_key(|(user_id, _)| *user_id);
    let allowed = users.first().map(|(_, name)| name.clone());
    let name = match known.or(allowed) {
        Some(name) => name,
        None if blocked_clients::by_id(&mut tx, id).await?.is_some() => {
            return Err(refusal::Client::AlreadyRemoved { id: id.to_owned() }.into());
        }
        None if is_address(id) => id.to_owned(),
        None => {
            return Err(refusal::Client::Unknown { id: id.to_owned() }.into());
        }
    };
    grants::delete_of_client(&mut tx, id).await?;
    clients::delete(&mut tx, id).await?;
    blocked_clients::add(&mut tx, &BlockedClient { client_id: id.to_owned(), name: name.clone(), blocked_at: now }).await?;
    for (user_id, name) in &users {
        audit::record(&mut tx, *user_id, now, Event::AppRemoved, name).await?;
    }
    tx.commit().await?;
    Ok(Removed { name, users: users.len() })
}

/// As the app writes it: another spelling is another app.
fn is_address(id: &str) -> bool {
    url::Url::parse(id).is_ok_and(|url| url.scheme() == "https" && url.as_str() == id && url.path().len() > 1)
}

/// Lets a removed client request access again. Earlier grants stay ended.
pub async fn unblock(app: &App, id: &str) -> Result<(), Error> {
    let mut tx = app.store.write().await?;
    if !blocked_clients::delete(&mut tx, id).await? {
        return Err(refusal::Client::NotRemoved { id: id.to_owned() }.into());
    }
    Ok(tx.commit().await?)
}

/// Removed clients, oldest first.
pub async fn blocked(app: &App) -> Result<Vec<BlockedClient>, Error> {
    Ok(blocked_clients::list(&mut app.store.read().await?).await?)
}

pub(super) struct Made {
    pub row: Client,
    pub secret: Option<String>,
}

/// A client with a new id, which is never an address.
pub(super) fn new_client(
    app: &App,
    kind: Kind,
    name: String,
    redirect_uris: Vec<String>,
    auth_method: AuthMethod,
    devices: bool,
) -> Result<Made, Error> {
    let secret = match auth_method {
        AuthMethod::None => None,
        _ => Some(secret::generate(secret::CLIENT)?),
    };
    let id = secret::random_secret()?;
    let created_at = app.clock.now_micros();
    let row = Client { id, kind, name, redirect_uris, auth_method, devices, created_at, used_at: None, fresh_until: None };
    Ok(Made { row, secret })
}
