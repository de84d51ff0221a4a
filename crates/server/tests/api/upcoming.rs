use app::stocks::radar;
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, ANA, World};

use super::contract::ok;

fn money(amount: &str, currency: &str) -> Value {
    json!({"amount": amount, "currency": currency})
}

/// Symbol, ex-date and shares of every item; "radar" where none are held.
fn summary(service: &Service, query: &str, token: &str) -> Vec<String> {
    let items = ok(service, &format!("/api/v1/upcoming{query}"), Some(token))["items"].take();
    let text = |value: &Value| value.as_str().unwrap_or("radar").to_owned();
    let line = |item: &Value| format!("{} {} {}", text(&item["symbol"]), text(&item["ex_dividend_date"]), text(&item["shares"]));
    items.as_array().unwrap().iter().map(line).collect()
}

fn with_entries(entries: &str) -> (Service, String) {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", None);
    service.import("x@example.com", &format!("date,type,symbol,shares,price,currency\n{entries}"));
    (service, token)
}

#[test]
fn upcoming_has_every_payment_of_holdings_and_watchlist_soonest_first() {
    let world = World::start();
    // MON is paid today; SPLT and SEVN went ex-dividend and are still to be paid; the rest is to come until 12-30.
    let expected = [
        "MON 2026-11-05 100",
        "RAD 2026-11-20 radar",
        "RAD 2026-11-25 radar",
        "SPLT 2026-11-10 40",
        "SEVN 2026-10-22 200",
        "MON 2026-12-04 100",
        "QTR 2026-12-10 15.5",
        "QTR 2026-12-10 4",
        "ANN 2026-12-22 30",
        "SHIP 2026-12-29 20",
    ];
    assert_eq!(summary(&world, "", &world.ana), expected);
    let body = ok(&world, "/api/v1/upcoming", Some(&world.ana));
    assert_eq!((&body["from"], &body["days"]), (&json!("2026-11-15"), &json!(45)));
    // Paid until 12-30, in euros: MON 25 + 25, SPLT 20 ÷ 1.25 = 16, SEVN 24 ÷ 0.80 = 30, QTR 17.55 ÷ 1.25 = 14.04; ANN and SHIP are
    // paid later. Net: MON 42.50, SPLT 13.60, SEVN 30, QTR 80% = 11.232.
    assert_eq!(body["expected_total"], money("110.04", "EUR"));
    assert_eq!(body["expected_net_total"], money("97.33", "EUR"));
}

#[test]
fn a_declared_payment_has_every_field_and_its_declared_amount() {
    let world = World::start();
    // 15.5 × 0.90 = 13.95; ana's own dividends of QTR were withheld by 20%: 11.16. December 2025 paid 0.805255.
    let item = json!({
        "symbol": "QTR", "held": true, "ex_dividend_date": "2026-12-10", "pay_date": "2026-12-20",
        "per_share": money("0.90", "USD"), "previous_per_share": money("0.805255", "USD"), "change": 0.11765838150647931,
        "expected": money("13.95", "USD"), "expected_net": money("11.16", "USD"),
        "shares": "15.5", "name": "Quarry Tools", "declared": true, "basis": "market", "portfolio": "Core"
    });
    assert_eq!(ok(&world, "/api/v1/upcoming", Some(&world.ana))["items"][6], item);
}

#[test]
fn an_estimated_payment_is_the_forward_rate_divided_by_the_payments_of_a_year() {
    let world = World::start();
    // 3.00 a year ÷ 12 = 0.25; 100 of them, Germany keeps 15%; ten days from ex-date to payment, as always. The 5th of December
    // is a Saturday.
    let item = json!({
        "symbol": "MON", "held": true, "ex_dividend_date": "2026-12-04", "pay_date": "2026-12-14",
        "per_share": money("0.25", "EUR"), "previous_per_share": money("0.25", "EUR"), "change": 0.0, "expected": money("25.00", "EUR"), "expected_net": money("21.25", "EUR"),
        "shares": "100", "name": "Monthly Malls Trust", "declared": false, "basis": "market"
    });
    assert_eq!(ok(&world, "/api/v1/upcoming?portfolio=core", Some(&world.ana))["items"][3], item);
}

