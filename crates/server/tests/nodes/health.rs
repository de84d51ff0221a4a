use serde_json::json;
use testkit::{Node, Service};

use super::{calendar, metric};

fn node(service: &Service) -> Node {
    Node::start(service, None)
}

#[test]
fn a_node_reports_that_it_is_alive_and_ready() {
    let service = Service::start();
    let node = node(&service);
    for (path, status) in [("/healthz", "ok"), ("/readyz", "ready")] {
        let answer = node.get(path, None);
        assert_eq!((answer.status, answer.json()), (200, json!({"status": status})));
        assert_eq!((answer.header("cache-control"), answer.header("content-type")), ("no-store", "application/json"));
        let head = node.request("HEAD", path, None, &[]);
        assert_eq!((head.status, head.body.len(), head.header("cache-control")), (200, 0, "no-store"));
        let refused = node.request("POST", path, None, &[]);
        assert_eq!((refused.status, refused.error_code().as_str()), (405, "bad_request"));
        assert_eq!(refused.header("allow"), "GET, HEAD, OPTIONS");
    }
    assert!(!service.get("/api/v1/openapi.json", None).text().contains("readyz"));
}

#[test]
fn health_checks_are_not_rate_limited() {
    let service = Service::start();
    let node = node(&service);
    while calendar(&node, "203.0.113.7").status == 200 {}
    for path in ["/healthz", "/readyz"].iter().cycle().take(130) {
        let answer = node.request("GET", path, None, &[("X-Forwarded-For", "203.0.113.7")]);
        assert!(answer.status == 200 && !answer.headers.contains_key("ratelimit"), "{path}: {}", answer.status);
    }
}

#[test]
fn without_its_database_a_node_is_alive_but_not_ready() {
    let service = Service::start();
    let node = node(&service);
    assert_eq!(node.get("/readyz", None).status, 200);
    assert_eq!(metric(&service, &node, "database_answers"), Some(1));
    service.tamper("ALTER TABLE versions RENAME TO gone; ALTER TABLE refreshes RENAME TO gone_too");
    let refused = node.get("/readyz", None);
    assert_eq!((refused.status, refused.error_code().as_str()), (503, "unavailable"));
    assert_eq!((refused.header("retry-after"), refused.header("cache-control")), ("1", "no-store"));
    assert_eq!(node.get("/healthz", None).status, 200);
    assert_eq!(metric(&service, &node, "database_answers"), Some(0));
    service.tamper("ALTER TABLE gone RENAME TO versions; ALTER TABLE gone_too RENAME TO refreshes");
    assert_eq!(node.get("/readyz", None).status, 200);
}
