use app::accounts;
use app::authentication::{sessions, sign_in};
use argon2::password_hash::PasswordHasher;
use store::{devices, users};

use crate::world::{ANA, DAY, PASSWORD, World, account, attempt, outcome_name};

#[tokio::test]
async fn the_right_password_opens_a_session_whose_secret_is_never_stored() {
    let (world, id) = World::with_ana().await;
    let (session, device) = world.sign_in(0).await;
    assert_eq!((session.len(), device.len()), (43, 43), "256 bits of 62 letters");
    let visit = world.visit(0, &session).await.unwrap();
    assert_eq!((visit.user_id, visit.email.as_str(), visit.has_password, visit.has_totp), (id, ANA, true, false));
    assert!(world.visit(0, &device).await.is_none() && world.visit(0, "").await.is_none());
    let listed = sessions::list(&world.at(0), id).await.unwrap();
    assert_eq!((listed[0].agent.as_str(), listed[0].address.as_str()), ("Browser/1.0", "203.0.113.0/24"));
    world.store.checkpoint().await.unwrap();
    let file = std::fs::read(world.folder.path().join("dripline.db")).unwrap();
    for secret in [session.as_bytes(), device.as_bytes(), PASSWORD.as_bytes()] {
        assert!(!file.windows(secret.len()).any(|bytes| bytes == secret));
    }
    assert!(file.windows(11).any(|bytes| bytes == b"Browser/1.0"), "the right file");
}

#[tokio::test]
async fn case_and_spaces_matter_in_the_password_but_not_in_the_email_address() {
    let (world, _) = World::with_ana().await;
    assert_eq!(outcome_name(&world.try_password(0, " ANA@Example.com ", PASSWORD).await), "open");
    assert_eq!(outcome_name(&world.try_password(0, ANA, &PASSWORD.to_uppercase()).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(0, ANA, &format!("{PASSWORD} ")).await), "wrong");
}

#[tokio::test]
async fn every_failed_sign_in_has_the_same_answer() {
    let (world, _) = World::with_ana().await;
    let app = world.at(0);
    accounts::add(&app, &account("off@example.com", PASSWORD)).await.unwrap();
    accounts::set_disabled(&app, "off@example.com", true).await.unwrap();
    let bare = accounts::NewAccount { password: None, ..account("bare@example.com", "") };
    accounts::add(&app, &bare).await.unwrap();
    for email in ["off@example.com", "bare@example.com", "nobody@example.com", "not an address", ""] {
        assert_eq!(outcome_name(&world.try_password(0, email, PASSWORD).await), "wrong", "{email}");
        assert_eq!(outcome_name(&world.try_password(0, email, "").await), "wrong", "{email}");
    }
}

#[tokio::test]
async fn every_sign_in_has_its_own_session_and_a_known_browser_keeps_its_device() {
    let (world, id) = World::with_ana().await;
    let (first, device) = world.sign_in(0).await;
    let sign_in::Outcome::Open { session, device: again } = attempt(&world.at(1), ANA, PASSWORD, Some(&device)).await else {
        panic!("not open");
    };
    assert!(session != first && again == device);
    assert_eq!(sessions::list(&world.at(1), id).await.unwrap().len(), 2);
    let (_, other) = world.sign_in(2).await;
    assert_ne!(other, device);
}

#[tokio::test]
async fn at_most_twenty_browsers_are_remembered_and_expired_sessions_are_deleted() {
    let (world, id) = World::with_ana().await;
    let mut tx = world.store.write().await.unwrap();
    for number in 1..=20 {
        devices::add(&mut tx, id, &[number; 32], i64::from(number)).await.unwrap();
    }
    tx.commit().await.unwrap();
    world.sign_in(0).await;
    assert_eq!(world.count("devices"), 20);
    world.sign_in(30 * DAY).await;
    assert_eq!(world.count("sessions"), 2);
    world.sign_in(30 * DAY + 1).await;
    assert_eq!(world.count("sessions"), 2, "the first is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_replaced_while_it_is_being_verified_is_wrong() {
    let (world, id) = World::with_ana().await;
    let replace = async |hash: &str| {
        let mut tx = world.store.write().await.unwrap();
        users::set_password_hash(&mut tx, id, hash).await.unwrap();
        tx.commit().await.unwrap();
    };
    // Twenty passes take long enough for somebody else to write meanwhile.
    let slow = argon2::Params::new(47_104, 20, 1, None).unwrap();
    let slow = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, slow);
    replace(&slow.hash_password(PASSWORD.as_bytes()).unwrap().to_string()).await;
    let app = world.at(0);
    let signing_in = tokio::spawn(async move { attempt(&app, ANA, PASSWORD, None).await });
    while world.count("sign_in_failures") == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    replace("another").await;
    assert_eq!(outcome_name(&signing_in.await.unwrap()), "wrong");
}
