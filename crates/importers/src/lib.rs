//! Bytes of a file → ledger records. No I/O, no database: what a record means for an account is decided by the caller.

mod dripline;
mod fields;
mod identity;
mod ledger_file;
mod record;

pub use identity::content_key;
pub use ledger::Kind;
pub use ledger_file::write as write_ledger_file;
pub use record::{Parsed, Problem, Record};

/// A file format: how to recognise it by its content, and how to read it.
pub struct Format {
    pub name: &'static str,
    pub about: &'static str,
    pub detect: fn(&[u8]) -> bool,
    pub parse: fn(&[u8]) -> Parsed,
}

/// Every known format; a new one is one line here and a file of its own.
pub const FORMATS: &[Format] =
    &[Format { name: "dripline", about: "Dripline's own ledger file (CSV)", detect: dripline::detect, parse: dripline::parse }];

pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

pub fn detect(bytes: &[u8]) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.detect)(bytes))
}
