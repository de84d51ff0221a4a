use app::market;
use app::stocks::radar;
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::ok;

fn summary(service: &Service, query: &str) -> Vec<String> {
    summary_for(service, query, None)
}

fn summary_for(service: &Service, query: &str, token: Option<&str>) -> Vec<String> {
    let stocks = ok(service, &format!("/api/v1/calendar{query}"), token)["stocks"].take();
    let line = |stock: &Value| format!("{} {}", stock["ex_dividend_date"].as_str().unwrap(), stock["symbol"].as_str().unwrap());
    stocks.as_array().unwrap().iter().map(line).collect()
}

#[test]
fn the_calendar_has_the_known_ex_dates_of_tracked_stocks_soonest_first_with_every_field() {
    let world = World::start();
    let entry = |symbol: &str, date: &str, name: &str, sector: &str| json!({"symbol": symbol, "ex_dividend_date": date, "name": name, "sector": sector, "payment_frequency": "quarterly"});
    // Specials count; estimates (MON in December) do not; HIDE, ex on 11-18, is not tracked.
    let stocks = [
        entry("RAD", "2026-11-20", "Radar Robotique", "Technology"),
        entry("RAD", "2026-11-25", "Radar Robotique", "Technology"),
        entry("QTR", "2026-12-10", "Quarry Tools", "Industrials"),
    ];
    let expected = json!({"from": "2026-11-15", "days": 45, "stocks": stocks});
    assert_eq!(ok(&world, "/api/v1/calendar", None), expected);
    assert_eq!(ok(&world, "/api/v1/calendar", Some(&world.ana)), expected);
}

#[test]
fn the_window_includes_today_and_the_last_day_and_what_is_unknown_is_null() {
    let service = Service::start();
    service.load(&[
        ("stocks.csv", "symbol,currency\nB,EUR\nA,EUR\nC,EUR\nPAST,EUR\nLATER,EUR\n"),
        (
            "dividends.csv",
            "symbol,ex_date,amount\nB,2026-11-15,1\nC,2026-12-30,1\nA,2026-12-30,1\nPAST,2026-11-14,1\nLATER,2026-12-31,1\n",
        ),
    ]);
    // By day, then by symbol.
    assert_eq!(summary(&service, ""), ["2026-11-15 B", "2026-12-30 A", "2026-12-30 C"]);
    assert_eq!(summary(&service, "?days=46"), ["2026-11-15 B", "2026-12-30 A", "2026-12-30 C", "2026-12-31 LATER"]);
    let bare = json!({"symbol": "B", "ex_dividend_date": "2026-11-15", "name": null, "sector": null, "payment_frequency": null});
    assert_eq!(ok(&service, "/api/v1/calendar?days=1", None)["stocks"], json!([bare]));
}

#[test]
fn a_regular_and_a_special_dividend_on_one_day_are_one_entry() {
    let world = World::start();
    world.load(&[("dividends.csv", "symbol,ex_date,amount,kind\nRAD,2026-11-20,0.10,special\n")]);
    assert_eq!(summary(&world, "?days=5"), ["2026-11-20 RAD"]);
}

#[test]
fn a_stock_is_in_the_calendar_as_long_as_a_user_or_the_operator_tracks_it() {
    let world = World::start();
    let with_hide = ["2026-11-18 HIDE", "2026-11-20 RAD"];
    world.run(radar::add(&world.app, world.user_id(ANA), &["HIDE".to_owned()])).unwrap();
    assert_eq!(summary_for(&world, "?days=5", Some(&world.bob)), with_hide);
    assert_eq!(summary(&world, "?days=5"), ["2026-11-20 RAD"], "one user is too few for strangers");
    world.run(radar::remove(&world.app, world.user_id(ANA), &["HIDE".to_owned()])).unwrap();
    assert_eq!(summary_for(&world, "?days=5", Some(&world.bob)), ["2026-11-20 RAD"]);
    world.run(market::set_tracked(&world.app, &["HIDE".to_owned()], true)).unwrap();
    assert_eq!(summary(&world, "?days=5"), with_hide);
}

#[test]
fn days_are_clamped_and_the_body_says_what_was_used() {
    let service = Service::start();
    for (query, days) in [("", 45), ("?days=1", 1), ("?days=0", 1), ("?days=-5", 1), ("?days=120", 120), ("?days=121", 120)] {
        let expected = json!({"from": "2026-11-15", "days": days, "stocks": []});
        assert_eq!(ok(&service, &format!("/api/v1/calendar{query}"), None), expected, "{query}");
    }
}

#[test]
fn from_is_the_day_in_utc() {
    for (now, day) in [("2026-12-31T23:59:59Z", "2026-12-31"), ("2027-01-01T00:00:00Z", "2027-01-01")] {
        assert_eq!(ok(&Service::start_at(now, ""), "/api/v1/calendar", None)["from"], day);
    }
}
