//! The schema, step by step. A released step never changes; a change is a new step.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::backup;
use super::connect::sibling;
use super::failure::failure;
use super::inspect::{number, schema_of};
use crate::Error;
use crate::error::Damage;
use crate::migrations::{SQLITE, refuse_newer};

/// Marks a file as ours: "DRIP".
const APPLICATION_ID: i64 = 0x4452_4950;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Keep {
    OldState,
    Nothing,
}

/// Refuses another program's database and a newer schema, before writing anything.
pub(super) fn refuse_foreign(connection: &Connection, path: &Path) -> Result<(), Error> {
    let found = schema_of(connection, path)?;
    let tables: i64 = number(connection, path, "SELECT COUNT(*) FROM sqlite_schema")?;
    let application_id = number(connection, path, "PRAGMA application_id")?;
    if tables > 0 && application_id != APPLICATION_ID {
        return Err(Damage::OfAnotherProgram { path: path.to_owned() }.into());
    }
    refuse_newer(found, SQLITE)
}

/// Applies the missing steps, all or none. With [`Keep::OldState`], a copy of an existing database is kept next to the file.
pub(super) fn run(connection: &mut Connection, path: &Path, migrations: &[&str], keep: Keep) -> Result<(), Error> {
    if schema_of(connection, path)? == migrations.len() as i64 {
        return Ok(());
    }
    let failed = |error| failure(path, error);
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    // Read again under the lock: another process may have migrated meanwhile.
    let found = schema_of(&tx, path)?;
    refuse_newer(found, migrations)?;
    let missing = usize::try_from(found).ok().and_then(|taken| migrations.get(taken..)).unwrap_or_default();
    if keep == Keep::OldState && found > 0 && !missing.is_empty() {
        backup::copy(path, &before(path, found))?;
    }
    for step in missing {
        tx.execute_batch(step).map_err(failed)?;
    }
    tx.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}", migrations.len()))
        .map_err(failed)?;
    tx.commit().map_err(failed)
}

