use app::market;
use app::stocks::radar;
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::{error, ok};

fn stock(service: &Service, symbol: &str) -> Value {
    ok(service, &format!("/api/v1/stocks/{symbol}"), None)
}

fn usd(amount: &str) -> Value {
    json!({"amount": amount, "currency": "USD"})
}

#[test]
fn a_stock_has_every_field() {
    let world = World::start();
    // 0.90 × 4 = 3.60 a year at 80: 4.5%. 2020 to 2025 paid a tenth more each year: five years of increases.
    let passed = |code: &str, message: &str| json!({"code": code, "state": "passed", "message": message});
    let dividend = json!({
        "payment_months": [3, 6, 9, 12], "safety": "safe", "annual": null, "cagr_5y": 0.1, "ex_dividend_date": "2026-12-10",
        "ex_dividend_declared": true, "frequency": "quarterly", "streak_years": 5, "streak_at_least": true, "yield_avg_5y_pct": 3.6,
        "yield_pct": 4.5, "safety_reasons": [
            passed("cut", "There was no cut in the last three complete years."),
            passed("stopped", "The dividend is still being paid."),
            passed("uncovered", "The dividend is covered by earnings, or by free cash flow or a long streak."),
            passed("yield_doubled", "The yield is not far above its average while nearly all earnings are paid out."),
            passed("high_payout", "The payout ratio is not high."),
            passed("thin_cash_cover", "Free cash flow covers the dividend at least 1.3 times."),
            passed("yield_raised", "The yield is not much above its 5-year average."),
            passed("streak_ended", "The last complete year did not end a streak of increases."),
        ]
    });
    // momentum: range (80 − 60) ÷ 40 = 5; (80 ÷ 75 − 0.9) ÷ 0.2 = 8.33; (78 ÷ 75 − 0.95) ÷ 0.1 = 9; mean 7.44
    // rating: safe 10, growth 0.10 ÷ 0.10 = 10, streak 5, yield 4.5% ÷ 5% = 9; mean 8.5
    // value: (4.5 ÷ 3.6 − 0.7) ÷ 0.6 = 9.17; (30 − 20) ÷ 20 = 5; mean 7.08
    let expected = json!({
        "symbol": "QTR", "currency": "USD",
        "price": {"amount": "80.00", "currency": "USD", "live": false, "as_of": "2026-11-13T21:00:00Z"},
        "dividend": dividend, "scores": {"momentum": 7.4, "rating": 8.5, "value": 7.1},
        "name": "Quarry Tools", "industry": "Tools", "sector": "Industrials", "instrument_type": "equity"
    });
    assert_eq!(stock(&world, "QTR"), expected);
}

#[test]
fn the_annual_dividend_is_given_with_a_token_only() {
    let world = World::start();
    let anonymous = stock(&world, "QTR");
    let mut with_token = ok(&world, "/api/v1/stocks/QTR", Some(&world.bob));
    assert_eq!(with_token["dividend"]["annual"].take(), usd("3.60"));
    assert_eq!(with_token, anonymous);
}

#[test]
fn without_a_provider_a_token_gets_the_last_stored_price_and_its_time() {
    let world = World::start();
    let price = json!({"amount": "50.00", "currency": "EUR", "live": false, "as_of": "2026-11-13T16:35:00Z"});
    assert_eq!(ok(&world, "/api/v1/stocks/MON", Some(&world.ana))["price"], price);
    assert_eq!(stock(&world, "MON")["price"], price);
}

#[test]
fn unknown_values_of_a_stock_are_null() {
    let world = World::start();
    let dividend = json!({
        "payment_months": [], "safety": "unknown", "safety_reasons": [], "annual": null, "cagr_5y": null, "ex_dividend_date": null,
        "ex_dividend_declared": false, "frequency": null, "streak_years": null, "streak_at_least": false, "yield_avg_5y_pct": null,
        "yield_pct": null
    });
    let expected = json!({
        "symbol": "BARE", "currency": "USD", "price": null, "dividend": dividend,
        "scores": {"momentum": null, "rating": null, "value": null},
        "name": null, "industry": null, "sector": null, "instrument_type": null
    });
    assert_eq!(stock(&world, "BARE"), expected);
    assert_eq!(ok(&world, "/api/v1/stocks/BARE", Some(&world.ana)), expected);
}

#[test]
fn a_monthly_payer_shows_all_months_and_the_average_yield_of_its_month_ends() {
    let world = World::start();
    let dividend = stock(&world, "MON")["dividend"].take();
    // Trailing twelve months at the last 24 month-ends: 2.40, 2.40, then 2.45 to 3.00 in steps of 0.05, then ten of 3.00:
    // 67.50 ÷ 24 = 2.8125, at 37.50 always 7.5%. Now 3.00 ÷ 50 = 6%.
    assert_eq!((&dividend["yield_avg_5y_pct"], &dividend["yield_pct"]), (&json!(7.5), &json!(6.0)));
    assert_eq!(
        (&dividend["frequency"], &dividend["payment_months"]),
        (&json!("monthly"), &json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))
    );
    // Nothing is declared: the next estimate is shown; the 5th of December is a Saturday. Two complete years: one increase at
    // least, no five-year growth.
    assert_eq!((&dividend["ex_dividend_date"], &dividend["ex_dividend_declared"]), (&json!("2026-12-04"), &json!(false)));
    assert_eq!((&dividend["streak_years"], &dividend["streak_at_least"]), (&json!(1), &json!(true)));
    assert_eq!(dividend["cagr_5y"], Value::Null);
}

