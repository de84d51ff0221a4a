//! The worst input for each parser of user input: how long a request blocks the thread that reads it.
//! `bench/worst` prints the table, whose slowest rows are in `docs/reports/ATTACKS.md`.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod inputs;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use app::accounts;
use testkit::{Answer, Browser, Service, answer, cpu_spent};

const ANA: &str = "ana@example.com";
const PASSWORD: &str = "a lantern over quiet water";
const MB: usize = 1_000_000;
/// Parsing that takes no longer is never too slow.
const NOTICED: Duration = Duration::from_millis(100);
/// Requests come from this many users and addresses, so that no limit applies.
const TOKENS: usize = 20;

/// A service whose requests share one thread, and somebody who is signed in.
struct World {
    service: Service,
    ana: Browser,
    tokens: Vec<String>,
    requests: AtomicUsize,
}

/// A slow input of about this many bytes, and how it is sent.
struct Case {
    reader: &'static str,
    worst: &'static str,
    /// As much as the parser accepts, up to a megabyte.
    bytes: usize,
    make: fn(usize) -> Vec<u8>,
    send: fn(&World, &[u8]),
}

impl World {
    fn new() -> World {
        let service = Service::start_on_one_thread();
        service.account(ANA, "EUR", None);
        let tokens = (0..TOKENS).map(|number| service.account(&format!("{number}@example.com"), "EUR", None)).collect();
        service.run(accounts::set_password(&service.app, ANA, PASSWORD)).unwrap();
        let ana = service.browser();
        assert_eq!(ana.sign_in(ANA, PASSWORD).status, 303);
        service.load(&[("stocks.csv", &inputs::listings(20_000))]);
        World { service, ana, tokens, requests: AtomicUsize::default() }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.service.address)
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let bearer = format!("Bearer {}", self.tokens[number % TOKENS]);
        let address = format!("10.1.{}.{}", number / 250, number % 250);
        // The last address of the list is the client's.
        let forwarded = headers.iter().find(|(name, _)| *name == "X-Forwarded-For").map_or("", |(_, list)| list);
        let forwarded =
            format!("{forwarded}{}{address}", if forwarded.is_empty() || forwarded.ends_with(' ') { "" } else { ", " });
        let own = [("Authorization", bearer.as_str()), ("X-Forwarded-For", &forwarded)];
        let others = headers.iter().filter(|(name, _)| *name != "X-Forwarded-For");
        let headers: Vec<(&str, &str)> = own.iter().chain(others).copied().collect();
        let answer = answer::send(method, &self.url(path), &headers, body);
        assert!(answer.status < 500 && ![413, 429].contains(&answer.status), "{path}: {} {}", answer.status, answer.text());
        answer
    }

    /// Uploads a file and opens its plan; imports and undoes it if possible, otherwise discards it.
    fn import(&self, name: &str, bytes: &[u8]) {
        self.ana.get("/import");
        let brought = self.ana.upload("/import", &[], name, bytes);
        assert_eq!(brought.status, 303, "{}", brought.text());
        let plan = brought.header("location").to_owned();
        let shown = self.ana.get(&plan);
        assert_eq!(shown.status, 200, "{}", shown.text());
        let what = if shown.text().contains(&format!("{plan}/apply")) { "apply" } else { "discard" };
        let done = self.ana.post(&format!("{plan}/{what}"), &[]);
        assert_eq!(done.status, 303, "{}", done.text());
        let page = self.ana.get("/import").text();
        if let Some(id) = page.split("/import/undo/").nth(1).and_then(|rest| rest.split('"').next()) {
            let undone = self.ana.post(&format!("/import/undo/{id}"), &[]);
            assert_eq!(undone.status, 303, "{}", undone.text());
        }
    }

    /// CPU time of the whole process.
    fn cpu(&self, case: &Case, bytes: usize) -> Duration {
        let input = (case.make)(bytes);
        cpu_spent(|| (case.send)(self, &input))
    }

    /// The longest time without yielding to others.
    #[cfg(not(debug_assertions))]
    fn longest_turn(&self, case: &Case, bytes: usize) -> (usize, Duration) {
        let input = (case.make)(bytes);
        (input.len(), self.service.longest_turn(|| (case.send)(self, &input)).1)
    }
}

/// Twice the input may take twice as long; a quadratic parser takes four times.
#[test]
fn parsing_time_grows_linearly_with_the_input() {
    let world = World::new();
    let mut slow = Vec::new();
    for case in inputs::cases() {
        let whole = case.bytes.min(160_000);
        let measure = || [whole / 2, whole].map(|bytes| world.cpu(&case, bytes));
        // What the first request alone does is no part of it.
        world.cpu(&case, 1_000);
        let [mut half, mut whole] = measure();
        if whole > NOTICED {
            // The lower of two measurements: other load can only add.
            let again = measure();
            (half, whole) = (half.min(again[0]), whole.min(again[1]));
        }
        if whole > NOTICED && whole > half * 3 {
            slow.push(format!("{} ({}): {half:?}, and {whole:?} for twice as much", case.reader, case.worst));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

/// See `bench/worst`. Only in an optimised build.
#[cfg(not(debug_assertions))]
#[test]
#[ignore = "prints a table"]
fn table() {
    let world = World::new();
    println!("| What is read | Its worst input | Bytes | CPU ms |\n|---|---|---:|---:|");
    let mut slow = Vec::new();
    for case in inputs::cases() {
        world.longest_turn(&case, 1_000);
        let (bytes, longest) = world.longest_turn(&case, case.bytes);
        println!("| {} | {} | {bytes} | {:.1} |", case.reader, case.worst, longest.as_secs_f64() * 1000.0);
        if longest > Duration::from_millis(100) {
            slow.push(case.reader);
        }
    }
    assert!(slow.is_empty(), "more than 100 ms: {slow:?}");
}
