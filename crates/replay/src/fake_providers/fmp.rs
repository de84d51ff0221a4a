//! Imitates Financial Modeling Prep. The key selects the response: `wrong`, `spent` (the day's limit is reached) or `free` (no
//! fundamentals, no calendar); any other key works for everything.

use serde_json::{Value, json};

use crate::http::{Reply, Request};
use crate::world::{Dividend, Stock, World};

pub fn answer(world: &World, request: &Request) -> Reply {
    let path = request.path.trim_start_matches("/fmp");
    if let Some(refusal) = refusal(request.parameter("apikey"), path) {
        return refusal;
    }
    let stock = request.parameter("symbol").and_then(|symbol| world.stock(symbol));
    let of_stock = |rows: fn(&Stock) -> Vec<Value>| Reply::json(&stock.map(rows).unwrap_or_default().into());
    match path {
        "/quote" => of_stock(quote),
        "/profile" => of_stock(profile),
        "/ratios-ttm" => of_stock(ratios),
        "/cash-flow-statement" => of_stock(cash_flow),
        "/dividends" => of_stock(|stock| stock.dividends.iter().rev().map(|one| dividend(stock, one)).collect()),
        "/splits" => of_stock(splits),
        "/historical-price-eod/light" => of_stock(closes),
        "/search-symbol" => Reply::json(&search(world, request, |stock, text| stock.symbol.to_lowercase().starts_with(text))),
        "/search-name" => Reply::json(&search(world, request, |stock, text| stock.name.to_lowercase().contains(text))),
        "/search-isin" => Reply::json(&by_isin(world, request)),
        "/dividends-calendar" => Reply::json(&calendar(world, request)),
        _ => Reply::json(&json!([])).status(404),
    }
}

fn refusal(key: Option<&str>, path: &str) -> Option<Reply> {
    let complain = |text: &str| Reply::json(&json!({ "Error Message": text }));
    let paid = ["/ratios-ttm", "/cash-flow-statement", "/dividends-calendar"];
    match key {
        None | Some("wrong") => Some(complain("Invalid API KEY. Feel free to create a Free API Key.").status(401)),
        Some("spent") => Some(complain("Limit Reach . Please upgrade your plan or visit our documentation for more details")),
        Some("free") if paid.contains(&path) => {
            let text = "Exclusive Endpoint : This endpoint is not available under your current subscription";
            Some(Reply::text("text/plain", text).status(402))
        }
        _ => None,
    }
}

fn quote(stock: &Stock) -> Vec<Value> {
    let price = number(&stock.price);
    vec![json!({
        "symbol": stock.symbol, "name": stock.name, "price": price, "priceAvg50": price, "priceAvg200": price,
        "exchange": stock.exchange, "timestamp": stock.price_time,
    })]
}

fn profile(stock: &Stock) -> Vec<Value> {
    vec![json!({
        "symbol": stock.symbol, "companyName": stock.name, "currency": stock.unit, "exchange": stock.exchange,
        "lastDividend": 99, "range": format!("{0}-{0}", stock.price), "isin": stock.isin, "country": stock.country,
        "sector": stock.sector, "industry": stock.industry, "isEtf": stock.kind == "ETF", "isFund": stock.kind == "MUTUALFUND",
    })]
}

fn ratios(stock: &Stock) -> Vec<Value> {
    let figure = |text: &Option<String>| text.as_deref().map(number);
    vec![json!({ "priceToEarningsRatioTTM": figure(&stock.pe), "dividendPayoutRatioTTM": figure(&stock.payout_ratio) })]
}

/// Dividends of 1, so that the free cash flow is the cover.
fn cash_flow(stock: &Stock) -> Vec<Value> {
    let row = |cover: &String| json!({ "date": "2025-12-31", "period": "FY", "freeCashFlow": number(cover), "netDividendsPaid": -1, "commonDividendsPaid": -1 });
    stock.fcf_cover.iter().map(row).collect()
}

fn dividend(stock: &Stock, one: &Dividend) -> Value {
    let day = |day: &Option<String>| day.clone().unwrap_or_default();
    json!({
        "symbol": stock.symbol, "date": one.ex_date, "recordDate": "", "paymentDate": day(&one.pay_date),
        "declarationDate": day(&one.declared_date), "adjDividend": number(&one.amount), "dividend": number(&one.amount),
        "yield": 3.2, "frequency": if one.special { "Special" } else { "Quarterly" },
    })
}

fn splits(stock: &Stock) -> Vec<Value> {
    let row = |split: &crate::Split| json!({ "symbol": stock.symbol, "date": split.date, "numerator": split.new, "denominator": split.old, "splitType": "stock-split" });
    stock.splits.iter().rev().map(row).collect()
}

fn closes(stock: &Stock) -> Vec<Value> {
    let row =
        |(date, close): &(String, String)| json!({ "symbol": stock.symbol, "date": date, "price": number(close), "volume": 1 });
    stock.closes.iter().rev().map(row).collect()
}

fn search(world: &World, request: &Request, fits: fn(&Stock, &str) -> bool) -> Value {
    let text = request.parameter("query").unwrap_or_default().to_lowercase();
    let found = world.stocks.iter().filter(|stock| !stock.delisted && fits(stock, &text));
    found
        .map(|stock| json!({ "symbol": stock.symbol, "name": stock.name, "currency": stock.unit, "exchange": stock.exchange }))
        .collect()
}

fn by_isin(world: &World, request: &Request) -> Value {
    let isin = request.parameter("isin").unwrap_or_default();
    let found = world.stocks.iter().filter(|stock| !stock.delisted && stock.isin == isin);
    found.map(|stock| json!({ "symbol": stock.symbol, "name": stock.name, "isin": stock.isin, "marketCap": 0 })).collect()
}

fn calendar(world: &World, request: &Request) -> Value {
    let (from, to) = (request.parameter("from").unwrap_or_default(), request.parameter("to").unwrap_or_default());
    let all = world.stocks.iter().flat_map(|stock| stock.dividends.iter().map(move |one| (stock, one)));
    all.filter(|(_, one)| (from..=to).contains(&one.ex_date.as_str())).map(|(stock, one)| dividend(stock, one)).collect()
}

/// The text as a number.
fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
