//! An app requests access, and a user decides.

use store::oauth::{blocked_clients, clients, codes, consents, grants};
use uuid::Uuid;

use super::clients::{Client, Documents, find, redirects_hash};
use super::redirects::{self, Way};
use super::{Audience, Failure, MINUTE, Refused, audience, check_scope, prune};
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::{App, Error, refusal};

const CODE_LIVES: i64 = MINUTE;
/// More grants than anybody can review; the one unused for the longest time is evicted.
const GRANTS_MAX: usize = 200;

/// The original request; an empty parameter counts as missing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Request<'a> {
    pub response_type: Option<&'a str>,
    pub client_id: Option<&'a str>,
    pub redirect_uri: Option<&'a str>,
    pub scope: Option<&'a str>,
    pub code_challenge: Option<&'a str>,
    pub code_challenge_method: Option<&'a str>,
    pub resource: Option<&'a str>,
    /// The first parameter that is repeated.
    pub repeated: Option<&'a str>,
}

/// A valid request, for a user to decide about.
#[derive(Debug, Clone)]
pub struct CheckedRequest {
    pub client: Client,
    pub redirect_uri: String,
    pub way: Way,
    pub audience: Audience,
    challenge: String,
}

/// Why no user is asked.
#[derive(Debug)]
pub enum Refusal {
    /// The redirect address cannot be trusted: only the user is told.
    Unanswerable(Unanswerable),
    /// The operator removed the app.
    Removed,
    /// The app is told, at this address.
    Sent {
        to: String,
        refused: Refused,
    },
    Other(Error),
}

/// Why no answer can be sent to the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswerable {
    ParameterTwice {
        name: String,
    },
    ClientMissing,
    ClientRefused(Refused),
    RedirectMissing,
    /// Not one of those that the app registered.
    RedirectUnknown,
    RedirectForbidden,
}

impl From<Unanswerable> for Refusal {
    fn from(reason: Unanswerable) -> Refusal {
        Refusal::Unanswerable(reason)
    }
}

pub async fn check(
    app: &App,
    documents: &dyn Documents,
    base_url: &str,
    request: Request<'_>,
) -> Result<CheckedRequest, Refusal> {
    if let Some(name @ ("client_id" | "redirect_uri")) = request.repeated {
        return Err(Unanswerable::ParameterTwice { name: name.to_owned() }.into());
    }
    let id = request.client_id.ok_or(Unanswerable::ClientMissing)?;
    let client = match find(app, documents, id).await {
        Ok(client) => client,
        Err(Failure::Refused(Refused::ClientRemoved)) => return Err(Refusal::Removed),
        Err(Failure::Refused(refused)) => return Err(Unanswerable::ClientRefused(refused).into()),
        Err(Failure::Other(error)) => return Err(Refusal::Other(error)),
    };
    let redirect_uri = redirect_uri(&client, request.redirect_uri)?;
    let way = redirects::way(&redirect_uri).ok_or(Unanswerable::RedirectForbidden)?;
    match rest(base_url, request) {
        Ok((audience, challenge)) => Ok(CheckedRequest { client, redirect_uri, way, audience, challenge }),
        Err(refused) => Err(Refusal::Sent { to: redirect_uri, refused }),
    }
}

fn redirect_uri(client: &Client, asked: Option<&str>) -> Result<String, Unanswerable> {
    match (asked, client.redirect_uris.as_slice()) {
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(Unanswerable::RedirectMissing),
        (Some(asked), named) => match named.iter().any(|named| redirects::matches(named, asked)) {
            true => Ok(asked.to_owned()),
            false => Err(Unanswerable::RedirectUnknown),
        },
    }
}

fn rest(base_url: &str, request: Request<'_>) -> Result<(Audience, String), Refused> {
    if let Some(name) = request.repeated {
        return Err(Refused::ParameterTwice { name: name.to_owned() });
    }
    match request.response_type {
        Some("code") => {}
        None => return Err(Refused::ResponseTypeMissing),
        Some(_) => return Err(Refused::ResponseTypeUnsupported),
    }
    let challenge = request.code_challenge.ok_or(Refused::ChallengeMissing)?;
    if request.code_challenge_method != Some("S256") {
        return Err(Refused::ChallengeMethod);
    }
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if challenge.len() != 43 || !challenge.bytes().all(fits) {
        return Err(Refused::ChallengeMalformed);
    }
    check_scope(request.scope)?;
    Ok((audience(base_url, request.resource)?, challenge.to_owned()))
}

