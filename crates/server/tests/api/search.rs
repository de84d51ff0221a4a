use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::{error, ok};

fn symbols(service: &Service, q: &str, token: Option<&str>) -> Vec<String> {
    let results = ok(service, &format!("/api/v1/stocks?q={q}"), token)["results"].take();
    results.as_array().unwrap().iter().map(|result| result["symbol"].as_str().unwrap().to_owned()).collect()
}

fn with_stocks(rows: &str) -> Service {
    let service = Service::start();
    service.load(&[("stocks.csv", &format!("symbol,name,currency\n{rows}"))]);
    service
}

#[test]
fn a_result_has_every_field_and_nulls_where_nothing_is_known() {
    let world = World::start();
    let found = json!({"symbol": "QTR", "tracked": true, "name": "Quarry Tools", "exchange": "NYSE", "type": "EQUITY"});
    assert_eq!(ok(&world, "/api/v1/stocks?q=qtr", None), json!({"results": [found]}));
    let bare = json!({"symbol": "BARE", "tracked": true, "name": null, "exchange": null, "type": null});
    assert_eq!(ok(&world, "/api/v1/stocks?q=BARE", None), json!({"results": [bare]}));
}

#[test]
fn without_a_token_only_public_stocks_are_searched() {
    let world = World::start();
    assert_eq!(ok(&world, "/api/v1/stocks?q=harbour", None), json!({"results": []}));
    let hidden = json!({"symbol": "HIDE", "tracked": false, "name": "Hidden Harbour", "exchange": "NYSE", "type": "EQUITY"});
    assert_eq!(ok(&world, "/api/v1/stocks?q=harbour", Some(&world.ana)), json!({"results": [hidden]}));
}

#[test]
fn tracked_says_whether_the_single_stock_endpoint_answers() {
    let world = World::start();
    for q in ["h", "q", "r", "s"] {
        for result in ok(&world, &format!("/api/v1/stocks?q={q}"), Some(&world.ana))["results"].as_array().unwrap() {
            let path = format!("/api/v1/stocks/{}", result["symbol"].as_str().unwrap());
            match result["tracked"] == true {
                true => drop(ok(&world, &path, None)),
                false => drop(error(&world, &path, None, 404, "not_found")),
            }
        }
    }
}

#[test]
fn better_kinds_of_match_come_first() {
    let service = with_stocks(
        "X6,Abakus,EUR\nX5,Grabacus,EUR\nX4,Big Abacus,EUR\nX3,Abacus Works,EUR\nABACUSES,,EUR\nABACUS,,EUR\nOTHER,Nothing Like It,EUR\n",
    );
    // Exact symbol, symbol prefix, start of the name, start of a word, inside, one typo.
    assert_eq!(symbols(&service, "abacus", None), ["ABACUS", "ABACUSES", "X3", "X4", "X5", "X6"]);
}

#[test]
fn among_equals_more_followers_come_first_then_the_shorter_symbol_then_the_symbol() {
    let service = with_stocks("ZEDC,,EUR\nZEDB,,EUR\nZEDAA,,EUR\nZEDD,,EUR\n");
    assert_eq!(symbols(&service, "zed", None), ["ZEDB", "ZEDC", "ZEDD", "ZEDAA"]);
    let token = service.account("c@example.com", "EUR", None);
    for email in ["a@example.com", "b@example.com"] {
        service.account(email, "EUR", None);
        service.import(email, "date,type,symbol,shares,price,currency\n2025-01-10,buy,ZEDAA,1,1,EUR\n");
    }
    service.import("a@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,ZEDD,1,1,EUR\n");
    assert_eq!(symbols(&service, "zed", Some(&token)), ["ZEDAA", "ZEDD", "ZEDB", "ZEDC"]);
    assert_eq!(symbols(&service, "zed", None), ["ZEDB", "ZEDC", "ZEDD", "ZEDAA"], "two are too few to tell strangers");
}

#[test]
fn there_are_ten_results_at_most() {
    let rows: String = (10..25).map(|number| format!("ZED{number},,EUR\n")).collect();
    let service = with_stocks(&rows);
    let expected: Vec<String> = (10..20).map(|number| format!("ZED{number}")).collect();
    assert_eq!(symbols(&service, "zed", None), expected);
    let token = service.account("x@example.com", "EUR", None);
    assert_eq!(symbols(&service, "zed", Some(&token)).len(), 10);
}

#[test]
fn case_accents_and_their_encoding_do_not_count() {
    let world = World::start();
    // iberica, IBÉRICA with the accent composed, and Ibérica with it as a mark of its own
    for q in ["iberica", "IB%C3%89RICA", "Ibe%CC%81rica", "anual%20ib%C3%A9rica"] {
        assert_eq!(symbols(&world, q, None), ["ANN"], "{q}");
    }
}

#[test]
fn q_is_trimmed() {
    let world = World::start();
    assert_eq!(symbols(&world, "++QTR%20", None), ["QTR"]);
}

#[test]
fn nothing_found_is_an_empty_list() {
    let world = World::start();
    for q in ["zzzzzz", "%25", "*", "_", "%F0%9F%92%B6", "%27%3B--", "a%0D%0Ab"] {
        assert_eq!(ok(&world, &format!("/api/v1/stocks?q={q}"), None), json!({"results": []}), "{q}");
    }
}

#[test]
fn a_stock_without_market_data_is_found_by_its_holder_only() {
    let world = World::start();
    assert_eq!(symbols(&world, "OWNED", Some(&world.ana)), Vec::<String>::new());
    world.import(ANA, "date,type,symbol,shares,price,currency\n2025-01-10,buy,OWNED,2,3,CHF\n");
    let own = json!({"symbol": "OWNED", "tracked": true, "name": Value::Null, "exchange": null, "type": null});
    assert_eq!(ok(&world, "/api/v1/stocks?q=OWNED", Some(&world.ana)), json!({"results": [own]}));
    for token in [None, Some(world.bob.as_str())] {
        assert_eq!(symbols(&world, "OWNED", token), Vec::<String>::new());
    }
}
