//! Cached lookups always return what was committed last, by any process.

use store::{tokens, users, versions};

use crate::sample::{Database, hash, id, new_token, new_user};

#[tokio::test]
async fn a_token_created_or_revoked_by_another_process_is_seen_by_the_next_lookup() {
    let database = Database::new().await;
    let other = database.again().await;
    let mut tx = other.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    tx.commit().await.unwrap();
    for number in 10..110 {
        assert_eq!(database.store.session(&hash(number)).await.unwrap(), None);
        let mut tx = other.write().await.unwrap();
        tokens::add(&mut tx, &new_token(number, id(1))).await.unwrap();
        tx.commit().await.unwrap();
        for _ in 0..3 {
            assert_eq!(database.store.session(&hash(number)).await.unwrap().unwrap().token_id, id(number));
        }
        let mut tx = other.write().await.unwrap();
        tokens::revoke(&mut tx, id(number), 5).await.unwrap().unwrap();
        assert!(database.store.session(&hash(number)).await.unwrap().is_some(), "before the commit");
        tx.commit().await.unwrap();
        assert_eq!(database.store.session(&hash(number)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn versions_are_those_of_the_last_commit_of_any_process() {
    let database = Database::new().await;
    let others = [database.again().await, database.again().await];
    for round in 0..50 {
        let before = database.store.versions().await.unwrap();
        let mut tx = others[round % 2].write().await.unwrap();
        versions::bump_market(&mut tx).await.unwrap();
        assert_eq!(database.store.versions().await.unwrap(), before);
        tx.commit().await.unwrap();
        assert_eq!(database.store.versions().await.unwrap().market, before.market + 1);
        let mut tx = others[round % 2].write().await.unwrap();
        versions::bump_market(&mut tx).await.unwrap();
        drop(tx);
        assert_eq!(database.store.versions().await.unwrap().market, before.market + 1, "rolled back");
    }
}

#[tokio::test]
async fn cached_lookups_stay_correct_across_checkpoints_and_reopening() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@x.org")).await.unwrap();
    tokens::add(&mut tx, &new_token(10, id(1))).await.unwrap();
    tx.commit().await.unwrap();
    for round in 1..=20 {
        let version = database.store.session(&hash(10)).await.unwrap().unwrap().user_version;
        database.store.checkpoint().await.unwrap();
        let passing = database.again().await;
        assert_eq!(passing.session(&hash(10)).await.unwrap().unwrap().user_version, version);
        drop(passing);
        // As a program that is not ours would.
        database.raw().execute("UPDATE users SET version = version + 1", []).unwrap();
        assert_eq!(database.store.session(&hash(10)).await.unwrap().unwrap().user_version, 1 + round);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_readers_always_see_acknowledged_writes() {
    let database = Database::new().await;
    let writer = database.again().await;
    let acknowledged = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (store, acknowledged) = (database.store.clone(), acknowledged.clone());
            tokio::spawn(async move {
                for _ in 0..2_000 {
                    let least = acknowledged.load(std::sync::atomic::Ordering::SeqCst);
                    assert!(store.versions().await.unwrap().market >= least);
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for _ in 0..100 {
        let mut tx = writer.write().await.unwrap();
        versions::bump_market(&mut tx).await.unwrap();
        let market = versions::get(&mut tx).await.unwrap().market;
        tx.commit().await.unwrap();
        acknowledged.store(market, std::sync::atomic::Ordering::SeqCst);
    }
    for reader in readers {
        reader.await.unwrap();
    }
}
