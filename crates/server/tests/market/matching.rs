//! A security that a file names by ISIN only is linked with its stock as soon as anything knows it.

use app::matching::{self, Origin, Securities};
use replay::{Replay, Stock};
use serde_json::json;
use testkit::Service;

use crate::world::{NOW, american, quarterly, simple, stock};

const EMAIL: &str = "x@example.com";
const ISIN: &str = "US1912161007";
const FILE: &str = "date,type,isin,name,shares,price,currency\n2024-01-02,buy,US1912161007,COCA COLA CO,10,60,USD\n\
                    2024-01-02,buy,US1912161007,COCA COLA CO,10,60,USD\n2024-02-05,sell,US1912161007,COCA COLA CO,4,61,USD\n";

fn ko() -> Stock {
    Stock {
        isin: ISIN.to_owned(),
        dividends: quarterly("0.50"),
        forward_rate: Some("2.00".to_owned()),
        ..american("KO", "40.00")
    }
}

/// The symbol of each transaction.
fn symbols(service: &Service, email: &str) -> Vec<String> {
    let file = service.run(app::entries::export::ledger_file(&service.app, service.user_id(email))).unwrap();
    let file = String::from_utf8(file).unwrap();
    file.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().to_owned()).collect()
}

fn imported(service: &Service, email: &str, file: &str) -> (u64, u64) {
    let report = service.import_file(email, file.as_bytes(), None).unwrap();
    assert_eq!((report.errors.len(), report.questions.len()), (0, 0));
    (report.new, report.existing)
}

fn list(service: &Service, email: &str) -> Securities {
    service.run(matching::list(&service.app, service.user_id(email))).unwrap()
}

fn open(service: &Service, email: &str) -> Vec<String> {
    list(service, email).open.into_iter().map(|one| one.key).collect()
}

#[test]
fn a_position_imported_before_its_data_exists_is_linked_within_one_refresh_after_it_does() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    let token = service.account(EMAIL, "EUR", None);
    assert_eq!(imported(&service, EMAIL, FILE), (3, 0));
    service.refresh(&[]);
    let income = || service.get("/api/v1/income", Some(&token)).json();
    assert_eq!(income()["annual_income"], json!({"amount": "0.00", "currency": "EUR"}));
    assert_eq!(income()["coverage"]["without_data"], json!([ISIN]));
    let security = list(&service, EMAIL).open.remove(0);
    assert_eq!((security.name.as_deref(), security.isin.as_deref()), (Some("COCA COLA CO"), Some(ISIN)));
    assert_eq!((security.shares.to_string().as_str(), security.entries), ("16", 3));
    assert_eq!(replay.count("quote?symbols=US1912161007"), 0, "an ISIN has no price");

    replay.change(|world| world.stocks.push(ko()));
    service.refresh(&[]);
    assert_eq!(symbols(&service, EMAIL), ["KO"; 3]);
    // 16 shares at 4 × 0.50 dollars a year, at 1.25 dollars for a euro.
    assert_eq!(income()["annual_income"], json!({"amount": "25.60", "currency": "EUR"}));
    assert_eq!(income()["coverage"]["without_data"], json!([]));
    assert!(open(&service, EMAIL).is_empty());
    assert_eq!(imported(&service, EMAIL, FILE), (0, 3), "the same file adds nothing");

    let user_id = service.user_id(EMAIL);
    let linked = || service.run(matching::left_out(&service.app, user_id, &[])).unwrap().linked;
    assert_eq!(linked(), [(ISIN.to_owned(), "KO".to_owned())]);
    service.run(matching::set_seen(&service.app, user_id)).unwrap();
    assert!(linked().is_empty());
}

#[test]
fn an_undone_match_stays_undone_until_the_user_chooses() {
    let service = Service::start();
    service.account(EMAIL, "EUR", None);
    let user_id = service.user_id(EMAIL);
    imported(&service, EMAIL, FILE);
    service.load(&[("stocks.csv", "symbol,currency,isin\nKO,USD,US1912161007\nPEP,USD,\n")]);
    assert_eq!(symbols(&service, EMAIL), ["KO"; 3], "linked when the files are loaded");
    service.import(EMAIL, "date,type,symbol,shares,price,currency\n2024-03-04,buy,KO,1,60,USD\n");
    assert_eq!(list(&service, EMAIL).automatic[0].symbol, "KO");

    service.run(matching::undo(&service.app, user_id, ISIN)).unwrap();
    assert_eq!(symbols(&service, EMAIL), [ISIN, ISIN, ISIN, "KO"], "only what the file called by the ISIN");
    assert_eq!(service.run(matching::heal(&service.app, None)).unwrap(), 0);
    assert_eq!(imported(&service, EMAIL, FILE), (0, 3));
    let security = list(&service, EMAIL).open.remove(0);
    assert_eq!(security.suggestions.iter().map(|stock| stock.symbol.as_str()).collect::<Vec<_>>(), ["KO"]);

    service.run(matching::choose(&service.app, user_id, ISIN, " pep ")).unwrap();
    assert_eq!(symbols(&service, EMAIL), ["PEP", "PEP", "PEP", "KO"]);
    assert_eq!(imported(&service, EMAIL, FILE), (0, 3));
    assert!(list(&service, EMAIL).automatic.is_empty());
    let unknown = service.run(matching::choose(&service.app, user_id, "GB00B10RZP78", "KO")).unwrap_err();
    assert_eq!(unknown.code(), "unknown_security");
}

