use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, World};

use super::contract::ok;

/// Symbol, portfolio where named, gross and net of every source.
fn sources(service: &Service, token: &str) -> Vec<String> {
    let rows = ok(service, "/api/v1/income", Some(token))["holdings"].take();
    let amount = |value: &Value| value["amount"].as_str().unwrap().to_owned();
    let line = |row: &Value| {
        let portfolio = row["portfolio"].as_str().map(|name| format!("/{name}")).unwrap_or_default();
        format!("{}{portfolio} {} {}", row["symbol"].as_str().unwrap(), amount(&row["income"]), amount(&row["net_income"]))
    };
    rows.as_array().unwrap().iter().map(line).collect()
}

fn market() -> Service {
    let service = Service::start();
    sample::load_market(&service);
    service
}

#[test]
fn each_position_is_a_source_biggest_first_and_names_its_portfolio_where_there_are_several() {
    let world = World::start();
    // QTR: 20% withheld, as on ana's own dividends of it (2.79 + 0.72 of 13.95 + 3.60). SEVN: nothing, as recorded.
    // Core 15.5 × 3.60 ÷ 1.25 = 44.64, net 35.712; Élan 4 × 3.60 ÷ 1.25 = 11.52, net 9.216; SEVN 150 × 0.40 ÷ 0.80 = 75.
    let expected = [
        "MON/Core 300.00 255.00",
        "SEVN/Core 75.00 75.00",
        "SPLT/Core 64.00 54.40",
        "QTR/Core 44.64 35.71",
        "ANN/Core 36.00 36.00",
        "QTR/Élan 11.52 9.22",
    ];
    assert_eq!(sources(&world, &world.ana), expected);
    let income = ok(&world, "/api/v1/income", Some(&world.ana));
    // 300 + 75 + 64 + 44.64 + 36 + 11.52; net 255 + 75 + 54.4 + 35.712 + 36 + 9.216 = 465.328
    assert_eq!(income["annual_income"]["amount"], "531.16");
    assert_eq!(income["net_annual_income"]["amount"], "465.33");
    // Priced, payer or not: 5000 + 2343.75 + 3200 + 992 + 256 + HALT 80 = 11871.75 pay 495.16: 4.1709%.
    assert_eq!(income["current_yield_pct"], 4.17);
    // (300 × 0.15 + 75 × 0.1 + 44.64 × 0.1 + 36 × 0.09544… + 11.52 × 0.1) ÷ 531.16 = 61.5520… ÷ 531.16
    assert_eq!(income["growth_rate"], 0.11588226549508991);
    // SHIP is known, only not convertible.
    assert_eq!(income["coverage"], json!({"positions": 8, "with_data": 8, "without_data": []}));
}

#[test]
fn a_position_in_a_currency_without_a_rate_is_left_out_and_named() {
    let world = World::start();
    let income = ok(&world, "/api/v1/income", Some(&world.ana));
    assert_eq!(income["unconverted"], json!([{"symbol": "SHIP", "currency": "KRW"}]));
    assert!(ok(&world, "/api/v1/income", Some(&world.bob)).get("unconverted").is_none());
}

#[test]
fn in_a_preferred_currency_without_a_rate_only_its_own_positions_count() {
    let service = market();
    let token = service.account("x@example.com", "KRW", Some("KR"));
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,SHIP,20,50000,KRW\n2025-01-10,buy,QTR,1,1,USD\n2025-01-10,buy,MON,1,1,EUR\n");
    assert_eq!(sources(&service, &token), ["SHIP 20000 20000"]);
    // Euros and dollars have a rate, the preferred currency has none.
    let left_out = json!([{"symbol": "MON", "currency": "KRW"}, {"symbol": "QTR", "currency": "KRW"}]);
    assert_eq!(ok(&service, "/api/v1/income", Some(&token))["unconverted"], left_out);
}

#[test]
fn equal_sources_come_by_symbol_then_by_portfolio() {
    let service = market();
    let token = service.account("x@example.com", "EUR", None);
    // RAD 75 × 1.60 = 120 = ANN 100 × 1.20
    service.import("x@example.com", "date,type,symbol,shares,price,currency,portfolio\n2025-01-10,buy,RAD,75,1,EUR,B\n2025-01-10,buy,RAD,75,1,EUR,A\n2025-01-10,buy,ANN,100,1,EUR,B\n");
    let names: Vec<String> = sources(&service, &token).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["ANN/B", "RAD/A", "RAD/B"]);
}

