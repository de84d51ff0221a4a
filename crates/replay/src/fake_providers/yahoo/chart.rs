//! v8 chart. Amounts are adjusted for later splits; days are given as the exchange's opening time.

use serde_json::{Map, Value, json};

use super::figures::{midnight, number, scaled};
use super::result;
use crate::http::{Reply, Request};
use crate::world::{Dividend, Stock};

pub fn answer(stock: &Stock, request: &Request) -> Reply {
    let bound = |name: &str, otherwise: i64| request.parameter(name).map_or(otherwise, |text| text.parse().unwrap());
    let period = bound("period1", i64::MIN)..bound("period2", i64::MAX);
    let asked = |time: &i64| period.contains(time);
    let closes: Vec<(i64, Value)> =
        stock.closes.iter().map(|(date, close)| (opening(stock, date), number(close))).filter(|(time, _)| asked(time)).collect();
    let mut events = Map::new();
    let is_gain = |dividend: &Dividend| dividend.special && stock.kind == "MUTUALFUND";
    let amount = |dividend: &Dividend| {
        let time = opening(stock, &dividend.ex_date);
        (time, json!({ "amount": number(&adjusted(stock, dividend)), "date": time }))
    };
    let split = |split: &crate::world::Split| {
        let (time, ratio) = (opening(stock, &split.date), format!("{}:{}", split.new, split.old));
        (time, json!({ "date": time, "numerator": split.new, "denominator": split.old, "splitRatio": ratio }))
    };
    let lists = [
        ("dividends", stock.dividends.iter().filter(|one| !is_gain(one)).map(amount).collect::<Vec<_>>()),
        ("capitalGains", stock.dividends.iter().filter(|one| is_gain(one)).map(amount).collect()),
        ("splits", stock.splits.iter().map(split).collect()),
    ];
    for (name, list) in lists {
        let list: Map<String, Value> =
            list.into_iter().filter(|(time, _)| asked(time)).map(|(time, event)| (time.to_string(), event)).collect();
        if !list.is_empty() {
            events.insert(name.to_owned(), Value::Object(list));
        }
    }
    let mut chart = Map::from_iter([("meta".to_owned(), meta(stock))]);
    if !closes.is_empty() {
        chart.insert("timestamp".to_owned(), closes.iter().map(|(time, _)| *time).collect());
    }
    if !events.is_empty() {
        chart.insert("events".to_owned(), Value::Object(events));
    }
    let bars: Value = closes.into_iter().map(|(_, close)| close).collect();
    chart.insert("indicators".to_owned(), json!({ "quote": [{ "close": bars }], "adjclose": [{ "adjclose": bars }] }));
    result("chart", vec![Value::Object(chart)])
}

fn meta(stock: &Stock) -> Value {
    json!({
        "currency": stock.unit, "symbol": stock.symbol, "exchangeName": stock.exchange, "instrumentType": stock.kind,
        "regularMarketTime": stock.price_time, "regularMarketPrice": number(&stock.price), "gmtoffset": stock.utc_offset,
        "exchangeTimezoneName": stock.time_zone, "longName": stock.name, "dataGranularity": "1d",
    })
}

/// 10:00 on the day.
fn opening(stock: &Stock, date: &str) -> i64 {
    midnight(date) + 10 * 3600 - stock.utc_offset
}

fn adjusted(stock: &Stock, dividend: &Dividend) -> String {
    let later = stock.splits.iter().filter(|split| split.date > dividend.ex_date);
    let (new, old) = later.fold((1, 1), |(new, old), split| (new * u64::from(split.old), old * u64::from(split.new)));
    if new == old { dividend.amount.clone() } else { scaled(&dividend.amount, new, old) }
}
