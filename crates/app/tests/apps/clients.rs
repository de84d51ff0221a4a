use app::oauth::clients::{authenticate, authenticate_resource_server, enter, entered, remove};
use app::oauth::{AuthMethod, Kind};

use crate::world::{REDIRECT, World, told};

fn addresses(count: usize) -> Vec<String> {
    vec![REDIRECT.to_owned(); count]
}

#[tokio::test]
async fn an_app_shows_its_secret_where_it_has_one_and_none_where_it_has_none() {
    let world = World::new().await;
    let app = world.at(0);
    assert_eq!((world.client.kind, world.client.auth_method), (Kind::Operator, AuthMethod::None));
    assert_eq!(authenticate(&app, &world.client.id, None).await.unwrap(), world.client);
    assert_eq!(told(authenticate(&app, &world.client.id, Some("made up")).await), "invalid_client");
    assert_eq!(told(authenticate(&app, "nobody", None).await), "invalid_client");

    let known = enter(&app, "Trusted", Some(&addresses(1)), true).await.unwrap();
    let secret = known.secret.unwrap();
    assert_eq!(told(authenticate(&app, &known.client.id, Some(&secret)).await), "given");
    assert_eq!(told(authenticate(&app, &known.client.id, Some("made up")).await), "invalid_client");
    assert_eq!(told(authenticate(&app, &known.client.id, None).await), "invalid_client");
    assert_eq!(told(authenticate_resource_server(&app, &known.client.id, &secret).await), "invalid_client");
}

#[tokio::test]
async fn a_server_that_may_ask_about_tokens_is_no_app() {
    let world = World::new().await;
    let app = world.at(0);
    let server = enter(&app, "Gateway", None, false).await.unwrap();
    let secret = server.secret.unwrap();
    assert_eq!(server.client.kind, Kind::ResourceServer);
    assert_eq!(told(authenticate_resource_server(&app, &server.client.id, &secret).await), "given");
    assert_eq!(told(authenticate_resource_server(&app, &server.client.id, "made up").await), "invalid_client");
    assert_eq!(told(authenticate(&app, &server.client.id, Some(&secret)).await), "invalid_client");
}

#[tokio::test]
async fn the_operator_enters_apps_and_takes_them_away() {
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
