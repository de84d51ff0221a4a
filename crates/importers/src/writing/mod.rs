//! Records written as files.

pub mod formula;
pub mod ledger_file;
pub mod rows;
