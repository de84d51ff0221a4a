use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, PLAIN, World};

use super::contract::ok;

// The five of PLAIN, in euros at 1.25 USD and 0.80 GBP:
//   MON  100 × 12 × 0.25        = 300.00
//   SPLT  40 × 4 × 0.50 = 80 USD =  64.00   (10 bought before the 4:1 split)
//   ANN   50 × 1.20              =  60.00
//   SEVN 100 × 0.40 = 40 GBP     =  50.00   (28 + 12 pence)
//   QTR   10 × 4 × 0.90 = 36 USD =  28.80
//                          together 502.80

fn plain(currency: &str, residence: Option<&str>) -> (Service, String) {
    with_ledger(currency, residence, PLAIN)
}

fn with_ledger(currency: &str, residence: Option<&str>, ledger: &str) -> (Service, String) {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", currency, residence);
    service.import("x@example.com", ledger);
    (service, token)
}

fn eur(amount: &str) -> Value {
    json!({"amount": amount, "currency": "EUR"})
}

/// Symbol, gross and net of every source, and the two totals.
fn sources(income: &Value) -> Vec<String> {
    let line = |name: &Value, gross: &Value, net: &Value| {
        format!("{} {} {}", name.as_str().unwrap(), gross["amount"].as_str().unwrap(), net["amount"].as_str().unwrap())
    };
    let rows = income["holdings"].as_array().unwrap();
    let mut lines: Vec<String> = rows.iter().map(|row| line(&row["symbol"], &row["income"], &row["net_income"])).collect();
    lines.push(line(&json!("total"), &income["annual_income"], &income["net_annual_income"]));
    lines
}

#[test]
fn income_of_a_resident_of_spain_has_every_field() {
    let (service, token) = plain("EUR", Some("ES"));
    let source = |symbol: &str, income: &str, net: &str, cagr: Value, growth: Value, streak: Value, at_least: bool| json!({"symbol": symbol, "income": eur(income), "net_income": eur(net), "cagr_5y": cagr, "growth": growth, "streak": streak, "streak_at_least": at_least, "basis": "market"});
    // Net: the United States and Germany keep 15%, the United Kingdom nothing, Spain nothing at home.
    // Growth: QTR 10% in each of five years; SEVN 38.5 ÷ 35 pence; MON 3.00 ÷ 2.40 = 25%, held to 15%; ANN √1.2 − 1,
    // because 2023, 2024 and 2025 paid 1.00, 1.00 and 1.20.
    let holdings = [
        source("MON", "300.00", "255.00", Value::Null, json!(0.15), json!(1), true),
        source("SPLT", "64.00", "54.40", Value::Null, Value::Null, Value::Null, false),
        source("ANN", "60.00", "60.00", Value::Null, json!(0.09544511501033223), json!(1), false),
        source("SEVN", "50.00", "50.00", Value::Null, json!(0.1), json!(1), true),
        source("QTR", "28.80", "24.48", json!(0.1), json!(0.1), json!(5), true),
    ];
    // Year 1: 300 × 1.15 + 64 + 60 × √1.2 + 50 × 1.1 + 28.8 × 1.1 = 345 + 64 + 65.7267 + 55 + 31.68 = 561.4067
    //   net:  293.25 + 54.40 + 65.7267 + 55 + 26.928 = 495.3047
    // Year 2: 396.75 + 64 + 72 + 60.5 + 34.848 = 628.098
    //   net:  337.2375 + 54.40 + 72 + 60.5 + 29.6208 = 553.7583
    let year =
        |offset: u32, income: &str, net: &str| json!({"year_offset": offset, "income": eur(income), "net_income": eur(net)});
    let projection = [year(0, "502.80", "443.88"), year(1, "561.41", "495.30"), year(2, "628.10", "553.76")];
    // Month by month: MON 21.25 in each, ANN 60 in 1, SPLT 13.60 in 2 5 8 11, QTR 6.12 in 3 6 9 12, SEVN 25 in 6 and 11.
    let income_year = json!({
        "by_month": {
            "1": eur("81.25"), "2": eur("34.85"), "3": eur("27.37"), "4": eur("21.25"), "5": eur("34.85"), "6": eur("52.37"),
            "7": eur("21.25"), "8": eur("34.85"), "9": eur("27.37"), "10": eur("21.25"), "11": eur("59.85"), "12": eur("27.37")
        },
        // 443.88 ÷ 12 = 36.99; (81.25 + 52.37 + 59.85) ÷ 443.88 = 0.43586…
        "average_month": eur("36.99"), "biggest_months": [1, 6, 11], "biggest_months_share": 0.436,
        "empty_months": [], "thin_months": [4, 7, 10, 3, 9, 12, 2, 5, 8], "net_of_withholding": true
    });
    // Priced: MON 5000 + SPLT 3200 + SEVN 1562.50 + QTR 640 = 10402.50, which pay 442.80: 4.2567%.
    // Growth: (300 × 0.15 + 60 × 0.09544… + 50 × 0.1 + 28.8 × 0.1) ÷ 502.8 = 58.6067… ÷ 502.8
    // Likely: MON, SPLT and QTR pay a declared rate, SEVN twice a year, ANN once. Centre 1.05 × 442.8 + 0.99 × 60 = 524.34.
    //   Down: 42, 8.96, 4.032, 15, 37.2: √(0.07 × 107.192² + 0.93 × 3469.378624) = 63.4888; 524.34 − 63.4888 = 460.8512
    //   Up: 57, 12.16, 5.472, 12.5, 27: √(0.07 × 114.132² + 0.93 × 4312.058384) = 70.1573; 524.34 + 70.1573 = 594.4973
    let expected = json!({
        "annual_income": eur("502.80"), "net_annual_income": eur("443.88"), "drip": false, "years": 2,
        "current_yield_pct": 4.26, "growth_rate": 0.1165606740266904,
        "holdings": holdings, "projection": projection, "income_year": income_year,
        "likely": {"low": eur("460.85"), "high": eur("594.50")}, "coverage": {"positions": 5, "with_data": 5, "without_data": []}
    });
    assert_eq!(ok(&service, "/api/v1/income?years=2", Some(&token)), expected);
}

