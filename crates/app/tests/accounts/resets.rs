use app::accounts;
use app::authentication::{resets, totp};
use totp_rs::{Builder, Secret};

use crate::world::{ANA, MINUTE, PASSWORD, World, attempt, outcome_name};

const NEW: &str = "seven slow trams after rain";

async fn secret(world: &World, seconds: u64) -> String {
    let link = resets::create(&world.at(seconds), ANA, "https://drip.example").await.unwrap();
    link.strip_prefix("https://drip.example/reset/").unwrap().to_owned()
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_ends_every_session() {
    let (world, _) = World::with_ana().await;
    let (session, device) = world.sign_in(0).await;
    let (link, other) = (secret(&world, 0).await, secret(&world, 0).await);
    let app = world.at(1);
    assert!(resets::finish(&app, &link, "too short").await.is_err());
    assert!(resets::is_good(&app, &link).await.unwrap(), "a password that is refused does not use it up");
    assert!(resets::finish(&app, &link, NEW).await.unwrap());
    assert!(world.visit(1, &session).await.is_none());
    assert_eq!(outcome_name(&world.try_password(1, ANA, PASSWORD).await), "wrong");
    assert_eq!(outcome_name(&attempt(&app, ANA, NEW, Some(&device)).await), "open");
    assert!(!resets::finish(&app, &link, PASSWORD).await.unwrap(), "once");
    assert!(!resets::finish(&app, &other, PASSWORD).await.unwrap(), "and the other links go with it");
    assert!(!resets::finish(&app, "made up", PASSWORD).await.unwrap());
}

#[tokio::test]
async fn a_reset_link_is_valid_for_half_an_hour() {
    let (world, _) = World::with_ana().await;
    let link = secret(&world, 0).await;
    assert!(resets::is_good(&world.at(30 * MINUTE - 1), &link).await.unwrap());
    assert!(!resets::is_good(&world.at(30 * MINUTE), &link).await.unwrap());
    assert!(!resets::finish(&world.at(30 * MINUTE), &link, NEW).await.unwrap());
    assert_eq!(outcome_name(&world.try_password(30 * MINUTE, ANA, PASSWORD).await), "open");
}

#[tokio::test]
async fn a_reset_link_does_not_skip_the_second_factor() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let visit = world.visit(0, &session).await.unwrap();
    let setup = totp::begin(&world.at(0), &visit).await.unwrap();
    let noon = world.at(0).clock.now().as_second() as u64;
    let factor = Builder::new().with_secret(Secret::try_from_base32(&setup.secret).unwrap()).with_account_name("x").build();
    totp::confirm(&world.at(0), &visit, &factor.unwrap().generate(noon).to_string()).await.unwrap().unwrap();
    let link = secret(&world, 1).await;
    assert!(resets::finish(&world.at(1), &link, NEW).await.unwrap());
    assert_eq!(outcome_name(&world.try_password(1, ANA, NEW).await), "code");
}

#[tokio::test]
async fn the_operator_sets_a_password_and_ends_every_session() {
    let (world, _) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    accounts::set_password(&world.at(0), ANA, NEW).await.unwrap();
    assert!(world.visit(0, &session).await.is_none());
    assert_eq!(outcome_name(&world.try_password(0, ANA, NEW).await), "open");
}
