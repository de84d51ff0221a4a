//! Instructions of searching and of what is kept of a ledger; `bench/counts` counts them. No closures in the counted functions:
//! see `crates/counts`.
#![allow(clippy::unwrap_used)]

#[path = "../search/dice.rs"]
mod dice;
#[path = "../search/listings.rs"]
#[allow(dead_code)]
mod listings;
#[path = "../../../ledger/benches/counts/made_up.rs"]
mod made_up;

use app::book::lots::Lot;
use app::book::snapshot::PositionSnapshot;
use app::market::traded::{Traded, fingerprint};
use app::stocks::search::{Hit, Index};
use gungraun::{library_benchmark, library_benchmark_group, main};
use ledger::{Entry, Fx};
use made_up::{TODAY, entries, fx, split, usd};
use uuid::Uuid;

const LISTINGS: usize = 2_000;

#[library_benchmark]
#[bench::symbol(args = (asked(|symbol, _| symbol.to_owned())), teardown = found)]
#[bench::prefix(args = (asked(|_, word| word[..4].to_owned())), teardown = found)]
#[bench::substring(args = (asked(|_, word| word[1..6].to_owned())), teardown = found)]
#[bench::typo(args = (asked(|_, word| word.replacen(&word[2..4], "q", 1))), teardown = found)]
#[bench::nothing(asked(|_, _| "zzqxvkj wqqz".to_owned()))]
fn search((index, query): (&'static Index, String)) -> Vec<Hit<'static>> {
    index.search(&query)
}

/// A search that finds nothing is another one.
fn found(hits: Vec<Hit<'_>>) {
    assert!(!hits.is_empty());
}

/// Lies there until the end: that it goes is not part of a search.
fn asked(query: fn(symbol: &str, word: &str) -> String) -> (&'static Index, String) {
    let listings = listings::made_up(LISTINGS);
    let words = |name: &str| name.split(' ').find(|word| word.len() >= 9).map(str::to_owned);
    let (symbol, word) =
        listings.iter().skip(LISTINGS / 2).find_map(|one| Some((one.symbol.clone(), words(one.name.as_ref()?)?))).unwrap();
    (Box::leak(Box::new(Index::build(listings.into_iter()))), query(&symbol, &word))
}

#[library_benchmark]
#[bench::three_hundred_listings(listings::made_up(300))]
fn index(listings: Vec<app::stocks::search::Listing>) -> Index {
    Index::build(listings.into_iter())
}

#[library_benchmark]
#[bench::a_split_and_500_entries(lot(entries(500)), fx())]
fn fold(lot: Lot, fx: Fx) -> Vec<u8> {
    snapshot(&lot, &fx)
}

fn lot(entries: Vec<Entry>) -> Lot {
    let (isin, name) = (Some("US1912161007".to_owned()), Some("Coca-Cola".to_owned()));
    Lot { portfolio_id: Uuid::nil(), symbol: "KO".to_owned(), isin, name, entries }
}

fn snapshot(lot: &Lot, fx: &Fx) -> Vec<u8> {
    let splits = [split()];
    let traded = Traded { currency: Some(usd()), splits: &splits, mark: fingerprint(&splits) };
    PositionSnapshot::compute(lot, traded, true, fx, TODAY).unwrap().encode()
}

#[library_benchmark]
#[bench::of_500_entries(snapshot(&lot(entries(500)), &fx()))]
fn kept(bytes: Vec<u8>) {
    assert!(PositionSnapshot::decode(&bytes).unwrap().position.is_some());
}

library_benchmark_group!(name = use_cases, benchmarks = [search, index, fold, kept]);
main!(library_benchmark_groups = use_cases);
