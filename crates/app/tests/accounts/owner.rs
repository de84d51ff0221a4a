use app::accounts::{self, SignUp};
use app::market::choice::{self, Choice};
use app::market::sources::{Configured, Origin, ProviderConfig};
use store::users;

use crate::world::{ANA, PASSWORD, World, account};

const BEN: &str = "ben@example.com";
const CLEO: &str = "cleo@example.com";

async fn owner(world: &World) -> Option<String> {
    let users = users::list(&mut world.store.read().await.unwrap()).await.unwrap();
    users.into_iter().find(|user| user.owner).map(|user| user.email)
}

#[tokio::test]
async fn the_first_account_owns_the_service_until_it_is_deleted() {
    let world = World::new().await;
    accounts::first(&world.at(0), &account(ANA, PASSWORD)).await.unwrap();
    accounts::sign_up(&world.at(1), SignUp::Open, &account(BEN, PASSWORD), None).await.unwrap();
    accounts::add(&world.at(2), &account(CLEO, PASSWORD)).await.unwrap();
    assert_eq!(owner(&world).await.as_deref(), Some(ANA));
    accounts::set_owner(&world.at(3), CLEO).await.unwrap();
    assert_eq!(owner(&world).await.as_deref(), Some(CLEO));
    accounts::delete(&world.at(4), BEN).await.unwrap();
    assert_eq!(owner(&world).await.as_deref(), Some(CLEO), "another account changes nothing");
    accounts::delete(&world.at(5), CLEO).await.unwrap();
    assert_eq!(owner(&world).await.as_deref(), Some(ANA), "the oldest that is left");
    accounts::delete(&world.at(6), ANA).await.unwrap();
    accounts::sign_up(&world.at(7), SignUp::Open, &account(BEN, PASSWORD), None).await.unwrap();
    assert_eq!(owner(&world).await, None, "a stranger does not take over an abandoned service");
    accounts::add(&world.at(8), &account(CLEO, PASSWORD)).await.unwrap();
    assert_eq!(owner(&world).await.as_deref(), Some(CLEO));
}

#[tokio::test]
async fn the_operators_settings_take_precedence_over_the_owners_choice() {
    let (world, ana) = World::with_ana().await;
    let app = world.at(0);
    assert_eq!((app.sources().origin, app.sources().is_empty()), (Origin::Unset, true));
    let keys = [("fmp", "KEY-OF-THE-OWNER")];
    choice::choose(&app, ana, &Choice { order: &["fmp", "ecb"], keys: &keys }).await.unwrap();
    assert_eq!((app.sources().origin, app.sources().order.join(",")), (Origin::Owner, "fmp,ecb".to_owned()));
    for (origin, names, expected) in [
        (Origin::Flag, vec!["yahoo"], "yahoo"),
        (Origin::Variable, vec!["ecb", "yahoo"], "ecb,yahoo"),
        (Origin::File, vec![], ""),
    ] {
        let chosen = Some((origin, names.into_iter().map(str::to_owned).collect()));
        let app = world.at(0).with_configured_sources(Configured { chosen, ..Configured::default() }).unwrap();
        choice::load(&app).await.unwrap();
        assert_eq!((app.sources().origin, app.sources().order.join(",")), (origin, expected.to_owned()));
        let refused = choice::choose(&app, ana, &Choice { order: &["ecb"], keys: &[] }).await;
        assert!(matches!(refused, Err(app::Error::Refused(_))));
    }
    let key =
        ProviderConfig { name: "eodhd".to_owned(), key: Some("KEY-OF-THE-OPERATOR".to_owned()), ..ProviderConfig::default() };
    let app = world.at(0).with_configured_sources(Configured { providers: vec![key], ..Configured::default() }).unwrap();
    choice::load(&app).await.unwrap();
    assert_eq!(choice::with_key(&app).await.unwrap(), ["fmp", "eodhd"]);
    choice::choose(&app, ana, &Choice { order: &["eodhd"], keys: &[] }).await.unwrap();
    assert_eq!(app.sources().order, ["eodhd"], "the operator's key is used");
}

#[tokio::test]
async fn a_choice_that_cannot_be_used_is_refused_and_changes_nothing() {
    let (world, ana) = World::with_ana().await;
    let app = world.at(0);
    choice::choose(&app, ana, &Choice { order: &["yahoo"], keys: &[] }).await.unwrap();
    let long = "x".repeat(201);
    for (order, keys) in [
        (vec!["google"], vec![]),
        (vec!["files"], vec![]),
        (vec!["ecb", "ecb"], vec![]),
        (vec!["fmp"], vec![]),
        (vec!["fmp"], vec![("fmp", "")]),
        (vec!["fmp"], vec![("fmp", "a\nb")]),
        (vec!["fmp"], vec![("fmp", long.as_str())]),
    ] {
        let refused = choice::choose(&app, ana, &Choice { order: &order, keys: &keys }).await;
        assert!(matches!(refused, Err(app::Error::Refused(_))), "{order:?} {keys:?}");
        assert_eq!(app.sources().order, ["yahoo"]);
    }
}
