//! Brokers' files through the whole service: recognised again, accounted for, taken back.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod account;
mod accrued;
mod again;
mod files;
mod identity;
mod real;
mod unknown;
