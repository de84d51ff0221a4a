//! Every field row of the contract stands in the served document, with its type: `!` is always present, `?` may be null.

use serde_json::Value;
use testkit::Service;

use super::contract::served;

/// Further fields are allowed: the API grows.
fn has(schema: &str, rows: &[&str]) {
    let service = Service::start();
    let schema = &served(&service)["components"]["schemas"][schema];
    for row in rows {
        let (field, kind) = row.split_once(' ').unwrap();
        let (name, required) = field.strip_suffix('!').map_or((field, false), |name| (name, true));
        let property = &schema["properties"][name];
        assert_eq!(described(property), kind, "{name}");
        let listed = schema["required"].as_array().unwrap().iter().any(|one| one == name);
        assert_eq!(listed, required || property["nullable"] == true, "{name} is always present");
    }
}

fn described(property: &Value) -> String {
    let target = |reference: &Value| Some(reference["$ref"].as_str()?.rsplit('/').next()?.to_owned());
    let base = target(property).or_else(|| target(&property["allOf"][0])).unwrap_or_else(|| match property["type"].as_str() {
        Some("array") => format!("[{}]", described(&property["items"])),
        Some("object") => format!("{{{}}}", described(&property["additionalProperties"])),
        Some("string") => property["format"].as_str().unwrap_or("string").to_owned(),
        Some("number") => property["format"].as_str().unwrap_or("number").to_owned(),
        other => other.unwrap_or("nothing").to_owned(),
    });
    if property["nullable"] == true { format!("{base}?") } else { base }
}

#[test]
fn money_is_a_decimal_string_and_a_currency() {
    has("Money", &["amount! string", "currency! string"]);
    let service = Service::start();
    assert_eq!(served(&service)["components"]["schemas"]["Money"]["properties"]["amount"]["pattern"], r"^-?\d+(\.\d+)?$");
}

#[test]
fn me_has_the_fields_of_the_contract() {
    has("Me", &["id! uuid", "email! string", "name string?", "preferred_currency! string"]);
}

#[test]
fn a_portfolio_has_the_fields_of_the_contract() {
    has("Portfolio", &["name! string", "default! boolean", "slug string"]);
    has("PortfolioList", &["portfolios! [Portfolio]"]);
}

#[test]
fn a_holding_has_the_fields_of_the_contract() {
    let optional = ["isin string?", "instrument_type string?", "sector string?", "portfolio string"];
    has("Holding", &["symbol! string", "name! string?", "shares! string", "average_cost! Money"]);
    has("Holding", &optional);
    has("HoldingList", &["holdings! [Holding]"]);
}

#[test]
fn a_dividend_has_the_fields_of_the_contract() {
    has("Dividend", &["symbol! string", "date! date", "amount! Money", "net! Money", "per_share_amount Money?"]);
    has("Dividend", &["withholding_tax Money?", "quantity integer?", "isin string?", "name string?", "source string"]);
    has("Dividend", &["portfolio string", "shares string?", "gross_known boolean"]);
    has("DividendList", &["dividends! [Dividend]"]);
}

#[test]
fn income_has_the_fields_of_the_contract() {
    has("Income", &["annual_income! Money", "net_annual_income! Money", "drip! boolean", "years! integer"]);
    has("Income", &["current_yield_pct double?", "growth_rate double?", "holdings! [IncomeHolding]"]);
    has("Income", &["projection! [ProjectionYear]", "income_year IncomeYear?", "unconverted [Unconverted]"]);
    has("IncomeHolding", &["symbol! string", "income! Money", "net_income! Money", "cagr_5y double?"]);
    has("IncomeHolding", &["growth double?", "streak integer?", "portfolio string"]);
    has("ProjectionYear", &["year_offset! integer", "income! Money", "net_income! Money"]);
}

#[test]
fn the_income_year_has_the_fields_of_the_contract() {
    has("IncomeYear", &["by_month! {Money}", "average_month! Money", "biggest_months! [integer]"]);
    has("IncomeYear", &["biggest_months_share! double", "empty_months! [integer]", "thin_months! [integer]"]);
    has("IncomeYear", &["net_of_withholding! boolean"]);
}

#[test]
fn what_if_has_its_fields() {
    has("Change", &["symbol! string", "portfolio! string", "shares! string", "price StoredPrice?", "cost Money?"]);
    has("Change", &["added_income Money?", "added_net_income Money?", "yield_pct double?", "before! Outlook", "after! Outlook"]);
    has("Outlook", &["annual_income! Money", "net_annual_income! Money", "current_yield_pct double?", "income_year IncomeYear?"]);
    has("Outlook", &["shares! string", "income Money?", "net_income Money?", "share_of_income_pct double?"]);
}

#[test]
fn upcoming_has_the_fields_of_the_contract() {
    has("Upcoming", &["from! date", "days! integer", "items! [UpcomingItem]"]);
    has("UpcomingItem", &["symbol! string", "held! boolean", "ex_dividend_date! date?", "pay_date! date?"]);
    has("UpcomingItem", &["per_share! Money?", "expected! Money?", "expected_net Money?", "shares string?"]);
    has("UpcomingItem", &["name string?", "portfolio string", "declared! boolean"]);
}

#[test]
fn the_calendar_has_the_fields_of_the_contract() {
    has("Calendar", &["from! date", "days! integer", "stocks! [CalendarStock]"]);
    has("CalendarStock", &["symbol! string", "ex_dividend_date! date", "name string?", "sector string?"]);
    has("CalendarStock", &["payment_frequency string?"]);
}

#[test]
fn a_stock_has_the_fields_of_the_contract() {
    has("Stock", &["symbol! string", "currency! string", "price! Price?", "dividend! StockDividend", "scores! Scores"]);
    has("Stock", &["name string?", "industry string?", "sector string?", "instrument_type string?"]);
    has("Price", &["amount! string", "currency! string", "live! boolean", "as_of date-time?"]);
    has("Scores", &["momentum! double?", "rating! double?", "value! double?"]);
    has("StockDividend", &["payment_months! [integer]", "safety! Safety", "annual Money?", "cagr_5y double?"]);
    has("StockDividend", &["ex_dividend_date date?", "frequency string?", "streak_years integer?"]);
    has("StockDividend", &["yield_avg_5y_pct double?", "yield_pct double?"]);
    let service = Service::start();
    let safety = &served(&service)["components"]["schemas"]["Safety"]["enum"];
    assert_eq!(*safety, serde_json::json!(["safe", "watch", "at_risk", "unknown"]));
}

#[test]
fn a_search_result_has_the_fields_of_the_contract() {
    has("StockSearch", &["results! [SearchResult]"]);
    has("SearchResult", &["symbol! string", "tracked! boolean", "name string?", "exchange string?", "type string?"]);
}

#[test]
fn an_error_has_the_fields_of_the_contract() {
    has("Error", &["error! ErrorBody"]);
    has("ErrorBody", &["code! string", "message! string"]);
}