#[test]
fn a_watchlist_item_has_no_shares_and_no_expected_amount() {
    let world = World::start();
    let item = json!({
        "symbol": "RAD", "held": false, "ex_dividend_date": "2026-11-25", "pay_date": "2026-12-09",
        "per_share": money("1.00", "EUR"), "previous_per_share": null, "change": null,
        "expected": null, "expected_net": null, "shares": null,
        "name": "Radar Robotique", "declared": true, "basis": "market"
    });
    assert_eq!(ok(&world, "/api/v1/upcoming", Some(&world.ana))["items"][2], item);
}

#[test]
fn money_is_in_the_stocks_currency_and_its_minor_units() {
    let world = World::start();
    let items = ok(&world, "/api/v1/upcoming", Some(&world.ana))["items"].take();
    // SEVN's interim of 12 pence on the 200 held before the ex-date; the forward rate ÷ 2 would be 20 pence.
    assert_eq!((&items[4]["per_share"], &items[4]["expected"]), (&money("0.12", "GBP"), &money("24.00", "GBP")));
    // SHIP: 20 × 1000; South Korea keeps 15% of a resident of Spain.
    assert_eq!((&items[9]["expected"], &items[9]["expected_net"]), (&money("20000", "KRW"), &money("17000", "KRW")));
}

#[test]
fn a_stock_held_and_watched_is_listed_as_held_only() {
    let world = World::start();
    let items = ok(&world, "/api/v1/upcoming", Some(&world.ana))["items"].take();
    let held: Vec<&Value> =
        items.as_array().unwrap().iter().filter(|item| item["symbol"] == "QTR").map(|item| &item["held"]).collect();
    assert_eq!(held, [true, true]);
}

#[test]
fn a_selected_portfolio_shows_its_own_holdings_and_no_watchlist() {
    let world = World::start();
    assert_eq!(summary(&world, "?portfolio=elan-income", &world.ana), ["QTR 2026-12-10 4"]);
    assert!(summary(&world, "?portfolio=Core", &world.ana).iter().all(|line| !line.ends_with("radar")));
    let items = ok(&world, "/api/v1/upcoming?portfolio=Core", Some(&world.ana))["items"].take();
    assert!(items.as_array().unwrap().iter().all(|item| item.get("portfolio").is_none()));
}

#[test]
fn after_the_ex_date_only_shares_held_before_it_are_paid() {
    // SPLT went ex-dividend on 2026-11-10 and pays on 2026-11-25.
    for (bought, expected) in [("2026-11-09", vec!["SPLT 2026-11-10 3"]), ("2026-11-10", vec![]), ("2026-11-12", vec![])] {
        let (service, token) = with_entries(&format!("{bought},buy,SPLT,3,100,USD\n"));
        assert_eq!(summary(&service, "?days=30", &token), expected, "{bought}");
    }
}

#[test]
fn shares_sold_after_the_ex_date_are_still_paid_and_those_of_today_count_before_it() {
    let (service, token) = with_entries(
        "2026-10-01,buy,SPLT,3,100,USD\n2026-11-11,sell,SPLT,3,100,USD\n2026-10-01,buy,QTR,5,1,USD\n2026-11-12,sell,QTR,1,1,USD\n",
    );
    assert_eq!(summary(&service, "", &token), ["SPLT 2026-11-10 3", "QTR 2026-12-10 4"]);
}

#[test]
fn a_payment_on_sold_shares_is_listed_once_even_if_the_stock_is_watched() {
    let (service, token) = with_entries("2026-10-01,buy,SPLT,3,100,USD\n2026-11-11,sell,SPLT,3,100,USD\n");
    service.run(radar::add(&service.app, service.user_id("x@example.com"), &["SPLT".to_owned()])).unwrap();
    assert_eq!(summary(&service, "", &token), ["SPLT 2026-11-10 3"]);
    // 2026-02-10 was the 14th business day from the end of its month, as 2027-02-09 is.
    assert_eq!(summary(&service, "?days=120", &token), ["SPLT 2026-11-10 3", "SPLT 2027-02-09 radar"]);
}

