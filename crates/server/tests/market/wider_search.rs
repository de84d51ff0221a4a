//! `/stocks?q=` with a token adds what a provider finds.

use std::time::{Duration, Instant};

use replay::{Fault, Replay};
use testkit::Service;

use crate::world::{NOW, american, ledger, simple, stock};

const ANA: &str = "ana@example.com";

fn started(replay: &Replay) -> (Service, String) {
    let service = Service::start_with_providers(NOW, replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    (service, token)
}

fn world() -> replay::World {
    let mut world = simple();
    world.stocks.push(american("QRTX", "10.00"));
    world.stocks.push(stock("QRT.L", "GBp", "LSE", "Europe/London", 0, "500"));
    world
}

fn found(service: &Service, token: Option<&str>) -> Vec<(String, bool)> {
    let answer = service.get("/api/v1/stocks?q=QRT", token).json();
    let results = answer["results"].as_array().unwrap().iter();
    results.map(|one| (one["symbol"].as_str().unwrap().to_owned(), one["tracked"].as_bool().unwrap())).collect()
}

#[test]
fn the_providers_matches_follow_ours_once_each() {
    let replay = Replay::start(world());
    let (service, token) = started(&replay);
    let own = ("QRT".to_owned(), true);
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    assert_eq!(found(&service, None), std::slice::from_ref(&own));
    assert_eq!(found(&service, Some(&token)), [own, ("QRTX".to_owned(), false), ("QRT.L".to_owned(), false)]);
}

#[test]
fn a_provider_that_fails_adds_nothing_and_breaks_nothing() {
    let replay = Replay::start(world());
    let (service, token) = started(&replay);
    for fault in [Fault::Html, Fault::Status(500), Fault::Hang] {
        replay.fail("/search", fault);
        let started = Instant::now();
        assert_eq!(found(&service, Some(&token)), [("QRT".to_owned(), true)]);
        assert!(started.elapsed() < Duration::from_millis(3_500), "{:?}", started.elapsed());
    }
}
