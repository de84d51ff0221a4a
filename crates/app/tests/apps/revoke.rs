use app::oauth::{clients, grants, revoke};
use uuid::Uuid;

use crate::world::{REDIRECT, World, error_code};

#[tokio::test]
async fn a_user_revokes_one_grant_or_all_of_them() {
    let world = World::new().await;
    let app = world.at(9);
    let mut issued = Vec::new();
    for seconds in 0..3 {
        issued.push(world.connect(seconds).await);
    }
    let list = grants::list(&app, world.ana).await.unwrap();
    assert_eq!(list.iter().map(|grant| grant.client_name.as_str()).collect::<Vec<_>>(), ["Charts"; 3]);
    assert!(grants::revoke(&app, Uuid::now_v7(), list[0].id).await.is_err(), "another's is none");
    assert!(world.opens(9, &issued[2].access_token).await);
    grants::revoke(&app, world.ana, list[0].id).await.unwrap();
    assert!(!world.opens(9, &issued[2].access_token).await, "the newest comes first");
    assert!(grants::revoke(&app, world.ana, list[0].id).await.is_err());
    assert_eq!(grants::revoke_all(&app, world.ana).await.unwrap(), 2);
    for tokens in &issued {
        assert!(!world.opens(9, &tokens.access_token).await);
        assert_eq!(error_code(world.refresh(9, &tokens.refresh_token).await), "invalid_grant");
    }
    assert_eq!(grants::revoke_all(&app, world.ana).await.unwrap(), 0);
    let events = app::accounts::audit::list(&app, world.ana, 100).await.unwrap();
    assert_eq!(events.iter().filter(|row| row.event == "app_revoked").count(), 3);
}

#[tokio::test]
async fn an_app_revokes_its_own_tokens_and_no_others() {
    let world = World::new().await;
    let app = world.at(9);
    let other = clients::enter(&app, "Other", Some(&[REDIRECT.to_owned()]), false).await.unwrap().client;
    let issued = world.connect(0).await;
    for token in [&issued.access_token, &issued.refresh_token] {
        revoke(&app, &other, token).await.unwrap();
        revoke(&app, &world.client, "made up").await.unwrap();
    }
    assert!(world.opens(9, &issued.access_token).await);
    revoke(&app, &world.client, &issued.access_token).await.unwrap();
    assert!(!world.opens(9, &issued.access_token).await);
    let next = world.refresh(9, &issued.refresh_token).await.unwrap();
    assert!(world.opens(9, &next.access_token).await, "an access token ends alone");
    revoke(&app, &world.client, &next.refresh_token).await.unwrap();
    assert!(!world.opens(9, &next.access_token).await, "a refresh token ends everything");
    assert_eq!(error_code(world.refresh(9, &next.refresh_token).await), "invalid_grant");
    let events = app::accounts::audit::list(&app, world.ana, 100).await.unwrap();
    assert_eq!(events.iter().filter(|row| row.event == "app_revoked").count(), 1);
}
