use store::error::Outage;
use store::refreshes::Topic;
use store::{Error, Rule, Tx, Versions, users, versions};

use crate::sample::{Database, hash, id, new_user, user_with_entry};

async fn emails(tx: &mut Tx) -> Vec<String> {
    users::list(tx).await.unwrap().into_iter().map(|user| user.email).collect()
}

#[tokio::test]
async fn an_uncommitted_write_leaves_nothing() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "gone@example.org")).await.unwrap();
    drop(tx);
    assert!(emails(&mut database.store.read().await.unwrap()).await.is_empty());
    // The writer is free again.
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "stays@example.org")).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(emails(&mut database.store.read().await.unwrap()).await, ["stays@example.org"]);
}

#[tokio::test]
async fn nothing_of_a_transaction_is_stored_after_one_of_its_statements_failed() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@example.org")).await.unwrap();
    let error = users::add(&mut tx, &new_user(2, "A@example.org")).await.unwrap_err();
    assert_eq!(error, Error::Conflict(Rule::Email));
    assert!(matches!(users::list(&mut tx).await, Err(Error::Internal(_))));
    assert!(matches!(tx.commit().await, Err(Error::Internal(_))));
    assert!(emails(&mut database.store.read().await.unwrap()).await.is_empty());
}

#[tokio::test]
async fn a_reader_keeps_its_snapshot_while_a_writer_commits() {
    let database = Database::new().await;
    let mut reader = database.store.read().await.unwrap();
    assert_eq!(versions::get(&mut reader).await.unwrap().market, 1);
    let mut writer = database.store.write().await.unwrap();
    users::add(&mut writer, &new_user(1, "a@example.org")).await.unwrap();
    versions::bump_market(&mut writer).await.unwrap();
    writer.commit().await.unwrap();
    assert!(emails(&mut reader).await.is_empty());
    assert_eq!(versions::get(&mut reader).await.unwrap().market, 1);
    drop(reader);
    let mut reader = database.store.read().await.unwrap();
    assert_eq!(emails(&mut reader).await, ["a@example.org"]);
    assert_eq!(versions::get(&mut reader).await.unwrap().market, 2);
}

#[tokio::test]
async fn a_reader_cannot_write() {
    let database = Database::new().await;
    let mut tx = database.store.read().await.unwrap();
    assert!(users::add(&mut tx, &new_user(1, "a@example.org")).await.is_err());
}

