//! Throttling by a provider.

use std::time::{Duration, Instant};

use market::{Budget, Fault};
use replay::Reply;

use crate::{CHART, SEARCH, closes, rests_for, search, start, start_with};

#[tokio::test]
async fn a_background_request_waits_for_a_short_retry_after() {
    let (replay, market) = start();
    replay.fail_times(CHART, 1, replay::Fault::Throttle(Some(1)));
    assert_eq!(closes(&market, 2020).await, Ok(2));
    let times = replay.times(CHART);
    assert_eq!(times.len(), 2);
    assert!(times[1] - times[0] >= Duration::from_secs(1), "{:?}", times[1] - times[0]);
}

#[tokio::test]
async fn a_long_retry_after_fails_at_once_and_pauses_the_provider() {
    let (replay, market) = start();
    replay.fail_times(CHART, 1, replay::Fault::Throttle(Some(3_600)));
    let asked = Instant::now();
    assert_eq!(closes(&market, 2020).await, Err(Fault::Throttled(Some(Duration::from_secs(3_600)))));
    for _ in 0..3 {
        assert!(matches!(closes(&market, 2020).await, Err(Fault::Resting(..))));
        assert!(matches!(search(&market).await, Err(Fault::Resting(..))));
    }
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    assert_eq!(replay.requests().len(), 1);
    let rest = rests_for(&market).unwrap().as_secs();
    assert!((3_590..=3_600).contains(&rest), "{rest}");
}

#[tokio::test]
async fn throttling_without_retry_after_pauses_the_provider_for_a_while() {
    let (replay, market) = start();
    replay.fail_times(SEARCH, 1, replay::Fault::Throttle(None));
    assert_eq!(search(&market).await, Err(Fault::Throttled(None)));
    assert!(matches!(search(&market).await, Err(Fault::Resting(..))));
    assert!(closes(&market, 2020).await.is_err());
    assert_eq!(replay.requests().len(), 1);
    tokio::time::sleep(rests_for(&market).unwrap() + Duration::from_millis(50)).await;
    assert_eq!(search(&market).await, Ok(1));
    assert_eq!(rests_for(&market), None);
}

#[tokio::test]
async fn a_retry_after_date_is_read_and_capped_at_a_day() {
    let (replay, market) = start();
    let reply = Reply::text("text/html", "<p>Quota").status(429).with("retry-after", "Fri, 01 Jan 2100 00:00:00 GMT");
    replay.fail(SEARCH, replay::Fault::Reply(reply));
    assert!(matches!(search(&market).await, Err(Fault::Throttled(Some(asked))) if asked.as_secs() > 24 * 3600));
    let rest = rests_for(&market).unwrap().as_secs();
    assert!((23 * 3600..=24 * 3600).contains(&rest), "{rest}");
}

#[tokio::test]
async fn a_503_with_retry_after_counts_as_throttling() {
    let (replay, market) = start();
    let reply = Reply::text("text/html", "<p>Down").status(503).with("retry-after", "600");
    replay.fail(CHART, replay::Fault::Reply(reply));
    assert_eq!(closes(&market, 2020).await, Err(Fault::Throttled(Some(Duration::from_secs(600)))));
    assert_eq!(replay.count(CHART), 1);
}

/// A budget of five a minute delays the second request: by then the first was throttled for an hour.
#[tokio::test]
async fn a_waiting_request_is_not_sent_to_a_provider_paused_meanwhile() {
    let (replay, market) = start_with(Budget { per_minute: 5, per_day: 100 });
    replay.fail(CHART, replay::Fault::Throttle(Some(3_600)));
    let answers = tokio::join!(closes(&market, 2018), closes(&market, 2019), closes(&market, 2020));
    assert_eq!(answers.0, Err(Fault::Throttled(Some(Duration::from_secs(3_600)))));
    assert!(matches!((answers.1, answers.2), (Err(Fault::Resting(..)), Err(Fault::Resting(..)))));
    assert_eq!(replay.requests().len(), 1);
}
