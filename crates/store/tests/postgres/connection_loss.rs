use std::cell::Cell;
use std::time::Duration;

use store::error::Outage;
use store::postgres::Settings;
use store::{Error, users};
use tokio::time::{Instant, sleep};

use crate::{Database, add_user};

fn short(settings: Settings) -> Settings {
    Settings { wait_limit: Duration::from_millis(300), ..settings }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn idle_connections_that_were_cut_are_replaced_silently() {
    let database = Database::new().await;
    for _ in 0..3 {
        let held = [database.store.read().await.unwrap(), database.store.read().await.unwrap()];
        drop(held);
        assert!(database.store.versions().await.is_ok());
        database.cut().await;
        assert!(database.store.versions().await.is_ok(), "a look-up");
        assert!(users::is_any(&mut database.store.read().await.unwrap()).await.is_ok(), "a read");
        database.cut().await;
        let mut tx = database.store.write().await.unwrap();
        assert!(users::is_any(&mut tx).await.is_ok(), "a write");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_transaction_that_loses_its_connection_has_stored_nothing() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    add_user(&mut tx, 1).await;
    database.cut().await;
    let error = users::is_any(&mut tx).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    assert!(matches!(users::is_any(&mut tx).await, Err(Error::Internal(_))), "it is not used again");
    drop(tx);
    assert!(!users::is_any(&mut database.store.read().await.unwrap()).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_read_is_repeated_on_the_primary_if_the_replica_fails_midway() {
    let database = Database::with(|settings| Settings { replica_url: Some(settings.url.clone()), ..settings }).await;
    let tries = Cell::new(0);
    let cut_midway = |times: u32| {
        let (database, tries) = (&database, &tries);
        tries.set(0);
        database.store.with_market(move |mut tx| async move {
            tries.set(tries.get() + 1);
            if tries.get() <= times {
                database.cut().await;
            }
            users::is_any(&mut tx).await
        })
    };
    assert_eq!((cut_midway(0).await.unwrap(), tries.get()), (false, 1));
    assert_eq!((cut_midway(1).await.unwrap(), tries.get()), (false, 2));
    // The replica is left alone now, and nothing makes up for the primary.
    let error = cut_midway(1).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(_)) && tries.get() == 1, "{error}, {}", tries.get());
    assert!(!cut_midway(0).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn an_unanswered_commit_reports_that_its_outcome_is_unknown() {
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    add_user(&mut tx, 1).await;
    database.cut().await;
    let error = tx.commit().await.unwrap_err();
    assert_eq!(error, Outage::CommitUnknown.into());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_blocked_statement_is_given_up_with_its_connection() {
    let database = Database::with(short).await;
    let other = database.scratch.raw().await;
    other.batch_execute("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let started = Instant::now();
    let error = users::is_any(&mut database.store.read().await.unwrap()).await.unwrap_err();
    assert_eq!(error, Outage::NoAnswerInTime.into());
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(database.store.versions().await.is_ok(), "what is not locked is answered");
    other.batch_execute("ROLLBACK").await.unwrap();
    assert!(!users::is_any(&mut database.store.read().await.unwrap()).await.unwrap());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_full_pool_fails_within_a_second_and_lookups_continue() {
    let database = Database::with(|settings| Settings { connections: 2, ..settings }).await;
    let held = [database.store.read().await.unwrap(), database.store.read().await.unwrap()];
    let started = Instant::now();
    let error = database.store.read().await.err().unwrap();
    assert_eq!(error, Outage::ConnectionsInUse.into());
    assert!((Duration::from_millis(900)..Duration::from_secs(5)).contains(&started.elapsed()));
    assert!(database.store.versions().await.is_ok());
    drop(held);
    assert!(database.store.read().await.is_ok());
}

/// A transaction begun on a connection must not reach its next user.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_dropped_transaction_leaves_nothing_to_the_next() {
    let database = Database::with(|settings| Settings { connections: 1, ..settings }).await;
    let other = database.scratch.raw().await;
    for round in 0..20 {
        let mut tx = database.store.write().await.unwrap();
        add_user(&mut tx, 1).await;
        if round % 2 == 0 {
            other.batch_execute("BEGIN; LOCK TABLE portfolios IN ACCESS EXCLUSIVE MODE").await.unwrap();
            let waiting = store::portfolios::list(&mut tx, uuid::Uuid::from_u128(1));
            assert!(tokio::time::timeout(Duration::from_millis(30), waiting).await.is_err());
            other.batch_execute("ROLLBACK").await.unwrap();
        }
        drop(tx);
        let mut tx = database.store.read().await.unwrap();
        assert!(!users::is_any(&mut tx).await.unwrap());
        assert!(users::set_disabled(&mut tx, uuid::Uuid::from_u128(1), true).await.is_err(), "a read that writes");
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_server_that_became_read_only_is_recognised_and_its_connections_are_dropped() {
    let database = Database::new().await;
    drop(database.store.read().await.unwrap());
    let raw = database.scratch.raw().await;
    let name: String = raw.query_one("SELECT current_database()::text", &[]).await.unwrap().get(0);
    raw.batch_execute(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await.unwrap();
    database.cut().await;
    let error = database.store.write().await.err().unwrap();
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    let raw = database.scratch.raw().await;
    raw.batch_execute("SET default_transaction_read_only = off").await.unwrap();
    raw.batch_execute(&format!("ALTER DATABASE {name} RESET ALL")).await.unwrap();
    sleep(Duration::from_millis(50)).await;
    assert!(database.store.write().await.is_ok());
}

/// Unnamed statements only; behind a real pooler, which refuses others, `e2e/nodes` has it.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn without_prepared_statements_everything_works_as_well() {
    let database = Database::with(|settings| Settings { transaction_pooler: true, ..settings }).await;
    let mut tx = database.store.write().await.unwrap();
    for number in 1..=300 {
        add_user(&mut tx, number).await;
    }
    tx.commit().await.unwrap();
    let mut tx = database.store.read().await.unwrap();
    assert_eq!(users::list(&mut tx).await.unwrap().len(), 300);
    assert!(users::by_id(&mut tx, uuid::Uuid::from_u128(7)).await.unwrap().is_some());
    assert!(database.store.versions().await.is_ok());
}
