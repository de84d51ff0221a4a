//! What a refresh changes, and what it does not.

use app::Outcome;
use replay::{Replay, Stock};
use testkit::Service;

use crate::world::{NOW, american, ledger, paid, quarterly, simple, split};

const ANA: &str = "ana@example.com";

fn started(replay: &Replay) -> (Service, String) {
    let service = Service::start_with_providers(NOW, replay, &["yahoo", "ecb"]);
    let token = service.account(ANA, "EUR", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    let troubles: Vec<_> = service.refresh(&[]).into_iter().filter(|(_, outcome)| *outcome != Outcome::Done).collect();
    assert_eq!(troubles, vec![]);
    (service, token)
}

fn market_version(service: &Service) -> i64 {
    service.run(service.app.store.versions()).unwrap().market
}

#[test]
fn a_symbol_known_only_from_a_ledger_becomes_a_full_stock() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
    assert_eq!(stock["name"], "QRT plc");
    assert_eq!(stock["sector"], "Utilities");
    assert_eq!(stock["dividend"]["frequency"], "quarterly");
    let income = service.get("/api/v1/income", Some(&token)).json();
    // 100 shares × 2.00 USD ÷ 1.25
    assert_eq!(income["annual_income"], serde_json::json!({"amount": "160.00", "currency": "EUR"}));
}

#[test]
fn the_same_provider_answers_change_nothing() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    let (version, tag) = (market_version(&service), service.get("/api/v1/income", Some(&token)).header("etag").to_owned());
    service.refresh(&[]);
    assert_eq!(market_version(&service), version);
    assert_eq!(service.get("/api/v1/income", Some(&token)).header("etag"), tag);
}

#[test]
fn a_new_price_changes_answers_once() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    let version = market_version(&service);
    replay.change(|world| {
        world.stocks[0].price = "50.00".to_owned();
        world.stocks[0].price_time += 60;
    });
    service.refresh(&["QRT"]);
    let changed = market_version(&service);
    assert!(changed > version);
    service.refresh(&["QRT"]);
    assert_eq!(market_version(&service), changed);
    // 2.00 ÷ 50
    assert_eq!(service.get("/api/v1/income", Some(&token)).json()["current_yield_pct"], 4.0);
}

#[test]
fn dividends_before_a_split_are_stored_unadjusted_and_counted_per_share_of_today() {
    let mut world = simple();
    let mut dividends = quarterly("0.50");
    // Paid per old share, four of which today's shares were made of one.
    dividends.iter_mut().filter(|row| row.ex_date.as_str() < "2024-06-01").for_each(|row| row.amount = "2.00".to_owned());
    world.stocks = vec![Stock {
        dividends,
        splits: vec![split("2024-06-03", 4, 1)],
        forward_rate: Some("2.00".to_owned()),
        ..american("QRT", "40.00")
    }];
    let replay = Replay::start(world);
    let (service, token) = started(&replay);
    let rows = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, "QRT").await.unwrap()
    });
    let amounts: Vec<String> = rows.iter().map(|row| row.amount.normalize().to_string()).collect();
    assert_eq!((amounts[0].as_str(), amounts[19].as_str()), ("2", "0.5"));
    let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
    assert_eq!(stock["dividend"]["streak_years"], 0, "level through the split: {stock}");
    assert_eq!(stock["dividend"]["annual"]["amount"], "2.00");
    // The ledger bought 100 shares before the split.
    assert_eq!(service.get("/api/v1/holdings", Some(&token)).json()["holdings"][0]["shares"], "400");
}

#[test]
fn the_next_ex_date_of_an_even_payer_is_in_the_calendar() {
    let mut world = simple();
    (world.stocks[0].next_ex_date, world.stocks[0].next_pay_date) =
        (Some("2026-12-01".to_owned()), Some("2026-12-15".to_owned()));
    world.stocks[0].dividends = (0..16)
        .map(|ago| {
            let (year, month) = (2026 - (ago / 4), [9, 6, 3, 12][(ago % 4) as usize]);
            let year = if month == 12 { year - 1 } else { year };
            paid(&format!("{year}-{month:02}-01"), &format!("{year}-{month:02}-15"), "0.50")
        })
        .collect();
    let replay = Replay::start(world);
    let (service, token) = started(&replay);
    // The first profile arrived before the history that gives the frequency.
    service.refresh(&["QRT"]);
    let calendar = service.get("/api/v1/calendar?days=30", Some(&token)).json();
    assert_eq!(calendar["stocks"][0]["ex_dividend_date"], "2026-12-01", "{calendar}");
    let item = service.get("/api/v1/upcoming?days=30", Some(&token)).json()["items"][0].clone();
    assert_eq!(
        (item["ex_dividend_date"].as_str(), item["pay_date"].as_str(), item["declared"].as_bool()),
        (Some("2026-12-01"), Some("2026-12-15"), Some(true))
    );
    assert_eq!(item["per_share"]["amount"], "0.50");
    service.refresh(&["QRT"]);
    assert_eq!(service.get("/api/v1/calendar?days=30", Some(&token)).json(), calendar, "the history does not take it away");
}

#[test]
fn a_delisted_stock_keeps_its_data() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    let before = service.get("/api/v1/income", Some(&token)).text();
    replay.change(|world| world.stocks[0].delisted = true);
    let outcomes = service.refresh(&["QRT"]);
    assert!(outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Unknown(_))), "{outcomes:?}");
    assert_eq!(service.get("/api/v1/income", Some(&token)).text(), before);
    let status = service.run(app::market::status(&service.app)).unwrap();
    assert_eq!(status.failing.iter().filter(|row| row.symbol == "QRT").count(), 3);
}

#[test]
fn the_status_names_the_provider_of_each_figure() {
    let replay = Replay::start(simple());
    let (service, _) = started(&replay);
    let status = service.run(app::market::stock_status(&service.app, "qrt")).unwrap().unwrap();
    let owner = |field: &str| status.provenance.iter().find(|one| one.field == field).map(|one| one.provider.clone());
    for field in ["price", "name", "sector", "forward_rate", "dividends", "closes"] {
        assert_eq!(owner(field).as_deref(), Some("yahoo"), "{field}");
    }
    let rates = service.run(app::market::status(&service.app)).unwrap();
    assert_eq!(rates.newest_rate.unwrap().to_string(), "2026-11-13");
    assert!(rates.providers.iter().any(|one| one.name == "yahoo" && one.used > 0));
}
