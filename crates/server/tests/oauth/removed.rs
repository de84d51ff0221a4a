//! Apps that the operator removed.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use app::oauth::{clients, grants};
use serde_json::json;
use testkit::Service;

use crate::documents::{good, ok, server};
use crate::flow::{
    ANA, BOB, REDIRECT, ask, base, code, connect, decide, error_of, exchange, later, me, refresh, register, request, scene,
    scene_at, send, send_json, sent_to, signed_in, tokens_of,
};

#[test]
fn a_removed_app_stays_removed_on_every_node() {
    // N47
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::ZERO));
    let scene = scene_at(Service::start_with_documents(Arc::new(server.fetcher(true))));
    let node = scene.second_node(&later(2));
    let id = server.url("/client.json");
    let tokens = connect(&scene, &id, &[]);
    let unused = code(&scene, &id, &[]);
    assert_eq!((me(&scene, &tokens.access), me(&node, &tokens.access)), (200, 200));

    let removed = scene.run(clients::remove(&scene.app, &id)).unwrap();
    assert_eq!((removed.name.as_str(), removed.users), ("App", 1));
    assert_eq!((me(&scene, &tokens.access), me(&node, &tokens.access)), (401, 401), "at once");
    let fetched = server.asked.load(Ordering::SeqCst);
    let long_after = scene.second_node(&later(400));
    for service in [&scene.service, &node, &long_after] {
        // Visits by a stranger and by a signed-in user.
        for browser in [service.browser(), signed_in(service, BOB)] {
            let page = ask(&browser, &request(&id, &[]));
            assert_eq!(page.status, 403);
            assert!(page.text().contains("The administrator of this server removed this app"), "{}", page.text());
        }
        for answer in [refresh(service, &id, &tokens.refresh, &[]), exchange(service, &id, &unused, &[])] {
            assert_eq!((answer.status, error_of(&answer).as_str()), (401, "invalid_client"));
            assert!(answer.text().contains("removed this app"));
        }
        let device = send(service, "/oauth/device_authorization", &[("client_id", &id)]);
        assert_eq!((device.status, error_of(&device).as_str()), (401, "invalid_client"));
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), fetched, "nothing was fetched");
    assert!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().is_empty());
    assert!(scene.ana.get("/settings/security").text().contains("App removed by the administrator: App"));

    scene.run(clients::unblock(&scene.app, &id)).unwrap();
    assert_eq!(ask(&signed_in(&scene, BOB), &request(&id, &[])).status, 200, "it may ask again");
    for service in [&scene.service, &node] {
        assert_eq!(error_of(&refresh(service, &id, &tokens.refresh, &[])), "invalid_grant", "and nothing of before lives");
        assert_eq!(me(service, &tokens.access), 401);
    }
}

#[test]
fn an_open_consent_page_of_a_removed_app_is_void() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    ask(&scene.ana, &asked);
    scene.run(clients::remove(&scene.app, &id)).unwrap();
    let answer = scene.ana.post("/oauth/consent", &[("request", &asked), ("decision", "allow")]);
    assert!(answer.status == 403 && answer.text().contains("removed this app"), "{}", answer.text());
    assert!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().is_empty());
}

#[test]
fn removing_an_app_leaves_the_others_alone() {
    let scene = scene();
    let (id, other) = (register(&scene, &[REDIRECT]), register(&scene, &[REDIRECT]));
    let bob = signed_in(&scene, BOB);
    let (gone, kept) = (connect(&scene, &id, &[]), connect(&scene, &other, &[]));
    let (_, answered) = sent_to(&decide(&bob, &request(&id, &[]), "allow"));
    let bobs = tokens_of(&exchange(&scene, &id, &answered["code"], &[]));
    assert_eq!(scene.run(clients::remove(&scene.app, &id)).unwrap().users, 2);
    assert_eq!([&gone, &bobs, &kept].map(|tokens| me(&scene, &tokens.access)), [401, 401, 200]);
    tokens_of(&refresh(&scene, &other, &kept.refresh, &[]));
    let metadata = json!({"client_name": "Widget", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
    assert_eq!(
        send_json(&scene, "/oauth/register", &metadata).status,
        201,
        "an app of the same name is another: {}",
        base(&scene)
    );
}
