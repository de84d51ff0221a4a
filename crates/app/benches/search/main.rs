//! How long a search takes: `cargo bench -p app --bench search -- [a CSV with symbol, name, exchange and type]`.
//! Without a file, made-up listings are searched. Queries come from the listings, always the same ones. The built-in reference
//! data is searched beside them; with `--alone` it is not.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod dice;
mod listings;
mod queries;

use std::hint::black_box;
use std::time::Instant;

use app::stocks::search::Index;
use queries::Source;
use reference::REFERENCE;

const MADE_UP: usize = 112_144;
pub const QUERIES: usize = 2_000;
/// Each query is asked so often, in turns with all others of its set; its median counts.
const ROUNDS: usize = 5;
const BUILDS: usize = 5;

fn main() {
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with("--")); // cargo adds --bench
    let listings = match &path {
        Some(path) => listings::from_csv(&std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))),
        None => listings::made_up(MADE_UP),
    };
    let alone = std::env::args().any(|argument| argument == "--alone");
    let build = || match alone {
        true => Index::build(listings.iter().cloned()),
        false => Index::build_beside(&REFERENCE, listings.iter().cloned()),
    };
    let before = resident_kib();
    let index = build();
    println!("{} listings: {}", listings.len(), path.as_deref().unwrap_or("made up"));
    println!("index: {} MiB resident (/proc/self/statm, after building less before)", (resident_kib() - before) / 1024);
    let builds = (0..BUILDS).map(|_| nanoseconds(|| drop(black_box(build()))));
    println!("build: {} ms, median of {BUILDS}", median(builds.collect()) / 1_000_000);
    println!("\n| {QUERIES} queries each, µs | p50 | p99 | max |\n|---|---:|---:|---:|");
    for (kind, queries) in Source::new(&listings).sets() {
        let mut times = measure(&index, &queries);
        times.sort_unstable();
        let [p50, p99, max] = [times.len() / 2, times.len() * 99 / 100, times.len() - 1].map(|place| micros(times[place]));
        println!("| {kind} | {p50} | {p99} | {max} |");
    }
}

fn measure(index: &Index, queries: &[String]) -> Vec<u64> {
    let ask = |q: &String| nanoseconds(|| drop(black_box(index.search(black_box(q)))));
    let rounds: Vec<Vec<u64>> = (0..ROUNDS).map(|_| queries.iter().map(ask).collect()).collect();
    (0..queries.len()).map(|query| median(rounds.iter().map(|round| round[query]).collect())).collect()
}

fn nanoseconds(work: impl FnOnce()) -> u64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as u64
}

fn median(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times[times.len() / 2]
}

fn micros(nanoseconds: u64) -> String {
    format!("{}.{}", nanoseconds / 1_000, nanoseconds / 100 % 10)
}

/// Linux only; elsewhere nothing.
fn resident_kib() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).map_or(0, |pages: u64| pages * 4)
}
