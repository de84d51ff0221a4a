use serde_json::{Value, json};
use testkit::sample::World;

use super::contract::{error, ok};

fn explained(world: &World, query: &str) -> Value {
    ok(world, &format!("/api/v1/explain?{query}"), Some(&world.ana))
}

/// `rule(input, input, …) = value unit`, with each input as `name value`.
fn line(node: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("–").to_owned();
    let inputs = node["inputs"].as_array().unwrap().iter();
    let inputs: Vec<String> = inputs.map(|input| format!("{} {}", text(&input["name"]), text(&input["value"]))).collect();
    format!("{}({}) = {} {}", text(&node["rule"]), inputs.join(", "), text(&node["value"]), text(&node["unit"]))
}

#[test]
fn a_figure_of_a_symbol_is_the_sum_over_its_portfolios() {
    let world = World::start();
    // Core has 15.5 shares, Élan 4. Each pays 4 × 0.90 USD, and a euro is 1.25 USD: 44.64 + 11.52.
    let income = explained(&world, "figure=income&symbol=qtr");
    assert_eq!(line(&income), "sum(QTR in Élan 11.52, QTR in Core 44.64) = 56.16 EUR");
    assert_eq!((&income["figure"], &income["decimals"]), (&json!("income"), &json!(2)));
    let core = &income["inputs"][1];
    assert_eq!(line(core), "convert(product 55.80, exchange_rate 1.25, exchange_rate 1) = 44.64 EUR");
    assert_eq!(line(&core["inputs"][0]), "product(shares 15.5, forward_rate 3.60) = 55.80 USD");
    assert_eq!(line(&core["inputs"][0]["inputs"][0]), "replay_shares(buy 10, buy 5.5) = 15.5 shares");
    assert_eq!(line(&core["inputs"][0]["inputs"][1]), "product(payment 0.90, payments_per_year 4) = 3.60 USD");
    // 20% was withheld: 3.51 of 17.55.
    assert_eq!(
        line(&explained(&world, "figure=withholding&symbol=QTR")),
        "withheld(gross 17.55, withheld 3.51, rounding 0.01, treaty_rate 0.15, statutory_rate 0.3) = 0.2 fraction"
    );
    // 56.16 × 0.8 = 44.928; 61.589743… = (1001 + 200) ÷ 19.5; 19.5 × 80 ÷ 1.25 = 1248; 19.5 × 0.90 = 17.55
    for (figure, value, unit) in [
        ("net_income", "44.93", "EUR"),
        ("average_cost", "61.5897435897", "USD"),
        ("value", "1248.00", "EUR"),
        ("expected", "17.55", "USD"),
    ] {
        let answer = explained(&world, &format!("figure={figure}&symbol=QTR"));
        assert_eq!((&answer["value"], &answer["unit"]), (&json!(value), &json!(unit)), "{figure}");
    }
    let elan = explained(&world, "figure=average_cost&symbol=QTR&portfolio=elan-income");
    assert_eq!(line(&elan), "quotient(cost 200.00, shares 4) = 50.00 USD");
}

#[test]
fn inputs_name_transactions_payments_rates_and_rows_of_the_table() {
    let world = World::start();
    let income = explained(&world, "figure=net_income&symbol=MON");
    let net = &income["inputs"][0];
    let own = &net["inputs"][0]["inputs"];
    let bought = &own[0]["inputs"][0];
    assert_eq!((&bought["name"], &bought["source"], &bought["as_of"]), (&json!("buy"), &json!("ledger"), &json!("2024-03-01")));
    let rows = ok(&world, "/api/v1/explain?figure=value&symbol=MON", Some(&world.ana));
    assert_eq!(bought["rows"], rows["inputs"][0]["inputs"][0]["inputs"][0]["rows"], "the same transaction");
    let payment = &own[1]["inputs"][0];
    assert_eq!(
        (&payment["source"], &payment["as_of"], &payment["value"]),
        (&json!("files"), &json!("2026-11-05"), &json!("0.25"))
    );
    let treaty = &net["inputs"][1]["inputs"][1]["inputs"][0];
    assert_eq!(
        (&treaty["name"], &treaty["source"], &treaty["rows"]),
        (&json!("treaty_rate"), &json!("table"), &json!(["DE-ES"]))
    );
    let rate = &explained(&world, "figure=income&symbol=SEVN")["inputs"][0]["inputs"][1];
    assert_eq!((&rate["unit"], &rate["source"], &rate["as_of"]), (&json!("GBP/EUR"), &json!("files"), &json!("2026-11-13")));
}

