use app::accounts::{self, audit};
use app::authentication::tokens::{self, Past};
use app::oauth::Audience;
use uuid::Uuid;

use crate::world::{ANA, DAY, World, account};

/// Ana without a password, which these tests do not need.
async fn ana() -> (World, Uuid) {
    let world = World::new().await;
    let id = accounts::add(&world.at(0), &accounts::NewAccount { password: None, ..account(ANA, "") }).await.unwrap();
    (world, id)
}

async fn opens(world: &World, seconds: u64, token: &str) -> bool {
    tokens::session(&world.at(seconds), token, Audience::Api).await.unwrap().is_some()
}

#[tokio::test]
async fn a_token_works_for_the_api_and_the_connector_until_it_is_revoked() {
    let (world, id) = ana().await;
    let app = world.at(0);
    let (laptop, phone) = (tokens::create(&app, id, " laptop ").await.unwrap(), tokens::create(&app, id, "phone").await.unwrap());
    for door in [Audience::Api, Audience::Mcp] {
        let session = tokens::session(&app, &laptop.token, door).await.unwrap().unwrap();
        assert_eq!((session.token_id, session.user_id), (laptop.id, id));
        let at_once = tokens::session_at_once(&app, &laptop.token, door).unwrap().unwrap().unwrap();
        assert_eq!((at_once.token_id, at_once.user_id), (laptop.id, id));
    }
    tokens::revoke(&app, &laptop.id.to_string()).await.unwrap();
    assert!(!opens(&world, 0, &laptop.token).await && opens(&world, 0, &phone.token).await);
    assert!(tokens::session_at_once(&app, &laptop.token, Audience::Api).unwrap().unwrap().is_none());
    assert!(tokens::revoke(&app, &laptop.id.to_string()).await.is_err(), "once");
    assert!(tokens::revoke(&app, "laptop").await.is_err(), "by its id");
    let listed: Vec<_> =
        tokens::list(&app, id).await.unwrap().into_iter().map(|token| (token.name, token.revoked_at.is_some())).collect();
    assert_eq!(listed, [("laptop".to_owned(), true), ("phone".to_owned(), false)]);
    tokens::revoke(&app, &phone.id.to_string()).await.unwrap();
    let rows = audit::list(&app, id, 2).await.unwrap();
    let events: Vec<_> = rows.iter().map(|row| (row.event.as_str(), row.detail.as_str())).collect();
    assert_eq!(events, [("token_revoked", "phone"), ("token_revoked", "laptop")]);
}

#[tokio::test]
async fn a_malformed_token_is_refused_without_a_lookup() {
    let (world, id) = ana().await;
    let token = tokens::create(&world.at(0), id, "laptop").await.unwrap().token;
    assert!(tokens::is_well_formed(&token));
    for noise in ["", "drip_pat_", &token[1..], &token[..token.len() - 1], "drip_pat_000000000000000000000000000000000000"] {
        assert!(!tokens::is_well_formed(noise) && !opens(&world, 0, noise).await, "{noise}");
        assert!(matches!(tokens::session_at_once(&world.at(0), noise, Audience::Api), Some(Ok(None))), "{noise}");
    }
}

#[tokio::test]
async fn a_token_may_expire() {
    let (world, id) = ana().await;
    let week = tokens::create_for(&world.at(0), id, "for a week", Some(7)).await.unwrap().token;
    let ever = tokens::create(&world.at(0), id, "for ever").await.unwrap().token;
    assert!(opens(&world, 7 * DAY - 1, &week).await && !opens(&world, 7 * DAY, &week).await);
    assert!(opens(&world, 10_000 * DAY, &ever).await);
}

