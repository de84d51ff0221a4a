//! A database copied into another, of either engine, is the same database.

#![allow(clippy::unwrap_used)]

mod backup;
mod places;
mod refusing;
mod resuming;
mod rows;
mod schema;
mod there_and_back;
