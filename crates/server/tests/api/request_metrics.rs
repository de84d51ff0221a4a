//! Requests are counted by route on every path; who asks for what is not recorded.

use testkit::sample::World;

use super::contract::{ask, get};

/// The value of a metric.
pub fn figure(metrics: &str, line: &str) -> u64 {
    let found = metrics.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("{line} is not in\n{metrics}")).parse().unwrap()
}

#[test]
fn requests_are_counted_by_route_and_status() {
    let world = World::start();
    let tag = get(&world, "/api/v1/income?years=3", Some(&world.ana)).header("etag").to_owned();
    for _ in 0..3 {
        get(&world, "/api/v1/income?years=3", Some(&world.ana));
        ask(&world, "GET", "/api/v1/income?years=3", Some(&world.ana), &[("If-None-Match", &tag)]);
        get(&world, "/api/v1/income", Some("drip_pat_noise"));
    }
    ask(&world, "HEAD", "/api/v1/income?years=3", Some(&world.ana), &[]);
    ask(&world, "POST", "/api/v1/income", Some(&world.ana), &[]);
    get(&world, "/api/v1/stocks/QTR", None);
    get(&world, "/api/v1/stocks/NOWHERE", None);
    world.get("/no/such/page", None);
    let metrics = world.metrics(None);
    let requests = |method: &str, route: &str, status: u16| {
        let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
        figure(&metrics, &format!("dripline_http_requests_total{{{labels}}}"))
    };
    assert_eq!(requests("GET", "/api/v1/income", 200), 5);
    assert_eq!(requests("GET", "/api/v1/income", 304), 3);
    assert_eq!(requests("GET", "/api/v1/income", 401), 3);
    assert_eq!(requests("POST", "/api/v1/income", 405), 1);
    assert_eq!(requests("GET", "/api/v1/stocks/{symbol}", 200), 1);
    assert_eq!(requests("GET", "/api/v1/stocks/{symbol}", 404), 1);
    assert_eq!(requests("GET", "none", 404), 1);
    let income = "method=\"GET\",route=\"/api/v1/income\"";
    assert_eq!(figure(&metrics, &format!("dripline_http_request_seconds_count{{{income}}}")), 11);
    assert_eq!(figure(&metrics, &format!("dripline_http_request_seconds_bucket{{le=\"+Inf\",{income}}}")), 11);
    // The second 200, the three 304, and two of the three refusals were sent as the first of them went out.
    let [finished, computed] =
        ["finished", "computed"].map(|from| figure(&metrics, &format!("dripline_api_answers_total{{from=\"{from}\"}}")));
    assert!(finished >= 6 && computed >= 1, "{finished} {computed}");
    assert!(figure(&metrics, "dripline_database_seconds_count{part=\"write\"}") > 0, "{metrics}");
    for private in ["QTR", "NOWHERE", "such", "years", &world.ana, "example.com"] {
        assert!(!metrics.contains(private), "{private} is in\n{metrics}");
    }
}

#[test]
fn unknown_methods_are_counted_as_one() {
    let world = World::start();
    for method in ["BREW", "PROPFIND", "X-1", "TRACE"] {
        ask(&world, method, "/api/v1/me", Some(&world.ana), &[]);
    }
    let metrics = world.metrics(None);
    assert!(!metrics.contains("BREW") && !metrics.contains("PROPFIND"), "{metrics}");
    let others: u64 = metrics
        .lines()
        .filter_map(|line| {
            line.strip_prefix("dripline_http_requests_total{method=\"other\",")?.split(' ').next_back()?.parse::<u64>().ok()
        })
        .sum();
    assert_eq!(others, 4, "{metrics}");
}
