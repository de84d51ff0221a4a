use app::oauth::clients::{authenticate, authenticate_resource_server, blocked, enter, entered, find, remove, unblock};
use app::oauth::{AuthMethod, Document, Kind};

use crate::world::{Everywhere, Nowhere, REDIRECT, World, error_code};

fn addresses(count: usize) -> Vec<String> {
    vec![REDIRECT.to_owned(); count]
}

#[tokio::test]
async fn an_app_authenticates_with_its_secret_if_and_only_if_it_has_one() {
    let world = World::new().await;
    let app = world.at(0);
    assert_eq!((world.client.kind, world.client.auth_method), (Kind::Operator, AuthMethod::None));
    assert_eq!(authenticate(&app, &world.client.id, None).await.unwrap(), world.client);
    assert_eq!(error_code(authenticate(&app, &world.client.id, Some("made up")).await), "invalid_client");
    assert_eq!(error_code(authenticate(&app, "nobody", None).await), "invalid_client");

    let known = enter(&app, "Trusted", Some(&addresses(1)), true).await.unwrap();
    let secret = known.secret.unwrap();
    assert_eq!(error_code(authenticate(&app, &known.client.id, Some(&secret)).await), "ok");
    assert_eq!(error_code(authenticate(&app, &known.client.id, Some("made up")).await), "invalid_client");
    assert_eq!(error_code(authenticate(&app, &known.client.id, None).await), "invalid_client");
    assert_eq!(error_code(authenticate_resource_server(&app, &known.client.id, &secret).await), "invalid_client");
}

#[tokio::test]
async fn a_resource_server_cannot_act_as_an_app() {
    let world = World::new().await;
    let app = world.at(0);
    let server = enter(&app, "Gateway", None, false).await.unwrap();
    let secret = server.secret.unwrap();
    assert_eq!(server.client.kind, Kind::ResourceServer);
    assert_eq!(error_code(authenticate_resource_server(&app, &server.client.id, &secret).await), "ok");
    assert_eq!(error_code(authenticate_resource_server(&app, &server.client.id, "made up").await), "invalid_client");
    assert_eq!(error_code(authenticate(&app, &server.client.id, Some(&secret)).await), "invalid_client");
}

#[tokio::test]
async fn the_operator_adds_and_removes_apps() {
    let world = World::new().await;
    let app = world.at(0);
    assert!(enter(&app, "\u{200b}", Some(&addresses(1)), false).await.is_err(), "no name");
    assert!(enter(&app, "None", Some(&addresses(0)), false).await.is_err());
    assert!(enter(&app, "Many", Some(&addresses(11)), false).await.is_err());
    assert!(enter(&app, "Bad", Some(&["http://evil.example/".to_owned()]), false).await.is_err());
    let ten = enter(&app, "Ten", Some(&addresses(10)), false).await.unwrap();
    assert_eq!(ten.secret, None);
    let names = |all: Vec<app::oauth::Client>| all.into_iter().map(|client| client.name).collect::<Vec<_>>();
    let mut known = names(entered(&app).await.unwrap());
    known.sort();
    assert_eq!(known, ["Charts", "Ten"]);
    remove(&app, &world.client.id).await.unwrap();
    assert!(remove(&app, &world.client.id).await.is_err());
    assert_eq!(names(entered(&app).await.unwrap()), ["Ten"]);
}

#[tokio::test]
async fn a_removed_app_loses_all_access_until_it_is_unblocked() {
    let world = World::new().await;
    let app = world.at(10);
    let (tokens, code) = (world.connect(0).await, world.code(0, None).await);
    let waiting = app::oauth::device::start(&world.at(0), crate::world::BASE, &world.client, None, None).await.unwrap();
    let removed = remove(&app, &world.client.id).await.unwrap();
    assert_eq!((removed.name.as_str(), removed.users), ("Charts", 1));
    assert!(!world.opens(10, &tokens.access_token).await);
    for answer in [
        error_code(world.trade(10, &code).await.map(drop)),
        error_code(world.refresh(10, &tokens.refresh_token).await.map(drop)),
        error_code(app::oauth::device::poll(&app, &world.client, &waiting.device_code).await.map(drop)),
    ] {
        assert_eq!(answer, "invalid_grant");
    }
    for rows in ["oauth_grants", "oauth_codes", "oauth_refresh_tokens", "oauth_device_codes", "tokens"] {
        assert_eq!(world.count(rows), 0, "{rows}");
    }
    let told_to_ana = app::accounts::audit::list(&app, world.ana, 1).await.unwrap();
    assert_eq!((told_to_ana[0].event.as_str(), told_to_ana[0].detail.as_str()), ("app_removed", "Charts"));
    assert_eq!(error_code(authenticate(&app, &world.client.id, None).await), "invalid_client");
    assert_eq!(blocked(&app).await.unwrap()[0].name, "Charts");
    unblock(&app, &world.client.id).await.unwrap();
    assert!(unblock(&app, &world.client.id).await.is_err());
    assert!(blocked(&app).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_unknown_app_can_be_blocked_by_the_address_of_its_metadata() {
    let world = World::new().await;
    let app = world.at(0);
    let address = "https://charts.example/app.json";
    for unknown in ["nobody", "http://charts.example/app.json", "https://charts.example", "https://CHARTS.example/app.json"] {
        assert!(remove(&app, unknown).await.is_err(), "{unknown}");
    }
    assert_eq!(remove(&app, address).await.unwrap().users, 0);
    assert!(remove(&app, address).await.is_err(), "once");
    let redirect_uris = addresses(1);
    let documents = Everywhere::new(Document { name: "Charts".to_owned(), redirect_uris, devices: true, fresh_seconds: None });
    assert_eq!(error_code(find(&app, &documents, address).await), "invalid_client");
    assert_eq!((documents.times(), world.count("oauth_clients WHERE kind = 'document'")), (0, 0), "nothing is fetched or kept");
    unblock(&app, address).await.unwrap();
    assert_eq!(error_code(find(&app, &documents, address).await), "ok");
    assert_eq!(error_code(find(&app, &Nowhere, "https://other.example/app.json").await), "invalid_client");
}
