use serde_json::json;

use crate::flow::{ANA, REDIRECT, base, connect, error_of, later, me, refresh, register, scene, tokens_of};

#[test]
fn a_refresh_token_is_replaced_at_each_use() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let mut tokens = connect(&scene, &id, &[]);
    for hour in 1..4 {
        let node = scene.second_node(&later(hour * 3600));
        assert_eq!(me(&node, &tokens.access), 401, "an access token lives an hour");
        let next = tokens_of(&refresh(&node, &id, &tokens.refresh, &[]));
        assert_eq!(me(&node, &next.access), 200);
        assert_ne!(next.refresh, tokens.refresh);
        tokens = next;
    }
}

#[test]
fn reusing_an_old_refresh_token_after_the_grace_period_revokes_the_grant() {
    // N18
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let first = connect(&scene, &id, &[]);
    let second = tokens_of(&refresh(&scene, &id, &first.refresh, &[]));
    let again = tokens_of(&refresh(&scene.second_node(&later(29)), &id, &first.refresh, &[]));
    assert_eq!((&again.refresh, &again.access), (&second.refresh, &second.access), "no second family");
    let node = scene.second_node(&later(31));
    assert_eq!(me(&node, &second.access), 200);
    let replayed = refresh(&node, &id, &first.refresh, &[]);
    assert_eq!((replayed.status, error_of(&replayed).as_str()), (400, "invalid_grant"));
    for tokens in [&first, &second] {
        assert_eq!(me(&node, &tokens.access), 401);
        assert_eq!(error_of(&refresh(&node, &id, &tokens.refresh, &[])), "invalid_grant");
    }
    let activity = scene.run(app::accounts::audit::list(&scene.app, scene.user_id(ANA), 5)).unwrap();
    assert!(activity.iter().any(|row| row.event == "token_reused"));
}

#[test]
fn a_refresh_token_cannot_widen_its_scope() {
    // N19
    let scene = scene();
    let (id, other) = (register(&scene, &[REDIRECT]), register(&scene, &[REDIRECT]));
    let tokens = connect(&scene, &id, &[]);
    let mcp = format!("{}/mcp", base(&scene));
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[("scope", "read write")])), "invalid_scope");
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[("resource", &mcp)])), "invalid_target");
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[("resource", "https://evil.example")])), "invalid_target");
    assert_eq!(error_of(&refresh(&scene, &other, &tokens.refresh, &[])), "invalid_grant");
    let again = tokens_of(&refresh(
        &scene,
        &id,
        &tokens.refresh,
        &[("scope", "read"), ("resource", &format!("{}/api/v1", base(&scene)))],
    ));
    assert_eq!(me(&scene, &again.access), 200, "none of those used it up");
}

#[test]
fn eight_simultaneous_refreshes_of_a_token_all_succeed() {
    // N42
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    for _ in 0..testkit::tries(20, 100) {
        let tokens = connect(&scene, &id, &[]);
        let answers: Vec<testkit::Answer> = std::thread::scope(|scope| {
            let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| refresh(&scene, &id, &tokens.refresh, &[]))).collect();
            sent.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let all: Vec<_> = answers.iter().map(tokens_of).collect();
        let next = &all[0];
        assert!(all.iter().all(|one| (&one.access, &one.refresh) == (&next.access, &next.refresh)), "one successor");
        assert_eq!(me(&scene, &next.access), 200);
        tokens_of(&refresh(&scene, &id, &next.refresh, &[]));
        assert_eq!(me(&scene, &tokens.access), 200, "the token of before lives on");
    }
}

#[test]
fn grants_end_after_ninety_days_or_thirty_days_unused() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    const DAY: i64 = 86_400;
    let idle = connect(&scene, &id, &[]);
    assert_eq!(error_of(&refresh(&scene.second_node(&later(30 * DAY + 1)), &id, &idle.refresh, &[])), "invalid_grant");
    let mut tokens = connect(&scene, &id, &[]);
    for day in [29, 58, 87] {
        tokens = tokens_of(&refresh(&scene.second_node(&later(day * DAY)), &id, &tokens.refresh, &[]));
    }
    let last = refresh(&scene.second_node(&later(90 * DAY - 60)), &id, &tokens.refresh, &[]);
    assert_eq!(last.json()["expires_in"], json!(60), "to the end of the ninety days, and no further");
    let last = tokens_of(&last);
    let after = scene.second_node(&later(90 * DAY + 1));
    assert_eq!(me(&after, &last.access), 401);
    assert_eq!(error_of(&refresh(&after, &id, &last.refresh, &[])), "invalid_grant");
}
