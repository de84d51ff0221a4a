use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::{error, ok};

fn money(amount: &str, currency: &str) -> Value {
    json!({"amount": amount, "currency": currency})
}

fn ids(body: &Value) -> Vec<i64> {
    body["transactions"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

fn listed(service: &Service, token: &str, query: &str) -> Vec<i64> {
    ids(&ok(service, &format!("/api/v1/transactions{query}"), Some(token)))
}

/// Newest first, and the last recorded first within a day.
const ALL: [i64; 19] = [10, 19, 18, 17, 16, 15, 14, 13, 12, 9, 8, 7, 6, 11, 5, 4, 3, 2, 1];

#[test]
fn transactions_are_listed_newest_first_with_every_field() {
    let world = World::start();
    let body = ok(&world, "/api/v1/transactions", Some(&world.ana));
    assert_eq!((ids(&body), &body["next_cursor"]), (ALL.to_vec(), &Value::Null));
    // Sold in pence; 50 × 13 is not recorded.
    let sold = json!({
        "id": 10, "date": "2026-10-30", "type": "sell", "symbol": "SEVN", "name": "Severn Water", "shares": "50",
        "price": money("13.00", "GBP"), "amount": money("650.00", "GBP"), "fees": null, "withholding_tax": null, "net": null,
        "currency": "GBP", "ratio": null, "note": null, "source": "import:dripline", "portfolio": "Core"
    });
    assert_eq!(body["transactions"][0], sold);
    let paid = json!({
        "id": 17, "date": "2026-09-20", "type": "dividend", "symbol": "QTR", "name": "Quarry Tools", "shares": "15.5",
        "price": money("0.90", "USD"), "amount": money("13.95", "USD"), "fees": null, "withholding_tax": money("2.79", "USD"),
        "net": money("11.16", "USD"), "currency": "USD", "ratio": null, "note": null, "source": "import:dripline",
        "portfolio": "Core"
    });
    assert_eq!(body["transactions"][3], paid);
    // 5.5 × 72.00, without the zeros of the multiplication.
    let bought = &body["transactions"][11];
    assert_eq!((&bought["id"], &bought["amount"]), (&json!(7), &money("396.00", "USD")));
}

#[test]
fn a_dividend_without_a_gross_amount_and_a_split_say_so() {
    let world = World::start();
    world.import(ANA, "date,type,symbol,ratio,note\n2026-11-03,split,MON,3:2,New shares\n");
    let rows = ok(&world, "/api/v1/transactions?limit=8", Some(&world.ana))["transactions"].take();
    let split = &rows[0];
    assert_eq!((&split["type"], &split["ratio"], &split["note"]), (&json!("split"), &json!("3:2"), &json!("New shares")));
    assert!(["shares", "price", "amount", "net"].iter().all(|name| split[*name].is_null()), "{split}");
    let net_only = rows.as_array().unwrap().iter().find(|row| row["symbol"] == "ANN").unwrap();
    let net = money("29.16", "EUR");
    assert_eq!((&net_only["amount"], &net_only["net"], &net_only["gross_known"]), (&net, &net, &json!(false)));
    assert!(rows[1].get("gross_known").is_none());
}

#[test]
fn transactions_are_filtered() {
    let world = World::start();
    for (query, expected) in [
        ("?symbol=qtr", vec![18, 17, 7, 3, 2]),
        ("?symbol=qtr&type=buy", vec![7, 3, 2]),
        ("?symbol=QTR&portfolio=elan-income", vec![18, 2]),
        ("?symbol=NONE", vec![]),
        ("?type=sell", vec![10]),
        ("?type=split", vec![]),
        ("?portfolio=%C3%A9lan", vec![18, 2]),
        ("?portfolio=%C3%A9lan&type=dividend", vec![18]),
        ("?from=2026-09-20", vec![10, 19, 18, 17]),
        ("?from=2026-09-20&to=2026-09-20", vec![18, 17]),
        ("?to=2024-01-10", vec![3, 2, 1]),
        ("?from=2026-09-21&to=2026-09-20", vec![]),
        ("?from=0000-01-01&to=9999-12-31&symbol=MON", vec![19, 4]),
        ("?to=0000-01-01", vec![]),
    ] {
        assert_eq!(listed(&world, &world.ana, query), expected, "{query}");
    }
    let own = ok(&world, "/api/v1/transactions?portfolio=Core&limit=1", Some(&world.ana));
    assert!(own["transactions"][0].get("portfolio").is_none());
    assert_eq!(listed(&world, &world.bob, "").len(), 5);
}

/// All parts, from the first on.
fn parts(service: &Service, token: &str, query: &str, mut between: impl FnMut()) -> Vec<Vec<i64>> {
    let (mut parts, mut cursor) = (Vec::new(), String::new());
    loop {
        let body = ok(service, &format!("/api/v1/transactions?{query}{cursor}"), Some(token));
        parts.push(ids(&body));
        let Some(next) = body["next_cursor"].as_str() else { return parts };
        cursor = format!("&cursor={next}");
        between();
    }
}

#[test]
fn a_cursor_continues_after_the_last_one_even_if_others_are_added() {
    let world = World::start();
    for (limit, count) in [(1, 19), (4, 5), (18, 2), (19, 1), (500, 1)] {
        let parts = parts(&world, &world.ana, &format!("limit={limit}"), || ());
        assert_eq!((parts.concat(), parts.len()), (ALL.to_vec(), count), "{limit}");
    }
    for query in ["limit=2&symbol=QTR", "limit=2&type=dividend&portfolio=core", "limit=3&from=2024-03-01&to=2026-06-19"] {
        let whole = listed(&world, &world.ana, &format!("?{query}").replace("limit=2", "").replace("limit=3", ""));
        assert_eq!(parts(&world, &world.ana, query, || ()).concat(), whole, "{query}");
    }
    let mut day = 1;
    let found = parts(&world, &world.ana, "limit=6", || {
        world.import(ANA, &format!("date,type,symbol,shares,price,currency\n2026-11-{day:02},buy,QTR,1,80.00,USD\n"));
        day += 1;
    });
    assert_eq!(found.concat(), ALL);
}

#[test]
fn the_limit_is_clamped_and_a_wrong_cursor_or_type_refused() {
    let world = World::start();
    for (limit, expected) in [("0", 1), ("-7", 1), ("501", 19), ("99999999999999999999", 19)] {
        assert_eq!(listed(&world, &world.ana, &format!("?limit={limit}")).len(), expected, "{limit}");
    }
    for (name, value) in [
        ("cursor", ""),
        ("cursor", "x"),
        ("cursor", "2026-01-15.17"),
        ("cursor", "MjAyNi0wMS0xNS4xNw%3D%3D"),
        ("cursor", "MjAyNi0wMi0zMC4xNw"),
        ("cursor", "%00"),
        ("type", "Buy"),
        ("type", "purchase"),
        ("type", ""),
        ("limit", "1.5"),
        ("from", "yesterday"),
        ("symbol", "%20"),
    ] {
        let message = error(&world, &format!("/api/v1/transactions?{name}={value}"), Some(&world.ana), 422, "invalid_params");
        assert!(message.contains(&format!("`{name}`")), "{name}={value}: {message}");
    }
    // A place of nobody's entry is as good as any other.
    assert_eq!(listed(&world, &world.bob, "?cursor=MjAyNi0wMS0xNS4xNw").len(), 5);
}
