//! A temporary service with one user and one app, at any time a test chooses.

#[path = "../world/mod.rs"]
mod shared;

use std::ops::Deref;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use app::accounts;
use app::authentication::tokens;
use app::oauth::authorize::{self, CheckedRequest, Form, Refusal, Request};
use app::oauth::{
    Audience, Client, CodeGiven, DescriptionError, Document, Documents, Failure, Issued, RefreshGiven, by_code, by_refresh_token,
    clients,
};
use uuid::Uuid;

use shared::ANA;
pub use shared::{DAY, HOUR, MINUTE, noon};

pub const BASE: &str = "https://drip.example";
pub const MCP: &str = "https://drip.example/mcp";
pub const REDIRECT: &str = "https://charts.example/cb";
/// The pair of RFC 7636, appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub struct World {
    shared: shared::World,
    pub ana: Uuid,
    pub client: Client,
}

impl Deref for World {
    type Target = shared::World;

    fn deref(&self) -> &shared::World {
        &self.shared
    }
}

impl World {
    /// With Ana, who has no password, and an app that the operator registered.
    pub async fn new() -> World {
        let shared = shared::World::new().await;
        let ana = shared.person(ANA).await;
        let client = clients::enter(&shared.at(0), "Charts", Some(&[REDIRECT.to_owned()]), false).await.unwrap().client;
        World { shared, ana, client }
    }

    pub async fn ask(&self, request: Request<'_>) -> Result<CheckedRequest, Refusal> {
        authorize::check(&self.at(0), &Nowhere, BASE, request).await
    }

    /// A valid authorization request.
    pub fn request(&self) -> Request<'_> {
        Request {
            response_type: Some("code"),
            client_id: Some(&self.client.id),
            redirect_uri: Some(REDIRECT),
            code_challenge: Some(CHALLENGE),
            code_challenge_method: Some("S256"),
            ..Request::default()
        }
    }

    /// An authorization code that Ana granted the app.
    pub async fn code(&self, seconds: u64, resource: Option<&str>) -> String {
        let asked = self.ask(Request { resource, ..self.request() }).await.unwrap();
        authorize::approve(&self.at(seconds), self.ana, &asked, form()).await.unwrap().unwrap()
    }

    pub async fn trade(&self, seconds: u64, code: &str) -> Result<Issued, Failure> {
        by_code(&self.at(seconds), BASE, &self.client, given(code)).await
    }

    /// The tokens of a fresh grant.
    pub async fn connect(&self, seconds: u64) -> Issued {
        let code = self.code(seconds, None).await;
        self.trade(seconds, &code).await.unwrap()
    }

    pub async fn refresh(&self, seconds: u64, refresh_token: &str) -> Result<Issued, Failure> {
        by_refresh_token(&self.at(seconds), BASE, &self.client, plain(refresh_token)).await
    }

    /// Whether an access token works for the API.
    pub async fn opens(&self, seconds: u64, access_token: &str) -> bool {
        tokens::session(&self.at(seconds), access_token, Audience::Api).await.unwrap().is_some()
    }

    pub async fn disable_ana(&self) {
        accounts::set_disabled(&self.at(0), ANA, true).await.unwrap();
    }
}

/// A form that was not sent yet.
pub fn form() -> Form {
    let mut hash = [0; 32];
    hash[..16].copy_from_slice(Uuid::now_v7().as_bytes());
    Form { hash, expires_at: i64::MAX }
}

pub fn given(code: &str) -> CodeGiven<'_> {
    CodeGiven { code, redirect_uri: Some(REDIRECT), verifier: Some(VERIFIER), resource: None }
}

pub fn plain(refresh_token: &str) -> RefreshGiven<'_> {
    RefreshGiven { refresh_token, scope: None, resource: None }
}

/// In the words of the protocol, or that it was given.
pub fn error_code<T>(answer: Result<T, Failure>) -> &'static str {
    match answer {
        Ok(_) => "ok",
        Err(Failure::Refused(refused)) => refused.code(),
        Err(Failure::Other(error)) => panic!("{error}"),
    }
}

/// Finds no metadata at any address.
pub struct Nowhere;

impl Documents for Nowhere {
    fn fetch<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = Result<Document, DescriptionError>> + Send + 'a>> {
        Box::pin(async { Err(DescriptionError::Unreachable) })
    }
}

/// Serves the same metadata at every address and counts fetches.
pub struct Everywhere {
    pub document: Document,
    pub fetched: AtomicUsize,
}

impl Everywhere {
    pub fn new(document: Document) -> Everywhere {
        Everywhere { document, fetched: AtomicUsize::new(0) }
    }

    pub fn times(&self) -> usize {
        self.fetched.load(Ordering::Relaxed)
    }
}

impl Documents for Everywhere {
    fn fetch<'a>(&'a self, _: &'a str) -> Pin<Box<dyn Future<Output = Result<Document, DescriptionError>> + Send + 'a>> {
        self.fetched.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Ok(self.document.clone()) })
    }
}