#[test]
fn withholding_on_the_users_own_dividends_of_24_months_comes_before_the_table() {
    let service = market();
    let token = service.account("x@example.com", "USD", None);
    let head = "date,type,symbol,shares,price,amount,tax,currency\n";
    service.import("x@example.com", &format!("{head}2024-01-10,buy,QTR,10,1,,,USD\n2024-11-14,dividend,QTR,,,10.00,5.00,USD\n"));
    // 36 a year. The dividend is a day too old: the United States' 30% stay.
    assert_eq!(sources(&service, &token), ["QTR 36.00 25.20"]);
    service.import("x@example.com", &format!("{head}2024-11-15,dividend,QTR,,,10.00,5.00,USD\n"));
    assert_eq!(sources(&service, &token), ["QTR 36.00 18.00"]);
    // One recorded as free of it counts too: 5 of 20.
    service.import("x@example.com", &format!("{head}2026-01-15,dividend,QTR,,,10.00,0,USD\n"));
    assert_eq!(sources(&service, &token), ["QTR 36.00 27.00"]);
    // Two currencies on the latest day: the first by its code, 40% of it.
    service.import("x@example.com", &format!("{head}2026-01-15,dividend,QTR,,,10.00,4.00,EUR\n"));
    assert_eq!(sources(&service, &token), ["QTR 36.00 21.60"]);
}

#[test]
fn domestic_dividends_have_no_withholding_whatever_was_recorded() {
    let service = market();
    let token = service.account("x@example.com", "USD", Some("US"));
    service.import("x@example.com", "date,type,symbol,shares,price,amount,tax,currency\n2024-01-10,buy,QTR,10,1,,,USD\n2026-01-15,dividend,QTR,,,10.00,5.00,USD\n");
    assert_eq!(sources(&service, &token), ["QTR 36.00 36.00"]);
}

#[test]
fn the_source_country_is_the_isins_else_the_instruments_else_the_exchanges_else_15_percent() {
    let service = Service::start();
    let head = "symbol,currency,isin,country,exchange,forward_rate";
    service.load(&[(
        "stocks.csv",
        &format!(
            "{head}\nA,EUR,CH0000000009,United States,LSE,100\nB,EUR,,Switzerland,NYSE,100\nC,EUR,,,TSX,100\nD,EUR,,,,100\n"
        ),
    )]);
    let token = service.account("x@example.com", "EUR", None);
    let rows: String = ["A", "B", "C", "D"].iter().map(|symbol| format!("2025-01-10,buy,{symbol},1,1,EUR\n")).collect();
    service.import("x@example.com", &format!("date,type,symbol,shares,price,currency\n{rows}"));
    // Switzerland 35%, Canada 25%
    let expected = ["A 100.00 65.00", "B 100.00 65.00", "C 100.00 75.00", "D 100.00 85.00"];
    assert_eq!(sources(&service, &token), expected);
}

#[test]
fn a_falling_dividend_shrinks_by_a_tenth_a_year_at_most() {
    let service = market();
    service.load(&[
        ("stocks.csv", "symbol,currency,country\nDOWN,EUR,Spain\n"),
        ("dividends.csv", "symbol,ex_date,pay_date,amount\nDOWN,2024-06-03,2024-06-10,2\nDOWN,2025-06-02,2025-06-10,1\nDOWN,2026-06-01,2026-06-10,1\n"),
    ]);
    let token = service.account("x@example.com", "EUR", Some("ES"));
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,DOWN,100,1,EUR\n");
    let income = ok(&service, "/api/v1/income?years=2", Some(&token));
    assert_eq!((&income["holdings"][0]["growth"], &income["growth_rate"]), (&json!(-0.1), &json!(-0.1)));
    // 100, 100 × 0.9, 100 × 0.81
    let years: Vec<&Value> = income["projection"].as_array().unwrap().iter().map(|year| &year["income"]["amount"]).collect();
    assert_eq!(years, ["100.00", "90.00", "81.00"]);
}

#[test]
fn a_stopped_payer_is_not_a_source_of_income() {
    let world = World::start();
    assert!(sources(&world, &world.ana).iter().all(|line| !line.starts_with("HALT")));
}

#[test]
fn a_dividend_without_a_recorded_tax_does_not_count_in_the_rate() {
    let service = market();
    let token = service.account("x@example.com", "USD", Some("ES"));
    let rows = "2025-01-10,buy,QTR,10,80,,,USD\n2026-06-20,dividend,QTR,,,58.50,8.78,USD\n2026-09-20,dividend,QTR,,,50,,USD\n";
    service.import("x@example.com", &format!("date,type,symbol,shares,price,amount,tax,currency\n{rows}"));
    // 8.78 is 15% of 58.50, rounded to cents: 8.775. The 50 without a tax would make it 8.1%. 36 × 0.85.
    assert_eq!(sources(&service, &token), ["QTR 36.00 30.60"]);
}

