use app::entries::{self, Draft, Kind};
use jiff::civil::date;
use ledger::Decimal;
use serde_json::{Value, json};
use testkit::sample::{ANA, World};

use super::contract::{error, ok};

fn asked(world: &World, query: &str) -> Value {
    ok(world, &format!("/api/v1/whatif?{query}"), Some(&world.ana))
}

fn eur(amount: &str) -> Value {
    json!({"amount": amount, "currency": "EUR"})
}

fn buy(world: &World, symbol: &str, shares: &str, price: Option<&str>) {
    let decimal = |text: &str| text.parse::<Decimal>().unwrap();
    let draft = Draft {
        portfolio: String::new(),
        date: date(2026, 11, 15),
        kind: Kind::Buy,
        symbol: symbol.to_owned(),
        shares: Some(decimal(shares)),
        price: price.map(decimal),
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency: None,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        reinvested: Default::default(),
        opening: false,
        note: None,
    };
    world.run(entries::add(&world.app, world.user_id(ANA), &draft)).unwrap();
}

#[test]
fn a_purchase_adds_its_income_to_the_position_and_the_total() {
    let world = World::start();
    let answer = asked(&world, "symbol=qtr&shares=10");
    // 10 × 3.60 USD ÷ 1.25 = 28.80 EUR, of which 80% is net; 10 × 80 ÷ 1.25 = 640 EUR; 28.80 of 640 are 4.5%.
    assert_eq!((&answer["symbol"], &answer["portfolio"], &answer["shares"]), (&json!("QTR"), &json!("Core"), &json!("10")));
    assert_eq!(answer["price"], json!({"amount": "80.00", "currency": "USD", "as_of": "2026-11-13T21:00:00Z"}));
    assert_eq!((&answer["cost"], &answer["yield_pct"]), (&eur("640.00"), &json!(4.5)));
    assert_eq!((&answer["added_income"], &answer["added_net_income"]), (&eur("28.80"), &eur("23.04")));
    // 15.5 × 3.60 ÷ 1.25 = 44.64 of 531.16; 73.44 of 559.96.
    let figures = |of: &Value| {
        ["annual_income", "income", "net_income"].map(|name| of[name]["amount"].as_str().unwrap().to_owned()).join(" ")
            + &format!(" {} {}", of["shares"], of["share_of_income_pct"])
    };
    assert_eq!(figures(&answer["before"]), "531.16 44.64 35.71 \"15.5\" 8.4");
    assert_eq!(figures(&answer["after"]), "559.96 73.44 58.75 \"25.5\" 13.12");
    for when in ["before", "after"] {
        assert_eq!(answer[when]["unconverted"], json!([{"symbol": "SHIP", "currency": "KRW"}]), "{when}");
    }
}

#[test]
fn the_figures_are_those_of_the_income_before_and_after_recording_it() {
    let world = World::start();
    for (symbol, shares, price) in [("QTR", "10", "80"), ("RAD", "7.5", "32"), ("SEVN", "300", "12.5"), ("HIDE", "3", "5")] {
        let income = || ok(&world, "/api/v1/income", Some(&world.ana));
        let before = income();
        let answer = asked(&world, &format!("symbol={symbol}&shares={shares}"));
        assert_eq!(income(), before, "nothing was stored");
        buy(&world, symbol, shares, Some(price));
        for (figures, income) in [(&answer["before"], before), (&answer["after"], income())] {
            for name in ["annual_income", "net_annual_income", "current_yield_pct", "income_year"] {
                assert_eq!(figures[name], income[name], "{name} of {symbol}");
            }
        }
    }
}

#[test]
fn an_amount_buys_shares_at_the_stored_price() {
    let world = World::start();
    // 640 EUR are 800 USD, and 100 EUR are 125 USD: 1.5625 shares at 80.
    for (amount, shares) in [("640", "10"), ("100", "1.5625")] {
        let answer = asked(&world, &format!("symbol=QTR&amount={amount}"));
        assert_eq!((&answer["shares"], &answer["cost"]), (&json!(shares), &eur(&format!("{amount}.00"))));
        assert_eq!(answer, asked(&world, &format!("symbol=QTR&shares={shares}")));
    }
    // 1 × 1.25 ÷ 100.
    assert_eq!(asked(&world, "symbol=SPLT&amount=1")["shares"], "0.0125");
}

