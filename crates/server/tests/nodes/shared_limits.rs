use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use redis::Commands;
use testkit::sample::World;
use testkit::{Browser, Node, Redis, Service, answer};

use super::{CALENDAR, calendar, remaining};

const CLIENT: &str = "203.0.113.7";

fn three(service: &Service, redis: &Redis) -> [Node; 3] {
    std::array::from_fn(|_| Node::start(service, Some(&redis.url())))
}

fn connection(redis: &Redis) -> redis::Connection {
    redis::Client::open(redis.url()).unwrap().get_connection().unwrap()
}

#[test]
#[ignore = "needs Redis"]
fn the_limit_of_sixty_requests_is_shared_by_all_nodes() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = three(&service, &redis);
    for sent in 1..=60 {
        let answer = calendar(&nodes[sent as usize % 3], CLIENT);
        assert_eq!((answer.status, remaining(&answer)), (200, 60 - sent));
    }
    for node in nodes.iter().cycle().take(6) {
        let refused = calendar(node, CLIENT);
        assert_eq!((refused.status, refused.error_code().as_str()), (429, "rate_limited"));
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(refused.header("ratelimit"), format!("\"anon\";r=0;t={wait}"));
    }
    assert_eq!(remaining(&calendar(&nodes[0], "203.0.113.8")), 59, "another client");
    let mut redis = connection(&redis);
    let places: Vec<String> = redis.keys("*").unwrap();
    assert_eq!(places.len(), 2, "{places:?}");
    let mut counts: Vec<u64> = places.iter().map(|place| redis.llen(place).unwrap()).collect();
    counts.sort();
    assert_eq!(counts, [1, 60], "refused requests leave no trace");
    for place in places {
        assert!(place.starts_with("dripline:anon:") && !place.contains("203.0"), "{place}");
        let lives_ms: i64 = redis.pttl(&place).unwrap();
        assert!((1..=60_000).contains(&lives_ms), "{place} lives for {lives_ms} ms");
    }
}

#[test]
#[ignore = "needs Redis"]
fn the_announced_wait_is_exact() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = three(&service, &redis);
    for sent in 0..60 {
        assert_eq!(calendar(&nodes[sent % 3], CLIENT).status, 200);
    }
    // As if the sixty had been sent 58 s earlier: the first of them leaves the window in less than two seconds.
    let mut connection = connection(&redis);
    let place: String = connection.keys::<_, Vec<String>>("*").unwrap().remove(0);
    let instants: Vec<i64> = connection.lrange(&place, 0, -1).unwrap();
    connection.del::<_, ()>(&place).unwrap();
    connection.rpush::<_, _, ()>(&place, instants.iter().map(|us| us - 58_000_000).collect::<Vec<_>>()).unwrap();
    let refused = calendar(&nodes[0], CLIENT);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!(refused.status == 429 && (1..=2).contains(&wait), "{} with {wait}", refused.status);
    std::thread::sleep(Duration::from_secs(wait));
    assert_eq!(calendar(&nodes[1], CLIENT).status, 200);
}

#[test]
#[ignore = "needs Redis"]
fn sixty_of_many_simultaneous_requests_pass() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = three(&service, &redis);
    let passed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for node in nodes.iter().cycle().take(12) {
            scope.spawn(|| {
                for _ in 0..15 {
                    let status = calendar(node, CLIENT).status;
                    assert!([200, 429].contains(&status), "{status}");
                    passed.fetch_add(usize::from(status == 200), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(passed.into_inner(), 60);
}

#[test]
#[ignore = "needs Redis"]
fn private_endpoints_and_tokens_are_never_counted() {
    let (world, redis) = (World::start(), Redis::start());
    let nodes = three(&world, &redis);
    let token = Some(world.ana.as_str());
    for number in 0..200 {
        let node = &nodes[number % 3];
        assert_eq!(node.get("/api/v1/income", token).status, 200);
        assert_eq!(node.get(CALENDAR, token).status, 200);
        assert_eq!(node.get("/api/v1/income", None).status, 401);
    }
    assert_eq!(connection(&redis).keys::<_, Vec<String>>("*").unwrap(), Vec::<String>::new());
    while calendar(&nodes[0], "127.0.0.1").status == 200 {}
    for node in &nodes {
        assert_eq!(node.get(CALENDAR, None).status, 429);
        assert_eq!((node.get("/api/v1/me", None).status, node.get("/api/v1/me", token).status), (401, 200));
    }
}

#[test]
#[ignore = "needs Redis"]
fn page_views_of_strangers_are_counted_on_all_nodes_together() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = three(&service, &redis);
    let page = |node: &Node| node.request("GET", "/calendar", None, &[("X-Forwarded-For", CLIENT)]).status;
    for sent in 0..120 {
        assert_eq!(page(&nodes[sent % 3]), 200, "page {sent}");
    }
    assert_eq!(nodes.each_ref().map(page), [429; 3]);
    assert_eq!(remaining(&calendar(&nodes[0], CLIENT)), 59, "the API counts by itself");
}

#[test]
#[ignore = "needs Redis"]
fn the_other_limits_are_shared_by_all_nodes_too() {
    let (service, redis) = (Service::start(), Redis::start());
    let nodes = three(&service, &redis);
    let app = br#"{"client_name": "x", "redirect_uris": ["http://localhost/cb"], "token_endpoint_auth_method": "none"}"#;
    let register = |node: &Node| {
        let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", CLIENT)];
        answer::send("POST", &format!("http://{}/oauth/register", node.address), &headers, app)
    };
    for sent in 0..10 {
        assert_eq!(register(&nodes[sent % 3]).status, 201, "registration {sent}");
    }
    for node in &nodes {
        let refused = register(node);
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!(refused.status == 429 && (3_500..=3_600).contains(&wait), "{} with {wait}", refused.status);
    }
    let attempt = |node: &Node| {
        let browser = Browser::new(node.address);
        browser.get("/reset");
        let token = browser.token();
        let fields = [("_token", token.as_str()), ("email", "nobody@example.com")];
        browser.post_raw("/reset", &fields, &[("Sec-Fetch-Site", "same-origin"), ("X-Forwarded-For", CLIENT)]).status
    };
    for sent in 0..20 {
        assert_ne!(attempt(&nodes[sent % 3]), 429, "attempt {sent}");
    }
    assert_eq!(nodes.each_ref().map(attempt), [429; 3]);
    assert_eq!(remaining(&calendar(&nodes[0], CLIENT)), 59, "none of these is counted as a request to the API");
}