#[tokio::test]
async fn the_reason_is_known_for_tokens_that_expired_or_were_revoked() {
    let (world, id) = ana().await;
    let week = tokens::create_for(&world.at(0), id, "for a week", Some(7)).await.unwrap();
    let ever = tokens::create(&world.at(0), id, "for ever").await.unwrap();
    let why = async |seconds, token: &str| tokens::past(&world.at(seconds), token, Audience::Api).await.unwrap();
    assert_eq!((why(7 * DAY - 1, &week.token).await, why(10_000 * DAY, &ever.token).await), (None, None), "live");
    assert_eq!(why(7 * DAY, &week.token).await, Some((Past::Expired, week.id)));
    for token in [&week, &ever] {
        tokens::revoke(&world.at(0), &token.id.to_string()).await.unwrap();
        assert_eq!(why(7 * DAY, &token.token).await, Some((Past::Revoked, token.id)));
    }
    let (elsewhere, other) = ana().await;
    let unknown = tokens::create(&elsewhere.at(0), other, "of another service").await.unwrap().token;
    assert_eq!((why(0, &unknown).await, why(0, "drip_pat_").await), (None, None), "nobody has it");
}

#[tokio::test]
async fn a_token_has_a_name_of_one_to_a_hundred_characters() {
    let (world, id) = ana().await;
    let long = "ä".repeat(101);
    for bad in ["", " ", "two\nlines", &long] {
        assert!(tokens::create(&world.at(0), id, bad).await.is_err(), "{bad}");
    }
    for good in ["x", &"ä".repeat(100)] {
        assert!(tokens::create(&world.at(0), id, good).await.is_ok(), "{good}");
    }
}

#[tokio::test]
async fn there_are_twenty_five_live_tokens_at_most() {
    let (world, id) = ana().await;
    let first = tokens::create_for(&world.at(0), id, "for a day", Some(1)).await.unwrap();
    for _ in 1..25 {
        tokens::create(&world.at(0), id, "one more").await.unwrap();
    }
    assert!(tokens::create(&world.at(DAY - 1), id, "too many").await.is_err());
    assert!(tokens::create(&world.at(DAY), id, "one has ended").await.is_ok());
    assert!(tokens::create(&world.at(DAY), id, "too many").await.is_err());
    tokens::revoke_of(&world.at(DAY), id, tokens::list(&world.at(DAY), id).await.unwrap()[1].id).await.unwrap();
    assert!(tokens::create(&world.at(DAY), id, "one was revoked").await.is_ok());
    assert!(!opens(&world, DAY, &first.token).await);
}

#[tokio::test]
async fn another_users_token_cannot_be_revoked() {
    let (world, id) = ana().await;
    let app = world.at(0);
    let ben = accounts::add(&app, &accounts::NewAccount { password: None, ..account("ben@example.com", "") }).await.unwrap();
    let (own, other) = (tokens::create(&app, id, "hers").await.unwrap(), tokens::create(&app, ben, "his").await.unwrap());
    assert!(tokens::revoke_of(&app, id, other.id).await.is_err());
    assert!(opens(&world, 0, &other.token).await);
    tokens::revoke_of(&app, id, own.id).await.unwrap();
    assert!(tokens::revoke_of(&app, id, own.id).await.is_err(), "once");
    assert!(!opens(&world, 0, &own.token).await && opens(&world, 0, &other.token).await);
}

#[tokio::test]
async fn the_last_use_of_a_token_is_stored_to_the_minute() {
    let (world, id) = ana().await;
    let app = world.at(90);
    let (used, unused) = (tokens::create(&app, id, "used").await.unwrap(), tokens::create(&app, id, "unused").await.unwrap());
    assert_eq!(tokens::save_last_used(&app).await.unwrap(), 0);
    assert!(tokens::session(&app, &used.token, Audience::Api).await.unwrap().is_some());
    let last = async || -> Vec<_> { tokens::list(&app, id).await.unwrap().iter().map(|token| token.last_used_at).collect() };
    assert_eq!(last().await, [None, None], "not before it is saved");
    assert_eq!(tokens::save_last_used(&app).await.unwrap(), 1);
    assert_eq!(last().await, [Some(world.at(60).clock.now_micros()), None]);
    assert_eq!(tokens::save_last_used(&app).await.unwrap(), 0, "nothing new");
    for token in [&used.token, &unused.token] {
        assert!(tokens::session(&app, token, Audience::Api).await.unwrap().is_some());
    }
    assert_eq!(tokens::save_last_used(&app).await.unwrap(), 1, "of one it was known");
}
