//! Several nodes as one service: what they limit together in Redis, what becomes of it without, and how a node comes and goes.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod counting;
mod draining;
mod health;
mod outage;

use http_body_util::BodyExt;
use testkit::{Answer, Node, Service};
use tower::ServiceExt;

const CALENDAR: &str = "/api/v1/calendar";

/// As a client at this address, through a balancer.
fn calendar(node: &Node, from: &str) -> Answer {
    node.request("GET", CALENDAR, None, &[("X-Forwarded-For", from)])
}

fn remaining(answer: &Answer) -> u32 {
    let state = answer.header("ratelimit").strip_prefix("\"anon\";r=").unwrap();
    state.split(';').next().unwrap().parse().unwrap()
}

/// A figure of the node's metrics; none when it is not told.
fn metric(service: &Service, node: &Node, name: &str) -> Option<u64> {
    let text = service.run(async {
        let request = axum::http::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
        let response = server::metrics::routes(service.app.clone(), node.redis.clone()).oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
    });
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("dripline_{name} ")))?;
    Some(line.parse().unwrap())
}
