//! Two servers on one database refresh a thousand tracked stocks within the providers' budgets, each once.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

#[allow(dead_code)] // shared with the tests of the command line, which use more of it
#[path = "cli/dripline.rs"]
mod dripline;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::Child;
use std::time::{Duration, Instant};

use dripline::{ANA, Dripline};
use replay::{Replay, World};

const STOCKS: usize = 1_000;
/// Requests a minute. A fifth is reserved for live requests.
const BUDGET: usize = 3_000;

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(dripline: &Dripline, replay: &Replay) -> (Server, String) {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("DRIPLINE_PROVIDER", "yahoo").env("DRIPLINE_YAHOO_URL", replay.url("yahoo"));
    command.env("DRIPLINE_YAHOO_BUDGET", format!("{BUDGET}/100000"));
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (Server(child), address.trim().to_owned())
}

/// How often each symbol was requested in charts, profiles and quotes.
fn request_counts(replay: &Replay) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for request in replay.requests() {
        let path = request.split('?').next().unwrap();
        let last = path.rsplit('/').next().unwrap();
        let kind = ["chart", "quoteSummary", "timeseries"].into_iter().find(|kind| path.contains(kind));
        if let Some(kind) = kind {
            *counts.entry(format!("{kind} {last}")).or_default() += 1;
        }
        if path.contains("/v7/finance/quote") {
            let list = request.split("symbols=").nth(1).unwrap().split('&').next().unwrap();
            for symbol in list.split("%2C").flat_map(|part| part.split(',')) {
                *counts.entry(format!("quote {symbol}")).or_default() += 1;
            }
        }
    }
    counts
}

#[test]
#[ignore = "takes a minute"]
fn two_servers_refresh_a_thousand_stocks_once_and_within_the_budget() {
    let replay = Replay::start(World::of_quarterly_payers(STOCKS));
    let dripline = Dripline::new();
    dripline.done(&["user", "add", ANA, "--currency", "USD"]);
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "test"]).trim().to_owned();
    let rows: String = (0..STOCKS).map(|number| format!("2024-01-05,buy,S{number:04},10,30,USD\n")).collect();
    dripline.write("l.csv", format!("date,type,symbol,shares,price,currency\n{rows}"));
    dripline.done(&["import", "l.csv", "--user", ANA]);
    let servers = [serve(&dripline, &replay), serve(&dripline, &replay)];

    let started = Instant::now();
    loop {
        let status = dripline.json(&["market", "status", "--json"]);
        let work = status["work"].as_array().unwrap();
        let done = |one: &serde_json::Value| one["total"] == STOCKS && one["never_done"] == 0;
        if work.len() == 3 && work.iter().all(done) {
            assert!(work.iter().all(|one| one["failing"] == 0), "{status}");
            assert_eq!(
                (&status["unknown"], &status["held_back_count"]),
                (&serde_json::json!([]), &serde_json::json!(0)),
                "{status}"
            );
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "not done after five minutes: {status}");
        std::thread::sleep(Duration::from_millis(500));
    }
    let counts = request_counts(&replay);
    println!(
        "{} requests in {:?}, {} in the busiest minute",
        replay.requests().len(),
        started.elapsed(),
        replay.busiest_minute()
    );
    for number in 0..STOCKS {
        for kind in ["chart", "quoteSummary", "timeseries", "quote"] {
            assert_eq!(counts.get(&format!("{kind} S{number:04}")), Some(&1), "{kind} S{number:04}");
        }
    }
    assert!(replay.count("/v7/finance/quote") <= STOCKS / 100 + 1, "quotes are asked for together");
    assert!(replay.busiest_minute() <= BUDGET, "{}", replay.busiest_minute());
    for (_, address) in &servers {
        let income = ureq::get(format!("{address}/api/v1/income")).header("Authorization", format!("Bearer {token}"));
        let income: serde_json::Value =
            serde_json::from_str(&income.call().unwrap().body_mut().read_to_string().unwrap()).unwrap();
        // 1,000 positions × 10 shares × 4 × 0.50
        assert_eq!(income["annual_income"]["amount"], "20000.00");
    }
}
