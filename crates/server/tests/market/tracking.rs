//! Holding or watching a stock tracks it and fetches its first data at once.

use std::time::{Duration, Instant};

use replay::{Dividend, Fault, Replay};
use testkit::Service;

use crate::world::{NOW, american, ledger, paid, quarterly, simple};

const ANA: &str = "ana@example.com";

fn soon(what: &str, check: impl Fn() -> bool) {
    let started = Instant::now();
    while !check() {
        assert!(started.elapsed() < Duration::from_secs(20), "{what}: not within 20 s");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn an_entry_may_name_an_unknown_symbol_and_the_api_answers_meanwhile() {
    let replay = Replay::start(simple());
    replay.fail("", Fault::Status(500));
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.start_jobs();
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    let holding = service.get("/api/v1/holdings", Some(&token)).json()["holdings"][0].clone();
    assert_eq!((holding["symbol"].as_str(), holding["shares"].as_str()), (Some("QRT"), Some("100")));
    let income = service.get("/api/v1/income", Some(&token)).json();
    assert_eq!(income["annual_income"]["amount"], "0.00", "{income}");
    let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
    assert_eq!((stock["symbol"].as_str(), stock["price"].is_null()), (Some("QRT"), true), "{stock}");
    assert_eq!(stock["dividend"]["safety"], "unknown");
    assert_eq!(service.get("/api/v1/upcoming", Some(&token)).status, 200);
}

#[test]
fn market_data_of_a_newly_bought_stock_is_fetched_at_once() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.start_jobs();
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    let income = || service.get("/api/v1/income", Some(&token)).json()["annual_income"]["amount"].clone();
    soon("income", || income() == "200.00");
    soon("name", || service.get("/api/v1/stocks/QRT", Some(&token)).json()["name"] == "QRT plc");
}

#[test]
fn watching_an_unknown_symbol_looks_it_up() {
    let mut world = simple();
    world.stocks.push(replay::Stock { dividends: quarterly("1.00"), ..american("NEW", "80.00") });
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.run(app::stocks::radar::add(&service.app, service.user_id(ANA), &["new".to_owned()])).unwrap();
    let price = service.get("/api/v1/stocks/NEW", Some(&token)).json()["price"]["amount"].clone();
    assert_eq!(price, "80.00");
    service.start_jobs();
    soon("frequency", || service.get("/api/v1/stocks/NEW", Some(&token)).json()["dividend"]["frequency"] == "quarterly");
}

#[test]
fn watching_a_symbol_no_provider_knows_is_refused() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account(ANA, "USD", None);
    let added = service.run(app::stocks::radar::add(&service.app, service.user_id(ANA), &["QRT".to_owned(), "NOPE".to_owned()]));
    assert!(
        matches!(&added, Err(app::Error::Refused(app::Refusal::Lookup(app::refusal::Lookup::Unknown { symbol }))) if symbol == "NOPE")
    );
    assert!(service.run(app::stocks::radar::list(&service.app, service.user_id(ANA))).unwrap().is_empty());
    replay.fail("", Fault::Status(500));
    let failed =
        service.run(app::stocks::radar::add(&service.app, service.user_id(ANA), &["QRT".to_owned()])).unwrap_err().to_string();
    assert!(failed.contains("lookup_failed") && failed.contains("yahoo"), "{failed}");
}

#[test]
fn a_held_stock_is_hidden_from_strangers_until_three_users_hold_it() {
    let mut world = simple();
    let declared = Dividend { declared_date: Some("2026-11-10".to_owned()), ..paid("2026-12-14", "2026-12-28", "0.52") };
    world.stocks[0].dividends.push(declared);
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["fmp"]);
    let pages = ["/api/v1/calendar", "/api/v1/stocks?q=qrt", "/calendar", "/search?q=plc", "/search/suggest?q=qrt"];
    let is_listed = |page: &str| {
        let text = service.get(page, None).text();
        text.contains("QRT plc") || text.contains("\"QRT\"")
    };
    for (holders, email) in (1..).zip([ANA, "ben@example.com", "eve@example.com"]) {
        let token = service.account(email, "USD", None);
        service.import(email, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
        service.refresh(&[]);
        for page in pages {
            assert_eq!(is_listed(page), holders >= 3, "{page} with {holders} holder(s)");
        }
        let status = |path| service.get(path, None).status;
        let expected = if holders >= 3 { 200 } else { 404 };
        assert_eq!((status("/api/v1/stocks/QRT"), status("/stocks/QRT")), (expected, expected), "with {holders} holder(s)");
        assert_eq!(service.get("/api/v1/stocks/QRT", Some(&token)).status, 200);
    }
}
