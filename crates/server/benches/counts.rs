//! Instructions between the bytes of a request and those of its answer; `bench/counts` counts them. No closures in the counted
//! functions: see `crates/counts`.
#![allow(clippy::unwrap_used)]

#[path = "../../ledger/benches/counts/made_up.rs"]
mod made_up;

use app::income::Outlook;
use axum::http::header::AUTHORIZATION;
use gungraun::{library_benchmark, library_benchmark_group, main};
use ledger::Currency;
use made_up::{TODAY, fx, holdings};
use server::api::Income;
use serving::params::last_segment;
use serving::{Head, Query};

#[library_benchmark]
#[bench::income_of_40_holdings(outlook())]
fn body(outlook: Outlook) -> Vec<u8> {
    serde_json::to_vec(&Income::new(outlook, 10, false)).unwrap()
}

fn outlook() -> Outlook {
    let income = ledger::income(&holdings(40), Currency::EUR, &fx(), TODAY, 10, false).unwrap();
    Outlook { income, preferred: Currency::EUR, named: true }
}

#[library_benchmark]
#[bench::none("")]
#[bench::of_every_kind("years=20&drip=true&from=2026-01-31&portfolio=Mein%20Depot+%C3%A4&unknown=1")]
fn parameters(raw: &str) -> usize {
    let query = Query::parse(Some(raw)).unwrap();
    let years = query.integer("years", 1..=50, 10).unwrap();
    let drip = query.boolean("drip", false).unwrap();
    let from = query.date("from").unwrap();
    let portfolio = query.text("portfolio").unwrap();
    years as usize + usize::from(drip) + usize::from(from.is_some()) + portfolio.map_or(0, str::len)
}

#[library_benchmark]
#[bench::escaped("/api/v1/stocks/BRK%2DB")]
fn segment(path: &str) -> String {
    last_segment(path).unwrap()
}

#[library_benchmark]
#[bench::of_a_program(
    "GET /api/v1/income?years=10 HTTP/1.1\r\nHost: dripline.example:8080\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\
     Accept-Encoding: gzip, br\r\nAuthorization: Bearer drip_0123456789abcdefghijklmnopqrstuvwxyzABCDEF\r\n\
     If-None-Match: \"0123456789abcdef0123456789abcdef\"\r\n\r\n"
)]
fn head(request: &str) -> usize {
    let mut room = [httparse::EMPTY_HEADER; _];
    let head = Head::read(request.as_bytes(), &mut room).unwrap();
    head.path().len() + head.only(AUTHORIZATION).unwrap().len()
}

library_benchmark_group!(name = requests, benchmarks = [body, parameters, segment, head]);
main!(library_benchmark_groups = requests);
