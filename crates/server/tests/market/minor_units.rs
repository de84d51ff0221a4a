//! London, Tel Aviv and Johannesburg quote in hundredths; every figure of ours is in whole units.

use app::Outcome;
use replay::{Replay, Stock};
use testkit::Service;

use crate::world::{NOW, ledger, paid, simple, stock};

const ANA: &str = "ana@example.com";

/// Half-yearly payers: 11 and 22 hundredths, at a price of 500.
fn hundredths(symbol: &str, unit: &str, exchange: &str, time_zone: &str, utc_offset: i64) -> Stock {
    let years = 2022..=2026;
    let dividends = years.flat_map(|year| {
        [
            paid(&format!("{year}-03-10"), &format!("{year}-04-10"), "22"),
            paid(&format!("{year}-09-10"), &format!("{year}-10-10"), "11"),
        ]
    });
    Stock {
        dividends: dividends.collect(),
        // In whole units, unlike all other figures of such a listing at Yahoo.
        forward_rate: Some("0.33".to_owned()),
        ..stock(symbol, unit, exchange, time_zone, utc_offset, "500.00")
    }
}

fn right_to_the_unit(symbol: &str, unit: &str, currency: &str, exchange: &str, time_zone: &str, utc_offset: i64) {
    let mut world = simple();
    world.stocks.push(hundredths(symbol, unit, exchange, time_zone, utc_offset));
    let replay = Replay::start(world);
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    let token = service.account(ANA, currency, None);
    service.import(ANA, &ledger(&[&format!("2024-01-05,buy,{symbol},1000,4.10,{currency}")]));
    let troubles: Vec<_> = service.refresh(&[]).into_iter().filter(|(_, outcome)| *outcome != Outcome::Done).collect();
    assert_eq!(troubles, vec![]);

    let stock = service.get(&format!("/api/v1/stocks/{symbol}"), Some(&token)).json();
    assert_eq!(stock["currency"], currency);
    assert_eq!(stock["price"]["amount"], "5.00", "{stock}");
    assert_eq!(stock["price"]["currency"], currency);
    assert_eq!(stock["dividend"]["annual"], serde_json::json!({"amount": "0.33", "currency": currency}));
    // 0.33 ÷ 5.00
    assert_eq!(stock["dividend"]["yield_pct"], 6.6);
    assert_eq!(stock["dividend"]["frequency"], "semi_annual");

    let income = service.get("/api/v1/income", Some(&token)).json();
    // 1,000 shares × (0.22 + 0.11)
    assert_eq!(income["annual_income"], serde_json::json!({"amount": "330.00", "currency": currency}), "{income}");
    assert_eq!(income["current_yield_pct"], 6.6);

    let history = service.run(async {
        let mut tx = service.app.store.read().await.unwrap();
        store::dividends::of_symbol(&mut tx, symbol).await.unwrap()
    });
    let amounts: Vec<String> = history.iter().map(|row| row.amount.normalize().to_string()).collect();
    assert_eq!(amounts, ["0.22", "0.11"].repeat(5));
}

#[test]
fn a_london_listing_is_right_to_the_penny() {
    right_to_the_unit("LON.L", "GBp", "GBP", "LSE", "Europe/London", 0);
}

#[test]
fn a_tel_aviv_listing_is_right_to_the_agora() {
    right_to_the_unit("TLV.TA", "ILA", "ILS", "TLV", "Asia/Jerusalem", 7_200);
}

#[test]
fn a_johannesburg_listing_is_right_to_the_cent() {
    right_to_the_unit("JNB.JO", "ZAc", "ZAR", "JNB", "Africa/Johannesburg", 7_200);
}
