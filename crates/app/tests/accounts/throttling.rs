use std::sync::Arc;

use app::authentication::resets;
use app::authentication::sign_in::{self, Attempt, Outcome};
use sha2::{Digest, Sha256};
use store::sign_in_failures::{self, Failures};

use crate::world::{ANA, DAY, HOUR, MINUTE, PASSWORD, World, attempt, outcome_name};

const GUESS: &str = "three loud herons in march";

#[tokio::test]
async fn after_five_wrong_passwords_the_wait_doubles_whether_or_not_the_account_exists() {
    let (world, _) = World::with_ana().await;
    for email in [ANA, "nobody@example.com"] {
        for _ in 0..5 {
            assert_eq!(outcome_name(&world.try_password(0, email, GUESS).await), "wrong", "{email}");
        }
        // 1, 2, 4 … minutes, an hour at most; each counted from the wrong password before.
        let mut now = 0;
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert!(outcome_name(&world.try_password(now + 1, email, PASSWORD).await).starts_with("wait"), "{email} {minutes}");
            now += minutes * MINUTE;
            assert_eq!(outcome_name(&world.try_password(now - 1, email, PASSWORD).await), "wait 2", "{email} {minutes}");
            assert_eq!(outcome_name(&world.try_password(now, email, GUESS).await), "wrong", "{email} {minutes}");
        }
    }
}

#[tokio::test]
async fn failed_attempts_are_deleted_after_ninety_days() {
    let (world, _) = World::with_ana().await;
    let count = || world.count("sign_in_failures");
    for stranger in ["a@example.com", "b@example.com"] {
        world.try_password(0, stranger, GUESS).await;
    }
    assert_eq!(count(), 2);
    world.try_password(90 * DAY, "c@example.com", GUESS).await;
    assert_eq!(count(), 3);
    world.try_password(90 * DAY + 1, "c@example.com", GUESS).await;
    assert_eq!(count(), 1);
}

#[tokio::test]
async fn wrong_passwords_are_forgotten_after_a_quarter_of_an_hour_or_a_right_one() {
    let (world, _) = World::with_ana().await;
    for _ in 0..4 {
        world.try_password(0, ANA, GUESS).await;
    }
    assert_eq!(outcome_name(&world.try_password(15 * MINUTE, ANA, GUESS).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(15 * MINUTE, ANA, PASSWORD).await), "open", "the second of a new window");
    for _ in 0..5 {
        assert_eq!(outcome_name(&world.try_password(16 * MINUTE, ANA, GUESS).await), "wrong", "and a success starts another");
    }
    assert_eq!(outcome_name(&world.try_password(16 * MINUTE, ANA, PASSWORD).await), "wait 61");
}

#[tokio::test]
async fn wrong_passwords_within_a_quarter_of_an_hour_add_up() {
    let (world, _) = World::with_ana().await;
    for _ in 0..4 {
        world.try_password(0, ANA, GUESS).await;
    }
    assert_eq!(outcome_name(&world.try_password(15 * MINUTE - 1, ANA, GUESS).await), "wrong", "the fifth");
    assert_eq!(outcome_name(&world.try_password(15 * MINUTE - 1, ANA, PASSWORD).await), "wait 61");
}

#[tokio::test]
async fn a_known_browser_is_throttled_apart_from_strangers() {
    let (world, _) = World::with_ana().await;
    let (_, device) = world.sign_in(0).await;
    for _ in 0..5 {
        world.try_password(1, ANA, GUESS).await;
    }
    assert_eq!(outcome_name(&world.try_password(1, ANA, PASSWORD).await), "wait 61");
    assert_eq!(outcome_name(&attempt(&world.at(1), ANA, PASSWORD, Some("made up")).await), "wait 61");
    for _ in 0..5 {
        assert_eq!(outcome_name(&attempt(&world.at(1), ANA, GUESS, Some(&device)).await), "wrong");
    }
    assert_eq!(outcome_name(&attempt(&world.at(1), ANA, PASSWORD, Some(&device)).await), "wait 61");
    assert_eq!(outcome_name(&attempt(&world.at(1 + MINUTE), ANA, PASSWORD, Some(&device)).await), "open");
    assert_eq!(
        outcome_name(&attempt(&world.at(1), "ben@example.com", GUESS, Some(&device)).await),
        "wrong",
        "a device of one account"
    );
}

#[tokio::test]
async fn strangers_have_a_hundred_attempts_until_the_owner_signs_in() {
    let (world, _) = World::with_ana().await;
    let (_, device) = world.sign_in(0).await;
    set_consecutive(&world, 99).await;
    assert_eq!(outcome_name(&world.try_password(HOUR, ANA, GUESS).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(100 * HOUR, ANA, PASSWORD).await), "wait 3600");
    assert_eq!(outcome_name(&attempt(&world.at(100 * HOUR), ANA, PASSWORD, Some(&device)).await), "open");
    assert_eq!(outcome_name(&world.try_password(100 * HOUR, ANA, PASSWORD).await), "open", "the owner was here");

    set_consecutive(&world, 100).await;
    assert_eq!(outcome_name(&world.try_password(200 * HOUR, ANA, PASSWORD).await), "wait 3600");
    let link = resets::create(&world.at(200 * HOUR), ANA, "").await.unwrap();
    let secret = link.strip_prefix("/reset/").unwrap();
    assert!(resets::finish(&world.at(200 * HOUR), secret, "seven slow trams after rain").await.unwrap());
    assert_eq!(outcome_name(&world.try_password(200 * HOUR, ANA, "seven slow trams after rain").await), "open");
}

pub async fn set_consecutive(world: &World, consecutive: i64) {
    let account: [u8; 32] = Sha256::digest(format!("email\0{ANA}")).into();
    let mut tx = world.store.write().await.unwrap();
    let failures = Failures { consecutive, ..Failures::default() };
    sign_in_failures::put(&mut tx, &account, &failures).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_guesses_are_throttled_too() {
    let (world, _) = World::with_ana().await;
    // One service each, as several nodes on one database would be.
    let mut set = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let app = Arc::new(world.at(0));
        set.spawn(async move {
            let guess = Attempt { email: ANA, password: GUESS, device: None, agent: "", address: "" };
            matches!(sign_in::sign_in(&app, &guess).await, Ok(Outcome::Wrong))
        });
    }
    let looked_at = set.join_all().await.into_iter().filter(|wrong| *wrong).count();
    assert_eq!(looked_at, 5);
}
