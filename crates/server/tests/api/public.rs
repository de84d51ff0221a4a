//! What strangers may see: stocks that the operator tracks or that several users hold or watch. Everything else looks unknown.

use std::time::{Duration, Instant};

use app::stocks::radar;
use app::{Viewer, accounts, market};
use testkit::{Answer, NOW, Service};

use super::contract::ok;

/// OPEN is tracked by the operator; the others only by users who have them.
const STOCKS: &str = "symbol,name,currency,price,tracked\n\
    OPEN,Open Orchards,USD,10,true\nHELD,Held Harvest,USD,20,false\nLONE,Lone Lemons,USD,30,false\n";
const DIVIDENDS: &str = "symbol,ex_date,amount\nOPEN,2026-11-20,1\nHELD,2026-11-21,1\nLONE,2026-11-22,1\n";
const PEOPLE: [&str; 3] = ["ana@example.com", "ben@example.com", "eve@example.com"];

/// With three users who have nothing yet.
fn service() -> (Service, Vec<String>) {
    let service = Service::start();
    service.load(&[("stocks.csv", STOCKS), ("dividends.csv", DIVIDENDS)]);
    let tokens = PEOPLE.map(|email| service.account(email, "USD", None)).to_vec();
    (service, tokens)
}

fn buy(service: &Service, email: &str, symbol: &str) {
    service.import(email, &format!("date,type,symbol,shares,price,currency\n2025-01-10,buy,{symbol},1,10,USD\n"));
}

fn watch(service: &Service, email: &str, symbol: &str) {
    service.run(radar::add(&service.app, service.user_id(email), &[symbol.to_owned()])).unwrap();
}

fn unwatch(service: &Service, email: &str, symbol: &str) {
    service.run(radar::remove(&service.app, service.user_id(email), &[symbol.to_owned()])).unwrap();
}

/// The symbols of the calendar, of a search that finds all, and of their own endpoints.
fn seen(node: &Service, token: Option<&str>) -> [Vec<String>; 3] {
    let symbols = |list: &serde_json::Value| {
        let mut symbols: Vec<String> =
            list.as_array().unwrap().iter().map(|one| one["symbol"].as_str().unwrap().to_owned()).collect();
        symbols.sort();
        symbols
    };
    let single = |symbol: &&str| node.get(&format!("/api/v1/stocks/{symbol}"), token).status == 200;
    [
        symbols(&ok(node, "/api/v1/calendar", token)["stocks"]),
        symbols(&ok(node, "/api/v1/stocks?q=e", token)["results"]),
        ["HELD", "LONE", "OPEN"].iter().filter(|symbol| single(symbol)).map(|symbol| (*symbol).to_owned()).collect(),
    ]
}

fn all(symbols: &[&str]) -> [Vec<String>; 3] {
    std::array::from_fn(|_| symbols.iter().map(|symbol| (*symbol).to_owned()).collect())
}

/// The answer without headers that depend on the time or the client.
fn whole(answer: &Answer) -> (u16, String, Vec<(String, String)>) {
    let ours = |name: &str| !["date", "ratelimit"].contains(&name);
    let headers = answer.headers.clone().into_iter().filter(|(name, _)| ours(name)).collect();
    (answer.status, answer.text(), headers)
}

#[test]
fn a_stock_that_one_user_holds_or_watches_looks_unknown_to_strangers() {
    let (service, tokens) = service();
    buy(&service, PEOPLE[0], "HELD");
    watch(&service, PEOPLE[0], "LONE");
    assert_eq!(seen(&service, None), all(&["OPEN"]));
    for symbol in ["HELD", "held", "LONE"] {
        let ask = |symbol: &str| whole(&service.get(&format!("/api/v1/stocks/{symbol}"), None));
        assert_eq!(ask(symbol), ask("NOPE"), "{symbol}");
    }
    for (q, unknown) in [("HELD", "NOPE"), ("harvest", "nothing"), ("hled", "npoe")] {
        let ask = |q: &str| whole(&service.get(&format!("/api/v1/stocks?q={q}"), None));
        assert_eq!(ask(q), ask(unknown), "{q}");
    }
    for token in &tokens {
        assert_eq!(seen(&service, Some(token)), all(&["HELD", "LONE", "OPEN"]), "whoever has an account sees what is tracked");
    }
    service.run(accounts::set_disabled(&service.app, PEOPLE[2], true)).unwrap();
    assert_eq!(seen(&service, Some(&tokens[2])), all(&["OPEN"]), "a token that does not work makes a stranger");
}

