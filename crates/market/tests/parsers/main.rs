//! What each provider's answers are read as. The answers are in their formats, with made-up companies and figures, or recorded.
#![allow(clippy::unwrap_used)]

mod alphavantage;
mod ecb;
mod eodhd;
mod fmp;
mod fuzzed;
mod yahoo;

use std::path::{Path, PathBuf};

use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use market::Response;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

fn response(status: u16, text: &str) -> Response {
    Response { status: StatusCode::from_u16(status).unwrap(), headers: HeaderMap::new(), bytes: text.to_owned().into() }
}

fn ok(text: &str) -> Response {
    response(200, text)
}

fn unit(name: &str) -> QuoteUnit {
    QuoteUnit::parse(name).unwrap()
}

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn figure(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn text(figure: Option<Decimal>) -> Option<String> {
    figure.map(|figure| figure.to_string())
}

/// Real files, if they are next to the repository.
fn samples(folder: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(folder);
    folder.is_dir().then_some(folder)
}
