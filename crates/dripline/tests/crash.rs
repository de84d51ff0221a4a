//! An import that is killed: afterwards all of the file is in the ledger or nothing of it, and the database is sound.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

#[allow(dead_code)] // shared with the tests of the command line, which use more of it
#[path = "cli/dripline.rs"]
mod dripline;

use std::hash::{BuildHasher, RandomState};
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use dripline::{ANA, Dripline};

const ROWS: usize = 10_000;

#[test]
fn a_killed_import_leaves_all_or_nothing() {
    let kills = if std::env::var_os("DRIPLINE_SOAK").is_some() { 200 } else { 20 };
    let whole = Course::of_an_import();
    let (mut killed, mut nothing, mut all) = (0, 0, 0);
    for number in 0..kills {
        let dripline = with_file();
        let mut child = dripline.command(&["import", "l.csv", "--user", ANA, "--json"]).spawn().unwrap();
        // Half of the kills are spread over the run, half come around the commit.
        let moment = match number % 2 {
            0 => whole.length / kills * number + part_of(whole.length / kills * 2),
            _ => {
                whole.await_commit(&dripline, &mut child);
                part_of(Duration::from_millis(20))
            }
        };
        sleep(moment);
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        killed += u32::from(output.status.signal() == Some(9));
        let context = format!("kill {number} after {moment:?}");
        let stored = dripline.entries(ANA);
        match stored {
            0 => nothing += 1,
            ROWS => all += 1,
            part => panic!("{part} of {ROWS} rows are stored after {context}"),
        }
        assert!(output.stdout.is_empty() || stored == ROWS, "what was reported is lost after {context}");
        recovers(&dripline, &context);
    }
    println!("{kills} kills, {killed} of them in time: {nothing} left nothing, {all} left all");
    assert!(killed * 2 >= kills, "only {killed} of {kills} imports were still running when they were killed");
    assert!(nothing > 0, "no kill came before the commit");
}

/// The database is sound, and the same file can be imported to its end.
fn recovers(dripline: &Dripline, context: &str) {
    let checks = dripline.json(&["doctor", "--json"]);
    assert_eq!((&checks[0]["check"], &checks[0]["verdict"]), (&"database".into(), &"ok".into()), "after {context}");
    let stored = dripline.entries(ANA);
    let report = dripline.json(&["import", "l.csv", "--user", ANA, "--json"]);
    assert_eq!((&report["existing"], &report["new"]), (&stored.into(), &(ROWS - stored).into()), "after {context}");
    assert_eq!(dripline.entries(ANA), ROWS, "after {context}");
}

fn with_file() -> Dripline {
    let dripline = Dripline::new();
    dripline.done(&["user", "add", ANA]);
    let row = |number: usize| format!("20{:02}-01-02,buy,S{},{},10.25,EUR\n", 10 + number % 15, number % 100, number + 1);
    let rows: String = (0..ROWS).map(row).collect();
    dripline.write("l.csv", format!("date,type,symbol,shares,price,currency\n{rows}"));
    dripline
}

/// How an import runs when it is left alone.
struct Course {
    length: Duration,
    /// The most its write-ahead log holds: reached in the commit, before the log is moved into the database.
    log_bytes: u64,
}

impl Course {
    fn of_an_import() -> Course {
        let dripline = with_file();
        let start = Instant::now();
        let mut child = dripline.command(&["import", "l.csv", "--user", ANA]).spawn().unwrap();
        let mut log_bytes = 0;
        while child.try_wait().unwrap().is_none() {
            log_bytes = log_bytes.max(bytes_of_log(&dripline));
            sleep(Duration::from_micros(200));
        }
        Course { length: start.elapsed(), log_bytes }
    }

    /// Returns when the commit is about to end, or the import has.
    fn await_commit(&self, dripline: &Dripline, child: &mut Child) {
        while bytes_of_log(dripline) < self.log_bytes / 10 * 8 && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_micros(100));
        }
    }
}

fn bytes_of_log(dripline: &Dripline) -> u64 {
    std::fs::metadata(dripline.data_dir().join("dripline.db-wal")).map_or(0, |log| log.len())
}

/// A random part of it.
fn part_of(whole: Duration) -> Duration {
    whole / 1_000 * (RandomState::new().hash_one(0) % 1_000) as u32
}
