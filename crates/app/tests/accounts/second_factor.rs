use std::collections::BTreeSet;

use app::authentication::sign_in::{self, Outcome};
use app::authentication::{sessions, totp};
use totp_rs::{Builder, Secret};

use crate::throttling::set_consecutive;
use crate::world::{ANA, HOUR, MINUTE, PASSWORD, World, outcome_name};

/// The code that an authenticator shows this many seconds after the noon of the tests.
fn code_at(secret: &str, seconds: u64) -> String {
    let noon = "2026-11-15T12:00:00Z".parse::<jiff::Timestamp>().unwrap().as_second() as u64;
    let secret = Secret::try_from_base32(secret).unwrap();
    Builder::new().with_secret(secret).with_account_name("x").build().unwrap().generate(noon + seconds).to_string()
}

struct Armed {
    world: World,
    secret: String,
    codes: Vec<String>,
}

/// Ana, with a second factor since noon.
async fn armed() -> Armed {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let visit = world.visit(0, &session).await.unwrap();
    let setup = totp::begin(&world.at(0), &visit).await.unwrap();
    let enabled = totp::confirm(&world.at(0), &visit, &code_at(&setup.secret, 0)).await.unwrap().unwrap();
    Armed { world, secret: setup.secret, codes: enabled.recovery_codes }
}

impl Armed {
    /// Signs in with the right password; the code is still missing.
    async fn pending(&self, seconds: u64) -> String {
        match self.world.try_password(seconds, ANA, PASSWORD).await {
            Outcome::Code { session } => session,
            other => panic!("{}", outcome_name(&other)),
        }
    }

    async fn code(&self, seconds: u64, session: &str, code: &str) -> Outcome {
        sign_in::code(&self.world.at(seconds), session, code).await.unwrap()
    }
}

#[tokio::test]
async fn the_second_factor_is_on_only_after_a_first_valid_code() {
    let (world, id) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let (other, _) = world.sign_in(0).await;
    let visit = world.visit(0, &session).await.unwrap();
    let setup = totp::begin(&world.at(0), &visit).await.unwrap();
    assert!(
        setup.url.starts_with("otpauth://totp/Dripline:ana%40example.com?") && setup.url.contains(&setup.secret),
        "{}",
        setup.url
    );
    assert_eq!(totp::pending_setup(&world.at(0), &visit).await.unwrap().unwrap().secret, setup.secret);
    assert!(totp::confirm(&world.at(0), &visit, "000000x").await.unwrap().is_none());
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "open");

    let enabled = totp::confirm(&world.at(0), &visit, &code_at(&setup.secret, 0)).await.unwrap().unwrap();
    assert_eq!(outcome_name(&world.try_password(1, ANA, PASSWORD).await), "code");
    assert!(world.visit(1, &other).await.is_none(), "what was open without a code is over");
    assert!(world.visit(1, &session).await.is_none(), "and this one goes on under another secret");
    let visit = world.visit(1, &enabled.session).await.unwrap();
    assert!(visit.has_totp);
    assert!(totp::begin(&world.at(1), &visit).await.is_err(), "a factor in force is not replaced");
    assert!(totp::confirm(&world.at(1), &visit, "000000x").await.is_err(), "nor confirmed again");
    assert_eq!(totp::recovery_codes_left(&world.at(1), id).await.unwrap(), 10);

    let session = totp::disable(&world.at(1), &visit).await.unwrap();
    assert!(!world.visit(1, &session).await.unwrap().has_totp && world.visit(1, &enabled.session).await.is_none());
    assert_eq!(outcome_name(&world.try_password(2, ANA, PASSWORD).await), "open");
    assert_eq!(totp::recovery_codes_left(&world.at(2), id).await.unwrap(), 0);
}

#[tokio::test]
async fn a_session_waiting_for_its_code_has_no_access_and_expires_in_ten_minutes() {
    let armed = armed().await;
    let pending = armed.pending(60).await;
    assert!(armed.world.visit(60, &pending).await.is_none());
    assert!(sign_in::pending_email(&armed.world.at(60), &pending).await.unwrap().is_some());
    assert!(sign_in::pending_email(&armed.world.at(60 + 10 * MINUTE), &pending).await.unwrap().is_none());
    assert!(sign_in::pending_email(&armed.world.at(60 + 10 * MINUTE - 1), &pending).await.unwrap().is_some());
    let late = 60 + 10 * MINUTE;
    assert_eq!(outcome_name(&armed.code(late, &pending, &code_at(&armed.secret, late)).await), "wrong");
    let Outcome::Open { session, .. } = armed.code(90, &pending, &code_at(&armed.secret, 90)).await else { panic!("not open") };
    assert_ne!(session, pending);
    assert!(armed.world.visit(90, &session).await.is_some() && armed.world.visit(90, &pending).await.is_none());
    assert!(sign_in::pending_email(&armed.world.at(90), &session).await.unwrap().is_none(), "what is open waits for nothing");
}

