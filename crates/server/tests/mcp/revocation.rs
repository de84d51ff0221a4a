//! Revoked access ends with the next request, here and at the API.

use app::accounts;
use app::authentication::tokens;
use app::oauth::grants;

use crate::flow::{ANA, REDIRECT, base, connect, me, register, scene};
use crate::talk::opens;

#[test]
fn a_revoked_personal_token_is_refused() {
    let scene = scene();
    let user_id = scene.user_id(ANA);
    let made = scene.run(tokens::create(&scene.app, user_id, "assistant")).unwrap();
    assert_eq!((opens(&scene, &made.token), me(&scene, &made.token)), (200, 200));
    scene.run(tokens::revoke_of(&scene.app, user_id, made.id)).unwrap();
    assert_eq!((opens(&scene, &made.token), me(&scene, &made.token)), (401, 401));
}

#[test]
fn an_app_whose_access_was_revoked_is_refused() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let assistant = connect(&scene, &id, &[("resource", &format!("{}/mcp", base(&scene)))]);
    let reader = connect(&scene, &id, &[]);
    assert_eq!((opens(&scene, &assistant.access), me(&scene, &reader.access)), (200, 200));
    // Another node ends it, and this one knows.
    let node = scene.second_node(testkit::NOW);
    for grant in scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap() {
        node.run(grants::revoke(&node.app, scene.user_id(ANA), grant.id)).unwrap();
    }
    assert_eq!((opens(&scene, &assistant.access), me(&scene, &reader.access)), (401, 401));
}

#[test]
fn a_disabled_account_is_refused_until_it_is_enabled() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let app = connect(&scene, &id, &[("resource", &format!("{}/mcp", base(&scene)))]);
    let personal = scene.run(tokens::create(&scene.app, scene.user_id(ANA), "p")).unwrap().token;
    scene.run(accounts::set_disabled(&scene.app, ANA, true)).unwrap();
    assert_eq!((opens(&scene, &app.access), opens(&scene, &personal), me(&scene, &personal)), (403, 403, 403));
    scene.run(accounts::set_disabled(&scene.app, ANA, false)).unwrap();
    assert_eq!((opens(&scene, &app.access), opens(&scene, &personal)), (200, 200));
}

#[test]
fn the_tokens_of_a_deleted_account_are_refused() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let app = connect(&scene, &id, &[("resource", &format!("{}/mcp", base(&scene)))]);
    assert_eq!(opens(&scene, &app.access), 200);
    scene.run(accounts::delete(&scene.app, ANA)).unwrap();
    assert_eq!(opens(&scene, &app.access), 401);
}
