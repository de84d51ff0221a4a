//! Other people's apps on a real database, to the second and to the last one that is still let through.

#![allow(clippy::unwrap_used)]

mod asking;
mod clients;
mod codes;
mod devices;
mod fetched;
mod refreshing;
mod registering;
mod taking_back;
mod world;
