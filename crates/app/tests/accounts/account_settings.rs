use app::accounts::{self, Keep, NewAccount, NewProfile, audit};
use app::authentication::resets;
use ledger::Currency;
use store::{radar, stocks, users, versions};

use crate::world::{ANA, PASSWORD, World, account, outcome_name};

const NEW: &str = "seven slow trams after rain";

#[tokio::test]
async fn a_new_password_ends_the_other_sessions_and_voids_links() {
    let (world, _) = World::with_ana().await;
    let (here, _) = world.sign_in(0).await;
    let (there, _) = world.sign_in(0).await;
    let app = world.at(0);
    let link = resets::create(&app, ANA, "").await.unwrap();
    let visit = world.visit(0, &here).await.unwrap();
    assert!(accounts::change_password(&app, &visit, "ana@example.com!", Keep::default()).await.is_err(), "her own address");
    let session = accounts::change_password(&app, &visit, NEW, Keep::default()).await.unwrap().session;
    assert!(world.visit(0, &session).await.is_some());
    assert!(world.visit(0, &here).await.is_none() && world.visit(0, &there).await.is_none());
    assert!(!resets::is_good(&app, link.strip_prefix("/reset/").unwrap()).await.unwrap());
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(0, ANA, NEW).await), "open");
}

#[tokio::test]
async fn a_profile_is_validated_and_changes_the_users_version() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    let version = async || users::by_id(&mut world.store.read().await.unwrap(), id).await.unwrap().unwrap().version;
    let good = || NewProfile {
        name: Some(" Ana "),
        currency: "CHF",
        residence: Some("es"),
        number_format: Some("de"),
        session_idle_minutes: 60,
    };
    let before = version().await;
    for bad in [
        NewProfile { name: Some(" "), ..good() },
        NewProfile { currency: "XXQ", ..good() },
        NewProfile { residence: Some("XX"), ..good() },
        NewProfile { number_format: Some("<script>"), ..good() },
        NewProfile { session_idle_minutes: 4, ..good() },
        NewProfile { session_idle_minutes: 10_081, ..good() },
    ] {
        assert!(accounts::set_profile(&app, id, &bad).await.is_err());
    }
    assert_eq!(version().await, before);
    accounts::set_profile(&app, id, &good()).await.unwrap();
    assert_eq!(version().await, before + 1);
    let user = users::by_id(&mut world.store.read().await.unwrap(), id).await.unwrap().unwrap();
    assert_eq!(
        (user.name.as_deref(), user.preferred_currency.code(), user.residence.as_deref()),
        (Some("Ana"), "CHF", Some("ES"))
    );
    assert_eq!((user.number_format.as_deref(), user.session_idle_minutes), (Some("de"), 60));
}

#[tokio::test]
async fn an_email_address_can_change_to_one_that_is_not_taken() {
    let (world, id) = World::with_ana().await;
    let app = world.at(0);
    accounts::add(&app, &account("ben@example.com", NEW)).await.unwrap();
    let link = resets::create(&app, ANA, "").await.unwrap();
    assert!(accounts::set_email(&app, id, "BEN@example.com").await.is_err());
    assert!(accounts::set_email(&app, id, "nowhere").await.is_err());
    accounts::set_email(&app, id, "anna@example.com").await.unwrap();
    assert!(!resets::is_good(&app, link.strip_prefix("/reset/").unwrap()).await.unwrap(), "mailed to the address of before");
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "wrong");
    assert_eq!(outcome_name(&world.try_password(0, "anna@example.com", PASSWORD).await), "open");
}

#[tokio::test]
async fn deleting_an_account_removes_everything_but_its_audit_log() {
    let (world, id) = World::with_ana().await;
    let (session, _) = world.sign_in(0).await;
    let app = world.at(0);
    accounts::delete_by_id(&app, id).await.unwrap();
    assert!(world.visit(0, &session).await.is_none());
    assert_eq!(outcome_name(&world.try_password(0, ANA, PASSWORD).await), "wrong");
    assert_eq!(audit::list(&app, id, 1).await.unwrap()[0].event, "deleted");
    assert!(audit::verify(&app, id).await.unwrap());
    assert!(accounts::delete_by_id(&app, id).await.is_err());
    let again = accounts::add(&app, &account(ANA, PASSWORD)).await.unwrap();
    assert_ne!(again, id);
    let file = std::fs::read(world.folder.path().join("dripline.db")).unwrap();
    assert!(!file.windows(43).any(|bytes| bytes == session.as_bytes()));
}

#[tokio::test]
async fn a_symbol_that_only_a_deleted_account_used_is_no_longer_listed() {
    let world = World::new().await;
    let app = world.at(0);
    let mut tx = world.store.write().await.unwrap();
    stocks::add_placeholder(&mut tx, "NEW", None, None, Currency::EUR).await.unwrap();
    tx.commit().await.unwrap();
    let mut ids = Vec::new();
    for email in [ANA, "ben@example.com"] {
        let id = accounts::add(&app, &NewAccount { password: None, ..account(email, "") }).await.unwrap();
        let mut tx = world.store.write().await.unwrap();
        radar::add(&mut tx, id, "NEW", 1).await.unwrap();
        tx.commit().await.unwrap();
        ids.push(id);
    }
    let known = async || {
        let mut tx = world.store.read().await.unwrap();
        let versions = versions::get(&mut tx).await.unwrap();
        (stocks::listings(&mut tx).await.unwrap().len(), versions.listings, versions.market)
    };
    let (_, listings, market) = known().await;
    accounts::delete_by_id(&app, ids[0]).await.unwrap();
    assert_eq!(known().await, (1, listings, market), "another names it still");
    accounts::delete_by_id(&app, ids[1]).await.unwrap();
    assert_eq!(known().await, (0, listings + 1, market + 1));
}