#[test]
fn every_explanation_has_the_value_that_the_api_serves() {
    let world = World::start();
    let value = |query: &str| explained(&world, query)["value"].clone();
    let income = ok(&world, "/api/v1/income", Some(&world.ana));
    assert_eq!(value("figure=annual_income"), income["annual_income"]["amount"]);
    assert_eq!(value("figure=net_annual_income"), income["net_annual_income"]["amount"]);
    let number = |value: &Value| value.as_str().map(|text| text.parse::<f64>().unwrap());
    assert_eq!(number(&value("figure=growth")), income["growth_rate"].as_f64());
    for holding in income["holdings"].as_array().unwrap() {
        let of = |figure: &str| {
            let [symbol, portfolio] = ["symbol", "portfolio"].map(|name| holding[name].as_str().unwrap());
            value(&format!("figure={figure}&symbol={symbol}&portfolio={}", portfolio.replace('É', "%C3%89")))
        };
        assert_eq!(
            (of("income"), of("net_income")),
            (holding["income"]["amount"].clone(), holding["net_income"]["amount"].clone())
        );
        assert_eq!(number(&of("growth")), holding["growth"].as_f64(), "{holding}");
        assert_eq!(of("streak").as_str().map(str::to_owned), holding["streak"].as_u64().map(|years| years.to_string()));
    }
    for symbol in ["QTR", "MON", "SEVN", "ANN", "HALT", "SHIP", "SPLT", "RAD", "BARE"] {
        let dividend = ok(&world, &format!("/api/v1/stocks/{symbol}"), Some(&world.ana))["dividend"].take();
        let of = |figure: &str| value(&format!("figure={figure}&symbol={symbol}"));
        assert_eq!(
            (of("safety"), of("ex_dividend_date")),
            (dividend["safety"].clone(), dividend["ex_dividend_date"].clone()),
            "{symbol}"
        );
        let rate = Some(of("forward_rate")).filter(|rate| rate != "0.00").unwrap_or_default();
        assert_eq!(rate, dividend["annual"]["amount"], "{symbol}");
    }
    for holding in ok(&world, "/api/v1/holdings?portfolio=core", Some(&world.ana))["holdings"].as_array().unwrap() {
        let symbol = holding["symbol"].as_str().unwrap();
        assert_eq!(
            value(&format!("figure=average_cost&symbol={symbol}&portfolio=core")),
            holding["average_cost"]["amount"],
            "{symbol}"
        );
    }
    let mut seen = Vec::new();
    for item in ok(&world, "/api/v1/upcoming?days=120&portfolio=core", Some(&world.ana))["items"].as_array().unwrap() {
        if !seen.contains(&item["symbol"]) {
            seen.push(item["symbol"].clone());
            let query = format!("figure=expected&symbol={}&portfolio=core", item["symbol"].as_str().unwrap());
            assert_eq!(value(&query), item["expected"]["amount"], "{item}");
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
}

#[test]
fn a_figure_without_a_value_says_why() {
    let world = World::start();
    assert_eq!(line(&explained(&world, "figure=income&symbol=SHIP")), "unknown(reason no_exchange_rate) = – EUR");
    assert_eq!(line(&explained(&world, "figure=value&symbol=ANN")), "unknown(reason no_price) = – EUR");
    assert_eq!(line(&explained(&world, "figure=expected&symbol=HALT")), "unknown(reason none_expected) = – USD");
    assert_eq!(line(&explained(&world, "figure=forward_rate&symbol=BARE")), "unknown(reason no_payments) = – USD");
    assert_eq!(
        line(&explained(&world, "figure=income&symbol=HALT")),
        "sum(HALT 0.00) = 0.00 EUR".replace("HALT 0", "HALT in Core 0")
    );
}

#[test]
fn a_stock_on_the_watchlist_has_no_figures_of_a_position() {
    let world = World::start();
    assert_eq!(explained(&world, "figure=ex_dividend_date&symbol=RAD")["value"], "2026-11-20");
    for figure in ["income", "net_income", "withholding", "average_cost", "expected", "value"] {
        error(&world, &format!("/api/v1/explain?figure={figure}&symbol=RAD"), Some(&world.ana), 404, "not_found");
    }
    for figure in ["forward_rate", "streak", "income"] {
        for symbol in ["NOSUCH", "HIDE"] {
            error(&world, &format!("/api/v1/explain?figure={figure}&symbol={symbol}"), Some(&world.ana), 404, "not_found");
        }
    }
    // Bob holds nothing in Ana's portfolio, and SHIP is Ana's alone.
    error(&world, "/api/v1/explain?figure=income&symbol=SHIP", Some(&world.bob), 404, "not_found");
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let world = World::start();
    let refused = |query: &str| error(&world, &format!("/api/v1/explain?{query}"), Some(&world.ana), 422, "invalid_params");
    let figures = "income, net_income, forward_rate, withholding, growth, streak, safety, average_cost, expected, \
                   ex_dividend_date, annual_income, net_annual_income, value";
    for query in ["", "figure=yield&symbol=QTR", "figure=INCOME&symbol=QTR"] {
        assert_eq!(refused(query), format!("The parameter `figure` must be one of {figures}."), "{query}");
    }
    assert_eq!(refused("figure=income"), "The parameter `symbol` must be given for the figure `income`.");
    assert_eq!(
        refused("figure=annual_income&symbol=QTR"),
        "The parameter `symbol` must be left out for the figure `annual_income`."
    );
    assert!(refused("figure=annual_income&portfolio=none").contains("Core, Élan"));
}

#[test]
fn an_account_without_positions_has_no_income() {
    let world = World::start();
    let token = world.account("new@example.com", "EUR", None);
    let answer = |figure: &str| line(&ok(&world, &format!("/api/v1/explain?figure={figure}"), Some(&token)));
    assert_eq!(answer("annual_income"), "sum() = 0.00 EUR");
    assert_eq!(answer("growth"), "unknown(reason no_income) = – fraction");
    assert_eq!(answer("value"), "sum() = 0.00 EUR");
}
