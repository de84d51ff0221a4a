use std::fs;
use std::path::Path;

use store::error::Damage;
use store::{Error, Store, entries};

use crate::sample::{Database, buy, hash, id, user_with_entry};

/// A database with some hundred rows, all of it in its file.
async fn filled() -> Database {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    let user = user_with_entry(&mut tx, 10).await;
    let rows: Vec<_> = (2..400).map(|sequence| buy(id(12), sequence, "AAA")).collect();
    entries::add(&mut tx, user, &rows).await.unwrap();
    tx.commit().await.unwrap();
    database.store.checkpoint().await.unwrap();
    database
}

fn break_last_page(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let page = bytes.len() - 4096;
    bytes[page..page + 64].fill(0xff);
    fs::write(path, bytes).unwrap();
}

fn names(error: &Error, path: &Path) {
    assert!(matches!(error, Error::Corrupt(Damage::File { path: named, .. }) if named == path), "{error:?}");
}

#[tokio::test]
async fn a_damaged_file_is_refused_by_name_and_left_unchanged() {
    let database = filled().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dripline.db");
    database.store.backup_to(&path).await.unwrap();
    break_last_page(&path);
    let before = fs::read(&path).unwrap();
    names(&Store::open(folder.path()).await.err().unwrap(), &path);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_truncated_file_is_refused_by_name_and_left_unchanged() {
    let database = filled().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dripline.db");
    database.store.backup_to(&path).await.unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    names(&Store::open(folder.path()).await.err().unwrap(), &path);
    assert_eq!(fs::read(&path).unwrap(), whole[..whole.len() / 2]);
}

#[tokio::test]
async fn after_damage_is_found_nothing_is_read_or_written() {
    let database = filled().await;
    let (store, path) = (&database.store, database.file());
    assert_eq!(store.integrity_check().await, Ok(Vec::new()));
    assert!(store.session(&hash(11)).await.unwrap().is_some());
    assert_eq!(store.is_damaged(), Some(false));
    break_last_page(&path);
    let found = store.integrity_check().await;
    assert!(!matches!(&found, Ok(lines) if lines.is_empty()), "{found:?}");
    names(&store.session(&hash(11)).await.unwrap_err(), &path);
    names(&store.versions().await.unwrap_err(), &path);
    names(&store.checkpoint().await.unwrap_err(), &path);
    assert_eq!(store.is_damaged(), Some(true));
    for begun in [store.read().await, store.write().await, store.write_for(id(10)).await] {
        names(&begun.err().unwrap(), &path);
    }
}

#[tokio::test]
async fn no_statement_runs_after_one_that_found_damage() {
    let database = filled().await;
    let path = database.file();
    let other = database.again().await;
    // Every page but the first, which has the schema.
    let bytes = fs::read(&path).unwrap();
    let broken: Vec<u8> = bytes.iter().enumerate().map(|(at, byte)| if at < 4096 { *byte } else { 0xff }).collect();
    fs::write(&path, broken).unwrap();
    let read = async || entries::of_user(&mut other.read().await?, id(10)).await;
    names(&read().await.unwrap_err(), &path);
    names(&other.write().await.err().unwrap(), &path);
}

#[tokio::test]
async fn a_file_that_lost_everything_but_its_log_is_refused_and_the_log_is_kept() {
    let database = filled().await;
    let mut tx = database.store.write().await.unwrap();
    store::versions::bump_market(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (path, log) = (folder.path().join("dripline.db"), folder.path().join("dripline.db-wal"));
    fs::copy(database.folder().join("dripline.db-wal"), &log).unwrap();
    let before = fs::read(&log).unwrap();
    assert!(!before.is_empty());
    for emptied in [false, true] {
        if emptied {
            fs::write(&path, "").unwrap();
        }
        let error = Store::open(folder.path()).await.err().unwrap();
        assert_eq!(error, Error::Corrupt(Damage::CutOff { path: path.clone() }));
        assert_eq!(fs::read(&log).unwrap(), before);
    }
}
