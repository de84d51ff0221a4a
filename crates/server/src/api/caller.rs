//! The client of a request: a user of the private endpoints, or a visitor of the public ones.

use app::oauth::Audience;
use app::{Session, Versions};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use uuid::Uuid;

use super::answers::Key;
use super::{Api, Reply, Shared};
use crate::http::address::{self, ClientKey};
use crate::http::denials::unauthorized;
use crate::http::limit::Counted;
use crate::http::{ApiError, Bearer, Known, Lasting, NotKnown, bearer};

/// The owner of a valid token, on a private endpoint.
pub(super) struct Caller {
    pub user_id: Uuid,
    user_version: i64,
    market_version: i64,
    day: Date,
}

impl Caller {
    pub fn key(&self, request: &str) -> Key {
        Key {
            user: Some((self.user_id, self.user_version)),
            market_version: self.market_version,
            tracking_version: 0,
            day: self.day,
            request: request.to_owned(),
        }
    }
}

/// Anybody on a public endpoint. Visitors without a valid token are rate-limited.
pub(super) struct Visitor {
    /// None without a valid token.
    user_id: Option<Uuid>,
    limit: Option<[(HeaderName, HeaderValue); 2]>,
    market_version: i64,
    tracking_version: i64,
    day: Date,
}

impl Visitor {
    pub fn signed_in(&self) -> bool {
        self.user_id.is_some()
    }

    pub fn user_id(&self) -> Option<Uuid> {
        self.user_id
    }

    /// For answers that are the same for all such visitors.
    pub fn key(&self, request: &str) -> Key {
        let kind = if self.signed_in() { "token" } else { "anonymous" };
        Key {
            user: None,
            market_version: self.market_version,
            tracking_version: self.tracking_version,
            day: self.day,
            request: format!("{kind} {request}"),
        }
    }

    /// The key of an answer from the search index, which may be a moment older than the database.
    pub fn search_key(&self, index: &Versions, request: &str) -> Key {
        Key { market_version: index.listings, tracking_version: index.tracking, ..self.key(request) }
    }

    /// Like [`Visitor::seal`], for answers that are the same for everybody without a token until a version changes.
    pub fn seal_lasting(self, reply: Reply<Response>) -> Reply<Response> {
        let anybody = !self.signed_in();
        let mut response = self.seal(reply)?;
        if anybody && response.status() == StatusCode::OK {
            response.extensions_mut().insert(Lasting);
        }
        Ok(response)
    }

    /// Adds the visitor's caching and rate-limit headers to a response, including errors.
    pub fn seal(self, reply: Reply<Response>) -> Reply<Response> {
        let mut response = reply.unwrap_or_else(IntoResponse::into_response);
        let policy = match (self.signed_in(), response.status()) {
            (true, _) => "private, no-cache",
            (false, StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::UNPROCESSABLE_ENTITY) => "public, max-age=60",
            (false, _) => "no-store",
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(policy));
        headers.append(header::VARY, HeaderValue::from_static("Authorization"));
        headers.extend(self.limit.into_iter().flatten());
        Ok(response)
    }
}

impl Api {
    /// 401 without a valid token, the same for every cause; 403 if the account is disabled.
    pub(super) async fn private(&self, parts: &Parts) -> Reply<Caller> {
        let Some(session) = self.session(&parts.headers, &parts.extensions).await? else {
            let Shared { request_metrics, challenge, .. } = &*self.shared;
            return Err(unauthorized(&self.app, &request_metrics.denials, challenge, &parts.headers, Audience::Api).await);
        };
        if session.disabled {
            return Err(ApiError::disabled(session.token_id));
        }
        Ok(Caller {
            user_id: session.user_id,
            user_version: session.user_version,
            market_version: session.market_version,
            day: self.app.clock.today(),
        })
    }

    /// Never 401: an invalid token makes an anonymous visitor, who is rate-limited. 429 past the limit.
    pub(super) async fn public(&self, parts: &Parts) -> Reply<Visitor> {
        let day = self.app.clock.today();
        if let Some(session) = self.session(&parts.headers, &parts.extensions).await?.filter(|session| !session.disabled) {
            let Session { user_id, market_version, tracking_version, .. } = session;
            return Ok(Visitor { user_id: Some(user_id), limit: None, market_version, tracking_version, day });
        }
        let decision = match parts.extensions.get() {
            Some(Counted(decision)) => *decision,
            None => self.shared.limiter.check(self.client(parts)).await,
        };
        if !decision.allowed {
            return Err(decision.refusal().with(header::CACHE_CONTROL, HeaderValue::from_static("no-store")));
        }
        let versions = self.app.store.versions().await.map_err(app::Error::from)?;
        Ok(Visitor {
            user_id: None,
            limit: Some(decision.headers()),
            market_version: versions.market,
            tracking_version: versions.tracking,
            day,
        })
    }

    /// A visitor of a document that is the same for everybody: not rate-limited, so never 429.
    pub(super) async fn uncounted(&self, parts: &Parts) -> Reply<Visitor> {
        let user_id = self
            .session(&parts.headers, &parts.extensions)
            .await?
            .filter(|session| !session.disabled)
            .map(|session| session.user_id);
        Ok(Visitor { user_id, limit: None, market_version: 0, tracking_version: 0, day: self.app.clock.today() })
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

    fn client(&self, parts: &Parts) -> ClientKey {
        ClientKey::from(address::client_ip(parts, &self.shared.trusted_proxies))
    }
}
