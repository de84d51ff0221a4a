//! Bytes of a file → ledger records. No I/O, no database: the caller decides what a record means for an account.

mod avanza;
mod bux;
mod check;
mod degiro;
mod delta;
mod directa;
mod disnat;
mod dripline;
mod etoro;
mod fidelity;
mod finpension;
mod freetrade;
pub mod generic;
mod ghostfolio;
mod hargreaves_lansdown;
mod ibkr;
mod identity;
mod investengine;
mod investimental;
mod joining;
mod morgan_stanley;
mod ofx;
mod parqet;
mod portfolio_performance;
mod positions;
mod questrade;
mod rabobank;
mod reading;
pub mod reason;
mod record;
mod revolut;
mod rows;
mod saxo;
mod scalable;
mod schwab;
mod schwab_equity_awards;
mod snowball;
mod swissquote;
mod trade_republic;
mod trade_republic_pytr;
mod trading212;
mod us_history;
mod vanguard_uk;
mod wealthfolio;
mod writing;
mod xtb;
mod yahoo_portfolio;

pub use check::{Fault, check};
pub use identity::{Content, content_key};
pub use ledger::Kind;
pub use reading::fields::{self, isin_of};
pub use reading::{BYTES_MAX, Opened, listing};
pub use reason::{Describe, Reason};
pub use record::{Accrual, Parsed, Problem, Record};
pub use writing::ledger_file::write as write_ledger_file;

use std::collections::HashMap;

use reading::Table;

/// A file format: how to recognise it by its content, and how to read it.
pub struct Format {
    pub name: &'static str,
    /// Formats of one broker that share row ids.
    pub family: &'static str,
    /// Rows of one day are in the order in which they happened, as in our own file.
    pub in_order: bool,
    reader: Reader,
}

enum Reader {
    File { detect: fn(&Opened) -> bool, parse: fn(&Opened) -> Parsed },
    Table { find: Option<fn(&Opened) -> Option<Table<'_>>>, columns: &'static [&'static str], parse: fn(&Table<'_>) -> Parsed },
}

/// All formats; a new one is a line here and a separate file. The first that recognises a file reads it.
pub const FORMATS: &[Format] = &[
    file("ibkr-flex", ibkr::flex::detect, ibkr::flex::parse),
    file("ibkr-history", ibkr::history::detect, ibkr::history::parse),
    file("ibkr-statement", ibkr::statement::detect, ibkr::statement::parse),
    file("degiro", degiro::detect, degiro::parse),
    Format { family: "degiro", ..file("degiro-transactions", degiro::transactions::detect, degiro::transactions::parse) },
    file("schwab", schwab::detect, schwab::parse),
    file("schwab-equity-awards", schwab_equity_awards::detect, schwab_equity_awards::parse),
    found("fidelity", fidelity::table, fidelity::COLUMNS, fidelity::parse),
    Format { in_order: true, ..file("ofx", ofx::detect, ofx::parse) },
    found("trading212", trading212::table, trading212::COLUMNS, trading212::parse),
    table("trade-republic", trade_republic::COLUMNS, trade_republic::parse),
    found("trade-republic-pytr", trade_republic_pytr::table, trade_republic_pytr::COLUMNS, trade_republic_pytr::parse),
    table("scalable", scalable::COLUMNS, scalable::parse),
    found("swissquote", swissquote::table, swissquote::COLUMNS, swissquote::parse),
    file("saxo", saxo::detect, saxo::parse),
    file("xtb", xtb::detect, xtb::parse),
    found("bux", bux::table, bux::COLUMNS, bux::parse),
    file("etoro", etoro::detect, etoro::parse),
    file("revolut", revolut::detect, revolut::parse),
    table("freetrade", freetrade::COLUMNS, freetrade::parse),
    file("vanguard-uk", vanguard_uk::detect, vanguard_uk::parse),
    table("investengine", investengine::COLUMNS, investengine::parse),
    table("hargreaves-lansdown", hargreaves_lansdown::COLUMNS, hargreaves_lansdown::parse),
    file("morgan-stanley", morgan_stanley::detect, morgan_stanley::parse),
    file("questrade", questrade::detect, questrade::parse),
    table("avanza", avanza::COLUMNS, avanza::parse),
    table("finpension", finpension::COLUMNS, finpension::parse),
    table("rabobank", rabobank::COLUMNS, rabobank::parse),
    table("directa", directa::COLUMNS, directa::parse),
    table("investimental", investimental::COLUMNS, investimental::parse),
    table("disnat", disnat::COLUMNS, disnat::parse),
    found("parqet", parqet::table, parqet::COLUMNS, parqet::parse),
    table("delta", delta::COLUMNS, delta::parse),
    table("snowball", snowball::COLUMNS, snowball::parse),
    file("yahoo-portfolio", yahoo_portfolio::detect, yahoo_portfolio::parse),
    file("portfolio-performance", portfolio_performance::detect, portfolio_performance::parse),
    found(
        "portfolio-performance-csv",
        portfolio_performance::table::find,
        portfolio_performance::table::SHOWN,
        portfolio_performance::table::parse,
    ),
    found("wealthfolio", wealthfolio::table, wealthfolio::COLUMNS, wealthfolio::parse),
    file("ghostfolio", ghostfolio::detect, ghostfolio::parse),
    // After the brokers, because their tables have columns with the same names.
    Format { in_order: true, ..file("dripline", dripline::detect, dripline::parse) },
    file("positions", positions::detect, positions::parse),
    // Last, because it accepts every table it understands.
    file("generic", generic::detect, generic::parse),
];

