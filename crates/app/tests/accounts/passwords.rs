use std::sync::Arc;

use app::authentication::passwords::{self, Verdict};
use app::{Error, accounts};
use argon2::password_hash::PasswordHasher;
use store::users;

use crate::world::{ANA, PASSWORD, World, account, outcome_name};

#[test]
fn a_password_is_long_enough_and_hard_to_guess() {
    let longest = format!("{PASSWORD}{}", "z".repeat(1024 - PASSWORD.len()));
    for good in [PASSWORD, "every-month-a-payment", &longest, "Donaudampfschifffahrt um acht", "qT7#pz!Lm2&vR9x"] {
        assert!(passwords::check(good, &[]).is_ok(), "{good}");
    }
    let long = format!("{longest}z");
    for bad in ["qT7#pz!Lm2&vR9", "passwordpassword", "aaaaaaaaaaaaaaaaaaaa", "123456789012345", "dividenddividend", &long] {
        assert!(passwords::check(bad, &[]).is_err(), "{bad}");
    }
    // Hard enough for anybody but the one whose name it is.
    let own = "wolfquist.bremmerhof";
    assert!(passwords::check(own, &[]).is_ok());
    assert!(passwords::check(own, &["wolfquist.bremmerhof@example.com", ""]).is_err());
    // The same words the other way round.
    let turned = "bremmerhofwolfquist";
    assert!(passwords::check(turned, &[]).is_ok());
    assert!(passwords::check(turned, &["", "Wolfquist Bremmerhof"]).is_err());
}

#[test]
fn a_password_known_from_breaches_is_refused_though_it_is_hard_to_guess() {
    for leaked in ["Lifestyles of the rich and famous", "dirtydeedsdonedirtcheap", "SomedayMyPrinceWillCome2026!"] {
        assert_eq!(passwords::check(leaked, &[]).unwrap_err().code(), "password_breached", "{leaked}");
    }
    // The same in other words is good: it was the leak, not the strength.
    for good in ["Lifestyles of the poor and nameless", "somedaymygardenerwillcome2026!"] {
        assert!(passwords::check(good, &[]).is_ok(), "{good}");
    }
}

#[tokio::test]
async fn a_password_is_neither_trimmed_nor_truncated() {
    let app = World::new().await.at(0);
    let padded = format!(" {PASSWORD} ");
    let stored = passwords::hash(&app, &padded).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{stored}");
    assert!(passwords::verify(&app, Some(&stored), &padded).await.unwrap().right);
    assert!(!passwords::verify(&app, Some(&stored), PASSWORD).await.unwrap().right);
    let long = "é".repeat(512);
    let stored = passwords::hash(&app, &long).await.unwrap();
    let other = format!("{}e", &long[..1022]);
    assert!(passwords::verify(&app, Some(&stored), &long).await.unwrap().right);
    assert!(!passwords::verify(&app, Some(&stored), &other).await.unwrap().right);
    assert!(!passwords::verify(&app, Some(&stored), &format!("{long}x")).await.unwrap().right);
}

#[tokio::test]
async fn no_password_matches_an_account_without_one() {
    let app = World::new().await.at(0);
    assert_eq!(passwords::verify(&app, None, PASSWORD).await.unwrap(), Verdict { right: false, rehash: false });
}

#[tokio::test]
async fn a_hash_with_weaker_parameters_still_works_and_is_upgraded() {
    let (world, id) = World::with_ana().await;
    // The parameters of the crate: 19 MiB, two passes.
    let old = argon2::Argon2::default().hash_password(PASSWORD.as_bytes()).unwrap().to_string();
    assert!(old.contains("m=19456,t=2"), "{old}");
    let mut tx = world.store.write().await.unwrap();
    users::set_password_hash(&mut tx, id, &old).await.unwrap();
    tx.commit().await.unwrap();
    world.try_password(0, ANA, "three loud herons in march").await;
    let stored = users::password_hash(&mut world.store.read().await.unwrap(), id).await.unwrap().unwrap();
    assert_eq!(stored, old, "a wrong one changes nothing");
    world.sign_in(0).await;
    let stored = users::password_hash(&mut world.store.read().await.unwrap(), id).await.unwrap().unwrap();
    assert!(stored.contains("m=47104,t=1"), "{stored}");
    world.sign_in(0).await;
    assert_eq!(users::password_hash(&mut world.store.read().await.unwrap(), id).await.unwrap().unwrap(), stored);
}

#[tokio::test]
async fn a_hash_is_upgraded_unless_it_is_argon2id_with_enough_memory_times_passes() {
    let app = World::new().await.at(0);
    let hashed = |algorithm, memory, passes| {
        let params = argon2::Params::new(memory, passes, 1, None).unwrap();
        let argon2 = argon2::Argon2::new(algorithm, argon2::Version::V0x13, params);
        argon2.hash_password(PASSWORD.as_bytes()).unwrap().to_string()
    };
    for (algorithm, memory, passes, rehash) in [
        (argon2::Algorithm::Argon2id, 47_104, 1, false),
        (argon2::Algorithm::Argon2id, 23_552, 2, false),
        (argon2::Algorithm::Argon2id, 23_551, 2, true),
        (argon2::Algorithm::Argon2i, 47_104, 1, true),
    ] {
        let verdict = passwords::verify(&app, Some(&hashed(algorithm, memory, passes)), PASSWORD).await.unwrap();
        assert_eq!(verdict, Verdict { right: true, rehash }, "{algorithm:?} {memory} {passes}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_password_is_hashed_at_a_time_eight_wait_and_the_rest_are_refused() {
    let app = Arc::new(World::new().await.at(0));
    let mut set = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let app = app.clone();
        set.spawn(async move { passwords::verify(&app, None, PASSWORD).await.is_ok() });
    }
    let served = set.join_all().await.into_iter().filter(|served| *served).count();
    // Nine are served or wait; a hash takes tens of milliseconds, so that only a few more get a freed slot.
    assert!((9..=12).contains(&served), "{served}");
    assert!(passwords::verify(&app, None, PASSWORD).await.is_ok(), "afterwards there is room again");
}

#[tokio::test]
async fn a_sign_in_refused_as_busy_is_not_counted_as_wrong() {
    let (world, _) = World::with_ana().await;
    let app = Arc::new(world.at(0));
    let mut set = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let app = app.clone();
        set.spawn(async move { passwords::hash(&app, PASSWORD).await.map(drop) });
    }
    tokio::task::yield_now().await;
    let attempt = app::authentication::sign_in::Attempt { email: ANA, password: PASSWORD, device: None, agent: "", address: "" };
    let mut sent_away = 0;
    for _ in 0..6 {
        sent_away += usize::from(matches!(app::authentication::sign_in::sign_in(&app, &attempt).await, Err(Error::Busy)));
    }
    set.join_all().await;
    assert_eq!(sent_away, 6);
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "open");
}

#[tokio::test]
async fn the_operator_cannot_set_a_weak_password_either() {
    let app = World::new().await.at(0);
    let error = accounts::add(&app, &account(ANA, "passwordpassword")).await.unwrap_err();
    assert!(error.code() == "password_easy" && !error.to_string().contains("passwordpassword"), "{error}");
}