#[tokio::test]
async fn a_commit_is_seen_by_other_processes_at_once() {
    let database = Database::new().await;
    let (ours, theirs) = (&database.store, database.again().await);
    let mut tx = ours.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    tx.commit().await.unwrap();
    let session = theirs.session(&hash(11)).await.unwrap().unwrap();
    assert_eq!((session.user_id, session.user_version), (user, 1));

    let mut tx = ours.write().await.unwrap();
    users::bump_version(&mut tx, user).await.unwrap();
    versions::bump_market(&mut tx).await.unwrap();
    for _ in 0..2 {
        versions::bump_tracking(&mut tx).await.unwrap();
    }
    for _ in 0..3 {
        versions::bump_listings(&mut tx).await.unwrap();
    }
    for _ in 0..4 {
        versions::bump_rates(&mut tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let session = theirs.session(&hash(11)).await.unwrap().unwrap();
    assert_eq!((session.user_version, session.market_version, session.tracking_version), (2, 2, 3));
    let versions = theirs.versions().await.unwrap();
    assert_eq!(versions, Versions { market: 2, tracking: 3, listings: 4, rates: 5 });

    let mut tx = theirs.write().await.unwrap();
    assert_eq!(store::tokens::revoke(&mut tx, id(11), 5).await.unwrap(), Some(user));
    assert!(ours.session(&hash(11)).await.unwrap().is_some(), "not before the commit");
    tx.commit().await.unwrap();
    assert_eq!(ours.session(&hash(11)).await.unwrap(), None);
    assert_eq!(theirs.session(&hash(11)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_of_two_processes_take_turns() {
    let database = Database::new().await;
    let other = database.again().await;
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let store = if number % 2 == 0 { database.store.clone() } else { other.clone() };
            tokio::spawn(async move {
                let mut tx = store.write().await?;
                versions::bump_market(&mut tx).await?;
                tx.commit().await
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    assert_eq!(database.store.versions().await.unwrap().market, 41);
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_never_gets_its_turn_fails_as_busy() {
    let database = Database::embedded().await;
    let _held = database.store.write().await.unwrap();
    assert!(matches!(database.store.write().await, Err(Error::Unavailable(_))));
}

#[tokio::test]
async fn a_writer_waits_for_another_process_to_finish() {
    let database = Database::embedded().await;
    let other = database.raw();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE versions SET value = 7 WHERE name = 'market'").unwrap();
    let store = database.store.clone();
    let waiting = tokio::spawn(async move {
        let mut tx = store.write().await?;
        versions::bump_market(&mut tx).await?;
        tx.commit().await
    });
    // The runtime has one thread: this runs on only if the writer sleeps while it waits.
    tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    assert!(!waiting.is_finished());
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(waiting.await.unwrap(), Ok(()));
    assert_eq!(database.store.versions().await.unwrap().market, 8);
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_waits_too_long_for_another_process_fails_as_busy() {
    let database = Database::embedded().await;
    let other = database.raw();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = database.store.write().await.err().unwrap();
    assert!(matches!(&error, Error::Unavailable(Outage::Locked { .. })), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    assert!(database.store.write().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_ninth_reader_waits_and_then_fails_as_busy() {
    let database = Database::embedded().await;
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(database.store.read().await.unwrap());
    }
    assert!(matches!(database.store.read().await, Err(Error::Unavailable(_))));
    assert!(database.store.versions().await.is_ok(), "look-ups do not wait for readers");
    held.pop();
    assert!(database.store.read().await.is_ok());
}

#[tokio::test]
async fn a_text_with_a_nul_byte_is_refused_before_the_engine_sees_it() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    assert!(matches!(users::add(&mut tx, &new_user(1, "a\0@example.org")).await, Err(Error::Internal(_))));
    let mut tx = database.store.read().await.unwrap();
    assert!(matches!(users::by_email(&mut tx, "a\0").await, Err(Error::Internal(_))));
}

#[tokio::test]
async fn work_on_a_transaction_can_move_between_threads() {
    fn sent<T: Send>(future: T) -> T {
        future
    }
    let database = Database::new().await;
    let mut tx = sent(database.store.write()).await.unwrap();
    sent(user_with_entry(&mut tx, 1)).await;
    sent(store::prices::month_ends(&mut tx, "A", "2026-01-01".parse().unwrap())).await.unwrap();
    sent(store::portfolios::reorder(&mut tx, id(1), &[])).await.unwrap();
    sent(store::tracking::replace_for_user(&mut tx, id(1), &Default::default())).await.unwrap();
    sent(store::refreshes::claim_symbols(&mut tx, Topic::Quote, &["A"], 1, 2, "me")).await.unwrap();
    sent(store::rejected_values::replace(&mut tx, "A", Topic::Quote, "acme", &[])).await.unwrap();
    sent(store::provenance::put(&mut tx, "A", &[("name", "acme")], 1)).await.unwrap();
    sent(tx.commit()).await.unwrap();
    sent(database.store.session(&hash(2))).await.unwrap();
}

#[tokio::test]
async fn the_write_ahead_log_is_emptied_on_demand() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    user_with_entry(&mut tx, 1).await;
    tx.commit().await.unwrap();
    assert!(database.condition().await.log_bytes > 0);
    database.store.checkpoint().await.unwrap();
    assert_eq!(database.condition().await.log_bytes, 0);
}