/// A format that is more than a table, or has several headers.
const fn file(name: &'static str, detect: fn(&Opened) -> bool, parse: fn(&Opened) -> Parsed) -> Format {
    Format { name, family: name, in_order: false, reader: Reader::File { detect, parse } }
}

/// A table whose header has all these columns, in lowercase.
const fn table(name: &'static str, columns: &'static [&'static str], parse: fn(&Table<'_>) -> Parsed) -> Format {
    Format { name, family: name, in_order: false, reader: Reader::Table { find: None, columns, parse } }
}

/// A table that is recognised by more than a list of columns, which are then only those that a user is told.
const fn found(
    name: &'static str,
    find: fn(&Opened) -> Option<Table<'_>>,
    columns: &'static [&'static str],
    parse: fn(&Table<'_>) -> Parsed,
) -> Format {
    Format { name, family: name, in_order: false, reader: Reader::Table { find: Some(find), columns, parse } }
}

pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

pub fn detect(file: &Opened) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.recognises(file))
}

impl Format {
    /// Reads and checks every row of the file, in chronological order.
    pub fn read(&self, file: &Opened) -> Parsed {
        self.read_by(file, |file| match self.reader {
            Reader::File { parse, .. } => parse(file),
            Reader::Table { find, columns, parse } => match table_of(file, find, columns) {
                Some(table) => parse(&table),
                None => Parsed::refused(1, Reason::header_missing(columns)),
            },
        })
    }

    fn recognises(&self, file: &Opened) -> bool {
        match self.reader {
            Reader::File { detect, .. } => detect(file),
            Reader::Table { find, columns, .. } => table_of(file, find, columns).is_some(),
        }
    }

    /// The same with another parser, such as one for columns that the user has mapped.
    pub(crate) fn read_by(&self, file: &Opened, parse: impl FnOnce(&Opened) -> Parsed) -> Parsed {
        let mut parsed = parse(file);
        if let Some(line) = file.open_quote {
            parsed.refusal = Some(Problem::new(line, Reason::QuoteNotClosed));
        }
        reject_invalid(&mut parsed);
        if !self.in_order {
            joining::order::chronological(&mut parsed.records);
        }
        if !parsed.adds_up() && parsed.refusal.is_none() {
            parsed.refusal = Some(Problem::new(0, Reason::RowsUnaccounted { format: self.name }));
        }
        parsed
    }
}

fn table_of<'a>(file: &'a Opened, find: Option<fn(&Opened) -> Option<Table<'_>>>, columns: &[&str]) -> Option<Table<'a>> {
    find.map_or_else(|| Table::find(file, columns), |find| find(file))
}

/// Invalid records become errors of their rows, with both records if a row gave two.
fn reject_invalid(parsed: &mut Parsed) {
    let invalid: HashMap<u64, Reason> =
        parsed.records.iter().filter_map(|record| Some((record.line, check::check(record).err()?.reason))).collect();
    if invalid.is_empty() {
        return;
    }
    // In a file without line breaks, rows share a line.
    let mut rows: HashMap<u64, u32> = HashMap::new();
    for record in parsed.records.iter().filter(|record| !record.second) {
        *rows.entry(record.line).or_default() += 1;
    }
    for record in std::mem::take(&mut parsed.records) {
        let is_alone = rows.get(&record.line) == Some(&1);
        let reason = match is_alone {
            true => invalid.get(&record.line).cloned(),
            false => check::check(&record).err().map(|fault| fault.reason),
        };
        let Some(reason) = reason else {
            parsed.records.push(record);
            continue;
        };
        for line in &record.joined {
            parsed.skip(*line, Reason::PartOfError { line: record.line });
        }
        if !record.second {
            parsed.error(record.line, reason);
        } else if !is_alone && parsed.refusal.is_none() {
            parsed.refusal = Some(Problem::new(record.line, reason));
        }
    }
}
