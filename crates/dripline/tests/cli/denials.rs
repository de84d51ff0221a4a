//! Denied requests are logged by reason, by default and without secrets; a flood is logged as a count.

use std::net::SocketAddr;

use serde_json::Value;
use testkit::Browser;

use crate::dripline::{ANA, Dripline};
use crate::served::Served;

const PASSWORD: &str = "wrong horse battery staple";

#[test]
fn denied_requests_are_logged_without_secrets() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    let id = dripline.json(&["token", "list", "--user", ANA, "--json"])[0]["id"].as_str().unwrap().to_owned();
    dripline.done(&["token", "revoke", &id]);
    let noise = format!("{}x", &token[..token.len() - 1]);
    let log = dripline.path().join("log");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.env_remove("RUST_LOG").stderr(std::fs::File::create(&log).unwrap()));
    let address: SocketAddr = served.address.strip_prefix("http://").unwrap().parse().unwrap();
    assert_eq!(served.get("/api/v1/me?query=asked", Some(&token)), 401);
    for _ in 0..40 {
        assert_eq!(served.get("/api/v1/income", Some(&noise)), 401);
    }
    let browser = Browser::new(address);
    assert_eq!(browser.sign_in(ANA, PASSWORD).status, 422);
    assert_eq!(browser.post_raw("/sign-in", &[("_token", "forged")], &[("Sec-Fetch-Site", "same-origin")]).status, 403);
    let elsewhere = [("Sec-Fetch-Site", "cross-site")];
    assert_eq!(browser.post_raw("/sign-in", &[("_token", &browser.token())], &elsewhere).status, 403);
    let app = [("grant_type", "authorization_code"), ("code", "guessedcode"), ("client_id", "nobody")];
    assert_eq!(browser.post_raw("/oauth/token", &app, &[]).status, 401);
    for _ in 0..61 {
        served.get("/api/v1/calendar", None);
    }
    drop(served);

    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> =
        log.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    let with_reason = |reason: &str| lines.iter().filter(|line| line["fields"]["reason"] == reason).collect::<Vec<_>>();
    assert!(lines.iter().all(|line| line["target"] == "dripline::denied" && line["level"] == "INFO"), "{log}");
    for reason in ["token_revoked", "sign_in", "form_token", "origin", "app", "limit"] {
        assert_eq!(with_reason(reason).len(), 1, "{reason} in {log}");
    }
    let revoked = &with_reason("token_revoked")[0];
    for (field, value) in [("token", id.as_str()), ("route", "/api/v1/me"), ("client", "127.0.0.0/24")] {
        assert_eq!(revoked["fields"][field], value, "{log}");
    }
    assert!(revoked["span"]["id"].is_string(), "{log}");
    // Ten in a minute; the test may last for more than one.
    let logged = with_reason("token_noise");
    assert!((10..40).contains(&logged.len()), "{log}");
    let form = browser.token();
    for secret in [token.as_str(), &noise, &token[9..20], PASSWORD, ANA, "forged", "guessedcode", "asked", &form] {
        assert!(!log.contains(secret), "{secret} is in {log}");
    }
}
