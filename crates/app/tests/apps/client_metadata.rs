//! Apps whose ID is the address of their metadata.

use app::oauth::clients::{enter, find};
use app::oauth::{Document, Kind};

use crate::world::{DAY, Everywhere, HOUR, MINUTE, REDIRECT, World, error_code};

const ADDRESS: &str = "https://charts.example/app.json";

fn document(fresh_seconds: Option<i64>) -> Document {
    Document { name: "Charts".to_owned(), redirect_uris: vec![REDIRECT.to_owned()], devices: true, fresh_seconds }
}

#[tokio::test]
async fn app_metadata_is_cached_as_its_server_says_within_five_minutes_and_a_day() {
    let world = World::new().await;
    for (registration, kept) in [
        (None, 5 * MINUTE),
        (Some(0), 5 * MINUTE),
        (Some(-1), 5 * MINUTE),
        (Some(1_000), 1_000),
        (Some(DAY as i64), DAY),
        (Some(1_000_000), DAY),
    ] {
        let (address, documents) = (format!("{ADDRESS}?{registration:?}"), Everywhere::new(document(registration)));
        let found = find(&world.at(0), &documents, &address).await.unwrap();
        assert_eq!((found.id, found.kind, found.devices), (address.clone(), Kind::Document, true));
        find(&world.at(kept - 1), &documents, &address).await.unwrap();
        assert_eq!(documents.times(), 1, "{registration:?}");
        find(&world.at(kept), &documents, &address).await.unwrap();
        assert_eq!(documents.times(), 2, "{registration:?}");
    }
}

#[tokio::test]
async fn app_metadata_needs_a_name_and_one_to_ten_redirect_addresses() {
    let world = World::new().await;
    let with = |count: usize| Document { redirect_uris: vec![REDIRECT.to_owned(); count], ..document(None) };
    let evil = vec![REDIRECT.to_owned(), "http://evil.example/".to_owned()];
    let all = [
        ("ok", with(1)),
        ("ok", with(10)),
        ("invalid_client", with(0)),
        ("invalid_client", with(11)),
        ("invalid_client", Document { redirect_uris: evil, ..document(None) }),
        ("invalid_client", Document { name: "\u{200b}".to_owned(), ..document(None) }),
    ];
    for (number, (code, described)) in all.into_iter().enumerate() {
        let address = format!("{ADDRESS}?{number}");
        assert_eq!(error_code(find(&world.at(0), &Everywhere::new(described.clone()), &address).await), code, "{described:?}");
    }
}

#[tokio::test]
async fn app_metadata_is_fetched_over_https_only() {
    let world = World::new().await;
    let documents = Everywhere::new(document(None));
    for id in ["nobody", "http://charts.example/app.json", "HTTPS://charts.example/app.json"] {
        assert_eq!(error_code(find(&world.at(0), &documents, id).await), "invalid_client", "{id}");
    }
    let server = enter(&world.at(0), "Gateway", None, false).await.unwrap().client;
    assert_eq!(error_code(find(&world.at(0), &documents, &server.id).await), "invalid_client", "a server is no app");
    assert_eq!(find(&world.at(0), &documents, &world.client.id).await.unwrap(), world.client);
    assert_eq!(documents.times(), 0);
}

#[tokio::test]
async fn app_metadata_without_a_grant_is_forgotten_after_an_hour() {
    let world = World::new().await;
    let documents = Everywhere::new(document(None));
    let fetch = async |seconds, name: &str| find(&world.at(seconds), &documents, &format!("{ADDRESS}?{name}")).await.unwrap();
    fetch(0, "one").await;
    fetch(HOUR, "two").await;
    assert_eq!(world.count("oauth_clients WHERE kind = 'document'"), 2);
    fetch(HOUR + 1, "three").await;
    assert_eq!(world.count("oauth_clients WHERE kind = 'document'"), 2, "the first is gone");
}
