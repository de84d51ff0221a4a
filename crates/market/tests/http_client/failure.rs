//! Failures: what is retried, and when a provider is paused.

use std::time::{Duration, Instant};

use market::Fault;

use crate::{CHART, SEARCH, closes, rests_for, search, start};

#[tokio::test]
async fn a_background_request_is_retried_after_two_failures() {
    let (replay, market) = start();
    replay.fail_times(CHART, 2, replay::Fault::Status(500));
    assert_eq!(closes(&market, 2020).await, Ok(2));
    let times = replay.times(CHART);
    assert_eq!(times.len(), 3);
    let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|gap| *gap >= Duration::from_millis(500)), "{gaps:?}");
    assert_eq!(market.health()[0].used_today, 3, "each try counts");
}

#[tokio::test]
async fn a_background_request_fails_after_three_tries() {
    let (replay, market) = start();
    replay.fail(CHART, replay::Fault::Status(503));
    assert_eq!(closes(&market, 2020).await, Err(Fault::Status(503)));
    assert_eq!(replay.count(CHART), 3);
}

#[tokio::test]
async fn a_live_request_is_not_retried() {
    let (replay, market) = start();
    replay.fail_times(SEARCH, 1, replay::Fault::Status(500));
    assert_eq!(search(&market).await, Err(Fault::Status(500)));
    assert_eq!(replay.count(SEARCH), 1);
    assert_eq!(search(&market).await, Ok(1));
}

#[tokio::test]
async fn a_permanent_failure_is_not_retried() {
    for fault in [replay::Fault::Status(400), replay::Fault::Html] {
        let (replay, market) = start();
        replay.fail(CHART, fault);
        assert!(closes(&market, 2020).await.is_err());
        assert_eq!(replay.count(CHART), 1);
    }
}

/// A live request waits four seconds at most.
#[tokio::test]
async fn a_provider_that_hangs_is_given_up_in_time() {
    let (replay, market) = start();
    replay.fail(SEARCH, replay::Fault::Hang);
    let asked = Instant::now();
    assert_eq!(search(&market).await, Err(Fault::TimedOut));
    assert!((3_500..4_900).contains(&asked.elapsed().as_millis()), "{:?}", asked.elapsed());
    assert_eq!(replay.count(SEARCH), 1);
}

/// Half of the body arrives, then nothing: the timeout still applies.
#[tokio::test]
async fn a_body_that_stops_in_the_middle_is_given_up_in_time() {
    let (replay, market) = start();
    replay.fail(SEARCH, replay::Fault::Stall);
    let asked = Instant::now();
    assert_eq!(search(&market).await, Err(Fault::TimedOut));
    assert!(asked.elapsed() < Duration::from_millis(4_900), "{:?}", asked.elapsed());
}

#[tokio::test]
async fn after_five_failures_a_provider_is_paused_until_a_probe_succeeds() {
    let (replay, market) = start();
    replay.fail(SEARCH, replay::Fault::Status(500));
    for _ in 0..5 {
        assert_eq!(search(&market).await, Err(Fault::Status(500)));
    }
    replay.heal();
    assert!(matches!(search(&market).await, Err(Fault::Resting(..))));
    assert!(matches!(closes(&market, 2020).await, Err(Fault::Resting(..))), "whatever is asked");
    assert_eq!(replay.requests().len(), 5);
    let rest = rests_for(&market).unwrap();
    assert!(rest <= Duration::from_secs(5), "{rest:?}");

    tokio::time::sleep(rest + Duration::from_millis(50)).await;
    replay.fail_times(SEARCH, 1, replay::Fault::Slow(Duration::from_millis(600)));
    let second = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        closes(&market, 2020).await
    };
    let (probe, second) = tokio::join!(search(&market), second);
    assert_eq!(probe, Ok(1));
    assert!(matches!(second, Err(Fault::Resting(..))), "not before the probe is back");
    assert_eq!((closes(&market, 2020).await, rests_for(&market)), (Ok(2), None));
    assert_eq!(replay.requests().len(), 7);
}

#[tokio::test]
async fn a_success_resets_the_count_of_failures() {
    let (replay, market) = start();
    for _ in 0..2 {
        replay.fail_times(SEARCH, 4, replay::Fault::Status(500));
        for _ in 0..4 {
            assert_eq!(search(&market).await, Err(Fault::Status(500)));
        }
        assert_eq!(search(&market).await, Ok(1));
    }
}
