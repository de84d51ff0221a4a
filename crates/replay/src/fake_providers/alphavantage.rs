//! Imitates Alpha Vantage. The key selects the response: `wrong`, `spent` (the day's limit is reached, and the key is repeated)
//! or `hasty` (too many in a minute); any other key works. Stocks have the world's names, with `.LON` for `.L`.

use serde_json::{Value, json};

use crate::http::{Reply, Request};
use crate::world::{Stock, World};

pub fn answer(world: &World, request: &Request) -> Reply {
    if let Some(refusal) = refusal(request.parameter("apikey")) {
        return Reply::json(&refusal);
    }
    let stock = request.parameter("symbol").and_then(|symbol| world.stock(&symbol.replace(".LON", ".L")));
    let body = match (request.parameter("function"), stock) {
        (Some("SYMBOL_SEARCH"), _) => search(world, request.parameter("keywords").unwrap_or_default()),
        (Some("GLOBAL_QUOTE"), None) => json!({ "Global Quote": {} }),
        (Some("GLOBAL_QUOTE"), Some(stock)) => json!({ "Global Quote": {
            "01. symbol": theirs(stock), "05. price": stock.price, "07. latest trading day": "2026-02-04",
        } }),
        (Some("DIVIDENDS" | "SPLITS"), None) => json!({ "symbol": request.parameter("symbol"), "data": [] }),
        (_, None) => json!({}),
        (Some("OVERVIEW"), Some(stock)) if stock.kind == "ETF" => json!({}),
        (Some("OVERVIEW"), Some(stock)) => overview(stock),
        (Some("CASH_FLOW"), Some(stock)) => cash_flow(stock),
        (Some("DIVIDENDS"), Some(stock)) => dividends(stock),
        (Some("SPLITS"), Some(stock)) => splits(stock),
        _ => json!({ "Error Message": "This API function does not exist." }),
    };
    Reply::json(&body)
}

fn refusal(key: Option<&str>) -> Option<Value> {
    match key {
        None | Some("wrong") => {
            Some(json!({ "Error Message": "the parameter apikey is invalid or missing. Please claim your free API key." }))
        }
        Some("spent") => Some(json!({ "Information":
            "We have detected your API key as spent and our standard API rate limit is 25 requests per day." })),
        Some("hasty") => Some(json!({ "Note":
            "Thank you! Our standard API call frequency is 5 calls per minute and 25 calls per day." })),
        _ => None,
    }
}

fn theirs(stock: &Stock) -> String {
    match stock.symbol.strip_suffix(".L") {
        Some(code) => format!("{code}.LON"),
        None => stock.symbol.clone(),
    }
}

fn search(world: &World, text: &str) -> Value {
    let fits = |stock: &&Stock| {
        let text = text.to_lowercase();
        !stock.delisted && (theirs(stock).to_lowercase().starts_with(&text) || stock.name.to_lowercase().contains(&text))
    };
    let row = |stock: &Stock| {
        json!({
            "1. symbol": theirs(stock), "2. name": stock.name, "3. type": if stock.kind == "ETF" { "ETF" } else { "Equity" }, "4. region": stock.exchange,
            "8. currency": if stock.unit == "GBp" { "GBX" } else { &stock.unit }, "9. matchScore": "1.0000",
        })
    };
    json!({ "bestMatches": world.stocks.iter().filter(fits).map(row).collect::<Vec<_>>() })
}

fn overview(stock: &Stock) -> Value {
    let or_none = |figure: &Option<String>| figure.clone().unwrap_or_else(|| "None".to_owned());
    json!({
        "Symbol": theirs(stock), "AssetType": "Common Stock", "Name": stock.name, "Exchange": stock.exchange,
        "Currency": stock.unit.to_uppercase(), "Country": stock.country, "Sector": stock.sector.to_uppercase(),
        "Industry": stock.industry.to_uppercase(), "PERatio": or_none(&stock.pe), "PayoutRatio": or_none(&stock.payout_ratio),
        "DividendPerShare": or_none(&stock.forward_rate), "52WeekHigh": stock.price, "52WeekLow": stock.price,
        "50DayMovingAverage": stock.price, "200DayMovingAverage": "-",
        "ExDividendDate": or_none(&stock.next_ex_date), "DividendDate": or_none(&stock.next_pay_date),
    })
}

/// Dividends of 1 and no investments, so that the operating cash flow is the cover.
fn cash_flow(stock: &Stock) -> Value {
    let row = |cover: &String| json!({ "fiscalDateEnding": "2025-12-31", "operatingCashflow": cover, "capitalExpenditures": "0", "dividendPayout": "1" });
    json!({ "symbol": theirs(stock), "annualReports": stock.fcf_cover.iter().map(row).collect::<Vec<_>>() })
}

fn dividends(stock: &Stock) -> Value {
    let day = |day: &Option<String>| day.clone().unwrap_or_else(|| "None".to_owned());
    let row = |one: &crate::Dividend| {
        json!({
            "ex_dividend_date": one.ex_date, "declaration_date": day(&one.declared_date), "record_date": "None",
            "payment_date": day(&one.pay_date), "amount": one.amount,
        })
    };
    json!({ "symbol": theirs(stock), "data": stock.dividends.iter().rev().map(row).collect::<Vec<_>>() })
}

/// Only decimals with few places.
fn splits(stock: &Stock) -> Value {
    let factor = |split: &crate::Split| format!("{}.{:04}", split.new / split.old, split.new % split.old * 10_000 / split.old);
    let row = |split: &crate::Split| json!({ "effective_date": split.date, "split_factor": factor(split) });
    json!({ "symbol": theirs(stock), "data": stock.splits.iter().rev().map(row).collect::<Vec<_>>() })
}
