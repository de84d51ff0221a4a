//! The client of a request: a user of the private endpoints, or a visitor of the public ones.

use std::fmt;

use app::Session;
use app::oauth::Audience;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serving::address::{self, ClientKey};
use serving::denials::unauthorized;
use serving::{ApiError, Bearer, Counted, Denied, Known, NotKnown, Reason, Scope, bearer};
use uuid::Uuid;

use super::answers::Key;
use super::{Api, Reply, Shared};

/// Who may call an endpoint, and which limit counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Users with a valid token.
    Token,
    /// Anybody. Without a valid token, requests are rate-limited.
    Public,
    /// Anybody, as often as they like.
    Unlimited,
}

/// The client of an endpoint. Extracting it refuses those who may not call.
pub trait Caller: FromRequestParts<Api, Rejection = ApiError> + Send + Sync {
    const ACCESS: Access;

    fn key(&self, request: fmt::Arguments<'_>) -> Key;

    /// Adds the caller's caching and rate-limit headers to a response, including errors.
    fn seal(self, response: Response, lasting: bool) -> Response;

    /// The same for the refusal of a caller.
    fn refuse(response: Response) -> Response {
        response
    }
}

/// The owner of a valid token. 401 without one, the same for every cause; 403 if the account is disabled.
pub struct User {
    pub id: Uuid,
    scope: Scope,
}

impl FromRequestParts<Api> for User {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Reply<User> {
        let Some(session) = api.session(&parts.headers, &parts.extensions).await? else {
            let Shared { request_metrics, challenge, .. } = &*api.shared;
            return Err(unauthorized(&api.app, &request_metrics.denials, challenge, &parts.headers, Audience::Api).await);
        };
        let scope = api.user_scope(&session).ok_or_else(|| ApiError::disabled(session.token_id))?;
        Ok(User { id: session.user_id, scope })
    }
}

impl Caller for User {
    const ACCESS: Access = Access::Token;

    fn key(&self, request: fmt::Arguments<'_>) -> Key {
        Key { scope: self.scope, request: request.to_string() }
    }

    fn seal(self, mut response: Response, lasting: bool) -> Response {
        if lasting && response.status() == StatusCode::OK {
            response.extensions_mut().insert(self.scope);
        }
        cached_by(&mut response, "private, no-cache");
        response
    }

    fn refuse(mut response: Response) -> Response {
        if response.extensions().get().is_some_and(|denied: &Denied| denied.reason == Reason::TokenNoise) {
            response.extensions_mut().insert(Scope::BadToken);
        }
        cached_by(&mut response, "private, no-cache");
        response
    }
}

fn cached_by(response: &mut Response, policy: &'static str) {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy));
    headers.append(header::VARY, HeaderValue::from_static("Authorization"));
}

/// Anybody. Never 401: an invalid token makes an anonymous visitor, who is rate-limited. 429 past the limit.
pub struct Visitor {
    /// None without a valid token.
    pub user_id: Option<Uuid>,
    limit: Option<[(HeaderName, HeaderValue); 2]>,
    scope: Scope,
}

impl Visitor {
    pub fn signed_in(&self) -> bool {
        self.user_id.is_some()
    }
}

impl FromRequestParts<Api> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Reply<Visitor> {
        if let Some(session) = api.session(&parts.headers, &parts.extensions).await?.filter(|session| !session.disabled) {
            let scope = api.public_scope(session.market_version, session.tracking_version);
            return Ok(Visitor { user_id: Some(session.user_id), limit: None, scope });
        }
        let limit = match parts.extensions.get() {
            Some(Counted) => None,
            None => Some(api.count_visitor(parts).await?),
        };
        let versions = api.app.store.versions().await.map_err(app::Error::from)?;
        let scope = api.public_scope(versions.market, versions.tracking);
        Ok(Visitor { user_id: None, limit, scope })
    }
}

impl Caller for Visitor {
    const ACCESS: Access = Access::Public;

    /// The same for all visitors with a token, and for all without.
    fn key(&self, request: fmt::Arguments<'_>) -> Key {
        let kind = if self.signed_in() { "token" } else { "anonymous" };
        Key { scope: self.scope, request: format!("{kind} {request}") }
    }

    /// Only responses to visitors without a token are stored for the fast lane.
    fn seal(self, mut response: Response, lasting: bool) -> Response {
        if lasting && !self.signed_in() && response.status() == StatusCode::OK {
            response.extensions_mut().insert(self.scope);
        }
        let policy = match (self.signed_in(), response.status()) {
            (true, _) => "private, no-cache",
            (false, StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY) => "public, max-age=60",
            (false, _) => "no-store",
        };
        cached_by(&mut response, policy);
        response.headers_mut().extend(self.limit.into_iter().flatten());
        response
    }
}

/// Anybody who reads what is the same for everybody: not rate-limited, so never 429.
pub struct Reader(Visitor);

impl FromRequestParts<Api> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Reply<Reader> {
        let session = api.session(&parts.headers, &parts.extensions).await?.filter(|session| !session.disabled);
        let user_id = session.map(|session| session.user_id);
        Ok(Reader(Visitor { user_id, limit: None, scope: api.public_scope(0, 0) }))
    }
}

impl Caller for Reader {
    const ACCESS: Access = Access::Unlimited;

    fn key(&self, request: fmt::Arguments<'_>) -> Key {
        self.0.key(request)
    }

    fn seal(self, response: Response, _: bool) -> Response {
        self.0.seal(response, false)
    }
}

impl Api {
    /// Counts a request without a token. 429 past the limit.
    pub(crate) async fn count_visitor(&self, parts: &Parts) -> Reply<[(HeaderName, HeaderValue); 2]> {
        let client = ClientKey::from(address::client_ip(parts, &self.shared.trusted_proxies));
        let decision = self.shared.limiter.check(client).await;
        match decision.allowed {
            true => Ok(decision.headers()),
            false => Err(decision.refusal().with(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))),
        }
    }

    /// None if the account is disabled.
    pub(super) fn user_scope(&self, session: &Session) -> Option<Scope> {
        let Session { user_id: id, user_version: version, market_version: market, .. } = *session;
        (!session.disabled).then(|| Scope::User { id, version, market, day: self.app.clock.today() })
    }

    pub(super) fn public_scope(&self, market: i64, tracking: i64) -> Scope {
        Scope::Public { market, tracking, day: self.app.clock.today() }
    }

    pub(super) async fn session(&self, headers: &HeaderMap, extensions: &Extensions) -> Reply<Option<Session>> {
        if let Some(Known(session)) = extensions.get() {
            return Ok(Some(*session));
        }
        if let Some(NotKnown(failure)) = extensions.get() {
            return failure.clone().map_or(Ok(None), Err);
        }
        let Bearer::Token(token) = bearer(headers) else { return Ok(None) };
        Ok(app::authentication::tokens::session(&self.app, token, Audience::Api).await?)
    }
}
