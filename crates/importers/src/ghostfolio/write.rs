//! Records → the JSON file that Ghostfolio imports.

use ledger::{Decimal, Kind};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::Record;
use crate::reading::listing;

const PRICE_DECIMALS: u32 = 12;

#[derive(Serialize)]
struct Export<'a> {
    meta: Meta,
    activities: Vec<Activity<'a>>,
}

#[derive(Serialize)]
struct Meta {
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Activity<'a> {
    comment: Option<String>,
    currency: String,
    data_source: &'static str,
    date: String,
    fee: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    quantity: Box<RawValue>,
    symbol: String,
    #[serde(rename = "type")]
    kind: &'static str,
    unit_price: Box<RawValue>,
}

/// Purchases, sales and dividends. Ghostfolio has no splits, no transfers, no return of capital and no dividends below zero:
/// these are left out, and [`can_write`] tells which. Tax has no place of its own either, so a comment tells it; portfolios
/// are not told apart.
pub fn write(records: &[Record]) -> Vec<u8> {
    let export = Export { meta: Meta { version: "dripline" }, activities: records.iter().filter_map(activity).collect() };
    serde_json::to_vec_pretty(&export).unwrap_or_default()
}

/// Whether the record would stand in the file.
pub fn can_write(record: &Record) -> bool {
    activity(record).is_some()
}

fn activity(record: &Record) -> Option<Activity<'_>> {
    let kind = match record.kind {
        Kind::Buy => "BUY",
        Kind::Sell => "SELL",
        Kind::Dividend => "DIVIDEND",
        _ => return None,
    };
    let currency = record.currency?.to_string();
    let quantity = match record.shares.filter(|shares| *shares > Decimal::ZERO) {
        Some(shares) => shares,
        // A sum stands for one share.
        None if record.kind == Kind::Dividend => Decimal::ONE,
        None => return None,
    };
    let unit_price = unit_price(record, quantity).filter(|price| *price >= Decimal::ZERO)?;
    let time = record.time.map_or("00:00:00".to_owned(), |time| time.strftime("%H:%M:%S").to_string());
    let tax = record.tax.filter(|tax| !tax.is_zero()).map(|tax| format!("withheld tax {} {currency}", tax.normalize()));
    let comment: Vec<String> = record.note.clone().into_iter().chain(tax).collect();
    Some(Activity {
        comment: (!comment.is_empty()).then(|| comment.join("; ")),
        data_source: "YAHOO",
        date: format!("{}T{time}.000Z", record.date),
        fee: number(record.fees.unwrap_or_default())?,
        id: record.id.as_deref(),
        quantity: number(quantity)?,
        symbol: symbol(record, &currency)?,
        kind,
        unit_price: number(unit_price)?,
        currency,
    })
}

/// The price where it makes the amount, else what does.
fn unit_price(record: &Record, quantity: Decimal) -> Option<Decimal> {
    let amount = record.amount.or(if record.price.is_none() { record.net } else { None });
    let priced = record.price.filter(|price| amount.is_none() || price.checked_mul(quantity) == amount);
    priced.or_else(|| Some(amount?.checked_div(quantity)?.round_dp(PRICE_DECIMALS).normalize()))
}

/// As Ghostfolio writes Yahoo's symbols: a cryptocurrency without its hyphen, and a security that has none by its ISIN.
fn symbol(record: &Record, currency: &str) -> Option<String> {
    let listed = record.ticker.as_deref().zip(record.suffix).map(|(ticker, suffix)| listing(ticker, suffix));
    let symbol = record.symbol.clone().or(listed).or_else(|| record.isin.clone())?;
    match symbol.strip_suffix(currency).and_then(|rest| rest.strip_suffix('-')).filter(|coin| coin.len() >= 3) {
        Some(coin) => Some(format!("{coin}{currency}")),
        None => Some(symbol),
    }
}

/// Its own digits, which a binary float would change.
fn number(figure: Decimal) -> Option<Box<RawValue>> {
    RawValue::from_string(figure.to_string()).ok()
}
