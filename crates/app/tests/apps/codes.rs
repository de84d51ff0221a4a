use app::authentication::tokens::{self, Past};
use app::oauth::{Audience, CodeGiven, by_code, clients, grants, introspect};

use crate::world::{BASE, DAY, HOUR, MCP, MINUTE, REDIRECT, VERIFIER, World, error_code, given, noon};

#[tokio::test]
async fn an_authorization_code_is_valid_for_a_minute() {
    let world = World::new().await;
    let (early, late) = (world.code(0, None).await, world.code(0, None).await);
    assert_eq!(error_code(world.trade(59, &early).await), "ok");
    assert_eq!(error_code(world.trade(60, &late).await), "invalid_grant");
    assert_eq!(error_code(world.trade(0, "made up").await), "invalid_grant");
}

#[tokio::test]
async fn a_grant_whose_code_is_never_exchanged_ends_with_the_code() {
    let world = World::new().await;
    world.code(0, None).await;
    assert_eq!(grants::list(&world.at(59), world.ana).await.unwrap().len(), 1);
    assert_eq!(grants::list(&world.at(60), world.ana).await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_code_is_bound_to_its_app_redirect_verifier_and_audience() {
    let world = World::new().await;
    let other = clients::enter(&world.at(0), "Other", Some(&[REDIRECT.to_owned()]), false).await.unwrap().client;
    let (api, mcp) = (world.code(0, None).await, world.code(0, Some(MCP)).await);
    let trade = async |client, given| error_code(by_code(&world.at(1), BASE, client, given).await);
    let right = given(&api);
    assert_eq!(trade(&other, right).await, "invalid_grant");
    assert_eq!(trade(&world.client, CodeGiven { redirect_uri: Some("https://charts.example/"), ..right }).await, "invalid_grant");
    assert_eq!(trade(&world.client, CodeGiven { verifier: None, ..right }).await, "invalid_request");
    let another = VERIFIER.replace('d', "e");
    assert_eq!(trade(&world.client, CodeGiven { verifier: Some(&another), ..right }).await, "invalid_grant");
    assert_eq!(trade(&world.client, CodeGiven { resource: Some(MCP), ..right }).await, "invalid_target");
    assert_eq!(trade(&world.client, CodeGiven { redirect_uri: None, resource: Some(BASE), ..right }).await, "ok", "still good");
    assert_eq!(trade(&world.client, CodeGiven { resource: Some(BASE), ..given(&mcp) }).await, "invalid_target");
    assert_eq!(trade(&world.client, given(&mcp)).await, "ok", "its door need not be named again");
}

#[tokio::test]
async fn using_a_code_twice_revokes_its_tokens() {
    let world = World::new().await;
    let code = world.code(0, None).await;
    let issued = world.trade(1, &code).await.unwrap();
    assert!(world.opens(2, &issued.access_token).await);
    assert_eq!(error_code(world.trade(3, &code).await), "invalid_grant");
    assert!(!world.opens(3, &issued.access_token).await);
    assert_eq!(error_code(world.refresh(3, &issued.refresh_token).await), "invalid_grant");
}

#[tokio::test]
async fn a_disabled_account_issues_no_tokens() {
    let world = World::new().await;
    let code = world.code(0, None).await;
    world.disable_ana().await;
    assert_eq!(error_code(world.trade(1, &code).await), "invalid_grant");
}

#[tokio::test]
async fn an_expired_code_is_kept_for_ten_minutes() {
    let world = World::new().await;
    world.code(0, None).await;
    world.code(11 * MINUTE, None).await;
    assert_eq!(world.count("oauth_codes"), 2);
    world.code(11 * MINUTE + 1, None).await;
    assert_eq!(world.count("oauth_codes"), 2, "the first is gone");
}

#[tokio::test]
async fn an_access_token_works_for_its_audience_for_an_hour_and_can_be_introspected() {
    let world = World::new().await;
    let code = world.code(0, Some(MCP)).await;
    let issued = world.trade(10, &code).await.unwrap();
    assert_eq!(issued.expires_in_seconds, 3_600);
    let opens = async |seconds, door| tokens::session(&world.at(seconds), &issued.access_token, door).await.unwrap().is_some();
    assert!(opens(10 + HOUR - 1, Audience::Mcp).await && !opens(10 + HOUR, Audience::Mcp).await);
    assert!(!opens(10, Audience::Api).await);
    let why = async |door| tokens::past(&world.at(10), &issued.access_token, door).await.unwrap().map(|(why, _)| why);
    assert_eq!((why(Audience::Api).await, why(Audience::Mcp).await), (Some(Past::Elsewhere), None));

    let known = introspect(&world.at(10 + HOUR - 1), &issued.access_token).await.unwrap().unwrap();
    assert_eq!((known.user_id, known.client_id, known.audience), (world.ana, world.client.id.clone(), Audience::Mcp));
    let made = noon().as_second() + 10;
    assert_eq!((known.issued_at_seconds, known.expires_at_seconds), (made, made + 3_600));
    assert_eq!(introspect(&world.at(10 + HOUR), &issued.access_token).await.unwrap(), None, "past");
    assert_eq!(introspect(&world.at(10), &issued.refresh_token).await.unwrap(), None, "not an access token");
    world.disable_ana().await;
    assert_eq!(introspect(&world.at(10), &issued.access_token).await.unwrap(), None, "disabled");
}

#[tokio::test]
async fn after_ninety_days_the_user_is_asked_again() {
    let world = World::new().await;
    let mut issued = world.connect(0).await;
    for day in [29, 58, 87] {
        issued = world.refresh(day * DAY, &issued.refresh_token).await.unwrap();
    }
    let last = world.refresh(90 * DAY - 10 * MINUTE, &issued.refresh_token).await.unwrap();
    assert_eq!(last.expires_in_seconds, 600, "no token outlives what was allowed");
    assert!(world.opens(90 * DAY - 1, &last.access_token).await);
    assert_eq!(error_code(world.refresh(90 * DAY, &last.refresh_token).await), "invalid_grant");
}