#[test]
fn income_of_a_resident_of_the_united_states_is_free_of_withholding_at_home() {
    let (service, token) = plain("USD", Some("US"));
    // In dollars everything × 1.25. Germany and Spain keep 15%: 375 × 0.85 and 75 × 0.85.
    let expected = [
        "MON 375.00 318.75",
        "SPLT 80.00 80.00",
        "ANN 75.00 63.75",
        "SEVN 62.50 62.50",
        "QTR 36.00 36.00",
        "total 628.50 561.00",
    ];
    assert_eq!(sources(&ok(&service, "/api/v1/income", Some(&token))), expected);
}

#[test]
fn income_without_a_residence_is_net_of_the_statutory_rates_and_rounded_half_even_once() {
    let (service, token) = plain("EUR", None);
    // Germany 26.375%: 300 × 0.73625 = 220.875. United States 30%: 44.80 and 20.16. Spain 19%: 48.60.
    // The sum 220.875 + 44.80 + 48.60 + 50 + 20.16 = 384.435 is rounded itself, to the even 384.44.
    let expected = [
        "MON 300.00 220.88",
        "SPLT 64.00 44.80",
        "ANN 60.00 48.60",
        "SEVN 50.00 50.00",
        "QTR 28.80 20.16",
        "total 502.80 384.44",
    ];
    assert_eq!(sources(&ok(&service, "/api/v1/income", Some(&token))), expected);
}

#[test]
fn with_drip_each_year_also_grows_by_the_net_yield_where_a_price_is_known() {
    let (service, token) = plain("EUR", Some("ES"));
    let income = ok(&service, "/api/v1/income?years=1&drip=true", Some(&token));
    assert_eq!(income["drip"], true);
    // MON  300   × 1.15 × (1 + 0.06  × 0.85) = 362.595    net × 0.85 = 308.20575
    // SPLT  64          × (1 + 0.02  × 0.85) =  65.088               =  55.3248
    // ANN   60   × √1.2, without a price     =  65.72671             =  65.72671
    // SEVN  50   × 1.1  × (1 + 0.032)        =  56.76                =  56.76
    // QTR   28.8 × 1.1  × (1 + 0.045 × 0.85) =  32.89176             =  27.957996
    //                                          583.06147               513.975256
    let last = json!({"year_offset": 1, "income": eur("583.06"), "net_income": eur("513.98")});
    assert_eq!(income["projection"][1], last);
    assert_eq!(income["projection"][0]["income"], eur("502.80"));
}

#[test]
fn drip_is_false_unless_asked_for() {
    let (service, token) = plain("EUR", Some("ES"));
    let body = |query: &str| ok(&service, &format!("/api/v1/income{query}"), Some(&token));
    assert_eq!(body(""), body("?drip=false"));
    assert_eq!(body("")["drip"], false);
}

#[test]
fn the_projection_has_one_entry_per_year_from_now_and_the_horizon_is_clamped() {
    let (service, token) = plain("EUR", Some("ES"));
    for (query, years) in [("", 10), ("?years=1", 1), ("?years=0", 1), ("?years=-7", 1), ("?years=50", 50), ("?years=51", 50)] {
        let income = ok(&service, &format!("/api/v1/income{query}"), Some(&token));
        assert_eq!(income["years"], years, "{query}");
        let offsets: Vec<Value> =
            income["projection"].as_array().unwrap().iter().map(|year| year["year_offset"].clone()).collect();
        assert_eq!(offsets, (0..=years).map(|offset| json!(offset)).collect::<Vec<_>>(), "{query}");
    }
}

