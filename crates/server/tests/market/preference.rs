//! Several providers: each for what it does best, in the operator's order, without losing data.

use replay::{Dividend, Fault, Replay};
use testkit::Service;

use crate::world::{NOW, ledger, paid, simple};

const ANA: &str = "ana@example.com";

fn started(replay: &Replay, providers: &[&str]) -> Service {
    let service = Service::start_with_providers(NOW, replay, providers);
    service.account(ANA, "USD", None);
    service.import(ANA, &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    service
}

fn owner(service: &Service, field: &str) -> Option<String> {
    let status = service.run(app::market::stock_status(&service.app, "QRT")).unwrap().unwrap();
    status.provenance.into_iter().find(|one| one.field == field).map(|one| one.provider)
}

fn pay_dates(service: &Service) -> Vec<String> {
    let rows = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, "QRT").await.unwrap()
    });
    rows.into_iter().filter_map(|row| row.pay_date).map(|date| date.to_string()).collect()
}

#[test]
fn dividends_come_from_the_provider_with_pay_dates_and_quotes_from_the_cheapest() {
    let replay = Replay::start(simple());
    let service = started(&replay, &["yahoo", "fmp"]);
    assert_eq!(owner(&service, "dividends").as_deref(), Some("fmp"));
    assert_eq!(owner(&service, "price").as_deref(), Some("yahoo"));
    assert_eq!(pay_dates(&service).len(), 20);
}

#[test]
fn if_the_preferred_provider_fails_the_other_answers_and_pay_dates_stay() {
    let replay = Replay::start(simple());
    let service = started(&replay, &["yahoo", "fmp"]);
    replay.fail("/fmp/", Fault::Status(500));
    let outcomes = service.refresh(&["QRT"]);
    assert!(outcomes.contains(&("history QRT".to_owned(), app::Outcome::Done)), "{outcomes:?}");
    assert_eq!(pay_dates(&service).len(), 20, "a row of Yahoo's has none, and takes none away");
    let rows = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, "QRT").await.unwrap().len()
    });
    assert_eq!(rows, 20, "and doubles none");
}

#[test]
fn a_dividend_in_the_providers_calendar_is_declared_the_same_day() {
    let replay = Replay::start(simple());
    let service = started(&replay, &["fmp"]);
    service.run(app::market::set_tracked(&service.app, &["QRT".to_owned()], true)).unwrap();
    let next = Dividend { declared_date: Some("2026-11-10".to_owned()), ..paid("2026-12-14", "2026-12-28", "0.52") };
    replay.change(|world| world.stocks[0].dividends.push(next));
    // So that nothing but the calendar can have brought it.
    replay.fail("/fmp/dividends?", Fault::Status(404));
    let outcomes = service.run(app::operations::jobs::refresh_now(&service.app, &[], &|_, _| {})).unwrap();
    assert!(outcomes.iter().any(|one| one.topic.as_str() == "calendar" && one.outcome == app::Outcome::Done));
    let stocks = service.get("/api/v1/calendar", None).json()["stocks"].clone();
    assert_eq!((stocks[0]["symbol"].as_str(), stocks[0]["ex_dividend_date"].as_str()), (Some("QRT"), Some("2026-12-14")));
    assert_eq!(replay.count("/dividends-calendar?"), 6, "three for each refresh");
    replay.change(|world| world.stocks[0].dividends.last_mut().unwrap().ex_date = "2026-12-16".to_owned());
    service.refresh(&[]);
    let days: Vec<String> = service.get("/api/v1/calendar", None).json()["stocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["ex_dividend_date"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(days, ["2026-12-16"], "a date that moved is moved, not doubled");
}

#[test]
fn an_empty_field_in_a_file_keeps_the_providers_value() {
    let replay = Replay::start(simple());
    let service = started(&replay, &["yahoo"]);
    service.load(&[("stocks.csv", "symbol,name,currency,sector\nQRT,Quartz Corporation,USD,\n")]);
    let stock = service.get("/api/v1/stocks/QRT", None).json();
    assert_eq!(stock["name"], "Quartz Corporation");
    assert_eq!(stock["sector"], "Utilities", "{stock}");
    assert_eq!(stock["price"]["amount"], "40.00");
    assert_eq!(owner(&service, "name"), None, "the operator's own");
}
