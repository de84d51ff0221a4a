//! A database copied into another, of either engine, is the same database.

#![allow(clippy::unwrap_used)]

mod backup;
mod places;
mod refusing;
mod resuming;
mod round_trip;
mod rows;
mod schema;
