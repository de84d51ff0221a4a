//! Third-party apps: what ends with them, and what counts once.

use store::oauth::blocked_clients::{self, BlockedClient};
use store::oauth::clients::{self, AuthMethod, Client, Kind};
use store::oauth::{codes, consents, device_codes, grants, refresh_tokens};
use store::users;

use crate::accounts::connected;
use crate::sample::{Database, hash, id, new_user};

fn client(id: &str, created_at: i64) -> Client {
    Client {
        id: id.to_owned(),
        kind: Kind::Registered,
        name: id.to_owned(),
        redirect_uris: vec!["https://app.example/".to_owned()],
        auth_method: AuthMethod::None,
        devices: false,
        created_at,
        used_at: None,
        fresh_until: None,
    }
}

#[tokio::test]
async fn all_grants_of_an_app_are_revoked_together() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for number in [10, 20] {
        users::add(&mut tx, &new_user(number, &format!("{number}@x.org"))).await.unwrap();
        connected(&mut tx, id(number), number).await;
    }
    let users = grants::users_of_client(&mut tx, "app", 8).await.unwrap();
    assert_eq!(users, [(id(10), "App".to_owned()), (id(20), "App".to_owned())]);
    assert!(grants::users_of_client(&mut tx, "app", 9).await.unwrap().is_empty(), "past");
    assert_eq!(grants::delete_of_client(&mut tx, "another").await.unwrap(), 0);
    assert_eq!(grants::delete_of_client(&mut tx, "app").await.unwrap(), 2);
    for number in [10, 20] {
        assert!(grants::one(&mut tx, id(number), id(number + 7), 0).await.unwrap().is_none());
        assert!(codes::by_hash(&mut tx, &hash(number)).await.unwrap().is_none());
        assert!(refresh_tokens::by_hash(&mut tx, &hash(number)).await.unwrap().is_none());
        assert!(device_codes::by_hash(&mut tx, &hash(number)).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn an_app_is_blocked_once_and_can_be_unblocked() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    let blocked = |client_id: &str, at| BlockedClient { client_id: client_id.to_owned(), name: "App".to_owned(), blocked_at: at };
    assert!(blocked_clients::add(&mut tx, &blocked("b", 1)).await.unwrap());
    assert!(blocked_clients::add(&mut tx, &blocked("a", 2)).await.unwrap());
    assert!(!blocked_clients::add(&mut tx, &blocked("b", 3)).await.unwrap());
    assert_eq!(blocked_clients::by_id(&mut tx, "b").await.unwrap(), Some(blocked("b", 1)));
    assert_eq!(blocked_clients::list(&mut tx).await.unwrap(), [blocked("b", 1), blocked("a", 2)]);
    assert!(blocked_clients::delete(&mut tx, "b").await.unwrap());
    assert!(!blocked_clients::delete(&mut tx, "b").await.unwrap());
    assert_eq!(blocked_clients::by_id(&mut tx, "b").await.unwrap(), None);
}

#[tokio::test]
async fn a_consent_form_can_be_used_once() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(consents::add(&mut tx, &hash(1), 10).await.unwrap());
    assert!(!consents::add(&mut tx, &hash(1), 10).await.unwrap());
    assert!(consents::is_used(&mut tx, &hash(1)).await.unwrap() && !consents::is_used(&mut tx, &hash(2)).await.unwrap());
    assert_eq!(consents::delete_before(&mut tx, 10).await.unwrap(), 0);
    assert_eq!(consents::delete_before(&mut tx, 11).await.unwrap(), 1);
}

#[tokio::test]
async fn the_oldest_unused_apps_are_deleted_first() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    for (id, created_at) in [("second", 2), ("first", 1), ("used", 0), ("third", 3)] {
        clients::put(&mut tx, &client(id, created_at), None).await.unwrap();
    }
    clients::touch(&mut tx, "used", 4).await.unwrap();
    assert_eq!(clients::delete_oldest_waiting(&mut tx, 2).await.unwrap(), 2);
    for (id, there) in [("first", false), ("second", false), ("third", true), ("used", true)] {
        assert_eq!(clients::by_id(&mut tx, id).await.unwrap().is_some(), there, "{id}");
    }
}

#[tokio::test]
async fn the_salt_of_a_replaced_token_is_kept_for_the_grace_period() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(10, "a@x.org")).await.unwrap();
    connected(&mut tx, id(10), 10).await;
    refresh_tokens::rotate(&mut tx, &hash(10), 5, &hash(99)).await.unwrap();
    let stored = refresh_tokens::by_hash(&mut tx, &hash(10)).await.unwrap().unwrap();
    assert_eq!((stored.rotated_at, stored.salt), (Some(5), Some(hash(99))));
    assert_eq!(refresh_tokens::forget_salts(&mut tx, id(10), id(17), 5).await.unwrap(), 0);
    assert_eq!(refresh_tokens::forget_salts(&mut tx, id(10), id(17), 6).await.unwrap(), 1);
    assert_eq!(refresh_tokens::by_hash(&mut tx, &hash(10)).await.unwrap().unwrap().salt, None);
}