#[test]
fn a_stock_is_public_on_every_node_while_three_users_hold_it() {
    let (service, _) = service();
    let other = service.second_node(NOW);
    let expect = |symbols: &[&str], what: &str| {
        for node in [&service, &other] {
            // The second time from the cache.
            assert_eq!((seen(node, None), seen(node, None)), (all(symbols), all(symbols)), "{what}");
        }
    };
    buy(&service, PEOPLE[0], "HELD");
    watch(&service, PEOPLE[1], "HELD");
    expect(&["OPEN"], "two");
    watch(&other, PEOPLE[2], "HELD");
    expect(&["HELD", "OPEN"], "three");
    unwatch(&service, PEOPLE[1], "HELD");
    expect(&["OPEN"], "two again");
    watch(&service, PEOPLE[1], "HELD");
    service.run(accounts::delete(&service.app, PEOPLE[2])).unwrap();
    expect(&["OPEN"], "one of three has left");
}

#[test]
fn a_stock_is_public_while_the_operator_tracks_it() {
    let (service, _) = service();
    let other = service.second_node(NOW);
    buy(&service, PEOPLE[0], "HELD");
    for (tracked, symbols) in [(true, &["HELD", "OPEN"][..]), (false, &["OPEN"])] {
        service.run(market::set_tracked(&service.app, &["HELD".to_owned()], tracked)).unwrap();
        for node in [&service, &other] {
            assert_eq!((seen(node, None), seen(node, None)), (all(symbols), all(symbols)), "tracked: {tracked}");
        }
    }
    service.run(market::set_tracked(&service.app, &["OPEN".to_owned()], false)).unwrap();
    assert_eq!(seen(&service, None), all(&[]));
}

#[test]
fn answers_to_strangers_do_not_change_with_private_stocks() {
    let (service, _) = service();
    let tags = || ["/api/v1/calendar", "/api/v1/stocks?q=e", "/api/v1/stocks/OPEN"].map(|path| whole(&service.get(path, None)));
    let before = tags();
    buy(&service, PEOPLE[0], "HELD");
    buy(&service, PEOPLE[0], "OPEN");
    watch(&service, PEOPLE[1], "LONE");
    service.load(&[("dividends.csv", "symbol,ex_date,amount\nHELD,2026-11-25,2\n")]);
    assert_eq!(tags(), before);
}

#[test]
fn the_order_of_a_search_does_not_reveal_fewer_than_three_holders() {
    let service = Service::start();
    service.load(&[("stocks.csv", "symbol,currency\nZEDA,EUR\nZEDB,EUR\nZEDC,EUR\n")]);
    let found = |token: Option<&str>| {
        let found = ok(&service, "/api/v1/stocks?q=zed", token);
        found["results"].as_array().unwrap().iter().map(|one| one["symbol"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let tokens = PEOPLE.map(|email| service.account(email, "EUR", None));
    for email in &PEOPLE[..2] {
        watch(&service, email, "ZEDC");
        assert_eq!(found(None), ["ZEDA", "ZEDB", "ZEDC"]);
        assert_eq!(found(Some(&tokens[0])), ["ZEDC", "ZEDA", "ZEDB"]);
    }
    watch(&service, PEOPLE[2], "ZEDC");
    assert_eq!(found(None), ["ZEDC", "ZEDA", "ZEDB"]);
}

#[test]
fn a_private_stock_takes_strangers_as_long_as_an_unknown_one() {
    let (service, _) = service();
    buy(&service, PEOPLE[0], "HELD");
    let reads = || service.app.store.times().read.snapshot().0.iter().sum::<u64>();
    let ask = |symbol: &str| {
        let (before, began) = (reads(), Instant::now());
        assert!(service.run(app::stocks::stock::stock(&service.app, symbol, None, Viewer::Stranger)).unwrap().is_none());
        (reads() - before, began.elapsed())
    };
    let mut took: [Vec<Duration>; 2] = Default::default();
    for _ in 0..300 {
        for (times, symbol) in took.iter_mut().zip(["HELD", "NOPE"]) {
            let (reads, elapsed) = ask(symbol);
            assert_eq!(reads, 1, "{symbol}");
            times.push(elapsed);
        }
    }
    let [held, unknown] = took.map(|mut took| {
        took.sort();
        took[took.len() / 2].as_secs_f64()
    });
    assert!((0.75..1.33).contains(&(held / unknown)), "{held} against {unknown} s");
}
