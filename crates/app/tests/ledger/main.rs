//! The ledger's use cases, on a real database in a folder of its own.

#![allow(clippy::unwrap_used)]

mod doubts;
mod entries;
mod listing;
mod owners;
mod plans;
mod tracked;
mod turns;
mod uploads;
mod world;
