//! `dripline migrate`, `dripline doctor`, and databases that cannot be used.

use serde_json::Value;

use crate::dripline::{ANA, Dripline, ran};

fn doctor(dripline: &Dripline) -> Vec<(String, String, String)> {
    let checks = dripline.json(&["doctor", "--json"]);
    let text = |check: &Value, name: &str| check[name].as_str().unwrap().to_owned();
    checks
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (text(check, "check"), text(check, "verdict"), text(check, "finding")))
        .collect()
}

#[test]
fn migrating_creates_the_database_and_prints_its_schema() {
    let dripline = Dripline::new();
    for _ in 0..2 {
        let ran = dripline.run(&["migrate"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
        ran.says(&["The database is at schema "]);
    }
    assert!(dripline.data_dir().join("dripline.db").is_file());
}

#[test]
fn the_doctor_passes_a_new_installation_and_suggests_next_steps() {
    let dripline = Dripline::with_accounts();
    let checks = doctor(&dripline);
    let names: Vec<&str> = checks.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "database",
            "permissions",
            "clock",
            "exchange rates",
            "symbols",
            "providers",
            "records",
            "positions",
            "disk",
            "uploads",
            "backups",
            "secret key"
        ]
    );
    let (clock, others): (Vec<_>, Vec<_>) = checks.iter().partition(|(name, ..)| name == "clock");
    assert!(others.iter().all(|(_, verdict, _)| verdict == "ok") && checks[0].2.contains("is intact (schema "), "{checks:?}");
    assert_eq!((clock[0].1.as_str(), clock[0].2.contains("DRIPLINE_NOW stops the clock")), ("warning", true), "{clock:?}");
    let running = ran(dripline.command(&["doctor"]).env_remove("DRIPLINE_NOW").output().unwrap()).stdout;
    assert!(running.contains("clock") && running.contains("Today is ") && !running.contains("DRIPLINE_NOW"), "{running}");
    assert!(dripline.done(&["doctor"]).starts_with("STATUS   CHECK"));

    let bare = doctor(&Dripline::new());
    assert_eq!((bare[3].1.as_str(), bare[3].2.contains("Load fx.csv with `dripline market load`")), ("warning", true));
    dripline.write("a.csv", "date,type,symbol,shares,price,currency\n2024-01-02,buy,NEW,10,60,EUR\n");
    dripline.done(&["import", "a.csv", "--user", ANA]);
    let checks = doctor(&dripline);
    assert_eq!((checks[4].1.as_str(), checks[4].2.contains("NEW. Add them to stocks.csv")), ("warning", true));
}

#[test]
fn the_doctor_exits_with_1_when_a_check_fails() {
    let dripline = Dripline::with_accounts();
    let output = dripline.command(&["doctor", "--json"]).env("DRIPLINE_NOW", "1999-12-31T00:00:00Z").output().unwrap();
    let ran = ran(output);
    assert_eq!(ran.code, Some(1));
    let checks: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&checks[2]["check"], &checks[2]["verdict"]), (&"clock".into(), &"error".into()));
    assert!(checks[2]["finding"].as_str().unwrap().contains("Set the system clock"));
}

#[test]
fn the_doctor_detects_a_changed_audit_record() {
    let dripline = Dripline::with_accounts();
    let database = rusqlite::Connection::open(dripline.data_dir().join("dripline.db")).unwrap();
    database.execute("UPDATE audit SET event = 'deleted' WHERE position = 1", []).unwrap();
    let ran = ran(dripline.command(&["doctor", "--json"]).output().unwrap());
    assert_eq!(ran.code, Some(1));
    let checks: Value = serde_json::from_str(&ran.stdout).unwrap();
    let records = checks.as_array().unwrap().iter().find(|check| check["check"] == "records").unwrap();
    assert_eq!(records["verdict"], "error", "{records}");
}

