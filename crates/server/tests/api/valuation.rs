use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, World};

use super::contract::ok;

fn money(amount: &str, currency: &str) -> Value {
    json!({"amount": amount, "currency": currency})
}

fn eur(amount: &str) -> Value {
    money(amount, "EUR")
}

/// Symbol, value, cost, gain and its percentage, in the preferred currency and in the stock's.
fn summary(position: &Value) -> String {
    let amount = |money: &Value| money["amount"].as_str().unwrap_or("-").to_owned();
    let worth = |of: &Value| format!("{} {} {}", amount(&of["value"]), amount(&of["cost"]), amount(&of["gain"]));
    format!(
        "{} {} | {} | {}",
        position["symbol"].as_str().unwrap(),
        worth(position),
        worth(&position["own"]),
        position["gain_pct"]
    )
}

#[test]
fn a_valued_position_has_every_field() {
    let world = World::start();
    // 15.5 × 80 USD = 1240, ÷ 1.25 = 992 EUR. 10 × 60 + 5 + 5.5 × 72 = 1001 USD = 800.80 EUR. 239 of 1001 are 23.88%. A year pays
    // 15.5 × 3.60 ÷ 1.25 = 44.64, 80% of it net; 55.80 of 1001 are 5.57%. In all: 531.16 a year, and a value of 11871.75.
    let expected = json!({
        "symbol": "QTR", "name": "Quarry Tools", "shares": "15.5",
        "price": {"amount": "80.00", "currency": "USD", "as_of": "2026-11-13T21:00:00Z"},
        "value": eur("992.00"), "cost": eur("800.80"), "gain": eur("191.20"),
        "own": {"value": money("1240.00", "USD"), "cost": money("1001.00", "USD"), "gain": money("239.00", "USD")},
        "gain_pct": 23.88, "yield_pct": 4.5, "yield_on_cost_pct": 5.57, "income": eur("44.64"), "net_income": eur("35.71"),
        "share_of_income_pct": 8.4, "share_of_value_pct": 8.36,
        "sector": "Industrials", "country": "United States", "instrument_type": "equity", "portfolio": "Core"
    });
    assert_eq!(ok(&world, "/api/v1/valuation", Some(&world.ana))["positions"][2], expected);
}

#[test]
fn positions_are_valued_in_both_currencies_and_added_up() {
    let world = World::start();
    let body = ok(&world, "/api/v1/valuation", Some(&world.ana));
    let rows: Vec<String> = body["positions"].as_array().unwrap().iter().map(summary).collect();
    // A dollar is 0.80 EUR, a pound 1.25 EUR. ANN has no price, and KRW no exchange rate.
    let expected = [
        "HALT 80.00 160.00 -80.00 | 100.00 200.00 -100.00 | -50.0",
        "QTR 256.00 160.00 96.00 | 320.00 200.00 120.00 | 60.0",
        "QTR 992.00 800.80 191.20 | 1240.00 1001.00 239.00 | 23.88",
        "MON 5000.00 4000.00 1000.00 | 5000.00 4000.00 1000.00 | 25.0",
        "SEVN 2343.75 2062.50 281.25 | 1875.00 1650.00 225.00 | 13.64",
        "ANN - 750.00 - | - 750.00 - | null",
        "SPLT 3200.00 3200.00 0.00 | 4000.00 4000.00 0.00 | 0.0",
        "SHIP - - - | 400000 1000000 -600000 | -60.0",
    ];
    assert_eq!(rows, expected);
    let lists = json!([body["unpriced"], body["without_cost"], body["unconverted"]]);
    assert_eq!(lists, json!([["ANN"], [], [{"symbol": "SHIP", "currency": "KRW"}]]));
    // The gain is of a cost of 11133.30 − 750 for ANN. The yield is 531.16 − 36 of 11871.75, the one on cost 531.16 of 11133.30.
    let totals = json!({
        "value": eur("11871.75"), "cost": eur("11133.30"), "gain": eur("1488.45"), "gain_pct": 14.34, "yield_pct": 4.17,
        "yield_on_cost_pct": 4.77, "income": eur("531.16"), "net_income": eur("465.33")
    });
    assert_eq!(body["totals"], totals);
    let ship = &body["positions"][7];
    assert_eq!((&ship["income"], &ship["share_of_value_pct"], &ship["yield_pct"]), (&Value::Null, &Value::Null, &json!(5.0)));
}

#[test]
fn a_selected_portfolio_is_valued_alone() {
    let world = World::start();
    let body = ok(&world, "/api/v1/valuation?portfolio=elan-income", Some(&world.ana));
    let [position] = body["positions"].as_array().unwrap().as_slice() else { panic!("{body}") };
    assert!(position.get("portfolio").is_none() && body.get("unconverted").is_none());
    assert_eq!((&position["share_of_value_pct"], &position["share_of_income_pct"]), (&json!(100.0), &json!(100.0)));
    assert_eq!(body["totals"]["value"], eur("256.00"));
}

#[test]
fn an_unknown_cost_is_null_and_its_position_named() {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", None);
    service.import(
        "x@example.com",
        "date,type,symbol,shares,price,currency\n2026-01-05,transfer_in,MON,10,,EUR\n2026-01-05,buy,SPLT,1,400.00,USD\n",
    );
    let body = ok(&service, "/api/v1/valuation", Some(&token));
    let rows: Vec<String> = body["positions"].as_array().unwrap().iter().map(summary).collect();
    // SPLT was split 4:1: 4 × 100 USD = 320 EUR.
    assert_eq!(rows, ["MON 500.00 - - | 500.00 - - | null", "SPLT 320.00 320.00 0.00 | 400.00 400.00 0.00 | 0.0"]);
    assert_eq!((&body["without_cost"], &body["positions"][0]["yield_on_cost_pct"]), (&json!(["MON"]), &Value::Null));
    // 4 × 2.00 USD of a cost of 400.
    let totals = &body["totals"];
    assert_eq!((&totals["value"], &totals["cost"], &totals["gain"]), (&eur("820.00"), &eur("320.00"), &eur("0.00")));
    assert_eq!((&totals["gain_pct"], &totals["yield_on_cost_pct"]), (&json!(0.0), &json!(2.0)));
}

#[test]
fn without_positions_totals_are_zero_and_percentages_null() {
    let service = Service::start();
    let token = service.account("x@example.com", "JPY", None);
    let zero = money("0", "JPY");
    let totals = json!({
        "value": zero, "cost": zero, "gain": zero, "gain_pct": null, "yield_pct": null, "yield_on_cost_pct": null,
        "income": zero, "net_income": zero
    });
    let expected = json!({"positions": [], "totals": totals, "unpriced": [], "without_cost": []});
    assert_eq!(ok(&service, "/api/v1/valuation", Some(&token)), expected);
}
