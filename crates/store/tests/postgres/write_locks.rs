use std::time::Duration;

use store::error::Outage;
use store::{Error, Store, Tx, WriteLock, users, versions};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use crate::{Database, add_user};

const ANA: Uuid = Uuid::from_u128(1);
const BOB: Uuid = Uuid::from_u128(2);

const IN_VAIN: Duration = Duration::from_millis(150);
const LONG: Duration = Duration::from_secs(20);

/// Whether a write lock is granted while another is held.
async fn passes(held: WriteLock, asked: WriteLock, wait: Duration) -> bool {
    let database = Database::new().await;
    let _held = database.store.write_in(held).await.unwrap();
    let other = database.again().await;
    matches!(timeout(wait, other.write_in(asked)).await, Ok(Ok(_)))
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn write_locks_that_do_not_conflict_are_held_together() {
    let turns = [
        WriteLock::Everyone,
        WriteLock::User(ANA),
        WriteLock::User(BOB),
        WriteLock::Market,
        WriteLock::Shared,
        WriteLock::Key(7),
    ];
    for held in turns {
        for asked in turns {
            let meet = held == asked && held != WriteLock::Shared || held == WriteLock::Everyone || asked == WriteLock::Everyone;
            let wait = if meet { IN_VAIN } else { LONG };
            assert_eq!(passes(held, asked, wait).await, !meet, "{asked:?} while {held:?} is held");
        }
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_write_lock_taken_later_is_held_until_the_commit() {
    let database = Database::new().await;
    let mut tx = database.store.write_in(WriteLock::Shared).await.unwrap();
    tx.lock_user(ANA).await.unwrap();
    let other = database.again().await;
    let asked = async |user, wait| matches!(timeout(wait, other.write_for(user)).await, Ok(Ok(_)));
    assert!(asked(BOB, LONG).await);
    assert!(!asked(ANA, IN_VAIN).await);
    tx.commit().await.unwrap();
    assert!(asked(ANA, LONG).await);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn waiting_too_long_for_a_write_lock_fails() {
    let database = Database::new().await;
    let _held = database.store.write_for(ANA).await.unwrap();
    let started = Instant::now();
    let error = database.again().await.write_for(ANA).await.err().unwrap();
    assert_eq!(error, Outage::ServerBusy.into());
    assert!((Duration::from_secs(4)..Duration::from_secs(20)).contains(&started.elapsed()));
}

/// Data read under a write lock cannot be changed by its previous holder.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL"]
async fn a_write_lock_holder_sees_what_the_previous_holder_stored() {
    async fn rename(store: Store) -> Result<(), Error> {
        let mut tx = store.write_for(ANA).await?;
        let user = users::by_id(&mut tx, ANA).await?.unwrap();
        let count: u32 = user.name.map_or(0, |name| name.parse().unwrap());
        let profile = users::Profile {
            name: Some((count + 1).to_string()),
            preferred_currency: user.preferred_currency,
            residence: None,
            number_format: None,
            session_idle_minutes: 1,
        };
        users::set_profile(&mut tx, ANA, &profile).await?;
        tx.commit().await
    }
    let database = Database::new().await;
    let mut tx = database.store.write().await.unwrap();
    add_user(&mut tx, 1).await;
    tx.commit().await.unwrap();
    let other = database.again().await;
    let renames: Vec<_> = (0..40)
        .map(|number| tokio::spawn(rename(if number % 2 == 0 { database.store.clone() } else { other.clone() })))
        .collect();
    for rename in renames {
        assert_eq!(rename.await.unwrap(), Ok(()));
    }
    let user = users::by_id(&mut database.store.read().await.unwrap(), ANA).await.unwrap().unwrap();
    assert_eq!(user.name.as_deref(), Some("40"));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_read_sees_one_moment_despite_later_writes() {
    let database = Database::new().await;
    let mut reading = database.store.read().await.unwrap();
    let before = versions::get(&mut reading).await.unwrap();
    let mut tx: Tx = database.store.write_in(WriteLock::Market).await.unwrap();
    versions::bump_market(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(versions::get(&mut reading).await.unwrap(), before);
    assert_eq!(database.store.versions().await.unwrap().market, before.market + 1);
}
