use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, World};

use super::contract::ok;

fn usd(amount: &str) -> Value {
    json!({"amount": amount, "currency": "USD"})
}

fn eur(amount: &str) -> Value {
    json!({"amount": amount, "currency": "EUR"})
}

/// (symbol, shares, average cost) of every row.
fn summary(service: &Service, path: &str, token: &str) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = ok(service, path, Some(token))["holdings"].take();
    let row = |row: &Value| (text(&row["symbol"]), text(&row["shares"]), text(&row["average_cost"]["amount"]));
    rows.as_array().unwrap().iter().map(row).collect()
}

fn holdings_of(entries: &str) -> Vec<(String, String, String)> {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", None);
    service.import(
        "x@example.com",
        &format!("date,type,symbol,shares,price,amount,fees,currency,fx_rate,ratio,portfolio\n{entries}"),
    );
    summary(&service, "/api/v1/holdings", &token)
}

fn row(symbol: &str, shares: &str, cost: &str) -> (String, String, String) {
    (symbol.to_owned(), shares.to_owned(), cost.to_owned())
}

#[test]
fn holdings_are_the_open_positions_oldest_first_with_every_field() {
    let world = World::start();
    let holding = |symbol: &str, name: &str, shares: &str, cost: Value, isin: &str, sector: &str, portfolio: &str| {
        json!({"symbol": symbol, "name": name, "shares": shares, "average_cost": cost, "isin": isin,
               "instrument_type": "equity", "sector": sector, "portfolio": portfolio})
    };
    // QTR in Core: (10 × 60 + 5 fees + 5.5 × 72) ÷ 15.5 = 1001 ÷ 15.5 = 64.58064516129…
    // SEVN: 200 at 1100 pence, 50 sold since; the average stays 11 pounds. SPLT: 10 at 400, split 4:1, is 40 at 100.
    let gbp = json!({"amount": "11.00", "currency": "GBP"});
    let krw = json!({"amount": "50000", "currency": "KRW"});
    let rows = [
        holding("HALT", "Halted Freight", "10", usd("20.00"), "US00000HALT0", "Industrials", "Core"),
        holding("QTR", "Quarry Tools", "4", usd("50.00"), "US000000QTR5", "Industrials", "Élan"),
        holding("QTR", "Quarry Tools", "15.5", usd("64.5806451613"), "US000000QTR5", "Industrials", "Core"),
        holding("MON", "Monthly Malls Trust", "100", eur("40.00"), "DE000000MON0", "Real Estate", "Core"),
        holding("SEVN", "Severn Water", "150", gbp, "GB00000SEVN8", "Utilities", "Core"),
        holding("ANN", "Anual Ibérica", "30", eur("25.00"), "ES000000ANN5", "Energy", "Core"),
        holding("SPLT", "Splitwell", "40", usd("100.00"), "US00000SPLT5", "Technology", "Core"),
        holding("SHIP", "Hanbada Shipping", "20", krw, "KR000000SHP3", "Industrials", "Core"),
    ];
    assert_eq!(ok(&world, "/api/v1/holdings", Some(&world.ana)), json!({"holdings": rows}));
}

#[test]
fn a_selected_portfolio_is_not_named_in_the_rows() {
    let world = World::start();
    let only = json!({"symbol": "QTR", "name": "Quarry Tools", "shares": "4", "average_cost": usd("50.00"),
        "isin": "US000000QTR5", "instrument_type": "equity", "sector": "Industrials"});
    assert_eq!(ok(&world, "/api/v1/holdings?portfolio=elan-income", Some(&world.ana)), json!({"holdings": [only]}));
}

#[test]
fn a_single_portfolio_is_not_named_in_the_rows() {
    let world = World::start();
    let holdings = ok(&world, "/api/v1/holdings", Some(&world.bob))["holdings"].take();
    assert_eq!(holdings.as_array().unwrap().len(), 5);
    assert!(holdings.as_array().unwrap().iter().all(|holding| holding.get("portfolio").is_none()));
}

#[test]
fn values_without_market_data_are_null() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,NOWHERE,2,3,EUR\n");
    let row = json!({"symbol": "NOWHERE", "name": null, "shares": "2", "average_cost": eur("3.00"),
        "isin": null, "instrument_type": null, "sector": null});
    assert_eq!(ok(&service, "/api/v1/holdings", Some(&token)), json!({"holdings": [row]}));
}

#[test]
fn name_and_isin_come_from_the_ledger_if_market_data_has_none() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    let ledger = "date,type,symbol,isin,name,shares,price,currency\n2025-01-10,buy,NEW,US000000NEW4,Newcomer,2,3,EUR\n";
    service.import("x@example.com", ledger);
    let holding = ok(&service, "/api/v1/holdings", Some(&token))["holdings"][0].take();
    assert_eq!((&holding["name"], &holding["isin"]), (&json!("Newcomer"), &json!("US000000NEW4")));
}

