//! The use cases of the ledger, on a real database.

#![allow(clippy::unwrap_used)]

mod automatic;
mod automatic_purchases;
mod automatic_random;
mod demo;
mod doubts;
mod entries;
mod explain;
mod figures;
mod fixes;
mod full_distance;
mod fuzzed;
mod job_limit;
mod late_splits;
mod listing;
mod openings;
mod owners;
mod plans;
mod reference_data;
mod reinvested;
mod reinvesting;
mod search;
mod several;
mod tracking;
mod uploads;
mod world;
