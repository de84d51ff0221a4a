use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use market::yahoo::consent::{self, Step};
use market::yahoo::session::{Session, crumb};
use market::{Budget, Denial, Fault, HttpClient, Urgency};
use replay::{Replay, World};
use reqwest::header::{HeaderValue, LOCATION};
use url::Url;

use crate::{ok, response};

#[test]
fn a_crumb_is_a_short_plain_word() {
    assert_eq!(crumb(&ok("haT3oy.hHq/")), Ok("haT3oy.hHq/".to_owned()));
    let long = "x".repeat(33);
    for bad in ["Too Many Requests", "Too Many Requests\r\n", "", " \n", "<html></html>", "{\"finance\":1}", &long] {
        assert_eq!(crumb(&ok(bad)), Err(Fault::Throttled(None)), "{bad:?}");
    }
    assert_eq!(crumb(&response(404, "gone")), Err(Fault::Throttled(None)));
    assert!(matches!(crumb(&response(401, "Unauthorized")), Err(Fault::Denied(_))));
}

fn page() -> Url {
    Url::parse("https://consent.yahoo.com/v2/collectConsent?sessionId=3_cc").unwrap()
}

#[test]
fn the_consent_form_is_sent_with_its_hidden_fields() {
    let html = r#"<form action="/elsewhere"><input type="hidden" name="other" value="1"></form>
        <form method="post" class="consent-form" action="">
        <input type="hidden" name="csrfToken" value="Go&amp;No">
        <input type="hidden" name="done" value="https://x.yahoo.com/?a&#x3D;1&#61;">
        <input type="text" name="ignored" value="1">
        <button type="submit" name="agree" value="agree">Yes</button></form><input type="hidden" name="after" value="1">"#;
    let form = "csrfToken=Go%26No&done=https%3A%2F%2Fx.yahoo.com%2F%3Fa%3D1%3D&agree=agree&agree=agree";
    assert_eq!(consent::next(&page(), &ok(html)), Ok(Step::Post(page(), form.to_owned())));
}

#[test]
fn consent_follows_redirects_and_ends_at_any_other_page() {
    let mut moved = response(302, "");
    assert!(matches!(consent::next(&page(), &moved), Err(Fault::Malformed(_))));
    moved.headers.insert(LOCATION, HeaderValue::from_static("/copyConsent?x=1"));
    let next = Url::parse("https://consent.yahoo.com/copyConsent?x=1").unwrap();
    assert_eq!(consent::next(&page(), &moved), Ok(Step::Get(next)));
    assert_eq!(consent::next(&page(), &ok("<html>quotes</html>")), Ok(Step::Done));
    assert_eq!(consent::next(&page(), &response(404, "")), Ok(Step::Done), "the cookie comes with a 404, too");
}

fn session(base: &str, rest: Duration) -> Session {
    let budget = Budget { per_minute: 1000, per_day: 1000 };
    Session::new(HttpClient::new("yahoo", Url::parse(base).unwrap(), budget, "test").unwrap(), rest)
}

/// Answers every request with a redirect and sends the requests to the channel.
fn redirecting(place: &'static str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/y", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut head = [0; 2000];
            let length = (&stream).read(&mut head).unwrap();
            let _ = sender.send(String::from_utf8_lossy(&head[..length]).to_lowercase());
            let reply = format!("HTTP/1.1 307 -\r\nlocation: {place}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = (&stream).write_all(reply.as_bytes());
        }
    });
    (base, receiver)
}

#[tokio::test]
async fn endless_consent_pages_are_followed_for_eight_steps_with_browser_headers() {
    let (base, asked) = redirecting("/y/again");
    let outcome = session(&base, Duration::ZERO).crumb(None, Urgency::Live).await;
    assert_eq!(outcome, Err(Fault::Denied(Denial::EndlessConsent)));
    let asked: Vec<String> = asked.try_iter().collect();
    assert_eq!(asked.len(), 8);
    assert!(asked.iter().all(|head| head.contains("user-agent: mozilla/5.0 (windows") && head.contains("accept-language: en")));
}

#[tokio::test]
async fn consent_never_leads_to_another_host() {
    let (base, asked) = redirecting("https://guce.yahoo.com/consent");
    let outcome = session(&base, Duration::ZERO).crumb(None, Urgency::Live).await;
    assert_eq!(outcome, Err(Fault::Denied(Denial::LeadsAway { host: "guce.yahoo.com".to_owned() })));
    assert_eq!(asked.try_iter().count(), 1);

    let yahoo = session("https://query1.finance.yahoo.com", Duration::ZERO);
    let may_visit = |url: &str| yahoo.may_visit(&Url::parse(url).unwrap());
    assert!(may_visit("https://guce.yahoo.com/consent") && may_visit("https://finance.yahoo.com/quote/AAPL"));
    for bad in ["http://guce.yahoo.com/", "https://yahoo.com.example.org/", "https://notyahoo.com/", "https://127.0.0.1/"] {
        assert!(!may_visit(bad), "{bad}");
    }
}

#[tokio::test]
async fn a_refused_crumb_is_requested_again_only_after_a_pause() {
    let replay = Replay::start(World { yahoo_crumb_throttled: true, ..World::default() });
    let session = session(&replay.url("yahoo"), Duration::from_millis(100));
    for _ in 0..3 {
        assert_eq!(session.crumb(None, Urgency::Live).await, Err(Fault::Throttled(None)));
    }
    assert_eq!(replay.count("getcrumb"), 1);
    replay.change(|world| world.yahoo_crumb_throttled = false);
    tokio::time::sleep(Duration::from_millis(120)).await;
    let crumb = session.crumb(None, Urgency::Live).await.unwrap();
    assert_eq!(session.crumb(None, Urgency::Live).await, Ok(crumb.clone()));
    assert_eq!(replay.count("getcrumb"), 2);
    assert_eq!(session.crumb(Some("older"), Urgency::Live).await, Ok(crumb.clone()), "somebody else has replaced it");
    session.crumb(Some(&crumb), Urgency::Live).await.unwrap();
    assert_eq!(replay.count("getcrumb"), 3);
}
