//! Which fake provider answers at which path.

mod alphavantage;
mod ecb;
mod eodhd;
mod fmp;
mod yahoo;

use crate::http::{Reply, Request};
use crate::world::World;

pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let (provider, _rest) = request.path.trim_start_matches('/').split_once('/').unwrap_or((&request.path, ""));
    match provider {
        "ecb" => ecb::answer(world, request),
        "yahoo" => yahoo::answer(world, request),
        "alphavantage" => alphavantage::answer(world, request),
        "eodhd" => eodhd::answer(world, request),
        "fmp" => fmp::answer(world, request),
        other => Reply::text("text/plain", format!("nobody speaks at {other}")).status(404),
    }
}
