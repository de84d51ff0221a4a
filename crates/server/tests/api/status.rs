use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{self, ANA, World};

use super::contract::ok;

fn eur(amount: &str) -> Value {
    json!({"amount": amount, "currency": "EUR"})
}

fn codes(body: &Value) -> Vec<&str> {
    body["notices"].as_array().unwrap().iter().map(|notice| notice["code"].as_str().unwrap()).collect()
}

#[test]
fn the_status_has_the_figures_of_the_other_endpoints() {
    let world = World::start();
    for query in ["", "portfolio=elan-income"] {
        let get = |path: &str, more: &str| ok(&world, &format!("/api/v1/{path}?{more}&{query}"), Some(&world.ana));
        let (status, income) = (get("status", ""), get("income", ""));
        for name in ["annual_income", "net_annual_income", "coverage"] {
            assert_eq!(status[name], income[name], "{name}");
        }
        assert_eq!(status["upcoming"], get("upcoming", "days=14")["items"]);
        let year = get("received", "from=2025-11-16");
        assert_eq!(status["last_12_months"], json!({"received": year["net"]}));
        assert_eq!(status["as_of"], "2026-11-15");
    }
}

#[test]
fn a_month_is_what_came_and_what_is_still_to_come() {
    let world = World::start();
    let month = || ok(&world, "/api/v1/status", Some(&world.ana))["this_month"].take();
    // MON pays today: 25.00, 85% of it net. SPLT pays 20 USD on the 25th, 85% ÷ 1.25, and SEVN 24 GBP on the 27th ÷ 0.80.
    assert_eq!(month(), json!({"received": eur("0.00"), "expected": eur("64.85")}));
    world.import(ANA, "date,type,symbol,shares,amount,tax,currency,portfolio\n2026-11-14,dividend,MON,100,25.00,3.75,EUR,Core\n");
    // Recorded the day before it was due, it is no longer to come.
    assert_eq!(month(), json!({"received": eur("21.25"), "expected": eur("43.60")}));
    // Both are paid, but not recorded yet, so they are due until the month ends. December brings MON's 21.25 and 80% of 17.55 USD
    // of QTR.
    for (day, expected) in [("2026-11-28", "43.60"), ("2026-11-30", "43.60"), ("2026-12-01", "32.48")] {
        let node = world.second_node(&format!("{day}T12:00:00Z"));
        let body = ok(&node, "/api/v1/status", Some(&world.ana));
        assert_eq!(body["this_month"]["expected"], eur(expected), "{day}");
    }
}

#[test]
fn next_is_the_first_payment_of_the_users_own() {
    let world = World::start();
    let next = |token: &str| ok(&world, "/api/v1/status", Some(token))["next"].take();
    assert_eq!((&next(&world.ana)["symbol"], &next(&world.ana)["pay_date"]), (&json!("MON"), &json!("2026-11-15")));
    let token = world.account("x@example.com", "EUR", None);
    let user = world.user_id("x@example.com");
    world.run(app::stocks::radar::add(&world.app, user, &["RAD".to_owned()])).unwrap();
    assert_eq!(next(&token), Value::Null);
    let upcoming = ok(&world, "/api/v1/status", Some(&token))["upcoming"].take();
    assert_eq!((&upcoming[0]["symbol"], &upcoming[0]["held"]), (&json!("RAD"), &json!(false)));
}

#[test]
fn notices_name_what_the_figures_lack() {
    let world = World::start();
    let body = ok(&world, "/api/v1/status", Some(&world.ana));
    assert_eq!(codes(&body), ["no_exchange_rate", "payments_missing"]);
    assert_eq!(body["notices"][0]["message"], "Not included (no exchange rate): SHIP (KRW).");
    let message = body["notices"][1]["message"].as_str().unwrap();
    assert!(message.contains("payments of the last 24 months") && message.ends_with("…."), "{message}");
    let missing = ok(&world, "/api/v1/received", Some(&world.ana))["missing"].as_array().unwrap().len();
    assert!(message.starts_with(&format!("{missing} ")), "{message}");
    // The prices and rates are of 2026-11-13.
    let later = |day: &str| {
        let node = world.second_node(&format!("{day}T12:00:00Z"));
        let body = ok(&node, "/api/v1/status?portfolio=elan-income", Some(&world.ana));
        codes(&body).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(later("2026-11-20"), ["payments_missing"]);
    assert_eq!(later("2026-11-21"), ["market_data_old", "exchange_rates_old", "payments_missing"]);
    let token = world.account("x@example.com", "EUR", None);
    world.import("x@example.com", "date,type,symbol,shares,price,currency\n2026-01-05,buy,BARE,1,80.00,USD\n");
    let body = ok(&world, "/api/v1/status", Some(&token));
    assert_eq!(codes(&body), ["positions_without_data"]);
    assert!(body["notices"][0]["message"].as_str().unwrap().contains("BARE"));
}

#[test]
fn a_split_that_does_not_fit_is_a_notice() {
    let service = Service::start();
    sample::load_market(&service);
    let token = service.account("x@example.com", "EUR", None);
    service.import(
        "x@example.com",
        "date,type,symbol,shares,price,currency,portfolio\n2026-10-05,buy,QTR,10,80.00,USD,Core\n\
         2026-11-02,sell,QTR,10,81.00,USD,Core\n2026-11-02,buy,RAD,1,30.00,EUR,Other\n",
    );
    let of = |query: &str| ok(&service, &format!("/api/v1/status{query}"), Some(&token));
    assert_eq!(codes(&of("")), Vec::<&str>::new());
    // Ten would have become one before they were sold.
    service.load(&[("splits.csv", "symbol,date,ratio\nQTR,2026-10-20,1:10\n")]);
    let body = of("");
    assert_eq!(codes(&body), ["split_not_applied"]);
    let message = body["notices"][0]["message"].as_str().unwrap();
    assert!(message.contains("1:10 split of QTR on 2026-10-20") && message.contains("in Core"), "{message}");
    assert_eq!((codes(&of("?portfolio=Core")).len(), codes(&of("?portfolio=Other")).len()), (1, 0));
}

#[test]
fn an_empty_account_has_zeros_and_nothing_to_come() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    let zero = eur("0.00");
    let expected = json!({
        "as_of": "2026-11-15", "annual_income": zero, "net_annual_income": zero,
        "this_month": {"received": zero, "expected": zero}, "last_12_months": {"received": zero}, "next": null, "upcoming": [],
        "coverage": {"positions": 0, "with_data": 0, "without_data": []}, "notices": []
    });
    assert_eq!(ok(&service, "/api/v1/status", Some(&token)), expected);
}
