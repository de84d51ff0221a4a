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
mod joining;
mod morgan_stanley;
mod ofx;
mod parqet;
mod portfolio_performance;
mod questrade;
mod rabobank;
mod reading;
pub mod reason;
mod record;
mod revolut;
mod saxo;
mod scalable;
mod schwab;
mod schwab_equity_awards;
mod snowball;
mod swissquote;
mod trade_republic;
mod trade_republic_pytr;
mod trading212;
mod vanguard_uk;
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

/// A file format: how to recognise it by its content, and how to read it.
pub struct Format {
    pub name: &'static str,
    /// Formats of one broker that share row ids.
    pub family: &'static str,
    pub detect: fn(&Opened) -> bool,
    pub parse: fn(&Opened) -> Parsed,
    /// Rows of one day are in the order in which they happened, as in our own file.
    pub in_order: bool,
}

/// All formats; a new one is a line here and a separate file. The first that recognises a file reads it.
pub const FORMATS: &[Format] = &[
    format("ibkr-flex", ibkr::flex::detect, ibkr::flex::parse),
    format("ibkr-history", ibkr::history::detect, ibkr::history::parse),
    format("ibkr-statement", ibkr::statement::detect, ibkr::statement::parse),
    format("degiro", degiro::detect, degiro::parse),
    Format { family: "degiro", ..format("degiro-transactions", degiro::transactions::detect, degiro::transactions::parse) },
    format("schwab", schwab::detect, schwab::parse),
    format("schwab-equity-awards", schwab_equity_awards::detect, schwab_equity_awards::parse),
    format("fidelity", fidelity::detect, fidelity::parse),
    Format { in_order: true, ..format("ofx", ofx::detect, ofx::parse) },
    format("trading212", trading212::detect, trading212::parse),
    format("trade-republic", trade_republic::detect, trade_republic::parse),
    format("trade-republic-pytr", trade_republic_pytr::detect, trade_republic_pytr::parse),
    format("scalable", scalable::detect, scalable::parse),
    format("swissquote", swissquote::detect, swissquote::parse),
    format("saxo", saxo::detect, saxo::parse),
    format("xtb", xtb::detect, xtb::parse),
    format("bux", bux::detect, bux::parse),
    format("etoro", etoro::detect, etoro::parse),
    format("revolut", revolut::detect, revolut::parse),
    format("freetrade", freetrade::detect, freetrade::parse),
    format("vanguard-uk", vanguard_uk::detect, vanguard_uk::parse),
    format("investengine", investengine::detect, investengine::parse),
    format("hargreaves-lansdown", hargreaves_lansdown::detect, hargreaves_lansdown::parse),
    format("morgan-stanley", morgan_stanley::detect, morgan_stanley::parse),
    format("questrade", questrade::detect, questrade::parse),
    format("avanza", avanza::detect, avanza::parse),
    format("finpension", finpension::detect, finpension::parse),
    format("rabobank", rabobank::detect, rabobank::parse),
    format("directa", directa::detect, directa::parse),
    format("disnat", disnat::detect, disnat::parse),
    format("parqet", parqet::detect, parqet::parse),
    format("delta", delta::detect, delta::parse),
    format("snowball", snowball::detect, snowball::parse),
    format("yahoo-portfolio", yahoo_portfolio::detect, yahoo_portfolio::parse),
    format("portfolio-performance", portfolio_performance::detect, portfolio_performance::parse),
    format("portfolio-performance-csv", portfolio_performance::table::detect, portfolio_performance::table::parse),
    format("ghostfolio", ghostfolio::detect, ghostfolio::parse),
    // After the brokers, because their tables have columns with the same names.
    Format { in_order: true, ..format("dripline", dripline::detect, dripline::parse) },
    // Last, because it accepts every table it understands.
    format("generic", generic::detect, generic::parse),
];

const fn format(name: &'static str, detect: fn(&Opened) -> bool, parse: fn(&Opened) -> Parsed) -> Format {
    Format { name, family: name, detect, parse, in_order: false }
}

pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

pub fn detect(file: &Opened) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.detect)(file))
}

impl Format {
    /// Reads and checks every row of the file, in chronological order.
    pub fn read(&self, file: &Opened) -> Parsed {
        self.read_by(file, self.parse)
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

/// Invalid records become errors of their rows.
fn reject_invalid(parsed: &mut Parsed) {
    if parsed.records.iter().all(|record| check::check(record).is_ok()) {
        return;
    }
    for record in std::mem::take(&mut parsed.records) {
        match check::check(&record) {
            Ok(()) => parsed.records.push(record),
            Err(check::Fault { reason, .. }) => {
                for line in &record.joined {
                    parsed.skip(*line, Reason::PartOfError { line: record.line });
                }
                if !record.second {
                    parsed.error(record.line, reason);
                } else if parsed.refusal.is_none() {
                    parsed.refusal = Some(Problem::new(record.line, reason));
                }
            }
        }
    }
}
