use app::stocks::radar;
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::ok;

fn rows(service: &Service, token: &str) -> Value {
    ok(service, "/api/v1/radar", Some(token))["stocks"].take()
}

#[test]
fn a_stock_of_the_watchlist_has_every_field() {
    let world = World::start();
    // 4 × 0.40 at 32 is 5%; 4 × 0.90 at 80 is 4.5%.
    let rad = json!({
        "symbol": "RAD", "name": "Radar Robotique",
        "price": {"amount": "32.00", "currency": "EUR", "as_of": "2026-11-13T16:35:00Z"}, "yield_pct": 5.0, "safety": "safe",
        "ex_dividend_date": "2026-11-20", "ex_dividend_declared": true,
        "target": null, "reached": null, "distance_pct": null, "other_target": null
    });
    let rows = rows(&world, &world.ana);
    assert_eq!(rows[1], rad);
    assert_eq!((&rows[0]["symbol"], &rows[0]["yield_pct"], rows.as_array().unwrap().len()), (&json!("QTR"), &json!(4.5), 2));
    assert_eq!(self::rows(&world, &world.bob), json!([]));
}

#[test]
fn the_target_nearest_to_being_reached_comes_first() {
    let world = World::start();
    let target = |yield_pct: Option<&str>, price: Option<&str>| {
        let [yield_pct, price] = [yield_pct, price].map(|text| text.map(|text| text.parse().unwrap()));
        world.run(radar::set_target(&world.app, world.user_id(ANA), "RAD", yield_pct, price)).unwrap();
        let rad = rows(&world, &world.ana)[1].take();
        json!([rad["target"], rad["reached"], rad["distance_pct"], rad["other_target"]])
    };
    let price = |value: &str| json!({"kind": "price", "value": value});
    let yields = |value: &str| json!({"kind": "yield", "value": value});
    // For 6.25% the price has to fall by 1 − 5 ÷ 6.25 = 20%; to 24 it is 1 − 24 ÷ 32 = 25%; to 31.50 it is 1.5625%.
    assert_eq!(target(Some("6.25"), Some("24.00")), json!([yields("6.25"), false, 20.0, price("24")]));
    assert_eq!(target(Some("6.25"), Some("31.50")), json!([price("31.5"), false, 1.56, yields("6.25")]));
    assert_eq!(target(None, Some("32")), json!([price("32"), true, 0.0, null]));
    assert_eq!(target(Some("5"), Some("31.50")), json!([yields("5"), true, 0.0, price("31.5")]));
    assert_eq!(target(Some("5"), Some("33")), json!([price("33"), true, 0.0, yields("5")]));
    assert_eq!(target(None, None), json!([null, null, null, null]));
}

#[test]
fn a_target_without_a_price_is_neither_reached_nor_far() {
    let world = World::start();
    let (app, ana) = (&world.app, world.user_id(ANA));
    world.run(radar::add(app, ana, &["ANN".to_owned(), "BARE".to_owned()])).unwrap();
    world.run(radar::set_target(app, ana, "ANN", Some("4".parse().unwrap()), None)).unwrap();
    let rows = rows(&world, &world.ana);
    let row = |symbol: &str| rows.as_array().unwrap().iter().find(|row| row["symbol"] == symbol).unwrap();
    let ann = row("ANN");
    assert_eq!((&ann["price"], &ann["yield_pct"], &ann["reached"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&ann["target"]["value"], &ann["distance_pct"]), (&json!("4"), &Value::Null));
    assert_eq!(row("BARE")["safety"], "unknown");
}
