use app::oauth::register::{DEVICE_GRANT, Registration, check, register};
use app::oauth::{AuthMethod, Kind};

use crate::world::{DAY, REDIRECT, World, error_code};

fn web() -> Registration {
    Registration { redirect_uris: vec![REDIRECT.to_owned()], ..Registration::default() }
}

fn words(words: &[&str]) -> Option<Vec<String>> {
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

#[tokio::test]
async fn a_registration_gets_defaults_for_what_it_leaves_out() {
    let world = World::new().await;
    let made = register(&world.at(0), &web()).await.unwrap();
    assert_eq!(made.grant_types, ["authorization_code", "refresh_token"]);
    assert_eq!((made.client.name.as_str(), made.client.kind), ("charts.example", Kind::Registered));
    assert_eq!((made.client.auth_method, made.secret.is_some()), (AuthMethod::SecretBasic, true));
    assert!(!made.client.devices);

    let local = Registration { redirect_uris: vec!["http://127.0.0.1/cb".to_owned()], name: Some("Mine".to_owned()), ..web() };
    let made = register(&world.at(0), &local).await.unwrap();
    assert_eq!((made.client.name.as_str(), made.client.auth_method, made.secret), ("Mine", AuthMethod::None, None));

    let device =
        Registration { redirect_uris: vec![], name: Some("\u{200b}".to_owned()), grant_types: words(&[DEVICE_GRANT]), ..web() };
    let made = register(&world.at(0), &device).await.unwrap();
    assert_eq!((made.client.name.as_str(), made.client.devices), ("", true));
}

#[test]
fn an_invalid_registration_is_refused() {
    let (ten, eleven) = (vec![REDIRECT.to_owned(); 10], vec![REDIRECT.to_owned(); 11]);
    let typed = |kind: &str, method: &str| Registration {
        application_type: Some(kind.to_owned()),
        auth_method: Some(method.to_owned()),
        ..web()
    };
    for (code, registration) in [
        ("ok", Registration { redirect_uris: ten, ..web() }),
        ("invalid_redirect_uri", Registration { redirect_uris: eleven.clone(), ..web() }),
        ("invalid_redirect_uri", Registration { redirect_uris: eleven, grant_types: words(&[DEVICE_GRANT]), ..web() }),
        ("invalid_redirect_uri", Registration { redirect_uris: vec![], ..web() }),
        ("invalid_redirect_uri", Registration { redirect_uris: vec!["javascript:alert(1)".to_owned()], ..web() }),
        ("invalid_client_metadata", Registration { grant_types: words(&[]), ..web() }),
        ("invalid_client_metadata", Registration { grant_types: words(&["authorization_code", "implicit"]), ..web() }),
        ("ok", Registration { grant_types: words(&["authorization_code"]), ..web() }),
        ("ok", Registration { response_types: words(&["code"]), ..web() }),
        ("invalid_client_metadata", Registration { response_types: words(&["code", "token"]), ..web() }),
        ("invalid_client_metadata", Registration { scope: Some("write".to_owned()), ..web() }),
        ("invalid_client_metadata", typed("desktop", "none")),
        ("invalid_client_metadata", typed("web", "private_key_jwt")),
        ("invalid_client_metadata", typed("native", "client_secret_post")),
        ("ok", typed("native", "none")),
        ("ok", typed("web", "none")),
        ("ok", typed("web", "client_secret_post")),
    ] {
        assert_eq!(check(&registration).map_or_else(|refused| refused.code(), |_| "ok"), code, "{registration:?}");
    }
}

#[test]
fn an_app_chooses_its_authentication_method() {
    let method = |registration: Registration| check(&registration).unwrap().1;
    let with = |kind: Option<&str>, method: Option<&str>| Registration {
        application_type: kind.map(str::to_owned),
        auth_method: method.map(str::to_owned),
        ..web()
    };
    assert_eq!(method(with(None, None)), AuthMethod::SecretBasic);
    assert_eq!(method(with(Some("native"), None)), AuthMethod::None);
    assert_eq!(method(with(None, Some("client_secret_post"))), AuthMethod::SecretPost);
    assert_eq!(method(with(None, Some("none"))), AuthMethod::None);
}

#[tokio::test]
async fn a_registered_app_without_a_grant_is_forgotten_after_a_day() {
    let world = World::new().await;
    assert_eq!(error_code(register(&world.at(0), &web()).await), "ok");
    register(&world.at(DAY), &web()).await.unwrap();
    assert_eq!(world.count("oauth_clients WHERE kind = 'registered'"), 2);
    register(&world.at(DAY + 1), &web()).await.unwrap();
    assert_eq!(world.count("oauth_clients WHERE kind = 'registered'"), 2, "the first is gone");
}

#[tokio::test]
async fn a_flood_of_registrations_evicts_the_oldest_unused_app_only() {
    let world = World::new().await;
    let used = register(&world.at(0), &web()).await.unwrap().client;
    let oldest = register(&world.at(1), &web()).await.unwrap().client;
    let file = rusqlite::Connection::open(world.folder.path().join("dripline.db")).unwrap();
    file.execute("UPDATE oauth_clients SET used_at = created_at WHERE id = ?1", [&used.id]).unwrap();
    let flood = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 19999)
        INSERT INTO oauth_clients (id, kind, name, redirect_uris, auth_method, device_grant, created_at)
        SELECT 'flood ' || n, 'registered', 'Flood', 'https://flood.example/', 'none', 0, ?1 + n FROM numbers";
    file.execute(flood, [oldest.created_at]).unwrap();
    drop(file);
    let registered = "oauth_clients WHERE kind = 'registered' AND used_at IS NULL";
    assert_eq!(world.count(registered), 20_000);
    let fresh = register(&world.at(2), &web()).await.unwrap().client;
    assert_eq!(world.count(registered), 20_000);
    let known = |id: &str| world.count(&format!("oauth_clients WHERE id = '{id}'"));
    assert_eq!([known(&oldest.id), known("flood 1"), known(&used.id), known(&fresh.id)], [0, 1, 1, 1]);
    register(&world.at(3), &web()).await.unwrap();
    assert_eq!([known("flood 1"), known("flood 2"), known(&used.id), known(&fresh.id)], [0, 1, 1, 1]);
}