#[test]
fn an_undo_that_would_leave_too_few_shares_is_refused() {
    let service = Service::start();
    service.account(EMAIL, "EUR", None);
    imported(&service, EMAIL, FILE);
    service.load(&[("stocks.csv", "symbol,currency,isin\nKO,USD,US1912161007\n")]);
    service.import(EMAIL, "date,type,symbol,shares,price,currency\n2024-03-04,sell,KO,16,60,USD\n");
    let refused = service.run(matching::undo(&service.app, service.user_id(EMAIL), ISIN)).unwrap_err();
    assert_eq!(refused.code(), "match_inconsistent");
    assert_eq!(symbols(&service, EMAIL), ["KO"; 4], "nothing was changed");
}

#[test]
fn a_match_of_another_user_links_the_same_isin_but_never_the_same_name() {
    let service = Service::start();
    let named = "date,type,name,shares,price,currency\n2024-01-02,buy,House Fund,1,60,USD\n";
    for email in [EMAIL, "y@example.com"] {
        service.account(email, "EUR", None);
        imported(&service, email, FILE);
        imported(&service, email, named);
    }
    service.load(&[("stocks.csv", "symbol,currency\nKO,USD\nHF,USD\n")]);
    assert_eq!(open(&service, EMAIL), ["HOUSE FUND", ISIN]);
    for (key, symbol) in [(ISIN, "KO"), ("HOUSE FUND", "HF")] {
        service.run(matching::choose(&service.app, service.user_id(EMAIL), key, symbol)).unwrap();
    }
    assert_eq!(service.run(matching::heal(&service.app, None)).unwrap(), 1);
    assert_eq!(symbols(&service, "y@example.com"), ["KO", "KO", "KO", "HOUSE-FUND"]);
    service.load(&[("stocks.csv", "symbol,currency,name\nHF,USD,house fund\n")]);
    assert_eq!(symbols(&service, "y@example.com")[3], "HF", "a stock with that name");
    assert_eq!(imported(&service, "y@example.com", named), (0, 1));
}

#[test]
fn among_several_listings_the_currency_of_the_trades_decides_or_the_user() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    service.account(EMAIL, "EUR", None);
    let other = "date,type,isin,shares,price,currency\n2026-11-13,buy,GB00B10RZP78,1,60,EUR\n";
    imported(&service, EMAIL, FILE);
    imported(&service, EMAIL, other);
    let listed = |symbol: &str, unit: &str, isin: &str| Stock {
        isin: isin.to_owned(),
        ..stock(symbol, unit, "GER", "Europe/Berlin", 3_600, "36.00")
    };
    replay.change(|world| {
        world.stocks.extend([ko(), listed("CCC3.DE", "EUR", ISIN)]);
        world.stocks.extend([listed("ULVR.L", "GBp", "GB00B10RZP78"), listed("UL", "USD", "GB00B10RZP78")]);
    });
    service.refresh(&[]);
    assert_eq!(symbols(&service, EMAIL), ["KO", "KO", "KO", "GB00B10RZP78"]);
    let security = list(&service, EMAIL).open.remove(0);
    assert_eq!(security.suggestions.iter().map(|stock| stock.symbol.as_str()).collect::<Vec<_>>(), ["UL", "ULVR.L"]);
    let asked = replay.count("search");
    service.run(matching::choose(&service.app, service.user_id(EMAIL), "GB00B10RZP78", "ULVR.L")).unwrap();
    assert_eq!((symbols(&service, EMAIL)[3].as_str(), replay.count("search")), ("ULVR.L", asked));
}

#[test]
fn a_security_without_a_ticker_is_no_longer_open_and_its_income_comes_from_the_users_dividends() {
    let service = Service::start();
    let token = service.account(EMAIL, "USD", None);
    let user_id = service.user_id(EMAIL);
    let dividends: String = [("2026-01", "28"), ("2026-04", "28"), ("2026-07", "28"), ("2026-10", "28")]
        .map(|(month, day)| format!("{month}-{day},dividend,US1912161007,COCA COLA CO,,8,USD\n"))
        .concat();
    let file =
        format!("date,type,isin,name,shares,amount,currency\n2025-01-02,buy,US1912161007,COCA COLA CO,16,960,USD\n{dividends}");
    imported(&service, EMAIL, &file);
    service.run(matching::set_unlisted(&service.app, user_id, ISIN)).unwrap();
    let securities = list(&service, EMAIL);
    assert_eq!((securities.open.len(), securities.unlisted[0].key.as_str()), (0, ISIN));
    assert_eq!(imported(&service, EMAIL, &file), (0, 5));
    let left_out = service.run(matching::left_out(&service.app, user_id, &[ISIN.to_owned()])).unwrap();
    assert_eq!((left_out.unmatched.len(), left_out.without_data), (0, vec![ISIN.to_owned()]));
    let income = service.get("/api/v1/income", Some(&token)).json();
    assert_eq!((&income["annual_income"]["amount"], &income["holdings"][0]["basis"]), (&json!("32.00"), &json!("ledger")));

    service.load(&[("stocks.csv", "symbol,currency,isin\nKO,USD,US1912161007\n")]);
    assert_eq!(symbols(&service, EMAIL), [ISIN; 5], "the user's word counts");
    let matches =
        service.run(async { store::instruments::list(&mut service.app.store.read().await.unwrap(), user_id).await.unwrap() });
    assert_eq!(matches[0].origin, Origin::Unlisted);
}
