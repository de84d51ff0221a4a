use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::World;

use super::contract::ok;

fn money(amount: &str, currency: &str) -> Value {
    json!({"amount": amount, "currency": currency})
}

/// Date and gross of every row.
fn summary(service: &Service, query: &str, token: &str) -> Vec<String> {
    let rows = ok(service, &format!("/api/v1/dividends{query}"), Some(token))["dividends"].take();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(|row| format!("{} {}", text(&row["date"]), text(&row["amount"]["amount"]))).collect()
}

const ALL: [&str; 9] = [
    "2026-10-15 25.00",
    "2026-09-20 3.60",
    "2026-09-20 13.95",
    "2026-06-19 56.00",
    "2026-01-12 29.16",
    "2025-12-02 24.00",
    "2025-11-28 -24.00",
    "2025-11-28 24.00",
    "2024-09-23 2.50",
];

#[test]
fn dividends_come_newest_first_and_the_last_recorded_first_within_a_day() {
    let world = World::start();
    assert_eq!(summary(&world, "", &world.ana), ALL);
}

#[test]
fn a_dividend_has_every_field_in_the_currency_it_was_paid_in() {
    let world = World::start();
    let rows = ok(&world, "/api/v1/dividends?symbol=MON", Some(&world.ana));
    let paid = json!({
        "symbol": "MON", "date": "2026-10-15", "amount": money("25.00", "EUR"), "net": money("25.00", "EUR"),
        "per_share_amount": money("0.25", "EUR"), "withholding_tax": null, "quantity": 100, "shares": "100",
        "isin": "DE000000MON0", "name": "Monthly Malls Trust", "source": "import:dripline", "portfolio": "Core"
    });
    assert_eq!(rows, json!({"dividends": [paid]}));
}

#[test]
fn net_is_gross_less_withholding_where_no_net_is_recorded_and_the_recorded_one_else() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    let head = "date,type,symbol,amount,tax,net,currency";
    service.import(
        "x@example.com",
        &format!("{head}\n2026-01-01,dividend,A,18.00,2.70,,EUR\n2026-01-02,dividend,A,18.00,2.70,12.10,EUR\n2026-01-03,dividend,A,0.4812,,,USD\n"),
    );
    let rows = ok(&service, "/api/v1/dividends", Some(&token))["dividends"].take();
    assert_eq!((&rows[2]["net"], &rows[2]["withholding_tax"]), (&money("15.30", "EUR"), &money("2.70", "EUR")));
    assert_eq!(rows[1]["net"], money("12.10", "EUR"));
    assert_eq!((&rows[0]["amount"], &rows[0]["net"]), (&money("0.4812", "USD"), &money("0.4812", "USD")));
}

#[test]
fn withholding_is_null_when_not_recorded_and_zero_when_recorded_as_none() {
    let world = World::start();
    let rows = ok(&world, "/api/v1/dividends?symbol=SEVN", Some(&world.ana))["dividends"].take();
    assert_eq!(rows[0]["withholding_tax"], money("0.00", "GBP"));
    assert_eq!(rows[2]["withholding_tax"], Value::Null);
}

#[test]
fn pence_become_pounds_and_a_reversal_stays_as_a_negative_row() {
    let world = World::start();
    let rows = ok(&world, "/api/v1/dividends?symbol=SEVN&to=2025-11-30", Some(&world.ana))["dividends"].take();
    assert_eq!((&rows[0]["amount"], &rows[0]["net"]), (&money("-24.00", "GBP"), &money("-24.00", "GBP")));
    assert_eq!(rows[0]["per_share_amount"], Value::Null);
    assert_eq!((&rows[1]["amount"], &rows[1]["per_share_amount"]), (&money("24.00", "GBP"), &money("0.12", "GBP")));
}

#[test]
fn quantity_is_null_unless_whole_while_shares_are_exact() {
    let world = World::start();
    let rows = ok(&world, "/api/v1/dividends?symbol=QTR", Some(&world.ana))["dividends"].take();
    assert_eq!((&rows[0]["quantity"], &rows[0]["shares"]), (&json!(4), &json!("4")));
    assert_eq!((&rows[1]["quantity"], &rows[1]["shares"]), (&Value::Null, &json!("15.5")));
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    service.import("x@example.com", "date,type,symbol,amount,currency\n2026-01-01,dividend,A,18.00,EUR\n");
    let row = ok(&service, "/api/v1/dividends", Some(&token))["dividends"][0].take();
    let nulls = ["quantity", "shares", "per_share_amount", "withholding_tax", "isin", "name"];
    assert!(nulls.iter().all(|field| row.as_object().unwrap().contains_key(*field) && row[*field].is_null()), "{row}");
}

