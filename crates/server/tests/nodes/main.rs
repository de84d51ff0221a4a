//! Several nodes as one service: shared limits in Redis, outages of Redis, health checks and draining.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod draining;
mod health;
mod outage;
mod shared_limits;

use testkit::{Answer, Node, Service};

const CALENDAR: &str = "/api/v1/calendar";

/// As a client at this address, through a balancer.
fn calendar(node: &Node, from: &str) -> Answer {
    node.request("GET", CALENDAR, None, &[("X-Forwarded-For", from)])
}

fn remaining(answer: &Answer) -> u32 {
    let state = answer.header("ratelimit").strip_prefix("\"anon\";r=").unwrap();
    state.split(';').next().unwrap().parse().unwrap()
}

/// The value of a metric of the node, if it exists.
fn metric(service: &Service, node: &Node, name: &str) -> Option<u64> {
    let text = service.metrics(node.redis.clone());
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("dripline_{name} ")))?;
    Some(line.parse().unwrap())
}
