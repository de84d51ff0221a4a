use std::time::{Duration, Instant};

use testkit::{Node, Redis, Service};

use super::{calendar, metric, remaining};

fn two(service: &Service, redis: &Redis) -> [Node; 2] {
    std::array::from_fn(|_| Node::start(service, Some(&redis.url())))
}

/// Waits until the nodes share their counts; with a new client each time, to stay below the limit.
fn wait_until_shared(nodes: &[Node; 2]) {
    let started = Instant::now();
    for number in 0..250 {
        let client = format!("198.51.100.{number}");
        if (remaining(&calendar(&nodes[0], &client)), remaining(&calendar(&nodes[1], &client))) == (59, 58) {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(5), "the nodes count on their own for five seconds");
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the nodes never counted together");
}

#[test]
#[ignore = "needs Redis"]
fn without_redis_each_node_counts_alone_until_it_is_back() {
    let (service, mut redis) = (Service::start(), Redis::start());
    let nodes = two(&service, &redis);
    for sent in 0..40 {
        assert_eq!(calendar(&nodes[sent % 2], "203.0.113.7").status, 200);
    }
    assert_eq!(
        (metric(&service, &nodes[0], "limiter_shared"), metric(&service, &nodes[1], "limiter_shared")),
        (Some(1), Some(1))
    );
    assert_eq!(metric(&service, &nodes[0], "limiter_fallbacks_total"), Some(0));
    redis.stop();
    for node in &nodes {
        // It let 20 of them through itself: 40 more, not 60.
        let passed = (0..70).filter(|_| calendar(node, "203.0.113.7").status == 200).count();
        assert_eq!(passed, 40);
        assert_eq!(metric(&service, node, "limiter_shared"), Some(0));
        assert_eq!(metric(&service, node, "limiter_fallbacks_total"), Some(70));
    }
    redis.start_again();
    wait_until_shared(&nodes);
    assert_eq!(
        (metric(&service, &nodes[0], "limiter_shared"), metric(&service, &nodes[1], "limiter_shared")),
        (Some(1), Some(1))
    );
    let passed = (0..70).filter(|sent| calendar(&nodes[sent % 2], "203.0.113.9").status == 200).count();
    assert_eq!(passed, 60);
}

#[test]
#[ignore = "needs Redis"]
fn a_node_starts_and_limits_without_a_reachable_redis() {
    let (service, mut redis) = (Service::start(), Redis::start());
    redis.stop();
    let nodes = two(&service, &redis);
    for node in &nodes {
        let passed = (0..61).filter(|_| calendar(node, "203.0.113.7").status == 200).count();
        assert_eq!(passed, 60);
        assert_eq!(metric(&service, node, "limiter_shared"), Some(0));
    }
    redis.start_again();
    wait_until_shared(&nodes);
}

#[test]
#[ignore = "needs Redis"]
fn a_hanging_redis_delays_at_most_one_request_a_second() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = two(&service, &redis);
    wait_until_shared(&nodes);
    redis.signal("STOP");
    let started = Instant::now();
    for sent in 0..40 {
        assert_eq!(calendar(&nodes[0], "203.0.113.7").status, 200, "request {sent}");
    }
    // If each of them waited its 150 ms, it would be six seconds.
    let took = started.elapsed();
    assert!((Duration::from_millis(150)..Duration::from_secs(4)).contains(&took), "{took:?}");
    redis.signal("CONT");
    wait_until_shared(&nodes);
}

#[test]
#[ignore = "needs Redis"]
fn the_script_is_loaded_again_if_redis_lost_it() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = two(&service, &redis);
    assert_eq!(remaining(&calendar(&nodes[0], "203.0.113.7")), 59);
    let mut connection = redis::Client::open(redis.url()).unwrap().get_connection().unwrap();
    redis::cmd("SCRIPT").arg("FLUSH").exec(&mut connection).unwrap();
    assert_eq!(remaining(&calendar(&nodes[1], "203.0.113.7")), 58);
    assert_eq!(metric(&service, &nodes[1], "limiter_fallbacks_total"), Some(0));
}

#[test]
#[ignore = "needs Redis"]
fn a_read_only_redis_is_treated_as_unavailable() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = two(&service, &redis);
    assert_eq!(remaining(&calendar(&nodes[0], "203.0.113.7")), 59);
    let mut connection = redis::Client::open(redis.url()).unwrap().get_connection().unwrap();
    redis::cmd("REPLICAOF").arg("127.0.0.1").arg(1).exec(&mut connection).unwrap();
    assert_eq!(remaining(&calendar(&nodes[0], "203.0.113.7")), 58, "read-only, so counted here");
    assert_eq!(metric(&service, &nodes[0], "limiter_fallbacks_total"), Some(1));
}

#[test]
fn without_redis_configured_no_redis_metrics_exist() {
    let service = Service::start();
    let node = Node::start(&service, None);
    assert_eq!(remaining(&calendar(&node, "203.0.113.7")), 59);
    assert_eq!(metric(&service, &node, "limiter_shared"), None);
    assert_eq!(metric(&service, &node, "limiter_fallbacks_total"), None);
}