#[test]
fn a_gross_amount_is_never_derived_from_a_net_one() {
    let world = World::start();
    let row = ok(&world, "/api/v1/dividends?symbol=ANN", Some(&world.ana))["dividends"][0].take();
    assert_eq!((&row["amount"], &row["net"]), (&money("29.16", "EUR"), &money("29.16", "EUR")));
    assert_eq!(row["gross_known"], false);
    let known = ok(&world, "/api/v1/dividends?symbol=MON", Some(&world.ana))["dividends"][0].take();
    assert!(known.get("gross_known").is_none());
}

#[test]
fn the_source_says_how_a_dividend_was_recorded() {
    let world = World::start();
    let source = |symbol: &str| {
        ok(&world, &format!("/api/v1/dividends?symbol={symbol}"), Some(&world.ana))["dividends"][0]["source"].take()
    };
    assert_eq!((source("HALT"), source("MON")), (json!("manual"), json!("import:dripline")));
}

#[test]
fn symbol_filters_to_that_ticker_trimmed_and_in_any_case() {
    let world = World::start();
    for symbol in ["QTR", "qtr", "%20qTr+"] {
        assert_eq!(
            summary(&world, &format!("?symbol={symbol}"), &world.ana),
            ["2026-09-20 3.60", "2026-09-20 13.95"],
            "{symbol}"
        );
    }
}

#[test]
fn an_unknown_ticker_matches_nothing() {
    let world = World::start();
    for symbol in ["NOPE", "QT", "QTR5", "%25", "*", "%27%20OR%20%271%27%3D%271"] {
        assert_eq!(ok(&world, &format!("/api/v1/dividends?symbol={symbol}"), Some(&world.ana)), json!({"dividends": []}));
    }
}

#[test]
fn from_and_to_include_their_own_day() {
    let world = World::start();
    assert_eq!(summary(&world, "?from=2026-09-20", &world.ana), ALL[..3]);
    assert_eq!(summary(&world, "?from=2026-09-21", &world.ana), ALL[..1]);
    assert_eq!(summary(&world, "?to=2025-11-28", &world.ana), ALL[6..]);
    assert_eq!(summary(&world, "?to=2025-11-27", &world.ana), ALL[8..]);
    assert_eq!(summary(&world, "?from=2025-12-02&to=2026-06-19", &world.ana), ALL[3..6]);
    assert_eq!(summary(&world, "?from=0000-01-01&to=9999-12-31", &world.ana), ALL);
}

#[test]
fn from_after_to_is_an_empty_list() {
    let world = World::start();
    assert_eq!(summary(&world, "?from=2026-09-21&to=2026-09-20", &world.ana), Vec::<String>::new());
}

#[test]
fn rows_name_their_portfolio_only_when_there_are_several_and_none_is_selected() {
    let world = World::start();
    let portfolios = |query: &str, token: &str| -> Vec<Value> {
        let rows = ok(&world, &format!("/api/v1/dividends{query}"), Some(token))["dividends"].take();
        rows.as_array().unwrap().iter().map(|row| row["portfolio"].clone()).collect()
    };
    assert_eq!(portfolios("?symbol=QTR", &world.ana), ["Élan", "Core"]);
    assert_eq!(portfolios("?symbol=QTR&portfolio=elan-income", &world.ana), [Value::Null]);
    world.import("bob@example.com", "date,type,symbol,amount,currency\n2026-01-01,dividend,QTR,18.00,USD\n");
    assert_eq!(portfolios("", &world.bob), [Value::Null]);
}

#[test]
fn a_portfolio_narrows_the_dividends_together_with_the_other_filters() {
    let world = World::start();
    assert_eq!(summary(&world, "?portfolio=core&symbol=qtr&from=2026-01-01", &world.ana), ["2026-09-20 13.95"]);
    assert_eq!(summary(&world, "?portfolio=elan-income", &world.ana), ["2026-09-20 3.60"]);
}
