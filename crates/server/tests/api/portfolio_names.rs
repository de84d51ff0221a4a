//! `portfolio` is compared by Unicode case folding, independent of the database.

use app::portfolios;
use serde_json::Value;
use testkit::Service;
use testkit::sample::World;

use super::contract::{error, get, ok};

/// A user with one share of a different stock in every portfolio, named after its index.
fn with_portfolios(names: &[&str]) -> (Service, String) {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    for (place, name) in names.iter().enumerate() {
        service.run(portfolios::add(&service.app, service.user_id("x@example.com"), name, false)).unwrap();
        let ledger = format!("date,type,symbol,shares,price,currency,portfolio\n2025-01-10,buy,S{place},1,1,EUR,{name}\n");
        service.import("x@example.com", &ledger);
    }
    (service, token)
}

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The stocks of the portfolio of this name; None when it is unknown.
fn found(service: &Service, token: &str, name: &str) -> Option<Vec<String>> {
    let path = format!("/api/v1/holdings?portfolio={}", escaped(name));
    match get(service, &path, Some(token)).status {
        200 => {
            let holdings = ok(service, &path, Some(token))["holdings"].take();
            let symbol = |row: &Value| row["symbol"].as_str().unwrap().to_owned();
            Some(holdings.as_array().unwrap().iter().map(symbol).collect())
        }
        _ => {
            error(service, &path, Some(token), 422, "invalid_params");
            None
        }
    }
}

#[test]
fn portfolio_names_ignore_unicode_case_and_the_encoding_of_accents() {
    let names = ["Été", "Straße", "ΟΔΟΣ", "İzmir", "\u{212A}elvin", "Ångström", "ﬁscal"];
    let (service, token) = with_portfolios(&names);
    let cases: [&[&str]; 7] = [
        &["Été", "ÉTÉ", "été", "E\u{301}te\u{301}", "e\u{301}TE\u{301}"],
        &["Straße", "STRASSE", "strasse", "STRAẞE"],
        &["ΟΔΟΣ", "οδος", "οδοσ", "Οδος"],
        &["İzmir", "i\u{307}zmir", "I\u{307}ZMIR"],
        &["\u{212A}elvin", "kelvin", "KELVIN", "Kelvin"],
        &["Ångström", "ångström", "\u{212B}NGSTRÖM", "A\u{30A}ngstro\u{308}m"],
        &["ﬁscal", "FISCAL", "fiscal"],
    ];
    for (place, spellings) in cases.iter().enumerate() {
        for spelling in *spellings {
            assert_eq!(found(&service, &token, spelling), Some(vec![format!("S{place}")]), "{spelling}");
        }
    }
}

#[test]
fn accents_and_dots_make_different_names() {
    let (service, token) = with_portfolios(&["Été", "İzmir", "Straße", "Rio"]);
    for other in ["Ete", "ete", "izmir", "IZMIR", "ızmır", "Strase", "RıO", "Río"] {
        assert_eq!(found(&service, &token, other), None, "{other}");
    }
}

#[test]
fn portfolio_names_that_differ_only_in_case_cannot_both_exist() {
    let (service, _) = with_portfolios(&["Été", "Straße"]);
    for taken in ["ÉTÉ", "E\u{301}te\u{301}", "STRASSE"] {
        assert!(service.run(portfolios::add(&service.app, service.user_id("x@example.com"), taken, false)).is_err(), "{taken}");
    }
}

#[test]
fn a_portfolio_is_found_by_name_before_slug() {
    let (service, token) = with_portfolios(&["growth", "Other"]);
    service.run(portfolios::share(&service.app, service.user_id("x@example.com"), "Other", Some("growth"))).unwrap();
    assert_eq!(found(&service, &token, "GROWTH"), Some(vec!["S0".to_owned()]));
    service.run(portfolios::rename(&service.app, service.user_id("x@example.com"), "growth", "Renamed")).unwrap();
    assert_eq!(found(&service, &token, "Growth"), Some(vec!["S1".to_owned()]));
    service.run(portfolios::unshare(&service.app, service.user_id("x@example.com"), "Other")).unwrap();
    assert_eq!(found(&service, &token, "growth"), None);
}

#[test]
fn spaces_around_a_portfolio_name_are_ignored() {
    let (service, token) = with_portfolios(&["My Fund"]);
    for spelling in ["My Fund", "  my fund ", "\tMY FUND\u{a0}"] {
        assert_eq!(found(&service, &token, spelling), Some(vec!["S0".to_owned()]), "{spelling:?}");
    }
    assert_eq!(found(&service, &token, "MyFund"), None);
}

#[test]
fn only_the_callers_own_portfolios_count_even_shared_ones() {
    let world = World::start();
    for name in ["Core", "Élan", "elan-income"] {
        assert!(found(&world, &world.ana, name).is_some(), "{name}");
        assert_eq!(found(&world, &world.bob, name), None, "{name}");
    }
}