#[test]
fn a_payer_in_a_currency_without_a_rate_is_named_and_its_payments_stay_listed() {
    let service = market();
    service.load(&[
        ("stocks.csv", "symbol,currency,country,price\nFOR,GBP,GB,10\n"),
        (
            "dividends.csv",
            "symbol,ex_date,pay_date,amount,currency\nFOR,2026-02-26,2026-03-12,1000,KRW\nFOR,2026-05-28,2026-06-11,1000,KRW\n\
             FOR,2026-08-27,2026-09-10,1000,KRW\nFOR,2026-11-26,2026-12-10,1000,KRW\n",
        ),
    ]);
    let token = service.account("x@example.com", "EUR", None);
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,FOR,10,9,GBP\n");
    let income = ok(&service, "/api/v1/income", Some(&token));
    assert_eq!(income["unconverted"], json!([{"symbol": "FOR", "currency": "KRW"}]));
    assert_eq!((&income["annual_income"]["amount"], &income["holdings"]), (&json!("0.00"), &json!([])));
    let upcoming = ok(&service, "/api/v1/upcoming", Some(&token));
    assert_eq!(upcoming["items"][0]["expected"], json!({"amount": "10000", "currency": "KRW"}));
    assert_eq!(upcoming["expected_total"]["amount"], "0.00");
}

#[test]
fn forward_income_is_converted_at_todays_rate_and_not_at_those_of_the_past() {
    let service = market();
    service.load(&[
        ("stocks.csv", "symbol,currency,country,price\nFOR,GBP,GB,10\n"),
        // A pound was 1.00 dollar when the first three went ex, and is 1.25 ÷ 0.80 = 1.5625 today.
        ("fx.csv", "date,currency,rate\n2026-01-02,USD,1\n2026-01-02,GBP,1\n2026-09-01,USD,1.25\n2026-09-01,GBP,0.80\n"),
        (
            "dividends.csv",
            "symbol,ex_date,pay_date,amount,currency\nFOR,2026-02-26,2026-03-12,1.25,USD\nFOR,2026-05-28,2026-06-11,1.25,USD\n\
             FOR,2026-08-27,2026-09-10,1.25,USD\nFOR,2026-11-12,2026-12-10,1.25,USD\n",
        ),
    ]);
    let token = service.account("x@example.com", "USD", Some("GB"));
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,FOR,80,9,GBP\n");
    // 80 × 4 × 1.25 dollars.
    assert_eq!(sources(&service, &token), ["FOR 400.00 400.00"]);
    // 5 ÷ 1.5625 = 3.20 pounds a year, at 10 pounds.
    let stock = ok(&service, "/api/v1/stocks/FOR", Some(&token));
    assert_eq!((&stock["dividend"]["annual"]["amount"], &stock["dividend"]["yield_pct"]), (&json!("3.20"), &json!(32.0)));
}

#[test]
fn a_stock_without_market_dividends_has_its_income_from_the_users_own() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    let rows = "2025-01-10,buy,OWN,100,10,,EUR\n2026-02-12,dividend,OWN,,,40,EUR\n2026-05-14,dividend,OWN,,,50,EUR\n\
                2026-08-13,dividend,OWN,,,50,EUR\n2026-08-20,dividend,OWN,,,-50,EUR\n2026-08-21,dividend,OWN,,,50,EUR\n";
    service
        .import("x@example.com", &format!("date,type,symbol,shares,price,amount,currency\n{rows}2025-01-10,buy,DARK,1,1,,EUR\n"));
    let income = ok(&service, "/api/v1/income", Some(&token));
    // Quarterly; 0.50 twice in a row: 4 × 0.50 on 100 shares. The source is unknown: 15%.
    assert_eq!(sources(&service, &token), ["OWN 200.00 170.00"]);
    assert_eq!(income["holdings"][0]["basis"], "ledger");
    assert_eq!(income["coverage"], json!({"positions": 2, "with_data": 1, "without_data": ["DARK"]}));
    // Paid on 02-12, 05-14 and 08-21, 21 days after the ex-date; the next ex-date from today on is in January.
    let items = ok(&service, "/api/v1/upcoming?days=120", Some(&token))["items"].take();
    assert_eq!(
        (&items[0]["basis"], &items[0]["declared"], &items[0]["expected"]["amount"]),
        (&json!("ledger"), &json!(false), &json!("50.00"))
    );
}
