//! `/stocks/{symbol}` with a token.

use replay::{Fault, Replay};
use testkit::Service;

use crate::world::{NOW, ledger, simple};

const ANA: &str = "ana@example.com";

fn service(replay: &Replay) -> (Service, String) {
    let service = Service::start_with_providers(NOW, replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    // Strangers ask, too, so the operator tracks it.
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    (service, token)
}

fn price_of(service: &Service, token: Option<&str>) -> serde_json::Value {
    service.get("/api/v1/stocks/QRT", token).json()["price"].clone()
}

#[test]
fn with_a_token_price_and_yield_are_live() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    replay.change(|world| world.stocks[0].price = "50.00".to_owned());
    let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
    assert_eq!(stock["price"], serde_json::json!({"amount": "50.00", "currency": "USD", "live": true, "as_of": null}));
    // 2.00 a year ÷ 50
    assert_eq!(stock["dividend"]["yield_pct"], 4.0);
    assert_eq!(stock["dividend"]["annual"], serde_json::json!({"amount": "2.00", "currency": "USD"}));
    let stranger = service.get("/api/v1/stocks/QRT", None).json();
    assert_eq!(stranger["price"]["amount"], "40.00");
    assert_eq!(stranger["price"]["live"], false);
    assert_eq!(stranger["price"]["as_of"], "2026-11-16T11:30:00Z");
    assert_eq!(stranger["dividend"]["annual"], serde_json::Value::Null);
}

#[test]
fn a_live_price_is_requested_once_in_fifteen_seconds() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    let before = replay.count("/v7/finance/quote");
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert_eq!(price_of(&service, Some(&token))["live"], true));
        }
    });
    assert_eq!(replay.count("/v7/finance/quote") - before, 1);
}

#[test]
fn strangers_never_cause_a_provider_request() {
    let replay = Replay::start(simple());
    let (service, _) = service(&replay);
    let before = replay.requests().len();
    for _ in 0..5 {
        price_of(&service, None);
    }
    assert_eq!(replay.requests().len(), before);
}

#[test]
fn a_live_price_is_stored_without_delaying_the_answer() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    replay.change(|world| {
        world.stocks[0].price = "41.00".to_owned();
        world.stocks[0].price_time += 600;
    });
    assert_eq!(price_of(&service, Some(&token))["amount"], "41.00");
    service.run(app::market::live::save(&service.app)).unwrap();
    let stored = price_of(&service, None);
    assert_eq!(stored, serde_json::json!({"amount": "41.00", "currency": "USD", "live": false, "as_of": "2026-11-16T11:40:00Z"}));
}

#[test]
fn an_implausible_quote_is_not_shown() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    replay.change(|world| {
        world.stocks[0].price = "4000.00".to_owned();
        world.stocks[0].price_time += 600;
    });
    let price = price_of(&service, Some(&token));
    assert_eq!((price["amount"].as_str(), price["live"].as_bool()), (Some("40.00"), Some(false)));
    replay.change(|world| {
        world.stocks[0].price = "40.00".to_owned();
        world.stocks[0].unit = "EUR".to_owned();
    });
    assert_eq!(price_of(&service, Some(&token))["live"], false, "another currency");
}

#[test]
fn the_stored_price_is_shown_after_two_seconds_if_the_provider_is_slow() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    replay.fail("/v7/finance/quote", Fault::Slow(std::time::Duration::from_millis(3_900)));
    let started = std::time::Instant::now();
    let price = price_of(&service, Some(&token));
    let taken = started.elapsed().as_millis();
    assert_eq!((price["amount"].as_str(), price["live"].as_bool()), (Some("40.00"), Some(false)));
    assert!((1_900..3_500).contains(&taken), "{taken} ms");
    // The request continued, and its answer is available to the next caller.
    let asked = replay.count("/v7/finance/quote");
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    assert_eq!(price_of(&service, Some(&token))["live"], true);
    assert_eq!(replay.count("/v7/finance/quote"), asked);
}

#[test]
fn no_price_is_requested_for_an_untracked_stock() {
    let replay = Replay::start(simple());
    let (service, token) = service(&replay);
    let before = replay.requests().len();
    assert_eq!(service.get("/api/v1/stocks/NOPE", Some(&token)).status, 404);
    assert_eq!(replay.requests().len(), before);
}
