use store::refreshes::{self, Refresh, Topic};
use store::{Error, Tx};

use crate::sample::Database;

const QUOTE: Topic = Topic::Quote;

fn symbols(refreshes: &[Refresh]) -> Vec<&str> {
    refreshes.iter().map(|refresh| refresh.symbol.as_str()).collect()
}

/// Leases everything that is due at an instant, until an hour past it.
async fn claim(tx: &mut Tx, now: i64, holder: &str) -> Vec<Refresh> {
    refreshes::claim(tx, QUOTE, now, now + 3600, holder, 100).await.unwrap()
}

#[test]
fn a_topic_is_read_as_it_is_written() {
    for topic in Topic::ALL {
        assert_eq!(Topic::parse(topic.as_str()), Some(topic));
    }
    assert_eq!(Topic::parse("Quote"), None);
}

#[tokio::test]
async fn every_topic_can_be_stored_and_only_those_of_a_symbol_have_one() {
    let database = Database::new().await;
    for topic in Topic::ALL {
        let (right, wrong) = if topic.is_per_symbol() { ("A", "") } else { ("", "A") };
        let mut tx = database.store.write().await.unwrap();
        assert_eq!(refreshes::enqueue(&mut tx, topic, &[right], 1).await.unwrap(), 1, "{topic:?}");
        assert!(matches!(refreshes::enqueue(&mut tx, topic, &[wrong], 1).await, Err(Error::Internal(_))), "{topic:?}");
    }
}

#[tokio::test]
async fn a_refresh_requested_again_is_due_at_the_earlier_time() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert_eq!(refreshes::enqueue(&mut tx, QUOTE, &["A", "B"], 50).await.unwrap(), 2);
    assert_eq!(refreshes::enqueue(&mut tx, QUOTE, &["A", "C"], 60).await.unwrap(), 1, "only C is new");
    assert_eq!(refreshes::enqueue(&mut tx, QUOTE, &["A", "B"], 40).await.unwrap(), 2);
    assert_eq!(refreshes::enqueue(&mut tx, Topic::History, &["A"], 5).await.unwrap(), 1, "topics are apart");
    assert_eq!(refreshes::symbols(&mut tx, QUOTE).await.unwrap(), ["A", "B", "C"]);
    assert!(claim(&mut tx, 39, "me").await.is_empty());
    assert_eq!(symbols(&claim(&mut tx, 40, "me").await), ["A", "B"]);
    assert_eq!(symbols(&claim(&mut tx, 60, "me").await), ["C"]);
}

#[tokio::test]
async fn refreshes_are_claimed_new_ones_first_then_the_longest_due_then_by_symbol() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::claim_symbols(&mut tx, QUOTE, &["DONE 5", "DONE 4"], 1, 9, "me").await.unwrap();
    refreshes::finish(&mut tx, QUOTE, "DONE 5", "me", 2, 5).await.unwrap();
    refreshes::finish(&mut tx, QUOTE, "DONE 4", "me", 2, 4).await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["Y", "X"], 8).await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["Z"], 7).await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["LATER"], 11).await.unwrap();
    let first = refreshes::claim(&mut tx, QUOTE, 10, 20, "me", 4).await.unwrap();
    assert_eq!(symbols(&first), ["Z", "X", "Y", "DONE 4"]);
    assert_eq!(symbols(&refreshes::claim(&mut tx, QUOTE, 10, 20, "me", 4).await.unwrap()), ["DONE 5"]);
    assert!(refreshes::claim(&mut tx, Topic::History, 10, 20, "me", 4).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_leased_refresh_can_be_claimed_only_after_the_lease_expires() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["A"], 5).await.unwrap();
    let taken = refreshes::claim(&mut tx, QUOTE, 10, 20, "one", 9).await.unwrap();
    let expected = Refresh {
        topic: QUOTE,
        symbol: "A".to_owned(),
        due_at: 5,
        leased_until: 20,
        holder: Some("one".to_owned()),
        done_at: None,
        failures: 0,
        failed_at: None,
        last_error: None,
    };
    assert_eq!(taken, [expected]);
    assert!(claim(&mut tx, 19, "two").await.is_empty());
    assert!(refreshes::claim_symbols(&mut tx, QUOTE, &["A"], 19, 30, "two").await.unwrap().is_empty());
    assert_eq!(symbols(&claim(&mut tx, 20, "two").await), ["A"]);
    assert!(!refreshes::finish(&mut tx, QUOTE, "A", "one", 21, 99).await.unwrap());
    assert!(!refreshes::fail(&mut tx, QUOTE, "A", "one", 21, "no", 99).await.unwrap());
    assert!(!refreshes::postpone(&mut tx, QUOTE, "A", "one", 99, None).await.unwrap());
    assert!(refreshes::finish(&mut tx, QUOTE, "A", "two", 21, 99).await.unwrap());
    assert!(!refreshes::finish(&mut tx, QUOTE, "A", "two", 21, 99).await.unwrap(), "it ended the lease");
}