#[test]
fn the_window_includes_today_and_the_last_day() {
    let world = World::start();
    // RAD goes ex-dividend on the fifth day from today; MON pays today.
    assert_eq!(summary(&world, "?days=4", &world.ana), ["MON 2026-11-05 100"]);
    assert_eq!(summary(&world, "?days=5", &world.ana), ["MON 2026-11-05 100", "RAD 2026-11-20 radar"]);
    let tomorrow = world.second_node("2026-11-16T00:00:00Z");
    assert_eq!(summary(&tomorrow, "?days=3", &world.ana), Vec::<String>::new());
}

#[test]
fn an_ex_date_or_a_pay_date_in_the_window_is_enough() {
    let (service, token) = with_entries("2025-01-10,buy,SEVN,1,1,GBP\n2025-01-10,buy,ANN,1,1,EUR\n");
    // SEVN: ex in October, paid on 11-27. ANN: ex on 12-22, paid in January.
    assert_eq!(summary(&service, "?days=37", &token), ["SEVN 2026-10-22 1", "ANN 2026-12-22 1"]);
    assert_eq!(summary(&service, "?days=11", &token), Vec::<String>::new());
}

#[test]
fn days_are_clamped_and_the_body_says_what_was_used() {
    let world = World::start();
    for (query, days) in [("", 45), ("?days=0", 1), ("?days=-5", 1), ("?days=120", 120), ("?days=121", 120)] {
        assert_eq!(ok(&world, &format!("/api/v1/upcoming{query}"), Some(&world.ana))["days"], days, "{query}");
    }
}

#[test]
fn estimates_follow_the_last_known_payment_as_the_year_before() {
    let (service, token) = with_entries("2025-01-10,buy,QTR,1,1,USD\n2025-01-10,buy,MON,1,1,EUR\n2025-01-10,buy,HALT,1,1,USD\n");
    // Until 2027-03-15. QTR: March follows the declared December. HALT has stopped.
    let expected = [
        "MON 2026-11-05 1",
        "MON 2026-12-04 1",
        "QTR 2026-12-10 1",
        "MON 2027-01-05 1",
        "MON 2027-02-05 1",
        "MON 2027-03-05 1",
        "QTR 2027-03-10 1",
    ];
    assert_eq!(summary(&service, "?days=120", &token), expected);
}

#[test]
fn a_short_history_is_continued_month_by_month_and_an_estimate_that_has_passed_is_dropped() {
    let (service, token) = with_entries("2025-01-10,buy,MON,1,1,EUR\n");
    service.load(&[
        ("stocks.csv", "symbol,currency\nNEWQ,EUR\nLATE,EUR\n"),
        (
            "dividends.csv",
            "symbol,ex_date,pay_date,amount\nNEWQ,2026-06-01,2026-06-11,1\nNEWQ,2026-08-31,2026-09-10,1\n\
             LATE,2026-06-05,2026-06-15,1\nLATE,2026-07-05,2026-07-15,1\nLATE,2026-08-05,2026-08-15,1\nLATE,2026-09-05,2026-09-15,1\n",
        ),
    ]);
    service.run(radar::add(&service.app, service.user_id("x@example.com"), &["NEWQ".to_owned(), "LATE".to_owned()])).unwrap();
    // NEWQ: 08-31 is the last business day of its month, as 11-30 is three months later. LATE: always on the 5th; 10-05 and 11-05
    // have passed, and 12-05 is a Saturday.
    let radar: Vec<String> = summary(&service, "", &token).into_iter().filter(|line| line.ends_with("radar")).collect();
    assert_eq!(radar, ["NEWQ 2026-11-30 radar", "LATE 2026-12-04 radar"]);
}

#[test]
fn without_holdings_or_watchlist_nothing_is_upcoming() {
    let world = World::start();
    let token = world.account("x@example.com", "EUR", None);
    assert_eq!(
        ok(&world, "/api/v1/upcoming", Some(&token)),
        json!({
            "from": "2026-11-15", "days": 45, "items": [], "expected_total": money("0.00", "EUR"), "expected_net_total": money("0.00", "EUR")
        })
    );
    world.run(radar::remove(&world.app, world.user_id(ANA), &["RAD".to_owned()])).unwrap();
    assert!(summary(&world, "", &world.ana).iter().all(|line| !line.ends_with("radar")));
}
