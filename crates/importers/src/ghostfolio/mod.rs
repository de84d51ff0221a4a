//! Ghostfolio: its export and import file (JSON), and the table it imports (CSV).

mod activity;
mod json;
mod table;

use std::collections::HashSet;

use crate::{Opened, Parsed, Problem, Reason};

pub fn detect(file: &Opened) -> bool {
    json::detect(&file.text) || table::detect(file)
}

pub fn parse(file: &Opened) -> Parsed {
    let mut parsed = match file.sheets.is_empty() {
        true => json::parse(&file.text),
        false => table::parse(file),
    };
    // A single account needs no name.
    let accounts: HashSet<_> = parsed.records.iter().filter_map(|record| record.portfolio.clone()).collect();
    if accounts.len() < 2 {
        parsed.records.iter_mut().for_each(|record| record.portfolio = None);
    }
    if parsed.rows > 0 && parsed.records.is_empty() && parsed.errors.is_empty() && parsed.refusal.is_none() {
        let line = parsed.skips.first().map_or(1, |skip| skip.line);
        parsed.refusal = Some(Problem::new(line, Reason::NoTransactions));
    }
    parsed
}
