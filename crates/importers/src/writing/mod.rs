//! Records written as files.

pub mod ledger_file;
pub mod rows;
