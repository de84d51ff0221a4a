use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use store::error::{Damage, Outage};
use store::{Error, Store, Versions, deletion, stocks, users, versions};

use crate::sample::{Database, file_condition, hash, id, new_user, stock, user_with_entry};

/// A database with user 10 and a backup of it, then changed: user 10 gone, user 20 there, versions raised.
async fn changed_since_backup() -> (Database, PathBuf) {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    user_with_entry(&mut tx, 10).await;
    tx.commit().await.unwrap();
    let backup = database.folder().join("backup.db");
    database.store.backup_to(&backup).await.unwrap();
    let mut tx = database.store.write().await.unwrap();
    deletion::delete_user(&mut tx, id(10)).await.unwrap();
    users::add(&mut tx, &new_user(20, "new@example.org")).await.unwrap();
    for _ in 0..5 {
        versions::bump_market(&mut tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    (database, backup)
}

async fn ids(store: &Store) -> Vec<uuid::Uuid> {
    users::list(&mut store.read().await.unwrap()).await.unwrap().into_iter().map(|user| user.id).collect()
}

fn names(database: &Database) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(database.folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_serving_process_sees_a_restored_backup_at_once_with_new_versions() {
    let (database, backup) = changed_since_backup().await;
    assert_eq!(ids(&database.store).await, [id(20)]);
    let mut reader = database.store.read().await.unwrap();
    assert_eq!(versions::get(&mut reader).await.unwrap().market, 6);
    Store::restore(&backup, database.folder()).await.unwrap();
    assert_eq!(versions::get(&mut reader).await.unwrap().market, 6, "a reader keeps its snapshot");
    drop(reader);
    assert_eq!(ids(&database.store).await, [id(10)]);
    let session = database.store.session(&hash(11)).await.unwrap().unwrap();
    // 1 in the backup, above the highest before it, which was 6.
    assert_eq!((session.user_version, session.market_version, session.tracking_version), (7, 7, 7));
    assert_eq!(database.store.versions().await.unwrap(), Versions { market: 7, tracking: 7, listings: 7, rates: 7 });
    assert_eq!(database.store.integrity_check().await.unwrap(), []);
    assert_eq!(names(&database), ["backup.db", "dripline.db", "dripline.db-shm", "dripline.db-wal"]);
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(30, "later@example.org")).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(ids(&database.again().await).await, [id(30), id(10)]);
}

#[tokio::test]
async fn a_stock_has_a_new_version_after_a_restore() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    stocks::add_placeholder(&mut tx, "NEW", None, None, ledger::Currency::EUR).await.unwrap();
    stocks::upsert(&mut tx, &[stock("OLD")]).await.unwrap();
    tx.commit().await.unwrap();
    let backup = database.folder().join("backup.db");
    database.store.backup_to(&backup).await.unwrap();
    let mut tx = database.store.write().await.unwrap();
    stocks::mark_changed(&mut tx, &["NEW"; 4]).await.unwrap();
    tx.commit().await.unwrap();
    Store::restore(&backup, database.folder()).await.unwrap();
    let mut tx = database.store.read().await.unwrap();
    // 0 and 1 in the backup, above the highest before the restore, which was 4.
    assert_eq!(stocks::version(&mut tx, "NEW").await.unwrap(), Some(5));
    assert_eq!(stocks::version(&mut tx, "OLD").await.unwrap(), Some(6));
    assert_eq!(versions::get(&mut tx).await.unwrap().rates, 5);
}

#[tokio::test]
async fn versions_rise_above_those_of_a_database_of_an_older_schema() {
    let (database, backup) = changed_since_backup().await;
    let folder = tempfile::tempdir().unwrap();
    let older = Connection::open(folder.path().join("dripline.db")).unwrap();
    older.execute_batch(include_str!("../../src/migrations/sqlite/0001_initial.sql")).unwrap();
    older.execute_batch("PRAGMA application_id = 0x44524950; PRAGMA user_version = 1; UPDATE versions SET value = 40").unwrap();
    Store::restore(&backup, folder.path()).await.unwrap();
    let versions = Store::open(folder.path()).await.unwrap().versions().await.unwrap();
    assert_eq!(versions, Versions { market: 41, tracking: 41, listings: 41, rates: 41 });
    drop(database);
}

#[tokio::test]
async fn a_backup_opens_a_new_folder() {
    let (database, backup) = changed_since_backup().await;
    let folder = database.folder().join("new");
    Store::restore(&backup, &folder).await.unwrap();
    let store = Store::open(&folder).await.unwrap();
    assert_eq!(ids(&store).await, [id(10)]);
    assert!(!file_condition(&store).await.file_open_to_others);
}

#[tokio::test]
async fn a_damaged_database_is_set_aside() {
    let (database, backup) = changed_since_backup().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dripline.db");
    fs::write(&path, [0x55; 8192]).unwrap();
    assert!(matches!(Store::open(folder.path()).await, Err(Error::Corrupt(_))));
    Store::restore(&backup, folder.path()).await.unwrap();
    assert_eq!(ids(&Store::open(folder.path()).await.unwrap()).await, [id(10)]);
    assert_eq!(fs::read(folder.path().join("dripline.db.damaged")).unwrap(), [0x55; 8192]);
    drop(database);
}

#[tokio::test]
async fn leftovers_of_a_crashed_restore_are_not_read_into_the_backup() {
    let (database, backup) = changed_since_backup().await;
    // The journal of a change to another database that is not at its end: read into a file, it brings that file's pages back.
    let other = Database::embedded().await;
    let file = other.folder().join("other.db");
    other.store.backup_to(&file).await.unwrap();
    let changing = Connection::open(&file).unwrap();
    changing
        .execute_batch("PRAGMA synchronous = OFF; BEGIN; UPDATE versions SET value = 99; CREATE TABLE a (x INTEGER)")
        .unwrap();
    fs::copy(other.folder().join("other.db-journal"), database.folder().join("dripline.db.restore-journal")).unwrap();
    fs::write(database.folder().join("dripline.db.restore"), "left by a crash").unwrap();
    Store::restore(&backup, database.folder()).await.unwrap();
    assert_eq!(ids(&database.store).await, [id(10)]);
    assert_eq!(database.store.versions().await.unwrap().market, 7);
    assert_eq!(database.store.integrity_check().await.unwrap(), []);
    assert_eq!(names(&database), ["backup.db", "dripline.db", "dripline.db-shm", "dripline.db-wal"]);
}

#[tokio::test]
async fn restoring_a_file_that_is_not_a_backup_changes_nothing() {
    let (database, backup) = changed_since_backup().await;
    let other = database.folder().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let junk = database.folder().join("junk.db");
    fs::write(&junk, [0x55; 8192]).unwrap();
    let newer = database.folder().join("newer.db");
    fs::copy(&backup, &newer).unwrap();
    Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 18").unwrap();
    let missing = database.folder().join("missing.db");
    let before = names(&database);
    let restore = async |file: &PathBuf| Store::restore(file, database.folder()).await.unwrap_err();
    assert_eq!(restore(&other).await, Damage::OfAnotherProgram { path: other }.into());
    assert_eq!(restore(&junk).await, Damage::NotADatabase { path: junk }.into());
    assert_eq!(restore(&newer).await, Error::NewerSchema { found: 18, known: 17 });
    assert!(matches!(restore(&missing).await, Error::Unavailable(Outage::File { path, .. }) if path == missing));
    assert_eq!(ids(&database.store).await, [id(20)]);
    assert_eq!(names(&database), before);
}
