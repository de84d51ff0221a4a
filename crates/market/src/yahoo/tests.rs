//! Answers in Yahoo's format, with made-up companies and figures.

mod chart;
mod dividends;
mod profile;
mod quote;
mod recordings;
mod search;
mod session;

use bytes::Bytes;
use jiff::civil::Date;
use ledger::Decimal;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::http_client::Response;

fn response(status: u16, body: &str) -> Response {
    let (headers, bytes) = (HeaderMap::new(), Bytes::copy_from_slice(body.as_bytes()));
    Response { status: StatusCode::from_u16(status).unwrap(), headers, bytes }
}

fn ok(body: &str) -> Response {
    response(200, body)
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn figure(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Yahoo's answer for an unknown symbol at each endpoint.
fn not_found(address: &str) -> Response {
    let error = r#"{"code":"Not Found","description":"No data found, symbol may be delisted"}"#;
    response(404, &format!(r#"{{"{address}":{{"result":null,"error":{error}}}}}"#))
}
