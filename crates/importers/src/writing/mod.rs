//! Writes records to files.

pub mod formula;
pub mod ledger_file;
pub mod rows;