#[test]
fn shares_print_without_trailing_zeros_and_average_cost_to_ten_decimals_half_even() {
    // 10 ÷ 3 = 3.333…; 1 ÷ 0.125 = 8; JPY has no minor units, so 10.50 prints 10.5.
    assert_eq!(holdings_of("2025-01-10,buy,A,3,,10.00,,EUR,,,\n"), [row("A", "3", "3.3333333333")]);
    assert_eq!(holdings_of("2025-01-10,buy,A,0.12500,,1.00,,EUR,,,\n"), [row("A", "0.125", "8.00")]);
    assert_eq!(holdings_of("2025-01-10,buy,A,100.00,10.50,,,JPY,,,\n"), [row("A", "100", "10.5")]);
}

#[test]
fn a_sale_leaves_the_average_and_a_return_of_capital_lowers_it_not_below_zero() {
    let bought = "2025-01-10,buy,A,10,10.00,,,EUR,,,\n2025-02-10,sell,A,4,50.00,,,EUR,,,\n";
    assert_eq!(holdings_of(bought), [row("A", "6", "10.00")]);
    // 60 of cost, 30 returned: 30 ÷ 6 = 5; then 40 more than covers it.
    let returned = format!("{bought}2025-03-10,return_of_capital,A,,,30.00,,EUR,,,\n");
    assert_eq!(holdings_of(&returned), [row("A", "6", "5.00")]);
    assert_eq!(holdings_of(&format!("{returned}2025-03-11,return_of_capital,A,,,40.00,,EUR,,,\n")), [row("A", "6", "0.00")]);
}

#[test]
fn a_closed_position_is_gone_and_buying_again_opens_a_new_one() {
    let closed = "2024-01-10,buy,A,10,10.00,,,EUR,,,\n2024-02-10,buy,B,1,1.00,,,EUR,,,\n2024-03-10,transfer_out,A,10,,,,EUR,,,\n";
    assert_eq!(holdings_of(closed), [row("B", "1", "1.00")]);
    let again = format!("{closed}2024-04-10,buy,A,2,7.00,,,EUR,,,\n");
    assert_eq!(holdings_of(&again), [row("B", "1", "1.00"), row("A", "2", "7.00")]);
}

#[test]
fn positions_of_one_day_come_in_the_order_of_recording() {
    let entries = "2025-01-10,buy,Z,1,1.00,,,EUR,,,\n2025-01-10,buy,A,1,1.00,,,EUR,,,\n2025-01-09,buy,M,1,1.00,,,EUR,,,\n";
    assert_eq!(holdings_of(entries), [row("M", "1", "1.00"), row("Z", "1", "1.00"), row("A", "1", "1.00")]);
}

#[test]
fn an_entry_in_another_currency_uses_its_own_rate_or_the_one_of_its_day() {
    // QTR trades in dollars. 100 euros at the file's 1.10 of 2023 are 110 dollars; at a rate of its own of 1.20, 120.
    assert_eq!(holdings_of("2024-01-10,buy,QTR,1,100.00,,,EUR,,,\n"), [row("QTR", "1", "110.00")]);
    assert_eq!(holdings_of("2024-01-10,buy,QTR,1,100.00,,,EUR,1.20,,\n"), [row("QTR", "1", "120.00")]);
}

#[test]
fn a_recorded_split_replaces_a_market_split_near_it() {
    // The market says 4:1 on 2026-06-01; the owner recorded 2:1 three days later.
    let bought = "2026-01-10,buy,SPLT,10,400.00,,,USD,,,\n";
    assert_eq!(holdings_of(bought), [row("SPLT", "40", "100.00")]);
    assert_eq!(holdings_of(&format!("{bought}2026-06-04,split,SPLT,,,,,,,2:1,\n")), [row("SPLT", "20", "200.00")]);
}

#[test]
fn one_symbol_in_two_portfolios_is_two_rows() {
    let entries = "2025-01-10,buy,A,1,1.00,,,EUR,,,One\n2025-01-11,transfer_in,A,2,2.00,,,EUR,,,Two\n";
    assert_eq!(holdings_of(entries), [row("A", "1", "1.00"), row("A", "2", "2.00")]);
}

#[test]
fn holdings_show_cost_only_and_do_not_move_with_the_price() {
    let world = World::start();
    let before = ok(&world, "/api/v1/holdings", Some(&world.bob));
    world.load(&[("stocks.csv", &sample::STOCKS.replace("80.00", "160.00"))]);
    assert_eq!(ok(&world, "/api/v1/holdings", Some(&world.bob)), before);
}
