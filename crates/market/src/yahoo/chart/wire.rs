//! The JSON structure of a chart.

use std::collections::BTreeMap;

use ledger::Decimal;
use serde::Deserialize;

use crate::figure::{self, Figure};
use crate::yahoo::answer;

#[derive(Deserialize)]
pub struct Wire {
    pub meta: Meta,
    #[serde(default)]
    pub timestamp: Option<Vec<i64>>,
    #[serde(default)]
    pub events: Option<Events>,
    #[serde(default)]
    pub indicators: Option<Indicators>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    pub symbol: String,
    #[serde(default)]
    pub currency: Option<String>,
    #[serde(default)]
    pub exchange_timezone_name: Option<String>,
    #[serde(default)]
    pub gmtoffset: Option<i32>,
    #[serde(default, deserialize_with = "answer::raw")]
    pub regular_market_price: Option<Decimal>,
    #[serde(default, deserialize_with = "answer::raw")]
    pub regular_market_time: Option<Decimal>,
    #[serde(default)]
    pub current_trading_period: Option<Periods>,
}

#[derive(Deserialize)]
pub struct Periods {
    pub regular: Period,
}

#[derive(Deserialize)]
pub struct Period {
    pub start: i64,
    pub end: i64,
}

/// The key may be the time of the bar; the time inside counts.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Events {
    pub dividends: BTreeMap<String, Amount>,
    pub capital_gains: BTreeMap<String, Amount>,
    pub splits: BTreeMap<String, SplitEvent>,
}

#[derive(Deserialize)]
pub struct Amount {
    pub amount: Figure,
    pub date: i64,
    /// Only if it may differ from the price's currency.
    #[serde(default)]
    pub currency: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SplitEvent {
    pub date: i64,
    #[serde(default, deserialize_with = "figure::optional")]
    pub numerator: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    pub denominator: Option<Decimal>,
    #[serde(default)]
    pub split_ratio: Option<String>,
}

#[derive(Deserialize)]
pub struct Indicators {
    pub quote: Vec<Bars>,
}

#[derive(Deserialize)]
pub struct Bars {
    #[serde(default)]
    pub close: Option<Vec<Option<Figure>>>,
}
