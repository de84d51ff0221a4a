//! Unknown securities are looked up at the provider and never guessed.

use app::import::{self, Describe};
use replay::{Fault, Replay, Stock, World};
use testkit::Service;

const EMAIL: &str = "x@example.com";
const NOW: &str = "2026-11-15T12:00:00Z";

fn stock(symbol: &str, unit: &str, isin: &str) -> Stock {
    Stock {
        symbol: symbol.to_owned(),
        name: format!("Company {symbol}"),
        unit: unit.to_owned(),
        exchange: "NYQ".to_owned(),
        kind: "EQUITY".to_owned(),
        isin: isin.to_owned(),
        price: "60".to_owned(),
        price_time: 1_794_571_200, // 2026-11-13T12:00:00Z
        ..Stock::default()
    }
}

fn start(stocks: Vec<Stock>) -> (Replay, Service) {
    let replay = Replay::start(World { stocks, ..World::default() });
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account(EMAIL, "EUR", None);
    (replay, service)
}

/// One purchase at Trade Republic, which gives only the ISIN, or at Trading 212, which also gives a ticker.
fn file(isin: &str, ticker: Option<&str>) -> String {
    match ticker {
        None => format!("date,type,isin,shares,price,currency\n2024-01-02,buy,{isin},1,60,USD\n"),
        Some(ticker) => format!(
            "Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total),ID\n\
             Market buy,2024-01-02 10:00:00,{isin},{ticker},Company,1,60,USD,1.25,48,GBP,EOF1\n"
        ),
    }
}

fn run(service: &Service, text: &str, dry_run: bool) -> import::Report {
    let request = import::Request {
        user_id: service.user_id(EMAIL),
        file_name: "f",
        bytes: import::FileBytes::Plain(text.as_bytes()),
        dry_run,
        ..import::Request::default()
    };
    service.run(import::import(&service.app, &request, &|_, _, _| {})).unwrap()
}

fn symbols(service: &Service) -> Vec<String> {
    let file =
        String::from_utf8(service.run(app::entries::export::ledger_file(&service.app, service.user_id(EMAIL))).unwrap()).unwrap();
    file.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().to_owned()).collect()
}

#[test]
fn an_isin_is_looked_up_at_the_provider_once_and_remembered() {
    let (replay, service) = start(vec![stock("KO", "USD", "US1912161007"), stock("PEP", "USD", "US7134481081")]);
    let dry = run(&service, &file("US1912161007", None), true);
    assert_eq!((dry.new, dry.errors.len()), (1, 0));
    assert!(service.run(app::market::status(&service.app)).is_ok());
    let report = run(&service, &file("US1912161007", None), false);
    assert_eq!((report.new, report.errors), (1, vec![]));
    assert_eq!(symbols(&service), ["KO"]);
    let asked = replay.count("search");
    run(&service, &file("US1912161007", None).replace("2024-01-02", "2024-02-02"), false);
    assert_eq!((symbols(&service).len(), replay.count("search")), (2, asked), "known now, and not asked again");
}

#[test]
fn among_several_listings_the_files_ticker_decides_or_the_user_is_asked() {
    let listings = || vec![stock("KO", "USD", "US1912161007"), stock("CCC3.DE", "EUR", "US1912161007")];
    let (_replay, service) = start(listings());
    let report = run(&service, &file("US1912161007", None), false);
    assert_eq!(report.questions.len(), 1, "{report:?}");
    assert_eq!(report.errors[0].reason.code(), "several_listings");
    assert_eq!(report.questions[0].candidates, ["KO", "CCC3.DE"]);
    assert_eq!(run(&service, &file("US1912161007", Some("KO")), false).new, 1);
    assert_eq!(symbols(&service), ["KO"]);
}

#[test]
fn an_isin_unknown_to_the_provider_is_asked_of_the_user() {
    let (replay, service) = start(vec![stock("PEP", "USD", "US7134481081")]);
    let unknown = run(&service, &file("US1912161007", None), false);
    assert_eq!((unknown.new, unknown.questions[0].key.as_str(), unknown.questions[0].rows), (0, "US1912161007", 1));
    replay.fail("", Fault::Status(500));
    let failed = run(&service, &file("US7134481081", None), false);
    assert_eq!((failed.new, failed.questions.len()), (0, 1));
    assert!(symbols(&service).is_empty());
}
