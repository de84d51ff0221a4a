//! The HTTP client for providers over real HTTP: budgets, retries, throttling and pauses.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod body;
mod budget;
mod failure;
mod flight;
mod redirect;
mod throttle;

use std::time::Duration;

use jiff::civil::date;
use market::{Budget, Config, Failure, Fault, Market};
use replay::{Replay, Stock, World};

pub const SEARCH: &str = "finance/search";
pub const CHART: &str = "finance/chart";

/// A server like Yahoo's with one stock, and a market that asks it.
pub fn start() -> (Replay, Market) {
    start_with(Budget { per_minute: 1000, per_day: 1000 })
}

pub fn start_with(budget: Budget) -> (Replay, Market) {
    let replay = Replay::start(World { stocks: vec![mill()], ..World::default() });
    let config = Config { name: "yahoo".to_owned(), url: Some(replay.url("yahoo")), budget: Some(budget), ..Config::default() };
    let market = market::open(&[config]).unwrap();
    (replay, market)
}

fn mill() -> Stock {
    let text = str::to_owned;
    Stock {
        symbol: text("MILL"),
        name: text("Mill & Sons"),
        unit: text("USD"),
        exchange: text("NYQ"),
        time_zone: text("America/New_York"),
        kind: text("EQUITY"),
        price: text("41.5"),
        closes: vec![(text("2024-03-06"), text("40")), (text("2024-03-07"), text("41"))],
        ..Stock::default()
    }
}

/// A live request: the number of results.
pub async fn search(market: &Market) -> Result<usize, Fault> {
    market.search("mill").await.map(|found| found.answer.len()).map_err(only)
}

/// A background request, different for each year: the number of closes since.
pub async fn closes(market: &Market, year: i16) -> Result<usize, Fault> {
    let answer = tokio::time::timeout(ANSWER_TIMEOUT, market.closes("MILL", date(year, 1, 1))).await;
    answer.expect("an answer in time").map(|found| found.answer.len()).map_err(only)
}

/// Nothing here takes longer unless it waits for something it should not.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(9);

pub fn only(mut failure: Failure) -> Fault {
    assert_eq!(failure.faults.len(), 1);
    failure.faults.remove(0).1
}

pub fn rests_for(market: &Market) -> Option<Duration> {
    market.health()[0].rests_for
}