/// The copy of `dripline.db` with schema 3 is `dripline.db.schema-3`.
fn before(path: &Path, schema: i64) -> PathBuf {
    sibling(path, &format!(".schema-{schema}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(connection: &Connection) -> Vec<String> {
        let mut statement = connection.prepare("SELECT name FROM sqlite_schema ORDER BY name").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn database() -> (tempfile::TempDir, PathBuf, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        super::super::connect::create_file(&path).unwrap();
        let connection = super::super::connect::connect_writer(&path).unwrap();
        (folder, path, connection)
    }

    const FIRST: &str = "CREATE TABLE a (x INTEGER) STRICT";
    const SECOND: &str = "CREATE TABLE b (x INTEGER) STRICT; INSERT INTO b SELECT x FROM a";

    #[test]
    fn only_missing_migrations_run_and_a_copy_is_kept() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &[FIRST], Keep::OldState).unwrap();
        assert!(!before(&path, 0).exists(), "an empty database needs no copy");
        run(&mut connection, &path, &[FIRST, SECOND], Keep::OldState).unwrap();
        assert_eq!(tables(&connection), ["a", "b"]);
        assert_eq!(schema_of(&connection, &path), Ok(2));
        assert_eq!(tables(&Connection::open(before(&path, 1)).unwrap()), ["a"]);
    }

    fn rows(connection: &Connection, sql: &str) -> Vec<Vec<rusqlite::types::Value>> {
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
        statement.query_map([], row).unwrap().map(Result::unwrap).collect()
    }

    const OF_SCHEMA_1: [(&str, &str); 3] = [
        ("stocks", "SELECT symbol, name, currency, quote_unit, price, price_as_of, tracked, placeholder FROM stocks"),
        ("dividends", "SELECT symbol, ex_date, currency, kind, pay_date, declared_date, amount FROM dividends"),
        ("versions", "SELECT name, value FROM versions WHERE name IN ('market', 'tracking') ORDER BY name"),
    ];

    #[test]
    fn migrating_schema_1_to_2_keeps_its_rows_and_a_copy() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &SQLITE[..1], Keep::OldState).unwrap();
        connection
            .execute_batch(
                "INSERT INTO stocks (symbol, name, currency, quote_unit, price, price_as_of, tracked, placeholder)
                 VALUES ('A', 'Acme', 'GBP', 'GBp', '25.050', 7, 1, 0), ('B', NULL, 'EUR', 'EUR', NULL, NULL, 0, 1);
                 INSERT INTO dividends VALUES ('A', '2026-02-03', 'GBP', 'special', '2026-02-20', NULL, '1.10');
                 UPDATE versions SET value = 9 WHERE name = 'market'",
            )
            .unwrap();
        let before_step = OF_SCHEMA_1.map(|(_, sql)| rows(&connection, sql));
        assert_eq!(before_step.each_ref().map(Vec::len), [2, 1, 2]);
        run(&mut connection, &path, &SQLITE[..2], Keep::OldState).unwrap();

        let copy = Connection::open(before(&path, 1)).unwrap();
        assert_eq!((schema_of(&connection, &path), schema_of(&copy, &path)), (Ok(2), Ok(1)));
        for ((table, sql), expected) in OF_SCHEMA_1.into_iter().zip(before_step) {
            assert_eq!(rows(&connection, sql), expected, "{table}");
            assert_eq!(rows(&copy, sql), expected, "{table} of the copy");
        }
        let count = |sql| number(&connection, &path, sql).unwrap();
        assert_eq!(count("SELECT COUNT(*) FROM versions WHERE name IN ('listings', 'rates') AND value = 1"), 2);
        assert_eq!(count("SELECT COUNT(*) FROM stocks WHERE version = 0"), 2);
        assert_eq!(count("SELECT COUNT(*) FROM dividends WHERE provider IS NULL"), 1);
        assert_eq!(super::super::inspect::problems(&connection, &path), Ok(Vec::new()));
        assert!(!tables(&copy).contains(&"refreshes".to_owned()));
    }

    #[test]
    fn migrating_schema_4_to_5_keeps_the_audit_log() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &SQLITE[..4], Keep::OldState).unwrap();
        connection
            .execute_batch(
                "INSERT INTO audit VALUES ('u', 1, 7, 'token_created', 'laptop', zeroblob(32));
                 INSERT INTO sign_in_failures VALUES (zeroblob(32), 1, 2, 3, 4);
                 INSERT INTO stocks (symbol, currency, quote_unit, tracked, placeholder) VALUES ('A', 'EUR', 'EUR', 0, 1)",
            )
            .unwrap();
        let kept = "SELECT user_id, position, at, event, detail, hash FROM audit";
        let before_step = rows(&connection, kept);
        run(&mut connection, &path, &SQLITE[..5], Keep::OldState).unwrap();
        assert_eq!(rows(&connection, kept), before_step);
        let count = |sql| number(&connection, &path, sql).unwrap();
        assert_eq!(count("SELECT COUNT(*) FROM audit WHERE digest IS NULL AND salt IS NULL"), 1);
        assert_eq!(count("SELECT COUNT(*) FROM stocks INDEXED BY stocks_placeholders WHERE placeholder = TRUE"), 1);
        assert_eq!(super::super::inspect::problems(&connection, &path), Ok(Vec::new()));
    }

    #[test]
    fn migrating_schema_6_to_7_counts_followers() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &SQLITE[..6], Keep::OldState).unwrap();
        connection
            .execute_batch(
                "INSERT INTO users (id, email, email_key, preferred_currency, disabled, version, created_at)
                 VALUES ('u', 'u', 'u', 'EUR', 0, 1, 1), ('v', 'v', 'v', 'EUR', 0, 1, 1);
                 INSERT INTO tracking VALUES ('A', 'u'), ('A', 'v'), ('B', 'v')",
            )
            .unwrap();
        run(&mut connection, &path, &SQLITE[..7], Keep::OldState).unwrap();
        let count = |sql| number(&connection, &path, sql).unwrap();
        assert_eq!(count("SELECT people FROM followers WHERE symbol = 'A'"), 2);
        assert_eq!(count("SELECT SUM(people) FROM followers"), 3);
        assert_eq!(super::super::inspect::problems(&connection, &path), Ok(Vec::new()));
    }

    #[test]
    fn migrating_schema_7_to_8_adds_a_position_for_every_lot() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &SQLITE[..7], Keep::OldState).unwrap();
        connection
            .execute_batch(
                "INSERT INTO users (id, email, email_key, preferred_currency, disabled, version, created_at)
                 VALUES ('u', 'u', 'u', 'EUR', 0, 1, 1);
                 INSERT INTO portfolios (user_id, id, name, name_key, is_default, position, created_at)
                 VALUES ('u', 'p', 'p', 'p', 1, 1, 1), ('u', 'q', 'q', 'q', 0, 2, 1);
                 INSERT INTO entries (user_id, sequence, portfolio_id, date, type, symbol, currency, source, identity, gross_known)
                 VALUES ('u', 1, 'p', '2026-01-02', 'buy', 'A', 'EUR', 's', '1', 1),
                        ('u', 2, 'p', '2026-01-02', 'sell', 'A', 'EUR', 's', '2', 1),
                        ('u', 3, 'q', '2026-01-02', 'buy', 'A', 'EUR', 's', '3', 1)",
            )
            .unwrap();
        run(&mut connection, &path, &SQLITE[..8], Keep::OldState).unwrap();
        let count = |sql| number(&connection, &path, sql).unwrap();
        assert_eq!(count("SELECT COUNT(*) FROM positions WHERE user_id = 'u' AND symbol = 'A' AND fold IS NULL"), 2);
        assert_eq!(super::super::inspect::problems(&connection, &path), Ok(Vec::new()));
    }

    #[test]
    fn a_failed_migration_leaves_the_old_schema() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &[FIRST], Keep::OldState).unwrap();
        let error =
            run(&mut connection, &path, &[FIRST, SECOND, "CREATE TABLE a (y INTEGER) STRICT"], Keep::OldState).unwrap_err();
        assert!(matches!(error, Error::Internal(_)), "{error}");
        assert_eq!(tables(&connection), ["a"]);
        assert_eq!(schema_of(&connection, &path), Ok(1));
    }

    #[test]
    fn a_schema_upgraded_by_another_process_meanwhile_is_refused() {
        let (_folder, path, mut connection) = database();
        run(&mut connection, &path, &[FIRST, SECOND], Keep::OldState).unwrap();
        assert_eq!(run(&mut connection, &path, &[FIRST], Keep::OldState), Err(Error::NewerSchema { found: 2, known: 1 }));
    }
}
