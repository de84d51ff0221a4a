use app::oauth::device::{Decided, Started, decide, look, poll, start};
use app::oauth::register::{Registration, register};
use app::oauth::{Audience, clients, grants};

use crate::world::{BASE, MCP, MINUTE, Nowhere, REDIRECT, World, error_code, form};

async fn started(world: &World, seconds: u64) -> Started {
    start(&world.at(seconds), BASE, &world.client, None, None).await.unwrap()
}

async fn allow(world: &World, seconds: u64, code: &str) -> bool {
    decide(&world.at(seconds), &Nowhere, world.ana, code, form(), true).await.unwrap() == Decided::Done
}

async fn poll_outcome(world: &World, seconds: u64, code: &str) -> &'static str {
    error_code(poll(&world.at(seconds), &world.client, code).await)
}

#[tokio::test]
async fn a_device_shows_a_code_that_the_user_types_elsewhere() {
    let world = World::new().await;
    let shown = start(&world.at(0), BASE, &world.client, Some("read"), Some(MCP)).await.unwrap();
    assert_eq!((shown.user_code.len(), shown.user_code.find('-')), (9, Some(4)), "{}", shown.user_code);
    assert_eq!((shown.expires_in_seconds, shown.interval_seconds), (600, 5));
    let waiting = look(&world.at(1), &Nowhere, &shown.user_code).await.unwrap().unwrap();
    assert_eq!((waiting.client, waiting.audience), (world.client.clone(), Audience::Mcp));
    assert_eq!(poll_outcome(&world, 1, &shown.device_code).await, "authorization_pending");
    assert!(allow(&world, 2, &shown.user_code).await);
    let issued = poll(&world.at(6), &world.client, &shown.device_code).await.unwrap();
    assert!(app::authentication::tokens::session(&world.at(700), &issued.access_token, Audience::Mcp).await.unwrap().is_some());
    assert_eq!(poll_outcome(&world, 6, &shown.device_code).await, "expired_token", "once");
}

#[tokio::test]
async fn an_invalid_device_request_is_refused() {
    let world = World::new().await;
    let app = world.at(0);
    let registration = Registration { redirect_uris: vec![REDIRECT.to_owned()], ..Registration::default() };
    let without = register(&app, &registration).await.unwrap().client;
    assert_eq!(error_code(start(&app, BASE, &without, None, None).await), "unauthorized_client");
    assert_eq!(error_code(start(&app, BASE, &world.client, Some("write"), None).await), "invalid_scope");
    assert_eq!(error_code(start(&app, BASE, &world.client, None, Some("https://evil.example")).await), "invalid_target");
    let shown = started(&world, 0).await;
    let other = clients::enter(&app, "Other", Some(&[REDIRECT.to_owned()]), false).await.unwrap().client;
    assert_eq!(error_code(poll(&app, &other, &shown.device_code).await), "invalid_grant");
    assert_eq!(poll_outcome(&world, 0, "made up").await, "invalid_grant");
}

#[tokio::test]
async fn a_device_code_is_valid_for_ten_minutes() {
    let world = World::new().await;
    let shown = started(&world, 0).await;
    assert_eq!(poll_outcome(&world, 10 * MINUTE - 1, &shown.device_code).await, "authorization_pending");
    assert_eq!(poll_outcome(&world, 10 * MINUTE, &shown.device_code).await, "expired_token");
    assert!(look(&world.at(10 * MINUTE - 1), &Nowhere, &shown.user_code).await.unwrap().is_some());
    assert!(look(&world.at(10 * MINUTE), &Nowhere, &shown.user_code).await.unwrap().is_none());
    assert!(!allow(&world, 10 * MINUTE, &shown.user_code).await);
}

#[tokio::test]
async fn a_device_that_polls_too_often_is_slowed_down() {
    let world = World::new().await;
    let code = started(&world, 0).await.device_code;
    // Every 5 seconds; asked after 4, every 10; asked 9 later, every 15.
    for (seconds, answer) in [
        (1, "authorization_pending"),
        (6, "authorization_pending"),
        (10, "slow_down"),
        (19, "slow_down"),
        (34, "authorization_pending"),
        (48, "slow_down"),
    ] {
        assert_eq!(poll_outcome(&world, seconds, &code).await, answer, "{seconds}");
    }
}

#[tokio::test]
async fn a_user_code_can_be_viewed_five_times_and_decided_once() {
    let world = World::new().await;
    let (shown, other) = (started(&world, 0).await, started(&world, 0).await);
    for _ in 0..5 {
        assert!(look(&world.at(1), &Nowhere, &shown.user_code).await.unwrap().is_some());
    }
    assert!(look(&world.at(1), &Nowhere, &shown.user_code).await.unwrap().is_none());
    assert!(allow(&world, 1, &shown.user_code).await, "by whoever looked the fifth time");
    assert!(!allow(&world, 1, &shown.user_code).await);
    assert!(!allow(&world, 1, "BCDF-GHJK").await, "nobody shows it");

    let (sent, app) = (form(), world.at(1));
    assert_eq!(decide(&app, &Nowhere, world.ana, "not a code", sent, false).await.unwrap(), Decided::Unknown);
    assert_eq!(decide(&app, &Nowhere, world.ana, &other.user_code, sent, false).await.unwrap(), Decided::Done);
    assert_eq!(decide(&app, &Nowhere, world.ana, &other.user_code, sent, true).await.unwrap(), Decided::Repeated);
    assert_eq!(decide(&app, &Nowhere, world.ana, &other.user_code, form(), true).await.unwrap(), Decided::Unknown);
    assert!(look(&world.at(2), &Nowhere, &other.user_code).await.unwrap().is_none(), "decided");
    assert_eq!(poll_outcome(&world, 2, &other.device_code).await, "access_denied");
}

#[tokio::test]
async fn a_grant_that_no_device_collects_ends_with_the_code() {
    let world = World::new().await;
    let shown = started(&world, 0).await;
    assert!(allow(&world, 100, &shown.user_code).await);
    assert_eq!(grants::list(&world.at(10 * MINUTE - 1), world.ana).await.unwrap().len(), 1);
    assert_eq!(grants::list(&world.at(10 * MINUTE), world.ana).await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_disabled_account_issues_no_tokens_to_a_device() {
    let world = World::new().await;
    let shown = started(&world, 0).await;
    assert!(allow(&world, 1, &shown.user_code).await);
    world.disable_ana().await;
    assert_eq!(poll_outcome(&world, 2, &shown.device_code).await, "expired_token");
}

#[tokio::test]
async fn an_expired_device_code_is_kept_for_ten_minutes() {
    let world = World::new().await;
    started(&world, 0).await;
    started(&world, 20 * MINUTE).await;
    assert_eq!(world.count("oauth_device_codes"), 2);
    started(&world, 20 * MINUTE + 1).await;
    assert_eq!(world.count("oauth_device_codes"), 2, "the first is gone");
}
