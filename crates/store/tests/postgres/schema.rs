use scratch::Scratch;
use store::postgres::Settings;
use store::{Condition, Error, Store};

use crate::Database;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "needs PostgreSQL"]
async fn nodes_that_start_together_migrate_once() {
    let scratch = Scratch::empty().await;
    let starts: Vec<_> = (0..8)
        .map(|_| {
            let settings = Settings::new(&scratch.url());
            tokio::spawn(async move { Store::connect(&settings).await.map(drop) })
        })
        .collect();
    for start in starts {
        assert_eq!(start.await.unwrap(), Ok(()));
    }
    let rows = scratch.raw().await.query("SELECT version, oldest_beside FROM schema_version", &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| (row.get(0), row.get(1))).collect::<Vec<(i64, i64)>>(), [(17, 9)]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_newer_schema_is_served_while_it_is_compatible() {
    let database = Database::new().await;
    let raw = database.scratch.raw().await;
    raw.batch_execute("ALTER TABLE users ADD COLUMN later TEXT; UPDATE schema_version SET version = 18").await.unwrap();
    assert!(database.store.versions().await.is_ok());
    let store = database.again().await;
    assert_eq!(store.schema_version().await, Ok(18), "nothing was taken back");
    raw.batch_execute("UPDATE schema_version SET oldest_beside = 18").await.unwrap();
    let refused = Store::connect(&Settings::new(&database.scratch.url())).await.err();
    assert_eq!(refused, Some(Error::NewerSchema { found: 18, known: 17 }));
    assert!(store.versions().await.is_ok(), "who runs goes on");
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_tables_of_another_program_are_left_alone() {
    let scratch = Scratch::empty().await;
    let raw = scratch.raw().await;
    raw.batch_execute("CREATE TABLE users (name TEXT)").await.unwrap();
    let error = Store::connect(&Settings::new(&scratch.url())).await.err().unwrap();
    assert_eq!(error, store::error::SetupProblem::TablesOfAnotherProgram.into());
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(raw.query_one(tables, &[]).await.unwrap().get::<_, i64>(0), 1);
}

/// So that rows can be sharded by user. Rows found by a secret have that as their key.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_key_of_a_users_rows_starts_with_the_user() {
    let database = Database::new().await;
    let sql = "SELECT c.relname::text, a.attname::text FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace AND EXISTS
        (SELECT 1 FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id') ORDER BY 1";
    let rows = database.scratch.raw().await.query(sql, &[]).await.unwrap();
    let keyed: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(keyed.len(), 29, "{keyed:?}");
    let by_secret: Vec<&str> = keyed.iter().filter(|(_, column)| column != "user_id").map(|(table, _)| table.as_str()).collect();
    let expected =
        ["devices", "email_changes", "feeds", "mail_links", "oauth_codes", "oauth_device_codes", "oauth_refresh_tokens"];
    assert_eq!(by_secret, [&expected[..], &["resets", "sessions", "tokens"]].concat());
    assert!(keyed.iter().all(|(table, column)| column == "user_id" || by_secret.contains(&table.as_str()) && column == "hash"));
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn every_text_is_ordered_by_its_bytes() {
    let database = Database::new().await;
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
        AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'";
    let rows = database.scratch.raw().await.query(sql, &[]).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.get(0)).collect::<Vec<String>>(), Vec::<String>::new());
}

#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn the_doctor_reads_the_condition_of_the_server() {
    let database = Database::new().await;
    let Condition::Server(server) = database.store.condition().await.unwrap() else { panic!("no server") };
    assert_eq!((server.schema_version, server.replica_answers), (17, None));
    assert!(server.postgres_version.starts_with(|digit: char| digit.is_ascii_digit()) && server.bytes > 1_000_000);
}
