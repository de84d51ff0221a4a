//! `GET /metrics`, on an address of its own.

use std::time::{Duration, Instant};

use replay::{Fault, Replay};
use testkit::{Engine, Service};

use crate::world::{NOW, ledger, simple};

#[test]
fn provider_metrics_are_exposed_on_the_private_address_only() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    service.account("ana@example.com", "USD", None);
    service.import("ana@example.com", &ledger(&["2024-01-05,buy,QRT,100,30,USD", "2024-01-05,buy,GONE,1,1,USD"]));
    service.refresh(&[]);
    let text = service.metrics(None);
    for line in [
        "dripline_refresh_total{topic=\"quote\"} 2",
        "dripline_refresh_failing{topic=\"quote\"} 1",
        "dripline_refresh_age_seconds{topic=\"rates\"} 0",
        "dripline_market_tracked_stocks 2",
        "dripline_market_held_back 0",
        "dripline_provider_resting_seconds{provider=\"yahoo\"} 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    assert!(text.lines().any(|line| line.starts_with("dripline_provider_requests_total{provider=\"yahoo\"} ")), "{text}");
    assert!(text.ends_with("# EOF\n"));
    assert_eq!(service.get("/metrics", None).status, 404);
}

#[test]
fn a_paused_provider_shows_in_the_metrics() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo"]);
    service.account("ana@example.com", "USD", None);
    service.import("ana@example.com", &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    replay.fail("", Fault::Throttle(Some(600)));
    service.refresh(&[]);
    let health = service.app.sources().health();
    assert!(health[0].rests_for.unwrap().as_secs() > 500, "{health:?}");
    let status = service.run(app::market::status(&service.app)).unwrap();
    assert!(status.providers[0].open_until.is_some() && status.providers[0].last_error.is_some(), "{:?}", status.providers);
}

#[test]
fn the_metrics_show_database_damage_and_the_last_check() {
    let service = Service::start_on(Engine::Sqlite);
    service.account("ana@example.com", "USD", None);
    service.import("ana@example.com", &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    let listed = |line: &str| service.metrics(None).lines().any(|found| found == line);
    assert!(listed("dripline_database_damaged 0") && listed("dripline_database_checked_timestamp_seconds 0"));
    service.run(service.app.store.checkpoint()).unwrap();
    let file = service.data_dir().join("dripline.db");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[8192..].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let jobs = service.start_jobs();
    let started = Instant::now();
    while !listed("dripline_database_damaged 1") {
        assert!(started.elapsed() < Duration::from_secs(30), "{}", service.metrics(None));
        std::thread::sleep(Duration::from_millis(50));
    }
    jobs.abort();
}

#[test]
fn the_database_is_checked_after_the_start() {
    let service = Service::start_on(Engine::Sqlite);
    let jobs = service.start_jobs();
    let at = testkit::NOW.parse::<jiff::Timestamp>().unwrap().as_second();
    let line = format!("dripline_database_checked_timestamp_seconds {at}");
    let started = Instant::now();
    while !service.metrics(None).lines().any(|found| found == line) {
        assert!(started.elapsed() < Duration::from_secs(30), "{}", service.metrics(None));
        std::thread::sleep(Duration::from_millis(50));
    }
    jobs.abort();
}

#[test]
fn alerts_and_dashboard_use_existing_metrics() {
    let replay = Replay::start(simple());
    let service = Service::start_with_providers(NOW, &replay, &["yahoo", "ecb"]);
    service.account("ana@example.com", "USD", None);
    service.import("ana@example.com", &ledger(&["2024-01-05,buy,QRT,100,30,USD"]));
    service.refresh(&[]);
    service.get("/api/v1/calendar", None);
    let listed = service.metrics(None);
    let listed: std::collections::BTreeSet<&str> =
        listed.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    // Of a Redis, of copies that are planned, of HTTPS, and of a file; other tests have those.
    let elsewhere = [
        "dripline_limiter_shared",
        "dripline_backup_timestamp_seconds",
        "dripline_certificate_end_timestamp_seconds",
        "dripline_database_damaged",
        "dripline_database_checked_timestamp_seconds",
    ];
    for file in ["../../deploy/prometheus/alerts.yml", "../../deploy/grafana/dripline.json"] {
        let text = std::fs::read_to_string(file).unwrap();
        let names = text
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|word| word.starts_with("dripline_"));
        let names: std::collections::BTreeSet<&str> =
            names.map(|name| name.trim_end_matches("_bucket").trim_end_matches("_total")).collect();
        assert!(names.len() > 5, "{file}: {names:?}");
        for name in names {
            assert!(
                listed.contains(name) || elsewhere.contains(&name),
                "{file} asks for {name}, of which there is none among {listed:?}"
            );
        }
    }
}
