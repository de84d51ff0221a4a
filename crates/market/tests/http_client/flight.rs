//! Identical requests share one in flight.

use std::time::Duration;

use market::Market;
use tokio::task::JoinSet;

use crate::{CHART, SEARCH, closes, search, start};

const SLOW: replay::Fault = replay::Fault::Slow(Duration::from_millis(400));

#[tokio::test]
async fn fifty_identical_live_requests_share_one() {
    let (replay, market) = start();
    replay.fail(SEARCH, SLOW);
    let answers = fifty(&market, |market| async move { search(&market).await }).await;
    assert_eq!(answers, vec![Ok(1); 50]);
    assert_eq!(replay.count(SEARCH), 1);
}

#[tokio::test]
async fn fifty_identical_background_requests_share_one_and_a_different_one_does_not() {
    let (replay, market) = start();
    replay.fail(CHART, SLOW);
    let (answers, other) = tokio::join!(
        fifty(&market, |market| async move { closes(&market, 2020).await }),
        market.closes("MILL", jiff::civil::date(1990, 1, 1))
    );
    assert_eq!((answers, other.unwrap().answer.len()), (vec![Ok(2); 50], 2));
    assert_eq!(replay.count(CHART), 2);
}

#[tokio::test]
async fn a_failure_is_shared_and_counts_once() {
    let (replay, market) = start();
    replay.fail(SEARCH, SLOW);
    replay.fail_times(SEARCH, 1, replay::Fault::Truncate);
    let answers = fifty(&market, |market| async move { search(&market).await }).await;
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.is_err()), "{answers:?}");
    assert_eq!((replay.count(SEARCH), market.health()[0].failures), (1, 1));
}

async fn fifty<T, F>(market: &Market, ask: impl Fn(Market) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let asking: JoinSet<T> = (0..50).map(|_| ask(market.clone())).collect();
    asking.join_all().await
}
