use std::fs;
use std::path::Path;

use rusqlite::Connection;
use store::users::NewUser;
use store::{Error, Store, users};

use crate::sample::{Database, file_condition, id, new_user};

#[tokio::test]
async fn opening_creates_the_folder_and_a_file_only_the_owner_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("new/data");
    let store = Store::open(&data_dir).await.unwrap();
    let condition = file_condition(&store).await;
    assert_eq!(condition.path, data_dir.join("dripline.db"));
    assert_eq!(condition.schema_version, 17);
    assert!(!condition.file_open_to_others && !condition.folder_open_to_others);
    #[cfg(unix)]
    for name in ["dripline.db", "dripline.db-wal", "dripline.db-shm"] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(data_dir.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn opening_makes_a_file_private_that_others_can_read() {
    use std::os::unix::fs::PermissionsExt;
    let database = Database::embedded().await;
    fs::set_permissions(database.file(), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(database.condition().await.file_open_to_others);
    assert!(!file_condition(&database.again().await).await.file_open_to_others);
}

#[tokio::test]
async fn migrating_twice_changes_nothing_and_keeps_the_rows() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    users::add(&mut tx, &new_user(1, "a@example.org")).await.unwrap();
    tx.commit().await.unwrap();
    let schema = schema(&database.file());
    let store = database.again().await;
    assert_eq!(schema_of(&store).await, 17);
    assert_eq!(users::list(&mut store.read().await.unwrap()).await.unwrap().len(), 1);
    assert_eq!(self::schema(&database.file()), schema);
}

#[tokio::test]
async fn the_oldest_account_of_an_existing_service_becomes_its_owner() {
    let database = Database::embedded().await;
    let mut tx = database.store.write().await.unwrap();
    for (number, created_at) in [(1, 30), (2, 10), (3, 20)] {
        let user = NewUser { created_at, ..new_user(number, &format!("{number}@example.org")) };
        users::add(&mut tx, &user).await.unwrap();
    }
    tx.commit().await.unwrap();
    let back =
        "DROP INDEX entries_by_reinvestment; ALTER TABLE entries DROP COLUMN reinvests;
        DROP INDEX entries_by_security; DROP INDEX entries_by_type; DROP TABLE deleted_entries; DROP TABLE payment_decisions; DROP TABLE reinvest_rules;
        ALTER TABLE portfolios DROP COLUMN automatic; ALTER TABLE portfolios DROP COLUMN reinvest; DROP INDEX entries_by_date; ALTER TABLE imports DROP COLUMN openings_before; ALTER TABLE imports DROP COLUMN left_out;
        DROP INDEX instruments_by_key; ALTER TABLE instruments DROP COLUMN origin; ALTER TABLE instruments DROP COLUMN seen;
        DROP INDEX users_by_owner; ALTER TABLE users DROP COLUMN owner; DROP TABLE service_settings;
        PRAGMA user_version = 9";
    Connection::open(database.file()).unwrap().execute_batch(back).unwrap();
    let store = database.again().await;
    assert_eq!(users::owner(&mut store.read().await.unwrap()).await.unwrap(), Some(id(2)));
}

async fn schema_of(store: &Store) -> i64 {
    store.schema_version().await.unwrap()
}

fn schema(path: &Path) -> Vec<Option<String>> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
    statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn every_table_is_strict() {
    let database = Database::embedded().await;
    let connection = database.raw();
    let mut statement = connection
        .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite_%'")
        .unwrap();
    let loose: Vec<String> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(loose.is_empty(), "{loose:?}");
}

#[tokio::test]
async fn a_newer_schema_is_refused_with_both_numbers_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).await.unwrap());
    let path = folder.path().join("dripline.db");
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 18").unwrap();
    let before = fs::read(&path).unwrap();
    let error = Store::open(folder.path()).await.err().unwrap();
    assert_eq!(error, Error::NewerSchema { found: 18, known: 17 });
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dripline.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(Store::open(folder.path()).await, Err(Error::Corrupt(_))));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("dripline.db"),
        "these are not the pages of a database, and there are enough of them".repeat(20),
    )
    .unwrap();
    assert!(matches!(Store::open(folder.path()).await, Err(Error::Corrupt(_))));
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let data_dir = folder.path().join("file/sub");
    let error = Store::open(&data_dir).await.err().unwrap();
    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
    assert!(error.to_string().contains(data_dir.to_str().unwrap()), "{error}");
}

#[tokio::test]
async fn a_folder_in_place_of_the_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("dripline.db")).unwrap();
    let error = Store::open(folder.path()).await.err().unwrap();
    assert!(matches!(error, Error::Unavailable(_)), "{error:?}");
    assert!(error.to_string().contains("dripline.db"), "{error}");
}

#[test]
fn many_processes_may_open_a_new_folder_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let openings: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                    runtime.block_on(Store::open(folder.path())).map(drop)
                })
            })
            .collect();
        for opening in openings {
            assert_eq!(opening.join().unwrap(), Ok(()));
        }
    });
}
