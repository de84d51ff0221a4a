//! Faults of a provider: figures keep their last good values, nobody waits longer than two seconds, and everything
//! recovers with the provider.

use app::Outcome;
use std::time::{Duration, Instant};

use replay::{Fault, Replay};
use testkit::Service;

use crate::world::{NOW, ledger, simple};

const ANA: &str = "ana@example.com";
/// The two seconds, and what a busy machine adds; without the limit it would be four at least.
const WAIT_MAX: Duration = Duration::from_millis(3_500);
const OTHERS: [&str; 8] = [
    "/api/v1/me",
    "/api/v1/portfolios",
    "/api/v1/holdings",
    "/api/v1/dividends",
    "/api/v1/income",
    "/api/v1/upcoming",
    "/api/v1/calendar",
    "/api/v1/openapi.json",
];

fn survives(fault: Fault) {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    let token = service.account(ANA, "EUR", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    // Strangers ask too, so the operator tracks it.
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    let before: Vec<String> = OTHERS.iter().map(|path| service.get(path, Some(&token)).text()).collect();
    let stranger = service.get("/api/v1/stocks/QRT", None).text();
    let market_version = || service.run(service.app.store.versions()).unwrap().market;
    let version = market_version();

    replay.fail("", fault.clone());
    for round in 0..3 {
        let started = Instant::now();
        let stock = service.get("/api/v1/stocks/QRT", Some(&token)).json();
        assert!(started.elapsed() < WAIT_MAX, "{fault:?}, round {round}: {:?}", started.elapsed());
        assert_eq!(
            (stock["price"]["amount"].as_str(), stock["price"]["live"].as_bool()),
            (Some("40.00"), Some(false)),
            "{fault:?}"
        );
        let started = Instant::now();
        assert_eq!(service.get("/api/v1/stocks?q=qrt", Some(&token)).json()["results"][0]["symbol"], "QRT");
        assert!(started.elapsed() < WAIT_MAX, "{fault:?}: {:?}", started.elapsed());
    }
    // Live requests that are still running ask neither for profiles nor for histories.
    let asked = || replay.count("/quoteSummary/") + replay.count("period1=") + replay.count("/ecb/");
    let before_the_others = asked();
    for (path, body) in OTHERS.iter().zip(&before) {
        assert_eq!(&service.get(path, Some(&token)).text(), body, "{fault:?} {path}");
    }
    assert_eq!(asked(), before_the_others, "{fault:?}: nothing else asks a provider");
    let outcomes = std::thread::scope(|scope| scope.spawn(|| service.refresh(&["QRT"])).join().unwrap());
    assert!(outcomes.iter().all(|(_, outcome)| *outcome != Outcome::Done), "{fault:?}: {outcomes:?}");
    assert_eq!(service.get("/api/v1/stocks/QRT", None).text(), stranger, "{fault:?}");
    assert_eq!(market_version(), version, "{fault:?}: nothing changed, so nothing is computed anew");

    replay.heal();
    replay.change(|world| {
        world.stocks[0].price = "44.00".to_owned();
        world.stocks[0].price_time += 600;
    });
    let healed = (0..80).any(|_| {
        std::thread::sleep(Duration::from_millis(500));
        service.get("/api/v1/stocks/QRT", Some(&token)).json()["price"]["live"] == true
    });
    assert!(healed, "{fault:?}: it never came back");
    assert_eq!(service.get("/api/v1/stocks/QRT", Some(&token)).json()["price"]["amount"], "44.00");
}

#[test]
fn figures_survive_throttling_without_retry_after() {
    survives(Fault::Throttle(None));
}

#[test]
fn figures_survive_throttling_with_retry_after() {
    survives(Fault::Throttle(Some(7)));
}

#[test]
fn figures_survive_a_hanging_provider() {
    survives(Fault::Hang);
}

#[test]
fn figures_survive_truncated_bodies() {
    survives(Fault::Truncate);
}

#[test]
fn figures_survive_an_html_page() {
    survives(Fault::Html);
}

#[test]
fn figures_survive_a_status_500() {
    survives(Fault::Status(500));
}

#[test]
fn figures_survive_unexpected_json() {
    survives(Fault::WrongJson);
}

#[test]
fn figures_survive_an_endless_body() {
    survives(Fault::Huge(9 << 20));
}
