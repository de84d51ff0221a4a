//! Implausible values are rejected, shown to the operator, and not stored.

use replay::Replay;
use testkit::Service;

use crate::world::{NOW, ledger, paid, simple};

const ANA: &str = "ana@example.com";

fn started(replay: &Replay) -> (Service, String) {
    let service = Service::start_with_providers(NOW, replay, &["yahoo"]);
    let token = service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    (service, token)
}

fn held(service: &Service) -> Vec<(String, String)> {
    let status = service.run(app::market::status(&service.app)).unwrap();
    assert_eq!(status.held_back.len() as i64, status.held_back_count);
    status.held_back.into_iter().map(|one| (one.field, one.reason)).collect()
}

#[test]
fn a_price_a_hundred_times_the_last_one_is_rejected() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    let before = service.get("/api/v1/income", Some(&token)).text();
    replay.change(|world| {
        world.stocks[0].price = "4000.00".to_owned();
        world.stocks[0].price_time += 60;
    });
    service.refresh(&["QRT"]);
    assert_eq!(service.get("/api/v1/income", Some(&token)).text(), before);
    let held_back = held(&service);
    assert!(
        held_back.iter().any(|(field, reason)| field == "price" && reason.contains("far_from_stored_price")),
        "{held_back:?}"
    );
    replay.change(|world| world.stocks[0].price = "41.00".to_owned());
    service.refresh(&["QRT"]);
    assert_eq!(held(&service), vec![], "a good one clears it");
}

#[test]
fn a_dividend_a_hundred_times_the_others_is_rejected() {
    let mut world = simple();
    world.stocks[0].dividends[10].amount = "50".to_owned();
    let replay = Replay::start(world);
    let (service, token) = started(&replay);
    let held_back = held(&service);
    assert_eq!(held_back.len(), 1, "{held_back:?}");
    assert_eq!(held_back[0].0, "dividend 2024-07-14");
    assert_eq!(service.get("/api/v1/stocks/QRT", Some(&token)).json()["dividend"]["annual"]["amount"], "2.00");
}

#[test]
fn a_dividend_booked_twice_counts_once() {
    let mut world = simple();
    world.stocks[0].dividends.push(paid("2026-10-15", "2026-10-28", "0.50"));
    let replay = Replay::start(world);
    let (service, _) = started(&replay);
    let rows = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, "QRT").await.unwrap()
    });
    assert_eq!(rows.iter().filter(|row| row.ex_date.month() == 10 && row.ex_date.year() == 2026).count(), 1, "{rows:?}");
}

#[test]
fn an_annual_rate_a_hundred_times_the_last_one_is_rejected() {
    let replay = Replay::start(simple());
    let (service, token) = started(&replay);
    replay.change(|world| world.stocks[0].forward_rate = Some("0.02".to_owned()));
    service.refresh(&["QRT"]);
    assert_eq!(held(&service).iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), ["forward_rate"]);
    assert_eq!(service.get("/api/v1/stocks/QRT", Some(&token)).json()["dividend"]["annual"]["amount"], "2.00");
}