#[tokio::test]
async fn a_late_result_counts_unless_somebody_else_claimed_the_refresh() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::claim_symbols(&mut tx, QUOTE, &["A"], 10, 20, "one").await.unwrap();
    assert!(refreshes::finish(&mut tx, QUOTE, "A", "one", 500, 600).await.unwrap());
}

#[tokio::test]
async fn named_symbols_are_claimed_before_they_are_due_and_added_where_missing() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["A"], 1000).await.unwrap();
    let taken = refreshes::claim_symbols(&mut tx, QUOTE, &["A", "NEW", "A"], 10, 20, "me").await.unwrap();
    assert_eq!(symbols(&taken), ["A", "NEW"], "a symbol named twice is leased once");
    assert_eq!((taken[0].due_at, taken[1].due_at), (1000, 10));
    assert!(refreshes::postpone(&mut tx, QUOTE, "NEW", "me", 15, Some("over budget")).await.unwrap());
    assert!(claim(&mut tx, 14, "two").await.is_empty(), "not before it is due again");
    let again = claim(&mut tx, 15, "two").await;
    assert_eq!((symbols(&again), again[0].last_error.as_deref(), again[0].failures), (vec!["NEW"], Some("over budget"), 0));
    assert!(refreshes::postpone(&mut tx, QUOTE, "NEW", "two", 16, None).await.unwrap());
    assert_eq!(claim(&mut tx, 16, "two").await[0].last_error.as_deref(), Some("over budget"), "what was noted stays");
}

#[tokio::test]
async fn failures_count_up_until_a_success_clears_them() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["A", "B"], 1).await.unwrap();
    for (now, error) in [(10, "refused"), (20, "timed out")] {
        claim(&mut tx, now, "me").await;
        assert!(refreshes::fail(&mut tx, QUOTE, "A", "me", now + 1, error, now + 5).await.unwrap());
    }
    assert!(claim(&mut tx, 24, "me").await.is_empty());
    let failed = claim(&mut tx, 25, "me").await.remove(0);
    assert_eq!((failed.failures, failed.failed_at, failed.done_at), (2, Some(21), None));
    assert_eq!(failed.last_error.as_deref(), Some("timed out"));
    assert!(refreshes::finish(&mut tx, QUOTE, "A", "me", 26, 30).await.unwrap());
    let done = claim(&mut tx, 30, "me").await.remove(0);
    assert_eq!((done.failures, done.failed_at, done.done_at, done.last_error), (0, Some(21), Some(26), None));
}

#[tokio::test]
async fn refreshes_nobody_needs_are_deleted_unless_they_are_leased() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &["KEPT", "GONE", "GONE TOO"], 1).await.unwrap();
    refreshes::enqueue(&mut tx, Topic::History, &["GONE"], 1).await.unwrap();
    refreshes::claim_symbols(&mut tx, QUOTE, &["LEASED"], 1, 9, "me").await.unwrap();
    let wanted = ["KEPT".to_owned(), "NOT THERE".to_owned()].into();
    assert_eq!(refreshes::keep_only(&mut tx, QUOTE, &wanted).await.unwrap(), 2);
    assert_eq!(refreshes::symbols(&mut tx, QUOTE).await.unwrap(), ["KEPT", "LEASED"]);
    assert_eq!(refreshes::symbols(&mut tx, Topic::History).await.unwrap(), ["GONE"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_processes_never_lease_the_same_refresh() {
    let database = Database::new().await;
    let other = database.again().await;
    let names: Vec<String> = (0..40).map(|number| format!("S{number:02}")).collect();
    let mut tx = database.store.write().await.unwrap();
    refreshes::enqueue(&mut tx, QUOTE, &names.iter().map(String::as_str).collect::<Vec<_>>(), 1).await.unwrap();
    tx.commit().await.unwrap();
    let workers = (0..8).map(|number| {
        let store = if number % 2 == 0 { database.store.clone() } else { other.clone() };
        tokio::spawn(async move {
            let mut tx = store.write().await.unwrap();
            let taken = refreshes::claim(&mut tx, QUOTE, 2, 9, &format!("worker {number}"), 5).await.unwrap();
            tx.commit().await.unwrap();
            taken
        })
    });
    let mut taken = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        taken.extend(worker.await.unwrap().into_iter().map(|refresh| refresh.symbol));
    }
    taken.sort();
    assert_eq!(taken, names);
}
