//! Instructions of the arithmetic; `bench/counts` counts them. No closures in the counted functions: see `crates/counts`.
#![allow(clippy::unwrap_used)]

mod made_up;

use gungraun::{library_benchmark, library_benchmark_group, main};
use ledger::{Currency, Entry, Facts, Fx, Holding, Income, Metrics, Money, Oversell, Position};
use made_up::{TODAY, amounts, entries, facts, fx, holdings, split, usd};

#[library_benchmark]
#[bench::a_split_and_500_entries(entries(500), fx())]
fn replay(entries: Vec<Entry>, fx: Fx) -> Option<Position> {
    ledger::replay(&entries, usd(), &[split()], &fx, TODAY, Oversell::Close).unwrap()
}

#[library_benchmark]
#[bench::ten_years(holdings(40), fx(), 10, false)]
#[bench::fifty_years_reinvested(holdings(40), fx(), 50, true)]
fn income(holdings: Vec<Holding<'static>>, fx: Fx, years: u32, drip: bool) -> Income {
    ledger::income(&holdings, Currency::EUR, &fx, TODAY, years, drip).unwrap()
}

#[library_benchmark]
#[bench::ten_years_each_quarter(facts(), fx())]
fn metrics(facts: Facts, fx: Fx) -> Metrics {
    ledger::metrics(&facts, &fx, TODAY)
}

#[library_benchmark]
#[bench::a_hundred_amounts(amounts(100))]
fn print(amounts: Vec<Money>) -> usize {
    let mut characters = 0;
    for money in amounts {
        characters += money.aggregate_text().len() + money.recorded_text().len() + money.per_share_text().len();
    }
    characters
}

library_benchmark_group!(name = arithmetic, benchmarks = [replay, income, metrics, print]);
main!(library_benchmark_groups = arithmetic);
