use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, World};

use super::contract::{error, ok};

fn money(amount: &str, currency: &str) -> Value {
    json!({"amount": amount, "currency": currency})
}

fn amounts(of: &Value) -> [&str; 3] {
    ["gross", "net", "expected"].map(|name| of[name]["amount"].as_str().unwrap())
}

/// Ten QTR since January 2026: it paid 0.90 in March, June and September. One payment is as expected, one too small by 1.00, one is
/// not recorded.
fn service() -> (Service, String) {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", None);
    let ledger = "date,type,symbol,shares,price,amount,tax,currency\n2026-01-05,buy,QTR,10,80.00,,,USD\n\
        2026-03-21,dividend,QTR,10,,9.00,1.35,USD\n2026-06-20,dividend,QTR,10,,8.00,,USD\n";
    service.import("x@example.com", ledger);
    (service, token)
}

#[test]
fn received_is_added_up_by_month_and_stock_next_to_what_was_expected() {
    let (service, token) = service();
    let body = ok(&service, "/api/v1/received", Some(&token));
    assert_eq!((&body["from"], &body["to"]), (&json!("2024-11-16"), &json!("2026-11-15")));
    // At 1.10 USD: 17.00 gross, 7.65 + 8.00 net, of 27.00.
    assert_eq!(amounts(&body), ["15.45", "14.23", "24.55"]);
    let months: Vec<(&str, [&str; 3])> =
        body["months"].as_array().unwrap().iter().map(|month| (month["month"].as_str().unwrap(), amounts(month))).collect();
    let nothing = ["0.00"; 3];
    let expected = [
        ("2026-03", ["8.18", "6.95", "8.18"]),
        ("2026-04", nothing),
        ("2026-05", nothing),
        ("2026-06", ["7.27", "7.27", "8.18"]),
        ("2026-07", nothing),
        ("2026-08", nothing),
        ("2026-09", ["0.00", "0.00", "8.18"]),
        ("2026-10", nothing),
        ("2026-11", nothing),
    ];
    assert_eq!(months, expected);
    let [stock] = body["stocks"].as_array().unwrap().as_slice() else { panic!("{body}") };
    assert_eq!((&stock["symbol"], &stock["name"], amounts(stock)), (&json!("QTR"), &json!("Quarry Tools"), amounts(&body)));
    assert_eq!((&body["not_compared"], &body["net_only"], body.get("unconverted")), (&json!([]), &json!(0), None));
}

#[test]
fn missing_and_different_payments_have_every_field() {
    let (service, token) = service();
    let body = ok(&service, "/api/v1/received", Some(&token));
    // 15% were withheld in March, the only dividend with a recorded tax.
    let common = |date: &str, pay_date: &str| {
        json!({
            "symbol": "QTR", "ex_dividend_date": date, "pay_date": pay_date, "shares": "10",
            "expected": money("9.00", "USD"), "expected_net": money("7.65", "USD"),
            "received": null, "received_on": null, "difference": null
        })
    };
    assert_eq!(body["missing"], json!([common("2026-09-10", "2026-09-20")]));
    let mut different = common("2026-06-10", "2026-06-20");
    different["received"] = money("8.00", "USD");
    different["received_on"] = json!("2026-06-20");
    different["difference"] = money("-1.00", "USD");
    assert_eq!(body["different"], json!([different]));
}

#[test]
fn a_period_includes_its_first_and_last_day() {
    let (service, token) = service();
    for (query, expected, missing, different) in [
        ("?from=2026-03-20&to=2026-03-21", ["8.18", "6.95", "8.18"], 0, 0),
        // Paid on the 20th, recorded on the 21st: the two days are apart.
        ("?from=2026-03-21&to=2026-06-20", ["15.45", "14.23", "8.18"], 0, 1),
        ("?from=2026-03-22&to=2026-06-19", ["0.00", "0.00", "0.00"], 0, 0),
        ("?from=2026-09-20", ["0.00", "0.00", "8.18"], 1, 0),
        ("?to=2026-06-20", ["15.45", "14.23", "16.36"], 0, 1),
        ("?from=0000-01-01&to=9999-12-31", ["15.45", "14.23", "24.55"], 1, 1),
        ("?from=2026-06-21&to=2026-03-20", ["0.00", "0.00", "0.00"], 0, 0),
    ] {
        let body = ok(&service, &format!("/api/v1/received{query}"), Some(&token));
        let count = |name: &str| body[name].as_array().unwrap().len();
        assert_eq!((amounts(&body), count("missing"), count("different")), (expected, missing, different), "{query}");
    }
    let body = ok(&service, "/api/v1/received?to=2026-06-20", Some(&token));
    assert_eq!((&body["from"], &body["to"]), (&json!("2024-06-21"), &json!("2026-06-20")));
    let none = ok(&service, "/api/v1/received?from=2026-06-21&to=2026-03-20", Some(&token));
    assert_eq!((&none["months"], &none["stocks"]), (&json!([]), &json!([])));
    for query in ["from=yesterday", "to=2026-02-30", "portfolio=none"] {
        error(&service, &format!("/api/v1/received?{query}"), Some(&token), 422, "invalid_params");
    }
}

#[test]
fn what_cannot_be_converted_or_compared_is_named() {
    let world = World::start();
    let body = ok(&world, "/api/v1/received", Some(&world.ana));
    // SEVN 80 ÷ 0.90, ANN 29.16 (net only), QTR 17.55 ÷ 1.10 (80% of it net), MON 25: 159.00 gross, 155.81 net.
    assert_eq!(amounts(&body)[..2], ["159.00", "155.81"]);
    assert_eq!((&body["net_only"], &body["unconverted"]), (&json!(1), &json!([{"symbol": "SHIP", "currency": "KRW"}])));
    let order: Vec<&str> = body["stocks"].as_array().unwrap().iter().map(|stock| stock["symbol"].as_str().unwrap()).collect();
    assert_eq!(order, ["SEVN", "ANN", "MON", "QTR", "SPLT"]);
    let ship = body["missing"].as_array().unwrap().iter().find(|payment| payment["symbol"] == "SHIP").unwrap();
    assert_eq!((&ship["expected"], &ship["portfolio"]), (&money("20000", "KRW"), &json!("Core")));
    let elan = ok(&world, "/api/v1/received?portfolio=elan-income", Some(&world.ana));
    // 3.60 ÷ 1.10, of which 20% were withheld.
    assert_eq!(amounts(&elan)[..2], ["3.27", "2.62"]);
    assert!(elan["missing"].as_array().unwrap().iter().all(|payment| payment.get("portfolio").is_none()));
}