#[test]
fn a_database_newer_than_the_program_is_refused_and_left_alone() {
    let dripline = Dripline::with_accounts();
    let before = dripline.everything();
    let database = rusqlite::Connection::open(dripline.data_dir().join("dripline.db")).unwrap();
    let set = |version: i64| database.pragma_update(None, "user_version", version).unwrap();
    let known: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    set(known + 1);
    let words = [
        &format!(
            "The database has schema {}, but this program only knows schemas up to {known}. Nothing was changed.",
            known + 1
        )[..],
        "Run the newer version of dripline, or restore a backup made by this version.",
    ];
    for arguments in [&["migrate"][..], &["user", "list"], &["user", "add", "new@example.com"], &["doctor"], &["serve"]] {
        let ran = dripline.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        ran.says(&words);
    }
    set(known);
    drop(database);
    assert_eq!(dripline.everything(), before);
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let dripline = Dripline::new();
    std::fs::create_dir(dripline.data_dir()).unwrap();
    let path = dripline.data_dir().join("dripline.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let ran = dripline.run(&["user", "list"]);
    assert_eq!(ran.code, Some(1));
    ran.says(&["dripline.db belongs to another program"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    dripline.write("data/dripline.db", "this is a letter, not a database, and long enough to be looked at twice".repeat(20));
    let ran = dripline.run(&["user", "list"]);
    assert_eq!(ran.code, Some(1));
    ran.says(&["dripline.db is not a Dripline database"]);
}

#[test]
fn an_unwritable_folder_is_named_with_the_remedy() {
    let dripline = Dripline::new();
    dripline.write("file", "a regular file");
    let ran = dripline.run(&["migrate", "--data-dir", "file/data"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    ran.says(&["The data folder file/data can’t be used: Not a directory", "or choose another folder with --data-dir"]);
    assert_eq!(std::fs::read(dripline.path().join("file")).unwrap(), b"a regular file");
}

#[test]
fn restoring_a_backup_brings_back_its_data() {
    let dripline = Dripline::with_accounts();
    let ledger = dripline.write("a.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60\n");
    dripline.done(&["import", ledger, "--user", ANA]);
    let before = dripline.done(&["export", "--user", ANA]);
    dripline.run(&["backup", "copy.db"]).says(&["Backup written and checked: copy.db"]);
    dripline.done(&["user", "delete", ANA, "--yes"]);
    dripline.run(&["restore", "copy.db"]).says(&["Restored copy.db", "`dripline token list --user EMAIL`"]);
    assert_eq!(dripline.done(&["export", "--user", ANA]), before);
}

#[test]
fn a_drill_restores_checks_and_leaves_nothing_behind() {
    let dripline = Dripline::with_accounts();
    let ledger = dripline.write("a.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60\n");
    dripline.done(&["import", ledger, "--user", ANA]);
    let ran = dripline.run(&["restore", "--drill"]);
    assert_eq!(ran.code, Some(1));
    ran.says(&["There is no backup in", "The server makes the first one a minute after it starts"]);
    std::fs::create_dir(dripline.path().join("data/backups")).unwrap();
    dripline.done(&["backup", "data/backups/dripline-20261115T113000Z.db"]);
    let before = dripline.everything();
    let ran = dripline.run(&["restore", "--drill"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.says(&["Newest backup: 2026-11-15T11:30:00Z", "was restored to a temporary folder and checked in"]);
    assert!(ran.stdout.contains("is intact"), "{ran:?}");
    assert_eq!(dripline.everything(), before);
    dripline.write("noise.db", "not a database");
    let backups = |now: &str| {
        let output = dripline.command(&["doctor", "--json"]).env("DRIPLINE_NOW", now).output().unwrap();
        let checks: Value = serde_json::from_slice(&output.stdout).unwrap();
        let check = checks.as_array().unwrap().iter().find(|check| check["check"] == "backups").unwrap();
        check["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!((backups("2026-11-15T13:29:00Z"), backups("2026-11-15T13:31:00Z")), ("ok".to_owned(), "warning".to_owned()));
    assert_eq!(dripline.run(&["restore", "--drill", "noise.db"]).code, Some(1));
    assert_eq!(dripline.run(&["restore"]).code, Some(2), "which one is to be said");
    assert!(
        !std::fs::read_dir(dripline.path()).unwrap().any(|entry| entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with("drill-"))
    );
}

#[test]
fn a_file_that_is_not_a_backup_is_refused_and_changes_nothing() {
    let dripline = Dripline::with_accounts();
    dripline.write("noise.db", "not a database");
    let before = dripline.done(&["user", "list", "--json"]);
    for file in ["noise.db", "missing.db"] {
        let ran = dripline.run(&["restore", file]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(file), "{ran:?}");
    }
    assert_eq!(dripline.done(&["user", "list", "--json"]), before);
}
