//! Never more than the budget allows.

use std::time::{Duration, Instant};

use market::{Budget, Config, Fault, Market, Urgency};
use replay::{Replay, Stock, World};
use tokio::task::JoinSet;

use crate::{closes, search, start_with};

fn budget(per_minute: u32, per_day: u32) -> Budget {
    Budget { per_minute, per_day }
}

/// A budget of three a minute has a gap of over a second between requests, which a live request waits for.
#[tokio::test]
async fn a_live_request_over_the_minute_budget_is_refused_at_once() {
    let (replay, market) = start_with(budget(3, 100));
    let begun = Instant::now();
    for _ in 0..3 {
        assert_eq!(search(&market).await, Ok(1));
    }
    let asked = Instant::now();
    assert_eq!(search(&market).await, Err(Fault::OverBudget));
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    let times = replay.times("");
    assert_eq!(times.len(), 3);
    assert!(times[2] - begun >= Duration::from_secs(2), "two gaps, however late a request arrives");
    assert_eq!(market.health()[0].rests_for, None, "which is no failure of the provider");
}

/// Of five requests a minute, background requests leave one to live ones.
#[tokio::test]
async fn background_requests_over_the_minute_budget_wait_their_turn() {
    let (replay, market) = start_with(budget(5, 100));
    let mut asking: JoinSet<_> = (2000..2020)
        .map(|year| {
            let market = market.clone();
            async move { closes(&market, year).await }
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(5_500)).await;
    assert_eq!((replay.requests().len(), asking.len()), (4, 20));
    let mut answered = 0;
    while let Some(answer) = asking.try_join_next() {
        assert_eq!(answer.unwrap(), Ok(2));
        answered += 1;
    }
    assert_eq!(answered, 4, "the others wait, and none is refused");
    assert_eq!(search(&market).await, Ok(1));
    assert_eq!(search(&market).await, Err(Fault::OverBudget));
    assert_eq!((replay.requests().len(), replay.busiest_minute()), (5, 5));
}

#[tokio::test]
async fn the_daily_budget_applies_to_live_and_background_requests() {
    let (replay, market) = start_with(budget(100, 2));
    assert_eq!(search(&market).await, Ok(1));
    assert_eq!(closes(&market, 2020).await, Ok(2));
    let asked = Instant::now();
    assert_eq!(search(&market).await, Err(Fault::OverBudget));
    assert_eq!(closes(&market, 2021).await, Err(Fault::OverBudget));
    assert!(asked.elapsed() < Duration::from_secs(1), "nobody waits for tomorrow");
    assert_eq!((replay.requests().len(), market.health()[0].used_today), (2, 2));
}

/// Of ten requests a day, one is reserved for live ones.
#[tokio::test]
async fn requests_used_before_a_restart_count() {
    let (replay, market) = start_with(budget(100, 10));
    market.resume("yahoo", 9);
    assert_eq!(market.health()[0].used_today, 9);
    assert_eq!(closes(&market, 2020).await, Err(Fault::OverBudget));
    assert_eq!(search(&market).await, Ok(1));
    assert_eq!(search(&market).await, Err(Fault::OverBudget));
    market.resume("yahoo", 3);
    assert_eq!(market.health()[0].used_today, 10, "less than is known is no news");
    assert_eq!(replay.requests().len(), 1);
}

#[tokio::test]
async fn failed_tries_count_against_the_budget() {
    let (replay, market) = start_with(budget(100, 2));
    replay.fail("", replay::Fault::Status(500));
    assert_eq!(closes(&market, 2020).await, Err(Fault::OverBudget), "after two of its three tries");
    assert_eq!(replay.requests().len(), 2);
}

fn keyed(name: &str, replay: Option<&Replay>) -> Market {
    let url = replay.map(|replay| replay.url(name));
    market::open(&[Config { name: name.to_owned(), key: Some("key".to_owned()), url, budget: None }]).unwrap()
}

#[test]
fn the_default_budgets_are_those_of_the_free_plans() {
    for (name, per_day) in [("fmp", 250), ("alphavantage", 25), ("eodhd", 20)] {
        assert_eq!(keyed(name, None).health()[0].budget.per_day, per_day, "{name}");
    }
    assert_eq!(keyed("alphavantage", None).health()[0].budget.per_minute, 5);
}

/// Unit and price are two requests, and a budget of five a minute needs a gap between them.
#[tokio::test]
async fn a_live_quote_may_take_two_requests_of_a_small_budget() {
    let text = str::to_owned;
    let stock = Stock { symbol: text("ABC.L"), unit: text("GBp"), price: text("512.5"), ..Stock::default() };
    let replay = Replay::start(World { stocks: vec![stock], ..World::default() });
    let market = keyed("alphavantage", Some(&replay));
    let begun = Instant::now();
    let quotes = market.quotes(&["ABC.L".to_owned()], Urgency::Live).await;
    assert_eq!(quotes.failed.len(), 0, "{:?}", quotes.failed);
    assert_eq!(quotes.found[0].answer.price.to_string(), "5.125");
    let times = replay.times("");
    assert!(times.len() == 2 && times[1] - begun >= Duration::from_secs(1));
}