#[tokio::test]
async fn a_code_works_once_and_may_be_one_step_early_or_late() {
    let armed = armed().await;
    for (now, of, outcome) in [
        (300, 240, "wrong"), // two steps late
        (300, 360, "wrong"), // two steps early
        (300, 270, "open"),
        (300, 270, "wrong"), // a second time
        (300, 330, "open"),
        (330, 300, "wrong"), // of a step before the last that was taken
        (360, 360, "open"),
    ] {
        let pending = armed.pending(now).await;
        assert_eq!(outcome_name(&armed.code(now, &pending, &code_at(&armed.secret, of)).await), outcome, "{of} at {now}");
    }
}

#[tokio::test]
async fn wrong_codes_lead_to_a_wait_that_the_right_password_does_not_reset() {
    let armed = armed().await;
    for _ in 0..5 {
        let pending = armed.pending(300).await;
        assert_eq!(outcome_name(&armed.code(300, &pending, "12345").await), "wrong");
    }
    let pending = armed.pending(300).await;
    assert_eq!(outcome_name(&armed.code(300, &pending, &code_at(&armed.secret, 300)).await), "wait 61");
    assert_eq!(outcome_name(&armed.code(360, &pending, &code_at(&armed.secret, 360)).await), "open");
}

#[tokio::test]
async fn a_right_password_does_not_clear_earlier_failures_until_the_code_is_right() {
    let armed = armed().await;
    for _ in 0..4 {
        armed.world.try_password(300, ANA, "three loud herons in march").await;
    }
    armed.pending(300).await;
    assert_eq!(outcome_name(&armed.world.try_password(300, ANA, "three loud herons in march").await), "wrong", "the fifth");
    assert_eq!(outcome_name(&armed.world.try_password(300, ANA, PASSWORD).await), "wait 61");
}

#[tokio::test]
async fn a_right_password_before_the_code_is_not_counted_as_a_failure() {
    let armed = armed().await;
    armed.pending(300).await;
    assert_eq!(armed.world.count("sign_in_failures"), 0, "nothing is kept of it");
    set_consecutive(&armed.world, 99).await;
    armed.pending(300).await;
    armed.pending(300).await;
    assert_eq!(outcome_name(&armed.world.try_password(300, ANA, "three loud herons in march").await), "wrong");
    assert_eq!(outcome_name(&armed.world.try_password(HOUR, ANA, PASSWORD).await), "wait 3600");
}

#[tokio::test]
async fn a_recovery_code_works_once_in_any_spelling_even_while_codes_must_wait() {
    let armed = armed().await;
    assert_eq!(armed.codes.len(), 10);
    // 24 letters of 32: 120 bits.
    assert!(armed.codes.iter().all(|code| code.len() == 29 && code.split('-').all(|group| group.len() == 4)));
    let letters: BTreeSet<_> = armed.codes.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    assert!(letters.len() > 20, "{letters:?}");
    for _ in 0..6 {
        let pending = armed.pending(300).await;
        armed.code(300, &pending, "000000x").await;
    }
    let pending = armed.pending(300).await;
    let typed = armed.codes[3].to_uppercase().replace('-', " ");
    assert_eq!(outcome_name(&armed.code(300, &pending, &typed).await), "open");
    let pending = armed.pending(HOUR).await;
    assert_eq!(outcome_name(&armed.code(HOUR, &pending, &armed.codes[3]).await), "wrong");
    assert_eq!(outcome_name(&armed.code(HOUR, &pending, &armed.codes[4]).await), "open");
    let id = app::accounts::id_of(&armed.world.at(0), ANA).await.unwrap();
    assert_eq!(totp::recovery_codes_left(&armed.world.at(0), id).await.unwrap(), 8);
    let fresh = totp::new_recovery_codes(&armed.world.at(HOUR), id).await.unwrap();
    let pending = armed.pending(HOUR).await;
    assert_eq!(outcome_name(&armed.code(HOUR, &pending, &armed.codes[5]).await), "wrong", "new ones void the old");
    assert_eq!(outcome_name(&armed.code(HOUR, &pending, &fresh[0]).await), "open");
}

#[tokio::test]
async fn confirming_takes_the_password_and_the_code() {
    let armed = armed().await;
    let pending = armed.pending(300).await;
    let Outcome::Open { session, .. } = armed.code(300, &pending, &code_at(&armed.secret, 300)).await else { panic!("not open") };
    let app = armed.world.at(HOUR);
    let visit = armed.world.visit(HOUR, &session).await.unwrap();
    let right = code_at(&armed.secret, HOUR);
    assert!(!sessions::confirm(&app, &visit, PASSWORD, None).await.unwrap());
    assert!(!sessions::confirm(&app, &visit, "three loud herons in march", Some(&right)).await.unwrap());
    assert!(sessions::confirm(&app, &visit, PASSWORD, Some(&right)).await.unwrap());
    assert!(!sessions::confirm(&app, &visit, PASSWORD, Some(&right)).await.unwrap(), "a code counts once");
}
