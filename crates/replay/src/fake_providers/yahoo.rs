//! Yahoo Finance: a cookie, a crumb, and answers in its format.

mod chart;
mod figures;
mod session;
mod summary;

use serde_json::{Value, json};

use crate::http::{Reply, Request};
use crate::world::{Stock, World};
use figures::number;

pub fn answer(world: &World, request: &Request) -> Reply {
    // Clients that do not look like a current browser get nothing.
    if !request.header("user-agent").is_some_and(|agent| agent.contains(" Chrome/")) {
        return Reply::text("text/plain", "Too Many Requests\r\n").status(429);
    }
    let path = request.path.trim_start_matches("/yahoo");
    let (place, symbol) = path.rsplit_once('/').unwrap_or((path, ""));
    match (place, symbol) {
        ("/v1/finance", "search") => search(world, request),
        ("/v7/finance", "quote") => session::checked(world, request, quotes),
        ("/v8/finance/chart", symbol) => with_stock(world, symbol, "chart", |stock| chart::answer(stock, request)),
        ("/v10/finance/quoteSummary", symbol) => session::checked(world, request, |world, request| {
            with_stock(world, symbol, "quoteSummary", |stock| summary::answer(stock, request))
        }),
        ("/ws/fundamentals-timeseries/v1/finance/timeseries", symbol) => {
            with_stock(world, symbol, "timeseries", |stock| summary::cash_flows(stock, request))
        }
        _ => session::answer(world, request, path),
    }
}

fn with_stock(world: &World, symbol: &str, name: &str, answer: impl Fn(&Stock) -> Reply) -> Reply {
    world
        .stock(symbol)
        .map(answer)
        .unwrap_or_else(|| error(name, "Not Found", "No data found, symbol may be delisted").status(404))
}

fn error(name: &str, code: &str, description: &str) -> Reply {
    Reply::json(&json!({ name: { "result": null, "error": { "code": code, "description": description } } }))
}

fn result(name: &str, rows: Vec<Value>) -> Reply {
    Reply::json(&json!({ name: { "result": rows, "error": null } }))
}

fn quotes(world: &World, request: &Request) -> Reply {
    let symbols = request.parameter("symbols").unwrap_or_default();
    let rows = symbols.split(',').filter_map(|symbol| world.stock(symbol)).map(|stock| {
        json!({
            "language": "en-US", "region": "US", "quoteType": stock.kind, "symbol": stock.symbol, "exchange": stock.exchange,
            "currency": stock.unit, "shortName": stock.name, "longName": stock.name,
            "exchangeTimezoneName": stock.time_zone, "gmtOffSetMilliseconds": stock.utc_offset * 1000,
            "regularMarketPrice": number(&stock.price), "regularMarketTime": stock.price_time,
        })
    });
    result("quoteResponse", rows.collect())
}

fn search(world: &World, request: &Request) -> Reply {
    let text = request.parameter("q").unwrap_or_default().to_lowercase();
    let fits = |stock: &&Stock| {
        let words = [&stock.symbol, &stock.name, &stock.isin];
        !stock.delisted && words.iter().any(|word| word.to_lowercase().contains(&text))
    };
    let mut rows: Vec<Value> = world
        .stocks
        .iter()
        .filter(fits)
        .map(|stock| {
            json!({
                "exchange": stock.exchange, "exchDisp": stock.exchange, "shortname": stock.name, "longname": stock.name,
                "quoteType": stock.kind, "symbol": stock.symbol, "index": "quotes", "score": 20000, "isYahooFinance": true,
            })
        })
        .collect();
    if !rows.is_empty() {
        rows.push(json!({ "index": "78ddc0", "name": "A private company", "permalink": "private", "isYahooFinance": false }));
    }
    Reply::json(&json!({ "explains": [], "count": rows.len(), "quotes": rows, "news": [], "nav": [], "lists": [] }))
}