/// When the user last allowed this app the same access. The user is still asked: somebody else may be at the browser, and a
/// program on their machine can claim any name.
pub async fn allowed_before(app: &App, user_id: Uuid, asked: &CheckedRequest) -> Result<Option<i64>, Error> {
    let live = grants::live(&mut app.store.read().await?, user_id, app.clock.now_micros()).await?;
    let same = |grant: &&grants::Grant| {
        grant.client_id == asked.client.id
            && grant.audience == asked.audience
            && grant.redirects_hash == redirects_hash(&asked.client)
            && grant.redirect_host == redirects::shown_host(&asked.redirect_uri)
    };
    Ok(live.iter().find(same).map(|grant| grant.created_at))
}

/// The form with which a user answered. It is valid once.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub hash: [u8; 32],
    pub expires_at: i64,
}

/// Belongs in the transaction of the answer. False if the form was already sent.
pub(super) async fn use_up(tx: &mut store::Tx, form: Form, now: i64) -> Result<bool, Error> {
    consents::delete_before(tx, now).await?;
    Ok(consents::add(tx, &form.hash, form.expires_at).await?)
}

/// False if the form was already sent.
pub async fn deny(app: &App, user_id: Uuid, form: Form) -> Result<bool, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let first = use_up(&mut tx, form, app.clock.now_micros()).await?;
    tx.commit().await?;
    Ok(first)
}

/// The code that the app exchanges for tokens; `None` if the form was already sent. Until the exchange, the grant lives no longer
/// than the code.
pub async fn approve(app: &App, user_id: Uuid, asked: &CheckedRequest, form: Form) -> Result<Option<String>, Error> {
    let code = secret::random_secret()?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    if !use_up(&mut tx, form, now).await? {
        return Ok(None);
    }
    prune::codes(&mut tx, now).await?;
    let host = redirects::shown_host(&asked.redirect_uri);
    let grant_id = add_grant(&mut tx, user_id, &asked.client, &host, asked.audience, CODE_LIVES, now).await?;
    let row = codes::Code {
        user_id,
        grant_id,
        client_id: asked.client.id.clone(),
        redirect_uri: asked.redirect_uri.clone(),
        challenge: asked.challenge.clone(),
        audience: asked.audience,
        expires_at: now + CODE_LIVES,
        used_at: None,
    };
    codes::add(&mut tx, &secret::hash(&code), &row).await?;
    tx.commit().await?;
    Ok(Some(code))
}

/// In the same transaction as the answer. The grant is short-lived until tokens are issued.
pub(super) async fn add_grant(
    tx: &mut store::Tx,
    user_id: Uuid,
    client: &Client,
    host: &str,
    audience: Audience,
    lives: i64,
    now: i64,
) -> Result<Uuid, Error> {
    if blocked_clients::by_id(tx, &client.id).await?.is_some() {
        return Err(refusal::Client::Removed.into());
    }
    let mut live = grants::live(tx, user_id, now).await?;
    live.sort_by_key(|grant| std::cmp::Reverse(grant.used_at));
    for old in live.iter().skip(GRANTS_MAX - 1) {
        grants::revoke(tx, user_id, old.id, now).await?;
    }
    grants::delete_ended(tx, user_id, now).await?;
    let id = Uuid::now_v7();
    let grant = grants::Grant {
        id,
        client_id: client.id.clone(),
        client_name: client.name.clone(),
        redirect_host: host.to_owned(),
        redirects_hash: redirects_hash(client),
        audience,
        created_at: now,
        used_at: now,
        expires_at: now + lives,
    };
    grants::add(tx, user_id, &grant).await?;
    clients::touch(tx, &client.id, now).await?;
    audit::record(tx, user_id, now, Event::AppAllowed, &client.name).await?;
    Ok(id)
}
