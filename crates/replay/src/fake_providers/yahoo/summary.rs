//! v10 quoteSummary and the cash-flow series.

use serde_json::{Map, Value, json};

use super::figures::{midnight, number, scaled};
use super::{error, result};
use crate::http::{Reply, Request};
use crate::world::Stock;

pub fn answer(stock: &Stock, request: &Request) -> Reply {
    let asked = request.parameter("modules").unwrap_or_default();
    let plain = request.parameter("formatted") == Some("false");
    let modules: Map<String, Value> =
        asked.split(',').filter_map(|name| Some((name.to_owned(), module(stock, name, plain)?))).collect();
    if modules.is_empty() {
        let text = format!("No fundamentals data found for any of the summaryTypes={asked}");
        return error("quoteSummary", "Not Found", &text).status(404);
    }
    result("quoteSummary", vec![Value::Object(modules)])
}

/// Funds have neither a calendar nor financial statements.
fn module(stock: &Stock, name: &str, plain: bool) -> Option<Value> {
    let has_books = stock.kind == "EQUITY";
    let figure = |text: &Option<String>| text.as_deref().map(|text| wrapped(number(text), plain));
    let day = |text: &Option<String>| text.as_deref().map(|text| wrapped(json!(midnight(text)), plain));
    let price = wrapped(number(&stock.price), plain);
    let module = match name {
        "assetProfile" => json!({
            "country": text(&stock.country), "sector": text(&stock.sector), "industry": text(&stock.industry),
            "companyOfficers": [], "maxAge": 86400,
        }),
        "summaryDetail" => json!({
            "currency": stock.unit, "dividendRate": figure(&stock.forward_rate),
            "payoutRatio": figure(&stock.payout_ratio.clone().or(Some("0".to_owned()))), "trailingPE": figure(&stock.pe),
            "fiftyDayAverage": price, "twoHundredDayAverage": price, "fiftyTwoWeekLow": price, "fiftyTwoWeekHigh": price,
        }),
        "calendarEvents" if has_books => json!({
            "earnings": {}, "exDividendDate": day(&stock.next_ex_date), "dividendDate": day(&stock.next_pay_date),
        }),
        "price" => json!({
            "currency": stock.unit, "exchange": stock.exchange, "quoteType": stock.kind, "symbol": stock.symbol,
            "longName": stock.name, "shortName": stock.name, "regularMarketPrice": price,
        }),
        "quoteType" => json!({
            "exchange": stock.exchange, "quoteType": stock.kind, "symbol": stock.symbol, "longName": stock.name,
            "timeZoneFullName": stock.time_zone,
        }),
        "financialData" if has_books => json!({ "financialCurrency": books(&stock.unit) }),
        _ => return None,
    };
    Some(without_null(module))
}

/// A million paid out, and a cash flow for the given cover.
pub fn cash_flows(stock: &Stock, request: &Request) -> Reply {
    let asked = request.parameter("type").unwrap_or_default();
    let series = |name: &str| {
        let cover = stock.fcf_cover.as_deref()?;
        let value = match name {
            "trailingFreeCashFlow" => number(&scaled(cover, 1_000_000, 1)),
            "trailingCashDividendsPaid" => json!(-1_000_000),
            _ => return None,
        };
        let report = json!({
            "asOfDate": "2025-12-31", "periodType": "TTM", "currencyCode": books(&stock.unit),
            "reportedValue": { "raw": value, "fmt": "1M" },
        });
        Some(json!({ "meta": { "symbol": [stock.symbol], "type": [name] }, "timestamp": [1767139200], name: [report] }))
    };
    let empty = |name: &str| json!({ "meta": { "symbol": [stock.symbol], "type": [name] } });
    result("timeseries", asked.split(',').map(|name| series(name).unwrap_or_else(|| empty(name))).collect())
}

/// Figures not requested as plain come with a formatted text.
fn wrapped(value: Value, plain: bool) -> Value {
    if plain { value } else { json!({ "fmt": value.to_string(), "raw": value }) }
}

fn text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn books(unit: &str) -> &str {
    match unit {
        "GBp" => "GBP",
        "ILA" => "ILS",
        "ZAc" => "ZAR",
        whole => whole,
    }
}

fn without_null(module: Value) -> Value {
    match module {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}
