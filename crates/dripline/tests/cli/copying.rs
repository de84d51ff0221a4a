//! `dripline copy`

use std::thread::sleep;
use std::time::Duration;

use scratch::Scratch;

use crate::dripline::{ANA, Dripline};

fn scratch() -> (Scratch, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let scratch = runtime.block_on(Scratch::empty());
    let url = scratch.url();
    (scratch, url)
}

fn with_entries(rows: usize) -> Dripline {
    let dripline = Dripline::with_accounts();
    let row = |number: usize| format!("20{:02}-01-02,buy,S{},{},10.25,EUR\n", 10 + number % 15, number % 100, number + 1);
    let rows: String = (0..rows).map(row).collect();
    dripline.write("l.csv", format!("date,type,symbol,shares,price,currency\n{rows}"));
    dripline.done(&["import", "l.csv", "--user", ANA]);
    dripline
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_database_is_copied_to_postgresql_and_back() {
    let (_scratch, url) = scratch();
    let dripline = with_entries(40);
    let counts = dripline.json(&["copy", "--from", "data/dripline.db", "--to", &url, "--json"]);
    let rows = |name: &str| {
        let table = counts.as_array().unwrap().iter().find(|table| table["table"] == name);
        table.unwrap()["rows"].clone()
    };
    assert_eq!(
        (rows("users"), rows("entries"), rows("stocks")),
        (2.into(), 40.into(), 43.into()),
        "three stocks of the market, forty of the ledger"
    );
    let back = Dripline::new();
    std::fs::create_dir(back.data_dir()).unwrap();
    let file = format!("sqlite://{}", back.data_dir().join("dripline.db").display());
    let ran = back.run(&["copy", "--from", &url, "--to", &file]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("TABLE") && ran.stdout.contains("entries"), "{}", ran.stdout);
    ran.says(&["copied and verified", "since the copy started are not included"]);
    assert_eq!(back.everything(), dripline.everything());
}

/// So that no password needs to appear on a command line.
#[test]
#[ignore = "needs PostgreSQL"]
fn without_addresses_the_embedded_database_is_copied_to_the_configured_one() {
    let (_scratch, url) = scratch();
    let dripline = with_entries(3);
    let ran = dripline.command(&["copy"]).env("DRIPLINE_DATABASE_URL", &url).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let ran = dripline.command(&["user", "list"]).env("DRIPLINE_DATABASE_URL", &url).output().unwrap();
    assert!(String::from_utf8_lossy(&ran.stdout).contains(ANA));
    dripline.refused(&["copy"], &["Name the database to copy into with --to", "DRIPLINE_DATABASE_URL"]);
}

#[test]
fn copying_never_creates_a_missing_source() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["copy", "--from", "dat/dripline.db", "--to", "new.db"], &["--from", "There is no file dat/dripline.db"]);
    dripline.refused(&["copy", "--from", "data", "--to", "new.db"], &["data is a folder", "dripline.db"]);
    dripline.refused(&["copy", "--from", "data/dripline.db", "--to", "http://u:SECRET@h/d"], &["--to", "not a database address"]);
    dripline.refused(&["copy", "--from", "data/dripline.db", "--to", "data/dripline.db"], &["not empty"]);
    assert!(!dripline.path().join("dat").exists() && !dripline.path().join("new.db").exists());
}

#[test]
fn a_failed_copy_never_prints_the_password() {
    let dripline = Dripline::with_accounts();
    for address in ["postgres://u:SECRET@127.0.0.1:1/d", "postgres://u:SECRET@host:port/d", "mysql://u:SECRET@h/d"] {
        let ran = dripline.run(&["copy", "--from", "data/dripline.db", "--to", address]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.contains("SECRET")), (Some(1), "", false), "{ran:?}");
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_killed_copy_is_finished_by_the_next_one() {
    let (_scratch, url) = scratch();
    let dripline = with_entries(10_000);
    let arguments = ["copy", "--from", "data/dripline.db", "--to", &url];
    let mut killed = 0;
    for number in 0..6 {
        let mut child = dripline.command(&arguments).spawn().unwrap();
        sleep(Duration::from_millis(120 + 150 * number));
        child.kill().unwrap();
        killed += u32::from(!child.wait().unwrap().success());
    }
    assert!(killed > 1, "{killed} copies were still running when they were killed");
    if killed == 6 {
        dripline.done(&arguments);
    }
    let back = Dripline::new();
    std::fs::create_dir(back.data_dir()).unwrap();
    back.done(&["copy", "--from", &url, "--to", "data/dripline.db"]);
    assert_eq!(back.everything(), dripline.everything());
}
