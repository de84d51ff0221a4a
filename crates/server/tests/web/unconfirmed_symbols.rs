//! A symbol that market data has not confirmed is visible to its user only and does not affect others.

use app::accounts;
use app::stocks::radar;
use store::refreshes::{self, Topic};
use testkit::sample::{ANA, BOB};
use testkit::{Answer, Service};

use super::other_users_data::plain;
use super::people::{signed_in, world};

const FAKE: &str = "ZZFAKE";
const NONE: &str = "ZZNONE";

fn bought(service: &Service, email: &str, currency: &str) {
    service.import(email, &format!("date,type,symbol,shares,price,currency\n2026-01-05,buy,{FAKE},3,7.00,{currency}\n"));
}

fn same(fake: &Answer, none: &Answer, what: &str) {
    assert_eq!(plain(fake, &[]).replace(FAKE, NONE), plain(none, &[]), "{what}");
}

#[test]
fn an_unconfirmed_symbol_looks_unknown_to_strangers() {
    let world = world();
    bought(&world, ANA, "EUR");
    let (ana, bob, nobody) = (signed_in(&world, ANA), signed_in(&world, BOB), world.browser());
    let own = world.get("/api/v1/stocks/zzfake", Some(&world.ana));
    assert_eq!((own.status, own.json()["currency"].as_str()), (200, Some("EUR")));
    assert_eq!(ana.get("/stocks/ZZFAKE").status, 200);
    for token in [Some(world.bob.as_str()), None] {
        let ask = |symbol: &str| world.get(&format!("/api/v1/stocks/{symbol}"), token);
        let (fake, none) = (ask(FAKE), ask(NONE));
        assert_eq!((fake.status, fake.error_code().as_str()), (404, "not_found"));
        assert_eq!(fake.body, none.body);
        assert_eq!(world.get("/api/v1/stocks?q=zzfake", token).json()["results"], serde_json::json!([]));
    }
    for (who, browser) in [("bob", &bob), ("nobody", &nobody)] {
        for path in ["/stocks/", "/search?q=", "/search/suggest?q="] {
            same(&browser.get(&format!("{path}{FAKE}")), &browser.get(&format!("{path}{NONE}")), &format!("{path} of {who}"));
        }
    }
    let watch =
        |symbol: &str| world.run(radar::add(&world.app, world.user_id(BOB), &[symbol.to_owned()])).unwrap_err().to_string();
    assert_eq!(watch(FAKE).replace(FAKE, NONE), watch(NONE));
}

#[test]
fn an_unconfirmed_symbol_is_found_by_its_owner() {
    let world = world();
    world.load(&[("stocks.csv", "symbol,name,currency\nZZ,Zig Zag,EUR\nZZFAKERY,Forgery,EUR\nQZZFAKE,Other,EUR\n")]);
    bought(&world, ANA, "EUR");
    let symbols = |q: &str, token: &str| -> Vec<String> {
        let results = world.get(&format!("/api/v1/stocks?q={q}"), Some(token)).json()["results"].take();
        results.as_array().unwrap().iter().map(|hit| hit["symbol"].as_str().unwrap().to_owned()).collect()
    };
    // Exact symbol, symbol that begins so, symbol that has it inside.
    assert_eq!(symbols("zzfake", &world.ana), [FAKE, "ZZFAKERY", "QZZFAKE"]);
    assert_eq!(symbols("zzfake", &world.bob), ["ZZFAKERY", "QZZFAKE"]);
    assert!(signed_in(&world, ANA).get("/search/suggest?q=zzfake").text().contains("/stocks/ZZFAKE\""));
}

#[test]
fn each_ledger_decides_the_currency_of_an_unconfirmed_symbol() {
    let world = world();
    bought(&world, ANA, "EUR");
    // There is no rate between the two: bound by Ana's euros, Bob's would be refused.
    bought(&world, BOB, "KRW");
    let cost = |token: &str| {
        let holdings = world.get("/api/v1/holdings", Some(token)).json();
        let row = holdings["holdings"].as_array().unwrap().iter().find(|row| row["symbol"] == FAKE).cloned();
        row.map(|row| row["average_cost"].clone())
    };
    assert_eq!(cost(&world.ana), Some(serde_json::json!({"amount": "7.00", "currency": "EUR"})));
    assert_eq!(cost(&world.bob), Some(serde_json::json!({"amount": "7", "currency": "KRW"})));
    let currency = |token: &str| world.get("/api/v1/stocks/ZZFAKE", Some(token)).json()["currency"].clone();
    assert_eq!((currency(&world.ana), currency(&world.bob)), ("EUR".into(), "KRW".into()));
}

#[test]
fn market_data_makes_an_unconfirmed_symbol_public() {
    let world = world();
    bought(&world, ANA, "EUR");
    assert_eq!(world.get("/api/v1/stocks/ZZFAKE", None).status, 404);
    world.load(&[("stocks.csv", "symbol,name,currency\nZZFAKE,Fakir Mills,USD\n")]);
    let known = world.get("/api/v1/stocks/ZZFAKE", None);
    assert_eq!((known.status, known.json()["currency"].as_str()), (200, Some("USD")));
}

#[test]
fn an_unconfirmed_symbol_is_deleted_with_the_last_account_using_it() {
    let world = world();
    bought(&world, ANA, "EUR");
    bought(&world, BOB, "USD");
    world.run(async {
        let mut tx = world.app.store.write().await.unwrap();
        refreshes::enqueue(&mut tx, Topic::Quote, &[FAKE, "QTR"], 1).await.unwrap();
        tx.commit().await.unwrap();
    });
    world.run(accounts::delete(&world.app, ANA)).unwrap();
    assert!(world.cells_with(FAKE).contains(&"stocks.symbol".to_owned()), "Bob still has it");
    assert_eq!(world.get("/api/v1/stocks/ZZFAKE", Some(&world.bob)).status, 200);
    world.run(accounts::delete(&world.app, BOB)).unwrap();
    assert_eq!(world.cells_with(FAKE), Vec::<String>::new());
    assert!(!world.cells_with("QTR").is_empty(), "market data stays");
}
