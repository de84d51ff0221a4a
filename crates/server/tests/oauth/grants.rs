use app::accounts;
use app::oauth::{clients, grants};

use crate::flow::{ANA, BOB, REDIRECT, base, connect, error_of, me, refresh, register, scene, send, signed_in, tokens_of};

#[test]
fn a_connected_app_is_listed_and_revoking_it_stops_it_at_once() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    let page = scene.ana.get("/settings/access").text();
    assert!(page.contains("Widget") && page.contains("app.example"));
    let grant = scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap()[0].id.to_string();
    let bob = signed_in(&scene, BOB);
    assert_eq!(bob.fill("/settings/access", "/settings/access/revoke-app", &[("id", &grant)]).status, 404, "another's is none");
    assert_eq!(me(&scene, &tokens.access), 200);
    assert_eq!(scene.ana.fill("/settings/access", "/settings/access/revoke-app", &[("id", &grant)]).status, 303);
    assert_eq!(me(&scene, &tokens.access), 401);
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[])), "invalid_grant");
    assert!(!scene.ana.get("/settings/access").text().contains("Widget"));
}

#[test]
fn the_token_endpoint_never_fetches_app_metadata() {
    let scene = scene();
    let never = "https://localhost:1/client.json";
    for (path, fields) in [
        ("/oauth/token", [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", never)]),
        ("/oauth/revoke", [("grant_type", "x"), ("token", "x"), ("client_id", never)]),
    ] {
        let answer = send(&scene, path, &fields);
        assert_eq!((answer.status, error_of(&answer).as_str()), (401, "invalid_client"), "{path}");
    }
}

#[test]
fn all_apps_are_revoked_at_once() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let all: Vec<_> = (0..3).map(|_| connect(&scene, &id, &[])).collect();
    assert_eq!(scene.ana.fill("/settings/access", "/settings/access/revoke-apps", &[]).status, 303);
    assert!(all.iter().all(|tokens| me(&scene, &tokens.access) == 401));
}

#[test]
fn the_apps_of_a_disabled_account_are_refused() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    scene.run(accounts::set_disabled(&scene.app, ANA, true)).unwrap();
    assert_eq!(me(&scene, &tokens.access), 403);
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[])), "invalid_grant");
}

#[test]
fn resetting_a_password_revokes_all_grants() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    scene.run(accounts::set_password(&scene.app, ANA, "nine calm otters at noon")).unwrap();
    assert_eq!(me(&scene, &tokens.access), 401);
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[])), "invalid_grant");
}

#[test]
fn an_app_revokes_its_own_tokens_and_no_others() {
    // N36
    let scene = scene();
    let (id, other) = (register(&scene, &[REDIRECT]), register(&scene, &[REDIRECT]));
    let tokens = connect(&scene, &id, &[]);
    let give_back = |client: &str, token: &str| send(&scene, "/oauth/revoke", &[("client_id", client), ("token", token)]).status;
    assert_eq!(give_back(&other, &tokens.refresh), 200);
    assert_eq!(give_back(&other, &tokens.access), 200);
    assert_eq!(give_back(&id, "drip_ort_nobody-knows-it"), 200);
    assert_eq!(me(&scene, &tokens.access), 200, "nothing happened");
    assert_eq!(give_back(&id, &tokens.access), 200);
    assert_eq!(me(&scene, &tokens.access), 401, "an access token ends alone");
    let next = tokens_of(&refresh(&scene, &id, &tokens.refresh, &[]));
    assert_eq!(give_back(&id, &next.refresh), 200);
    assert_eq!(me(&scene, &next.access), 401, "a refresh token ends it all");
    assert_eq!(error_of(&refresh(&scene, &id, &next.refresh, &[])), "invalid_grant");
    assert_eq!(send(&scene, "/oauth/revoke", &[("token", "x")]).status, 401, "nobody asks");
}

#[test]
fn only_a_registered_resource_server_may_introspect_tokens() {
    // N37
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    let entered = scene.run(clients::enter(&scene.app, "Reports", None, false)).unwrap();
    let (server, secret) = (entered.client.id, entered.secret.unwrap());
    let about = |fields: crate::flow::Pairs<'_>| send(&scene, "/oauth/introspect", fields);
    assert_eq!(about(&[("token", &tokens.access)]).status, 401);
    assert_eq!(about(&[("token", &tokens.access), ("client_id", &server), ("client_secret", "drip_ocs_x")]).status, 401);
    assert_eq!(about(&[("token", &tokens.access), ("client_id", &id)]).status, 401, "an app may not");
    let asked = |token: &str| about(&[("token", token), ("client_id", &server), ("client_secret", &secret)]).json();
    let introspected = asked(&tokens.access);
    assert_eq!(
        (introspected["active"].as_bool(), introspected["client_id"].as_str(), introspected["scope"].as_str()),
        (Some(true), Some(id.as_str()), Some("read"))
    );
    assert_eq!(introspected["aud"], format!("{}/api/v1", base(&scene)));
    let personal = scene.run(app::authentication::tokens::create(&scene.app, scene.user_id(ANA), "p")).unwrap().token;
    for foreign in [tokens.refresh.as_str(), personal.as_str(), "x", "drip_oat_x"] {
        assert_eq!(asked(foreign), serde_json::json!({"active": false}));
    }
    let authorize = crate::flow::ask(&scene.ana, &crate::flow::request(&server, &[]));
    assert_eq!(authorize.status, 400, "and it is no app");
}
