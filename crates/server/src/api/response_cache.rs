//! Cached responses. An identical request, with nothing changed since, is answered before any routing;
//! token, versions and rate limit are checked as always.

use std::hash::{Hash, Hasher};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use app::Session;
use app::oauth::Audience;
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, AUTHORIZATION, IF_NONE_MATCH};
use axum::http::{Extensions, HeaderName, HeaderValue, Method};
use jiff::civil::Date;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use uuid::Uuid;

use super::caller::Access;
use super::endpoints::access;
use super::{Api, Reply};
use crate::http::address::{self, ClientKey};
use crate::http::limits::rate::{self, Counted};
use crate::http::{
    ApiError, Bearer, CachedResponse, Finished, Found, Head, Known, NotKnown, Outgoing, PendingResponse, Place, ResponseCache,
    Written, auth, bearer,
};

/// Everything a response depends on. A new version makes a new key, so an outdated response is never found.
struct Key {
    who: Who,
    day: Date,
    encodings: Box<[u8]>,
    target: Box<str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Who {
    User {
        id: Uuid,
        version: i64,
        market: i64,
    },
    Anybody {
        market: i64,
        tracking: i64,
    },
    /// Clients with a malformed token.
    Nobody,
}

impl Who {
    /// None for a disabled account, or without a session.
    fn from_session(session: &Reply<Option<Session>>) -> Option<Who> {
        let session = session.as_ref().ok()?.as_ref().filter(|session| !session.disabled)?;
        Some(Who::User { id: session.user_id, version: session.user_version, market: session.market_version })
    }
}

/// A borrowed key for look-ups.
#[derive(PartialEq, Eq, Hash)]
struct Question<'a> {
    who: Who,
    day: Date,
    encodings: &'a [u8],
    target: &'a str,
}

impl Key {
    fn question(&self) -> Question<'_> {
        Question { who: self.who, day: self.day, encodings: &self.encodings, target: &self.target }
    }
}

impl Question<'_> {
    fn key(&self) -> Key {
        Key { who: self.who, day: self.day, encodings: self.encodings.into(), target: self.target.into() }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.question().hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.question() == other.question()
    }
}

impl Eq for Key {}

impl Equivalent<Key> for Question<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        *self == key.question()
    }
}

type Kept = Cache<Key, Arc<Written>, ByBytes>;

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Arc<Written>> for ByBytes {
    fn weight(&self, key: &Key, written: &Arc<Written>) -> u64 {
        (key.target.len() + written.bytes() + 500) as u64
    }
}

const BYTES_MAX: u64 = 16 << 20;
/// Responses to longer requests are not cached.
const WORDS_MAX: usize = 512;

#[derive(Clone)]
pub(crate) struct Answered {
    api: Api,
    kept: Arc<Kept>,
}

impl Answered {
    pub fn new(api: Api) -> Answered {
        Answered { api, kept: Arc::new(Cache::with_weighter(2_000, BYTES_MAX, ByBytes)) }
    }

    async fn of_user(&self, request: &mut Request) -> Found {
        let noise = matches!(bearer(request.headers()), Bearer::Token(token) if is_noise(token));
        if noise && access(request.uri().path()) == Some(Access::Token) {
            return self.look(Who::Nobody, request);
        }
        let session = self.api.session(request.headers(), request.extensions()).await;
        let found = Who::from_session(&session).map_or(Found::Not(None), |who| self.look(who, request));
        if let Found::Not(_) = found {
            learn(request.extensions_mut(), session);
        }
        found
    }

    async fn of_anybody(&self, request: &mut Request) -> Found {
        let client = ClientKey::from(address::client_ip_of_request(request, &self.api.shared.trusted_proxies));
        let decision = self.api.shared.limiter.check(client).await;
        let mut found = Found::Not(None);
        if decision.allowed
            && let Ok(versions) = self.api.app.store.versions().await
        {
            found = self.look(Who::Anybody { market: versions.market, tracking: versions.tracking }, request);
        }
        match &mut found {
            Found::Answer(response) => response.headers_mut().extend(decision.headers()),
            // So that it is not counted twice.
            Found::Not(_) => drop(request.extensions_mut().insert(Counted(decision))),
        }
        found
    }

    fn of_head(&self, who: Who, head: &Head<'_>) -> Option<Outgoing> {
        let question = self.question(who, head.target, head.all(ACCEPT_ENCODING))?;
        Outgoing::new(self.kept.get(&question)?, head.all(IF_NONE_MATCH))
    }