#[test]
fn months_without_income_are_zero_and_the_thinnest() {
    let ledger = PLAIN.replace("MON,100,45.00", "RAD,10,30.00");
    let (service, token) = with_ledger("EUR", Some("ES"), &ledger);
    // RAD: 10 × 4 × 0.40 = 16, net of France's 12.8% (the treaty allows 15%) 13.952: 3.488 in 3 6 9 12, beside QTR's 6.12.
    // Together 202.832.
    let year = ok(&service, "/api/v1/income", Some(&token))["income_year"].take();
    assert_eq!(year["empty_months"], json!([4, 7, 10]));
    assert_eq!(year["thin_months"], json!([4, 7, 10, 3, 9, 12, 2, 5, 8]));
    assert_eq!((&year["by_month"]["4"], &year["by_month"]["3"]), (&eur("0.00"), &eur("9.61")));
    // 202.832 ÷ 12 = 16.9026…; (60 + 34.608 + 38.60) ÷ 202.832 = 0.65674…
    assert_eq!((&year["average_month"], &year["biggest_months_share"]), (&eur("16.90"), &json!(0.657)));
}

#[test]
fn a_payer_without_known_months_is_spread_over_all_twelve() {
    let service = Service::start();
    sample::load_market(&service);
    service.load(&[("stocks.csv", "symbol,currency,country,forward_rate\nFWD,EUR,Spain,12\n")]);
    let token = service.account("x@example.com", "EUR", Some("ES"));
    service.import("x@example.com", &PLAIN.replace("MON,100,45.00", "FWD,1,100.00"));
    let year = ok(&service, "/api/v1/income", Some(&token))["income_year"].take();
    // FWD pays 12 a year and Spain keeps nothing at home: 1.00 a month, alone in April.
    assert_eq!((&year["by_month"]["4"], &year["by_month"]["1"]), (&eur("1.00"), &eur("61.00")));
    assert_eq!(year["empty_months"], json!([]));
}

#[test]
fn every_month_is_present_in_the_order_of_the_year() {
    let (service, token) = plain("EUR", Some("ES"));
    let year = ok(&service, "/api/v1/income", Some(&token))["income_year"].take();
    let months: Vec<&String> = year["by_month"].as_object().unwrap().keys().collect();
    assert_eq!(months, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]);
}

#[test]
fn the_income_year_needs_five_distinct_payers() {
    let without_ann = PLAIN.replace("2025-01-10,buy,ANN,50,20.00,EUR\n", "");
    let (service, token) = with_ledger("EUR", None, &without_ann);
    assert_eq!(ok(&service, "/api/v1/income", Some(&token))["income_year"], Value::Null);
    // The same symbol in a second portfolio is a second source, and still the same symbol; HALT pays nothing.
    service.import(
        "x@example.com",
        "date,type,symbol,shares,price,currency,portfolio\n2025-01-10,buy,MON,1,1,EUR,Two\n2025-01-10,buy,HALT,1,1,USD,Two\n",
    );
    let income = ok(&service, "/api/v1/income", Some(&token));
    assert_eq!((income["holdings"].as_array().unwrap().len(), &income["income_year"]), (5, &Value::Null));
    service.import("x@example.com", "date,type,symbol,shares,price,currency\n2025-01-10,buy,ANN,1,1,EUR\n");
    assert!(ok(&service, "/api/v1/income", Some(&token))["income_year"].is_object());
}

#[test]
fn a_portfolio_without_income_has_zeros_empty_lists_and_nulls() {
    let service = Service::start();
    let token = service.account("x@example.com", "JPY", None);
    let yen = json!({"amount": "0", "currency": "JPY"});
    let year = |offset: u32| json!({"year_offset": offset, "income": yen, "net_income": yen});
    let expected = json!({
        "annual_income": yen, "net_annual_income": yen, "drip": false, "years": 1, "current_yield_pct": null,
        "growth_rate": null, "holdings": [], "projection": [year(0), year(1)], "income_year": null,
        "likely": null, "coverage": {"positions": 0, "with_data": 0, "without_data": []}
    });
    assert_eq!(ok(&service, "/api/v1/income?years=1", Some(&token)), expected);
}

#[test]
fn aggregates_have_the_minor_units_of_the_preferred_currency() {
    let (service, token) = with_ledger("JPY", None, "date,type,symbol,shares,price,currency\n2025-01-10,buy,MON,100,45.00,EUR\n");
    // 300 euros × 160 = 48000 yen; × 0.73625 = 35340.
    assert_eq!(sources(&ok(&service, "/api/v1/income", Some(&token))), ["MON 48000 35340", "total 48000 35340"]);
}

#[test]
fn a_portfolio_narrows_income_to_its_holdings() {
    let world = World::start();
    let income = ok(&world, "/api/v1/income?portfolio=elan-income", Some(&world.ana));
    // 4 × 3.60 = 14.40 dollars = 11.52 euros; 20% were withheld on ana's own dividends of QTR.
    assert_eq!(sources(&income), ["QTR 11.52 9.22", "total 11.52 9.22"]);
    assert!(income["holdings"][0].get("portfolio").is_none());
}
