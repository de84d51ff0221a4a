//! From a provider's answer to the API: each test runs the real service on a real database, and a replay server speaks for
//! the providers.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod corrections;
mod faults;
mod files;
mod leases;
mod live;
mod matching;
mod metrics;
mod minor_units;
mod plausible_figures;
mod preference;
mod rates;
mod refresh;
mod rejected_values;
mod tracking;
mod watched_files;
mod wider_search;
mod world;
