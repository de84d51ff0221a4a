use app::oauth::{RefreshGiven, by_refresh_token, clients};

use crate::world::{BASE, DAY, HOUR, MCP, REDIRECT, World, error_code, plain};

#[tokio::test]
async fn a_refresh_token_is_valid_for_thirty_days() {
    let world = World::new().await;
    let (one, two) = (world.connect(0).await, world.connect(0).await);
    assert_eq!(error_code(world.refresh(30 * DAY - 1, &one.refresh_token).await), "ok");
    assert_eq!(error_code(world.refresh(30 * DAY, &two.refresh_token).await), "invalid_grant");
}

#[tokio::test]
async fn a_replaced_refresh_token_returns_the_same_successor_for_half_a_minute() {
    let world = World::new().await;
    let first = world.connect(0).await;
    let next = world.refresh(100, &first.refresh_token).await.unwrap();
    for seconds in [100, 129, 130] {
        let again = world.refresh(seconds, &first.refresh_token).await.unwrap();
        assert_eq!((&again.access_token, &again.refresh_token), (&next.access_token, &next.refresh_token), "{seconds}");
        assert_eq!(again.expires_in_seconds as u64, 3_700 - seconds);
    }
    assert_eq!((world.count("oauth_refresh_tokens"), world.count("tokens WHERE grant_id IS NOT NULL")), (2, 2));
    assert!(world.opens(130, &first.access_token).await && world.opens(130, &next.access_token).await);
}

#[tokio::test]
async fn a_replaced_refresh_token_returns_its_successor_even_after_that_was_used() {
    let world = World::new().await;
    let first = world.connect(0).await;
    let second = world.refresh(100, &first.refresh_token).await.unwrap();
    let third = world.refresh(110, &second.refresh_token).await.unwrap();
    let again = world.refresh(120, &first.refresh_token).await.unwrap();
    assert_eq!(again.refresh_token, second.refresh_token);
    assert_eq!(world.refresh(121, &again.refresh_token).await.unwrap().refresh_token, third.refresh_token);
    assert_eq!(world.count("oauth_refresh_tokens"), 3);
}

#[tokio::test]
async fn the_salt_of_a_successor_is_deleted_after_the_grace_period() {
    let world = World::new().await;
    let first = world.connect(0).await;
    let second = world.refresh(100, &first.refresh_token).await.unwrap();
    assert_eq!(world.count("oauth_refresh_tokens WHERE salt IS NOT NULL"), 1);
    world.refresh(131, &second.refresh_token).await.unwrap();
    assert_eq!(world.count("oauth_refresh_tokens WHERE salt IS NOT NULL AND rotated_at IS NOT NULL"), 1, "the second's alone");
}

#[tokio::test]
async fn reusing_a_replaced_refresh_token_later_revokes_the_grant() {
    let world = World::new().await;
    let first = world.connect(0).await;
    let second = world.refresh(100, &first.refresh_token).await.unwrap();
    assert_eq!(error_code(world.refresh(131, &first.refresh_token).await), "invalid_grant");
    assert!(!world.opens(131, &second.access_token).await);
    assert_eq!(error_code(world.refresh(131, &second.refresh_token).await), "invalid_grant");
}

#[tokio::test]
async fn a_grant_gets_at_most_sixty_tokens_an_hour() {
    let world = World::new().await;
    let mut issued = world.connect(0).await;
    for _ in 1..60 {
        issued = world.refresh(0, &issued.refresh_token).await.unwrap();
    }
    assert_eq!(error_code(world.refresh(HOUR - 1, &issued.refresh_token).await), "temporarily_unavailable");
    assert_eq!(error_code(world.refresh(HOUR, &issued.refresh_token).await), "ok");
}

#[tokio::test]
async fn a_refresh_token_is_bound_to_its_app_and_audience() {
    let world = World::new().await;
    let other = clients::enter(&world.at(0), "Other", Some(&[REDIRECT.to_owned()]), false).await.unwrap().client;
    let api = world.connect(0).await.refresh_token;
    let code = world.code(0, Some(MCP)).await;
    let mcp = world.trade(0, &code).await.unwrap().refresh_token;
    let refresh = async |client, given| error_code(by_refresh_token(&world.at(1), BASE, client, given).await);
    assert_eq!(refresh(&other, plain(&api)).await, "invalid_grant");
    assert_eq!(refresh(&world.client, RefreshGiven { scope: Some("write"), ..plain(&api) }).await, "invalid_scope");
    assert_eq!(refresh(&world.client, RefreshGiven { resource: Some(MCP), ..plain(&api) }).await, "invalid_target");
    assert_eq!(refresh(&world.client, RefreshGiven { resource: Some(BASE), ..plain(&mcp) }).await, "invalid_target");
    assert_eq!(refresh(&world.client, RefreshGiven { resource: Some(MCP), ..plain(&mcp) }).await, "ok");
    assert_eq!(refresh(&world.client, RefreshGiven { resource: Some(BASE), ..plain(&api) }).await, "ok");
    let later = world.connect(2).await.refresh_token;
    world.disable_ana().await;
    assert_eq!(refresh(&world.client, plain(&later)).await, "invalid_grant", "disabled");
}

#[tokio::test]
async fn a_refresh_need_not_name_its_audience_again() {
    let world = World::new().await;
    let code = world.code(0, Some(MCP)).await;
    let mcp = world.trade(0, &code).await.unwrap().refresh_token;
    assert_eq!(error_code(world.refresh(1, &mcp).await), "ok");
    assert_eq!(error_code(world.refresh(1, "made up").await), "invalid_grant");
}
