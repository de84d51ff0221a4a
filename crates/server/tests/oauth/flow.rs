//! The steps of an app through the whole flow.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::{Answer, Browser, Service, answer};

pub const ANA: &str = "ana@example.com";
pub const BOB: &str = "bob@example.com";
pub const PASSWORD: &str = "four quiet herons in march";
pub const VERIFIER: &str = "a-verifier-of-more-than-forty-three-characters-~_.";
pub const REDIRECT: &str = "https://app.example/cb";

pub type Pairs<'a> = &'a [(&'a str, &'a str)];

/// The service with two users, one of them in a browser.
pub struct Scene {
    pub service: Service,
    pub ana: Browser,
}

impl std::ops::Deref for Scene {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

pub fn scene() -> Scene {
    scene_at(Service::start())
}

pub fn scene_at(service: Service) -> Scene {
    for email in [ANA, BOB] {
        service.account(email, "EUR", None);
        service.set_password(email, PASSWORD);
    }
    let ana = signed_in(&service, ANA);
    Scene { service, ana }
}

pub fn signed_in(service: &Service, email: &str) -> Browser {
    let browser = service.browser();
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    browser
}

/// The instant this many seconds after that of the tests.
pub fn later(seconds: i64) -> String {
    let now: jiff::Timestamp = testkit::NOW.parse().unwrap();
    jiff::Timestamp::from_second(now.as_second() + seconds).unwrap().to_string()
}

pub fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

pub fn base(service: &Service) -> String {
    format!("http://{}", service.address)
}

/// Sends a form as a program does, without a browser's headers.
pub fn send(service: &Service, path: &str, fields: Pairs<'_>) -> Answer {
    send_with(service, path, fields, &[])
}

pub fn send_with(service: &Service, path: &str, fields: Pairs<'_>, headers: Pairs<'_>) -> Answer {
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let headers: Vec<(&str, &str)> = form.into_iter().chain(headers.iter().copied()).collect();
    answer::send("POST", &format!("{}{path}", base(service)), &headers, encoded(fields).as_bytes())
}

pub fn send_json(service: &Service, path: &str, body: &Value) -> Answer {
    let headers = [("Content-Type", "application/json")];
    answer::send("POST", &format!("{}{path}", base(service)), &headers, body.to_string().as_bytes())
}

pub fn encoded(fields: Pairs<'_>) -> String {
    fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect::<Vec<_>>().join("&")
}

pub fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Registers a public app with these redirect addresses.
pub fn register(service: &Service, redirect_uris: &[&str]) -> String {
    let metadata = json!({"client_name": "Widget", "redirect_uris": redirect_uris, "token_endpoint_auth_method": "none"});
    let answer = send_json(service, "/oauth/register", &metadata);
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["client_id"].as_str().unwrap().to_owned()
}

/// A valid request, with these parameters added or replaced; empty ones are left out.
pub fn request(client_id: &str, other: Pairs<'_>) -> String {
    let challenge = challenge(VERIFIER);
    let own = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("state", "s-1"),
    ];
    let mut all: Vec<(&str, &str)> =
        own.into_iter().filter(|(name, _)| !other.iter().any(|(changed, _)| changed == name)).collect();
    all.extend(other.iter().copied().filter(|(_, value)| !value.is_empty()));
    encoded(&all)
}

pub fn ask(browser: &Browser, request: &str) -> Answer {
    browser.get(&format!("/oauth/authorize?{request}"))
}

/// Opens the consent page and sends its decision.
pub fn decide(browser: &Browser, request: &str, decision: &str) -> Answer {
    let page = ask(browser, request);
    assert_eq!(page.status, 200, "{}", page.text());
    browser.post("/oauth/consent", &[("request", request), ("decision", decision)])
}

/// The address of a redirect without its parameters, and the parameters.
pub fn sent_to(answer: &Answer) -> (String, BTreeMap<String, String>) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location");
    let (to, query) = location.split_once('?').unwrap();
    let pairs: Vec<(String, String)> = serving::fields::pairs(query).unwrap();
    let map: BTreeMap<String, String> = pairs.iter().cloned().collect();
    assert_eq!(map.len(), pairs.len(), "each stands once: {location}");
    (to.to_owned(), map)
}

/// An authorization code that Ana granted.
pub fn code(scene: &Scene, client_id: &str, other: Pairs<'_>) -> String {
    let (_, answered) = sent_to(&decide(&scene.ana, &request(client_id, other), "allow"));
    answered["code"].clone()
}

pub fn exchange(service: &Service, client_id: &str, code: &str, other: Pairs<'_>) -> Answer {
    let own = [
        ("grant_type", "authorization_code"),
        ("client_id", client_id),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    let mut all: Vec<(&str, &str)> =
        own.into_iter().filter(|(name, _)| !other.iter().any(|(changed, _)| changed == name)).collect();
    all.extend(other.iter().copied().filter(|(_, value)| !value.is_empty()));
    send(service, "/oauth/token", &all)
}

pub fn refresh(service: &Service, client_id: &str, token: &str, other: Pairs<'_>) -> Answer {
    let own = [("grant_type", "refresh_token"), ("client_id", client_id), ("refresh_token", token)];
    let all: Vec<(&str, &str)> = own.into_iter().chain(other.iter().copied()).collect();
    send(service, "/oauth/token", &all)
}

pub struct Tokens {
    pub access: String,
    pub refresh: String,
}

pub fn tokens_of(answer: &Answer) -> Tokens {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let text = |name: &str| body[name].as_str().unwrap().to_owned();
    Tokens { access: text("access_token"), refresh: text("refresh_token") }
}

/// The whole flow at once.
pub fn connect(scene: &Scene, client_id: &str, other: Pairs<'_>) -> Tokens {
    let code = code(scene, client_id, other);
    tokens_of(&exchange(scene, client_id, &code, &[]))
}

pub fn error_of(answer: &Answer) -> String {
    assert_eq!(answer.header("cache-control"), "no-store", "{}", answer.text());
    answer.json()["error"].as_str().unwrap_or_default().to_owned()
}

pub fn me(service: &Service, token: &str) -> u16 {
    service.get("/api/v1/me", Some(token)).status
}
