use store::Tx;
use store::refreshes::{self, Overview, Topic};

use crate::sample::Database;

async fn fail(tx: &mut Tx, topic: Topic, symbol: &str, times: usize) {
    for _ in 0..times {
        refreshes::claim_symbols(tx, topic, &[symbol], 1, 2, "me").await.unwrap();
        refreshes::fail(tx, topic, symbol, "me", 3, "refused", 100).await.unwrap();
    }
}

async fn finish(tx: &mut Tx, topic: Topic, symbol: &str, now: i64, next_due: i64) {
    refreshes::claim_symbols(tx, topic, &[symbol], 1, 2, "me").await.unwrap();
    refreshes::finish(tx, topic, symbol, "me", now, next_due).await.unwrap();
}

#[tokio::test]
async fn the_overview_counts_by_topic() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(refreshes::overview(&mut tx, 50).await.unwrap().is_empty());
    refreshes::enqueue(&mut tx, Topic::Files, &[""], 51).await.unwrap();
    refreshes::enqueue(&mut tx, Topic::Quote, &["NEW"], 50).await.unwrap();
    finish(&mut tx, Topic::Quote, "A", 10, 40).await;
    finish(&mut tx, Topic::Quote, "B", 30, 60).await;
    finish(&mut tx, Topic::Quote, "C", 20, 60).await;
    fail(&mut tx, Topic::Quote, "C", 1).await;
    let quotes = Overview {
        topic: Topic::Quote,
        total: 4,
        never_done: 1,
        // NEW at 50 and A at 40.
        overdue: 2,
        failing: 1,
        oldest_done_at: Some(10),
        newest_done_at: Some(30),
    };
    let files = Overview {
        topic: Topic::Files,
        total: 1,
        never_done: 1,
        overdue: 0,
        failing: 0,
        oldest_done_at: None,
        newest_done_at: None,
    };
    assert_eq!(refreshes::overview(&mut tx, 50).await.unwrap(), [quotes, files]);
}

#[tokio::test]
async fn failing_refreshes_are_listed_by_number_of_failures() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    fail(&mut tx, Topic::Quote, "B", 1).await;
    fail(&mut tx, Topic::History, "A", 1).await;
    fail(&mut tx, Topic::Profile, "C", 2).await;
    fail(&mut tx, Topic::Quote, "WELL AGAIN", 3).await;
    finish(&mut tx, Topic::Quote, "WELL AGAIN", 5, 9).await;
    let failing = refreshes::failing(&mut tx, 9).await.unwrap();
    let seen: Vec<_> = failing.iter().map(|one| (one.topic, one.symbol.as_str(), one.failures)).collect();
    assert_eq!(seen, [(Topic::Profile, "C", 2), (Topic::History, "A", 1), (Topic::Quote, "B", 1)]);
    assert_eq!(failing[0].last_error.as_deref(), Some("refused"));
    assert_eq!(refreshes::failing(&mut tx, 2).await.unwrap(), failing[..2]);
}

#[tokio::test]
async fn a_refresh_is_due_when_it_can_be_claimed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, Topic::Quote, &["A"], 30).await.unwrap();
    refreshes::enqueue(&mut tx, Topic::Rates, &[""], 20).await.unwrap();
    assert!(!refreshes::is_due(&mut tx, Topic::Rates, 19).await.unwrap());
    assert!(refreshes::is_due(&mut tx, Topic::Rates, 20).await.unwrap());
    assert!(!refreshes::is_due(&mut tx, Topic::Quote, 20).await.unwrap(), "another topic");
    refreshes::claim(&mut tx, Topic::Rates, 20, 25, "me", 1).await.unwrap();
    assert!(!refreshes::is_due(&mut tx, Topic::Rates, 24).await.unwrap(), "somebody is at it");
    assert!(refreshes::is_due(&mut tx, Topic::Rates, 25).await.unwrap(), "should its holder never come back");
    let rows = refreshes::of_symbol(&mut tx, "A").await.unwrap();
    assert_eq!(rows.iter().map(|row| row.topic).collect::<Vec<_>>(), [Topic::Quote]);
}

#[tokio::test]
async fn a_first_refresh_is_pending_until_it_was_tried() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, Topic::Quote, &["A"], 30).await.unwrap();
    assert!(!refreshes::is_first_pending(&mut tx, Topic::Quote, 29).await.unwrap());
    assert!(refreshes::is_first_pending(&mut tx, Topic::Quote, 30).await.unwrap());
    refreshes::claim(&mut tx, Topic::Quote, 30, 50, "me", 1).await.unwrap();
    assert!(refreshes::is_first_pending(&mut tx, Topic::Quote, 31).await.unwrap(), "somebody is at it");
    refreshes::fail(&mut tx, Topic::Quote, "A", "me", 32, "refused", 40).await.unwrap();
    assert!(!refreshes::is_first_pending(&mut tx, Topic::Quote, 41).await.unwrap(), "it was tried");
}
