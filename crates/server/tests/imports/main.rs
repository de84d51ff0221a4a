//! Brokers' files through the whole service: recognised, accounted for, undone.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod account;
mod accruals;
mod files;
mod identity;
mod real;
mod reimport;
mod unknown_isins;
