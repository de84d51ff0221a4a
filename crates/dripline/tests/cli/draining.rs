//! `DRIPLINE_DRAIN_SECONDS`: a node that is asked to stop reports it before it exits.

use std::time::{Duration, Instant};

use crate::dripline::Dripline;
use crate::served::Served;

fn start(dripline: &Dripline, seconds: &str) -> Served {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.env("DRIPLINE_DRAIN_SECONDS", seconds));
    assert_eq!(served.get("/readyz", None), 200);
    served
}

fn wait_until_not_ready(served: &Served) {
    let started = Instant::now();
    while served.get("/readyz", None) == 200 {
        assert!(started.elapsed() < Duration::from_secs(2), "still ready");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(served.get("/readyz", None), 503);
}

#[test]
fn a_draining_server_keeps_serving_for_the_set_time_and_then_exits() {
    let dripline = Dripline::new();
    let served = start(&dripline, "2");
    let told_at = Instant::now();
    served.signal("TERM");
    wait_until_not_ready(&served);
    while told_at.elapsed() < Duration::from_millis(1500) {
        assert_eq!((served.get("/healthz", None), served.get("/api/v1/me", None)), (200, 401));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(served.end().0, Some(0));
    let took = told_at.elapsed();
    assert!((Duration::from_secs(2)..Duration::from_secs(12)).contains(&took), "{took:?}");
}

#[test]
fn a_second_signal_ends_the_draining() {
    for (first, second) in [("TERM", "TERM"), ("TERM", "INT")] {
        let dripline = Dripline::new();
        let served = start(&dripline, "300");
        let told_at = Instant::now();
        served.signal(first);
        wait_until_not_ready(&served);
        served.signal(second);
        assert_eq!(served.end().0, Some(0));
        assert!(told_at.elapsed() < Duration::from_secs(10), "{first}, {second}: {:?}", told_at.elapsed());
    }
}