#[test]
fn a_portfolio_is_bought_in_and_alone_counts() {
    let world = World::start();
    let answer = asked(&world, "symbol=QTR&shares=10&portfolio=elan-income");
    let income = ok(&world, "/api/v1/income?portfolio=elan-income", Some(&world.ana));
    assert_eq!(
        (&answer["portfolio"], &answer["before"]["shares"], &answer["after"]["shares"]),
        (&json!("Élan"), &json!("4"), &json!("14"))
    );
    assert_eq!(answer["before"]["annual_income"], income["annual_income"]);
    assert_eq!((&answer["after"]["annual_income"], &answer["after"]["share_of_income_pct"]), (&eur("40.32"), &json!(100.0)));
    assert_eq!((&answer["before"]["income_year"], &answer["after"]["income_year"]), (&Value::Null, &Value::Null), "one payer");
}

#[test]
fn a_stock_that_is_not_held_or_not_tracked_can_be_bought() {
    let world = World::start();
    let watched = asked(&world, "symbol=RAD&shares=10");
    assert_eq!((&watched["before"]["shares"], &watched["before"]["income"]), (&json!("0"), &eur("0.00")));
    assert_eq!(watched["after"]["income"], watched["added_income"]);
    let untracked = asked(&world, "symbol=HIDE&shares=10");
    assert_eq!(
        (&untracked["added_income"], &untracked["cost"], &untracked["yield_pct"]),
        (&eur("0.00"), &eur("40.00"), &json!(0.0))
    );
    let token = world.account("new@example.com", "EUR", None);
    let first = ok(&world, "/api/v1/whatif?symbol=MON&shares=10", Some(&token));
    assert_eq!((&first["portfolio"], &first["before"]["annual_income"]), (&json!("Main"), &eur("0.00")));
    assert_eq!((&first["before"]["share_of_income_pct"], &first["after"]["share_of_income_pct"]), (&Value::Null, &json!(100.0)));
}

#[test]
fn figures_without_a_price_or_an_exchange_rate_are_null() {
    let world = World::start();
    let unpriced = asked(&world, "symbol=ANN&shares=10");
    assert_eq!((&unpriced["price"], &unpriced["cost"], &unpriced["yield_pct"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(unpriced["added_income"], eur("12.00"));
    let unconverted = asked(&world, "symbol=SHIP&shares=10");
    for name in ["cost", "added_income", "added_net_income", "yield_pct"] {
        assert_eq!(unconverted[name], Value::Null, "{name}");
    }
    assert_eq!(unconverted["before"]["annual_income"], unconverted["after"]["annual_income"]);
    assert_eq!((&unconverted["after"]["shares"], &unconverted["after"]["income"]), (&json!("30"), &Value::Null));
    let elsewhere = asked(&world, "symbol=SHIP&shares=10&portfolio=elan-income");
    assert_eq!((&elsewhere["before"]["income"], &elsewhere["after"]["income"]), (&eur("0.00"), &Value::Null), "not held there");
}

#[test]
fn a_symbol_without_data_is_not_found() {
    let world = World::start();
    for symbol in ["NOSUCH", "BARE"] {
        error(&world, &format!("/api/v1/whatif?symbol={symbol}&shares=1"), Some(&world.ana), 404, "not_found");
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let world = World::start();
    let refused = |query: &str| error(&world, &format!("/api/v1/whatif?{query}"), Some(&world.ana), 422, "invalid_params");
    assert_eq!(refused("shares=1"), "The parameter `symbol` must be a text of 1 to 32 characters.");
    assert_eq!(refused("symbol=QTR"), "The parameter `shares` or `amount` is required.");
    assert_eq!(refused("symbol=QTR&shares=1&amount=1"), "Give `shares` or `amount`, not both.");
    let long = "1".repeat(13);
    for wrong in ["", "0", "0.0", "-1", "+1", "1,5", "1e3", ".5", "5.", "x", "NaN", &long, "1.12345678901234567"] {
        for name in ["shares", "amount"] {
            let message = refused(&format!("symbol=QTR&{name}={}", wrong.replace('+', "%2B")));
            assert_eq!(
                message,
                format!(
                    "The parameter `{name}` must be a number above zero, such as 12.5, with up to 12 digits and 16 decimals."
                ),
                "{wrong}"
            );
        }
    }
    assert_eq!(refused("symbol=ANN&amount=1"), "There is no price for this symbol. Give `shares` instead of `amount`.");
    assert_eq!(refused("symbol=SHIP&amount=1"), "There is no exchange rate from EUR to KRW.");
    assert!(refused("symbol=QTR&shares=1&portfolio=none").contains("Core, Élan"));
}

#[test]
fn the_largest_and_smallest_purchases_are_answered() {
    let world = World::start();
    for figure in ["999999999999.9999999999999999", "0.0000000000000001"] {
        for (name, symbol) in [("shares", "QTR"), ("amount", "SEVN"), ("shares", "RAD")] {
            asked(&world, &format!("symbol={symbol}&{name}={figure}"));
        }
    }
}
