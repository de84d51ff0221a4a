//! Imitates EOD Historical Data. The key selects the response: `wrong`, `spent` (the day's quota is used up) or `free` (no
//! splits); any other key works for everything.

use serde_json::{Value, json};

use crate::http::{Reply, Request};
use crate::world::{Split, Stock, World};

pub fn answer(world: &World, request: &Request) -> Reply {
    let path = request.path.trim_start_matches("/eodhd/");
    let (call, subject) = path.split_once('/').unwrap_or((path, ""));
    if let Some(refusal) = refusal(request.parameter("api_token"), call) {
        return refusal;
    }
    let stock = world.stocks.iter().find(|stock| !stock.delisted && theirs(stock) == subject);
    let from = request.parameter("from").unwrap_or_default();
    match (call, stock) {
        ("search", _) => Reply::json(&search(world, subject)),
        ("real-time", None) => Reply::json(&json!({ "code": subject, "timestamp": "NA", "close": "NA" })),
        ("real-time", Some(stock)) => {
            Reply::json(&json!({ "code": subject, "timestamp": stock.price_time, "close": number(&stock.price) }))
        }
        ("div", Some(stock)) => Reply::json(&dividends(stock, from)),
        ("splits", Some(stock)) => Reply::json(&splits(stock, from)),
        ("eod", Some(stock)) => Reply::json(&closes(stock, from)),
        _ => Reply::text("text/plain", "Ticker Not Found.").status(404),
    }
}

fn refusal(key: Option<&str>, call: &str) -> Option<Reply> {
    match key {
        None | Some("wrong") => Some(Reply::text("text/plain", "Unauthenticated").status(401)),
        Some("spent") => Some(Reply::text("text/html", "<p>You exceeded your daily API requests limit.").status(402)),
        Some("free") if call == "splits" => Some(Reply::text("text/plain", "Please upgrade your plan").status(403)),
        _ => None,
    }
}

/// `.L` is `.LSE`, no suffix is `.US`; other exchanges are the same.
fn theirs(stock: &Stock) -> String {
    match stock.symbol.rsplit_once('.') {
        None => format!("{}.US", stock.symbol),
        Some((code, "L")) => format!("{code}.LSE"),
        Some(_) => stock.symbol.clone(),
    }
}

fn search(world: &World, text: &str) -> Value {
    let fits = |stock: &&Stock| {
        let text = text.to_lowercase();
        !stock.delisted && (theirs(stock).to_lowercase().starts_with(&text) || stock.name.to_lowercase().contains(&text))
    };
    let row = |stock: &Stock| {
        let theirs = theirs(stock);
        let (code, exchange) = theirs.rsplit_once('.').unwrap();
        let isin = Some(&stock.isin).filter(|isin| !isin.is_empty());
        json!({ "Code": code, "Exchange": exchange, "Name": stock.name, "Type": "Common Stock", "Country": "UK",
            "Currency": unit(&stock.unit), "ISIN": isin })
    };
    world.stocks.iter().filter(fits).map(row).collect()
}

fn dividends(stock: &Stock, from: &str) -> Value {
    let row = |one: &crate::Dividend| {
        json!({
            "date": one.ex_date, "declarationDate": one.declared_date, "paymentDate": one.pay_date,
            "period": if one.special { "Special" } else { "Quarterly" }, "unadjustedValue": number(&one.amount),
            "value": scaled(&one.amount, &one.ex_date, &stock.splits, |split| (split.old, split.new)),
            "currency": unit(one.currency.as_deref().unwrap_or(&stock.unit)),
        })
    };
    stock.dividends.iter().filter(|one| *one.ex_date >= *from).map(row).collect()
}

fn splits(stock: &Stock, from: &str) -> Value {
    let row = |split: &Split| json!({ "date": split.date, "split": format!("{}.000000/{}.000000", split.new, split.old) });
    stock.splits.iter().filter(|split| *split.date >= *from).map(row).collect()
}

/// Closes as traded; the adjusted ones are nonsense, because nobody should read them.
fn closes(stock: &Stock, from: &str) -> Value {
    let row = |(date, close): &(String, String)| {
        let traded = scaled(close, date, &stock.splits, |split| (split.new, split.old));
        json!({ "date": date, "close": traded, "adjusted_close": 0.01 })
    };
    stock.closes.iter().filter(|(date, _)| **date >= *from).map(row).collect()
}

fn unit(unit: &str) -> &str {
    if unit == "GBp" { "GBX" } else { unit }
}

/// A number multiplied by the terms of every later split, with six more decimals.
fn scaled(text: &str, day: &str, splits: &[Split], terms: fn(&Split) -> (u32, u32)) -> Value {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let start: u64 = format!("{whole}{decimals}000000").parse().unwrap();
    let later = splits.iter().filter(|split| *split.date > *day).map(terms);
    let figure = later.fold(start, |figure, (by, over)| figure * u64::from(by) / u64::from(over));
    let scale = 10u64.pow(decimals.len() as u32 + 6);
    number(&format!("{}.{:0width$}", figure / scale, figure % scale, width = decimals.len() + 6))
}

/// The text as a number.
fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