#[test]
fn an_interim_and_a_final_are_semi_annual_and_pence_are_pounds() {
    let world = World::start();
    let severn = ok(&world, "/api/v1/stocks/SEVN", Some(&world.ana));
    let price = json!({"amount": "12.50", "currency": "GBP", "live": false, "as_of": "2026-11-13T16:35:00Z"});
    assert_eq!((&severn["currency"], &severn["price"]), (&json!("GBP"), &price));
    // 28 + 12 pence a year at 12.50: 3.2%.
    assert_eq!(severn["dividend"]["annual"], json!({"amount": "0.40", "currency": "GBP"}));
    assert_eq!((&severn["dividend"]["frequency"], &severn["dividend"]["yield_pct"]), (&json!("semi_annual"), &json!(3.2)));
    assert_eq!(severn["dividend"]["payment_months"], json!([6, 11]));
    // Free cash flow of 1.1 times the dividend. momentum: (1250 − 1000) ÷ 500 = 5; value: (30 − 25) ÷ 20 = 2.5;
    // rating: watch 5, streak 1, yield 6.4; mean 4.13.
    assert_eq!(severn["dividend"]["safety"], "watch");
    assert_eq!(severn["scores"], json!({"momentum": 5.0, "rating": 4.1, "value": 2.5}));
}

#[test]
fn an_annual_payer_without_pay_dates_is_paid_21_days_after_the_ex_date() {
    let world = World::start();
    let annual = stock(&world, "ANN");
    // Ex on 2025-12-22, so paid on 2026-01-12.
    assert_eq!((&annual["dividend"]["frequency"], &annual["dividend"]["payment_months"]), (&json!("annual"), &json!([1])));
    assert_eq!((&annual["price"], &annual["dividend"]["yield_pct"]), (&Value::Null, &Value::Null));
    assert_eq!((&annual["dividend"]["safety"], &annual["dividend"]["streak_years"]), (&json!("unknown"), &json!(1)));
}

#[test]
fn a_payer_that_stopped_has_no_frequency_and_is_at_risk() {
    let world = World::start();
    let halted = ok(&world, "/api/v1/stocks/HALT", Some(&world.ana))["dividend"].take();
    assert_eq!((&halted["frequency"], &halted["safety"]), (&Value::Null, &json!("at_risk")));
    assert_eq!((&halted["annual"], &halted["yield_pct"]), (&Value::Null, &json!(0.0)));
    assert_eq!((&halted["payment_months"], &halted["ex_dividend_date"]), (&json!([]), &Value::Null));
}

#[test]
fn dividends_before_a_split_count_in_shares_of_today() {
    let world = World::start();
    let split = ok(&world, "/api/v1/stocks/SPLT", Some(&world.ana))["dividend"].take();
    // 2.00 before the 4:1 split are 0.50 now: even payments, 4 × 0.50, not more.
    assert_eq!((&split["annual"], &split["yield_pct"]), (&usd("2.00"), &json!(2.0)));
}

#[test]
fn a_special_counts_in_no_figure() {
    let world = World::start();
    let radar = ok(&world, "/api/v1/stocks/RAD", Some(&world.ana))["dividend"].take();
    assert_eq!((&radar["annual"]["amount"], &radar["ex_dividend_date"]), (&json!("1.60"), &json!("2026-11-20")));
    let later = world.second_node("2026-11-21T12:00:00Z");
    // Its special goes ex on 2026-11-25. 2026-02-20 was the 6th business day from the end of its month, as 2027-02-19 is.
    assert_eq!(stock(&later, "RAD")["dividend"]["ex_dividend_date"], "2027-02-19");
}

#[test]
fn a_symbol_is_found_in_any_case_and_trimmed() {
    let world = World::start();
    let expected = stock(&world, "QTR");
    for symbol in ["qtr", "Qtr", "%20qtr%20", "%71TR"] {
        assert_eq!(stock(&world, symbol), expected, "{symbol}");
    }
}

#[test]
fn a_symbol_that_is_not_tracked_is_not_found_with_a_token_or_without() {
    let world = World::start();
    for symbol in ["HIDE", "NOPE", "QT", "QTRX"] {
        for token in [None, Some(world.ana.as_str())] {
            error(&world, &format!("/api/v1/stocks/{symbol}"), token, 404, "not_found");
        }
    }
    world.run(radar::add(&world.app, world.user_id(ANA), &["HIDE".to_owned()])).unwrap();
    assert_eq!(ok(&world, "/api/v1/stocks/HIDE", Some(&world.bob))["name"], "Hidden Harbour");
    error(&world, "/api/v1/stocks/HIDE", None, 404, "not_found");
    world.run(market::set_tracked(&world.app, &["HIDE".to_owned()], true)).unwrap();
    assert_eq!(stock(&world, "HIDE")["name"], "Hidden Harbour");
}

#[test]
fn a_stock_that_a_user_holds_is_tracked_though_market_data_does_not_know_it() {
    let world = World::start();
    world.import(ANA, "date,type,symbol,shares,price,currency,name\n2025-01-10,buy,OWN,2,3,CHF,Of ana alone\n");
    let own = ok(&world, "/api/v1/stocks/OWN", Some(&world.ana));
    for token in [None, Some(world.bob.as_str())] {
        crate::contract::error(&world, "/api/v1/stocks/OWN", token, 404, "not_found");
    }
    assert_eq!((&own["currency"], &own["price"]), (&json!("CHF"), &Value::Null));
    assert_eq!(own["name"], Value::Null, "what a user wrote into a ledger is nobody else's");
}
