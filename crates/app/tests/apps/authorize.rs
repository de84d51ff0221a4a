use app::oauth::authorize::{self, CheckedRequest, Refusal, Request};
use app::oauth::{Audience, Way, grants};
use store::oauth::grants::Grant;
use uuid::Uuid;

use crate::world::{CHALLENGE, MCP, REDIRECT, World, noon};

fn error_code(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Unanswerable(_) => "unanswerable",
        Refusal::Removed => "removed",
        Refusal::Sent { refused, .. } => refused.code(),
        Refusal::Other(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_valid_authorization_request_is_shown_to_the_user_unchanged() {
    let world = World::new().await;
    let asked = world.ask(world.request()).await.unwrap();
    assert_eq!((asked.client.id.as_str(), asked.redirect_uri.as_str(), asked.way), (&*world.client.id, REDIRECT, Way::Web));
    assert_eq!(asked.audience, Audience::Api);
    let asked = world.ask(Request { redirect_uri: None, resource: Some(MCP), ..world.request() }).await.unwrap();
    assert_eq!((asked.redirect_uri.as_str(), asked.audience), (REDIRECT, Audience::Mcp), "the only address that was named");
}

#[tokio::test]
async fn an_unsafe_redirect_is_reported_to_the_user_and_not_to_the_app() {
    let world = World::new().await;
    let right = world.request();
    for (wrong, request) in [
        ("no app", Request { client_id: None, ..right }),
        ("an unknown one", Request { client_id: Some("nobody"), ..right }),
        ("two apps", Request { repeated: Some("client_id"), ..right }),
        ("two addresses", Request { repeated: Some("redirect_uri"), ..right }),
        ("another address", Request { redirect_uri: Some("https://evil.example/cb"), ..right }),
    ] {
        assert_eq!(world.ask(request).await.err().map(error_code), Some("unanswerable"), "{wrong}");
    }
}

#[tokio::test]
async fn an_invalid_request_is_reported_to_the_app() {
    let world = World::new().await;
    let right = world.request();
    let (short, long) = (&CHALLENGE[1..], format!("{CHALLENGE}A"));
    let (dotted, padded) = (CHALLENGE.replace('-', "."), format!("{short}="));
    for (code, request) in [
        ("invalid_request", Request { repeated: Some("state"), ..right }),
        ("invalid_request", Request { response_type: None, ..right }),
        ("unsupported_response_type", Request { response_type: Some("token"), ..right }),
        ("invalid_request", Request { code_challenge: None, ..right }),
        ("invalid_request", Request { code_challenge_method: None, ..right }),
        ("invalid_request", Request { code_challenge_method: Some("plain"), ..right }),
        ("invalid_request", Request { code_challenge: Some(short), ..right }),
        ("invalid_request", Request { code_challenge: Some(&long), ..right }),
        ("invalid_request", Request { code_challenge: Some(&dotted), ..right }),
        ("invalid_request", Request { code_challenge: Some(&padded), ..right }),
        ("invalid_scope", Request { scope: Some("write"), ..right }),
        ("invalid_target", Request { resource: Some("https://evil.example"), ..right }),
    ] {
        assert_eq!(world.ask(request).await.err().map(error_code), Some(code), "{request:?}");
    }
}

#[tokio::test]
async fn a_request_was_allowed_before_only_if_nothing_in_it_differs() {
    let world = World::new().await;
    let asked = world.ask(world.request()).await.unwrap();
    assert_eq!(authorize::allowed_before(&world.at(0), world.ana, &asked).await.unwrap(), None);
    world.connect(5).await;
    let before = async |asked: &CheckedRequest| authorize::allowed_before(&world.at(9), world.ana, asked).await.unwrap();
    assert_eq!(before(&asked).await, Some(noon().as_microsecond() + 5_000_000));

    let (mut app, mut door, mut addresses, mut host) = (asked.clone(), asked.clone(), asked.clone(), asked);
    app.client.id = "another".to_owned();
    door.audience = Audience::Mcp;
    addresses.client.redirect_uris.push("https://charts.example/other".to_owned());
    host.redirect_uri = "https://other.example/cb".to_owned();
    for other in [app, door, addresses, host] {
        assert_eq!(before(&other).await, None, "{other:?}");
    }
}

#[tokio::test]
async fn the_least_recently_used_of_two_hundred_grants_is_dropped() {
    let world = World::new().await;
    let now = noon().as_microsecond();
    let mut tx = world.store.write().await.unwrap();
    for at in 0..200 {
        let grant = Grant {
            id: Uuid::now_v7(),
            client_id: world.client.id.clone(),
            client_name: format!("app {at}"),
            redirect_host: "charts.example".to_owned(),
            redirects_hash: [7; 32],
            audience: Audience::Api,
            created_at: now,
            // The hundredth was not used for longest, the next one after it.
            used_at: now + (at + 100) % 200,
            expires_at: now + 1_000_000_000,
        };
        store::oauth::grants::add(&mut tx, world.ana, &grant).await.unwrap();
    }
    tx.commit().await.unwrap();
    world.code(1, None).await;
    let names: Vec<String> =
        grants::list(&world.at(1), world.ana).await.unwrap().into_iter().map(|grant| grant.client_name).collect();
    assert_eq!(names.len(), 200);
    assert!(
        !names.contains(&"app 100".to_owned()) && names.contains(&"app 101".to_owned()) && names.contains(&"Charts".to_owned())
    );
}