    /// The same once the token is looked up.
    fn soon(&self, token: &str, head: &Head<'_>) -> PendingResponse {
        let (answered, token, target) = (self.clone(), token.to_owned(), head.target.to_owned());
        let owned = |name: HeaderName| head.all(name).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let (encodings, tags) = (owned(ACCEPT_ENCODING), owned(IF_NONE_MATCH));
        Box::pin(async move {
            let session =
                app::authentication::tokens::session(&answered.api.app, &token, Audience::Api).await.map_err(ApiError::from);
            let found = || {
                let question = answered.question(Who::from_session(&session)?, &target, encodings.iter().map(Vec::as_slice))?;
                Outgoing::new(answered.kept.get(&question)?, tags.iter().map(Vec::as_slice))
            };
            found().ok_or_else(|| {
                let mut learned = Extensions::new();
                learn(&mut learned, session);
                learned
            })
        })
    }

    fn question<'a>(&self, who: Who, target: &'a str, mut encodings: impl Iterator<Item = &'a [u8]>) -> Option<Question<'a>> {
        let day = self.api.app.clock.today();
        if who == Who::Nobody {
            // Refused before anything else is read, and too short to compress.
            let path = target.split_once('?').map_or(target, |(path, _)| path);
            return Some(Question { who, day, encodings: &[], target: path });
        }
        let (encodings, None) = (encodings.next().unwrap_or_default(), encodings.next()) else { return None };
        let short = target.len() + encodings.len() <= WORDS_MAX;
        short.then_some(Question { who, day, encodings, target })
    }

    fn look(&self, who: Who, request: &Request) -> Found {
        let Some(target) = request.uri().path_and_query() else { return Found::Not(None) };
        let encodings = request.headers().get_all(ACCEPT_ENCODING).iter().map(HeaderValue::as_bytes);
        let Some(question) = self.question(who, target.as_str(), encodings) else { return Found::Not(None) };
        let kept = self.kept.get(&question);
        match kept.and_then(|written| written.finished.answer(request.headers())) {
            Some(response) => Found::Answer(response),
            None => Found::Not(Some(Box::new(Here { kept: self.kept.clone(), key: question.key() }))),
        }
    }
}

/// Avoids a second look-up. A failed one can be repeated while there is time.
fn learn(extensions: &mut Extensions, session: Reply<Option<Session>>) {
    match session {
        Ok(Some(session)) => drop(extensions.insert(Known(session))),
        Ok(None) => drop(extensions.insert(NotKnown(None))),
        Err(error) if app::is_wait_budget_spent() => drop(extensions.insert(NotKnown(Some(error)))),
        Err(_) => {}
    }
}

/// A malformed token, recognised by its checksum.
fn is_noise(token: &str) -> bool {
    !app::authentication::tokens::is_well_formed(token)
}

impl ResponseCache for Answered {
    fn cached_response(&self, head: &Head<'_>, peer: IpAddr) -> Option<CachedResponse> {
        let path = head.path();
        if !path.starts_with("/api/v1/") {
            return None;
        }
        if head.all(AUTHORIZATION).next().is_none() {
            let versions = self.api.app.store.versions_at_once().filter(|_| access(path) == Some(Access::Public))?.ok()?;
            let found = self.of_head(Who::Anybody { market: versions.market, tracking: versions.tracking }, head)?;
            let client = ClientKey::from(address::client_ip_of_head(peer, head, &self.api.shared.trusted_proxies));
            // A refused request is not counted, so the limiter can be asked again for the refusal.
            let decision = self.api.shared.limiter.check_at_once(client).filter(|decision| decision.allowed)?;
            return Some(CachedResponse::Answer(found.limited(decision)));
        }
        let token = auth::token(std::str::from_utf8(head.only(AUTHORIZATION)?).ok()?)?;
        if is_noise(token) {
            return (access(path) == Some(Access::Token))
                .then(|| self.of_head(Who::Nobody, head))
                .flatten()
                .map(CachedResponse::Answer);
        }
        match app::authentication::tokens::session_at_once(&self.api.app, token, Audience::Api) {
            Some(session) => self.of_head(Who::from_session(&Ok(session.ok()?))?, head).map(CachedResponse::Answer),
            None => Some(CachedResponse::PendingResponse(self.soon(token, head))),
        }
    }

    fn find<'a>(&'a self, request: &'a mut Request) -> Pin<Box<dyn Future<Output = Found> + Send + 'a>> {
        Box::pin(async move {
            let path = request.uri().path();
            if request.method() != Method::GET || !path.starts_with("/api/v1/") {
                return Found::Not(None);
            }
            match request.headers().contains_key(AUTHORIZATION) {
                true => self.of_user(request).await,
                false if access(path) == Some(Access::Public) => self.of_anybody(request).await,
                false => Found::Not(None),
            }
        })
    }
}

struct Here {
    kept: Arc<Kept>,
    key: Key,
}

impl Place for Here {
    fn keep(self: Box<Self>, finished: Finished) {
        let Here { kept, key } = *self;
        // A stored body is kept.
        if finished.body().is_some() || kept.peek(&key).is_none() {
            // The remaining requests of this client change each time.
            kept.insert(key, Arc::new(Written::of(finished.without(&[rate::POLICY, rate::STATE]))));
        }
    }
}
