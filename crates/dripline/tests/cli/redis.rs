//! `DRIPLINE_REDIS_URL`: several processes share their limits, over TLS as well, and no log shows the address.

use std::path::Path;
use std::time::{Duration, Instant};

use testkit::{Authority, Redis, pem};

use crate::dripline::Dripline;
use crate::served::Served;

fn serve(dripline: &Dripline, log: &str, url: &str) -> Served {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("DRIPLINE_REDIS_URL", url).env("DRIPLINE_TRUSTED_PROXIES", "127.0.0.1").env("RUST_LOG", "trace");
    command.env("SSL_CERT_FILE", dripline.path().join("ca.pem"));
    command.stderr(std::fs::File::create(dripline.path().join(log)).unwrap());
    Served::spawn(&mut command)
}

/// How many requests the client has left after this one.
fn remaining(served: &Served, client: &str) -> u32 {
    let answer = ureq::get(format!("{}/api/v1/calendar", served.address)).header("X-Forwarded-For", client).call().unwrap();
    let state = answer.headers()["ratelimit"].to_str().unwrap().strip_prefix("\"anon\";r=").unwrap().to_owned();
    state.split(';').next().unwrap().parse().unwrap()
}

/// Whether the two share their counts within five seconds.
fn share(nodes: [&Served; 2]) -> bool {
    let started = Instant::now();
    for number in 0..250 {
        let client = format!("198.51.100.{number}");
        if nodes.map(|node| remaining(node, &client)) == [59, 58] {
            return true;
        }
        if started.elapsed() > Duration::from_secs(5) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    false
}

fn log(dripline: &Dripline, name: &str) -> String {
    std::fs::read_to_string(dripline.path().join(name)).unwrap()
}

#[test]
#[ignore = "needs Redis"]
fn losing_and_regaining_redis_is_logged_once_and_without_its_password() {
    let dripline = Dripline::new();
    let options = |port: u16, _: &Path| ["--port", &port.to_string(), "--requirepass", "SECRET"].map(str::to_owned).to_vec();
    let mut redis = Redis::start_with(options);
    let url = format!("redis://:SECRET@127.0.0.1:{}/2", redis.port());
    let nodes = ["a", "b"].map(|log| serve(&dripline, log, &url));
    assert!(share([&nodes[0], &nodes[1]]));
    redis.stop();
    for number in 0..40 {
        assert_eq!(remaining(&nodes[0], "203.0.113.7"), 59 - number);
    }
    std::thread::sleep(Duration::from_millis(1100));
    remaining(&nodes[0], "203.0.113.7");
    redis.start_again();
    assert!(share([&nodes[0], &nodes[1]]));
    drop(nodes);
    let log = log(&dripline, "a");
    for words in [
        "Redis is unreachable; this node limits requests on its own",
        "Redis is reachable again; the nodes share their rate limits",
    ] {
        assert_eq!(log.matches(words).count(), 1, "{words} in {log}");
    }
    assert!(!log.contains("SECRET"), "{log}");
}

#[test]
#[ignore = "needs Redis"]
fn a_wrong_redis_password_stops_no_node_and_is_never_logged() {
    let dripline = Dripline::new();
    let options = |port: u16, _: &Path| ["--port", &port.to_string(), "--requirepass", "right"].map(str::to_owned).to_vec();
    let redis = Redis::start_with(options);
    let served = serve(&dripline, "log", &format!("redis://:SECRET@127.0.0.1:{}", redis.port()));
    assert_eq!([0; 2].map(|_| remaining(&served, "203.0.113.7")), [59, 58]);
    drop(served);
    let log = log(&dripline, "log");
    assert!(log.contains("Redis is unreachable") && !log.contains("SECRET"), "{log}");
}

#[test]
#[ignore = "needs Redis"]
fn over_tls_a_node_counts_only_in_a_redis_it_trusts() {
    let dripline = Dripline::new();
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (pem("CERTIFICATE", made.cert.der()), pem("PRIVATE KEY", &made.signing_key.serialize_der()));
    let redis = Redis::start_with(|port, folder| {
        let file = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).unwrap();
            folder.join(name).to_str().unwrap().to_owned()
        };
        let (certificate, key) = (file("cert.pem", &certificate), file("key.pem", &key));
        let fixed = ["--port", "0", "--tls-auth-clients", "no", "--tls-port", &port.to_string()].map(str::to_owned);
        let files = ["--tls-cert-file", &certificate, "--tls-key-file", &key, "--tls-ca-cert-file", &certificate];
        fixed.into_iter().chain(files.map(str::to_owned)).collect()
    });
    let url = format!("rediss://127.0.0.1:{}/", redis.port());
    dripline.write("ca.pem", &certificate);
    let trusting = ["a", "b"].map(|log| serve(&dripline, log, &url));
    assert!(share([&trusting[0], &trusting[1]]));
    let other = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    dripline.write("ca.pem", pem("CERTIFICATE", other.cert.der()));
    let wary = serve(&dripline, "c", &url);
    assert_eq!([0; 3].map(|_| remaining(&wary, "203.0.113.7")), [59, 58, 57]);
    assert!(log(&dripline, "c").contains("Redis is unreachable"), "{}", log(&dripline, "c"));
}

#[test]
#[ignore = "needs Redis"]
fn redis_is_trusted_by_the_authority_that_is_set_and_by_its_name() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let redis = Redis::start_with(|port, folder| {
        let files = ours.write(folder);
        let (certificate, key) = (files.certificate.to_str().unwrap(), files.key.to_str().unwrap());
        let fixed = ["--port", "0", "--tls-auth-clients", "no", "--tls-port", &port.to_string()].map(str::to_owned);
        let named = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate];
        fixed.into_iter().chain(named.map(str::to_owned)).chain(["--bind", "127.0.0.1", "127.0.0.2"].map(str::to_owned)).collect()
    });
    let dripline = Dripline::new();
    for (name, authority) in [("ours.pem", &ours), ("theirs.pem", &theirs)] {
        dripline.write(name, authority.pem());
    }
    let serve = |log: &str, host: &str, ca: Option<&str>| {
        let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
        command
            .env("DRIPLINE_REDIS_URL", format!("rediss://{host}:{}/", redis.port()))
            .env("DRIPLINE_TRUSTED_PROXIES", "127.0.0.1");
        command.envs(ca.map(|file| ("DRIPLINE_REDIS_CA", file)));
        command.stderr(std::fs::File::create(dripline.path().join(log)).unwrap());
        Served::spawn(&mut command)
    };
    let trusting = ["a", "b"].map(|log| serve(log, "127.0.0.1", Some("ours.pem")));
    assert!(share([&trusting[0], &trusting[1]]), "{}", log(&dripline, "a"));
    for (name, host, ca) in [
        ("another authority", "127.0.0.1", Some("theirs.pem")),
        ("none but the system’s", "127.0.0.1", None),
        ("another name", "127.0.0.2", Some("ours.pem")),
    ] {
        let wary = serve(name, host, ca);
        assert_eq!([0; 3].map(|_| remaining(&wary, "203.0.113.7")), [59, 58, 57], "{name}");
        assert!(log(&dripline, name).contains("Redis is unreachable"), "{name}: {}", log(&dripline, name));
    }
    let ran = dripline.command(&["serve"]).env("DRIPLINE_REDIS_URL", "rediss://h").env("DRIPLINE_REDIS_CA", "none.pem").output();
    let stderr = String::from_utf8(ran.unwrap().stderr).unwrap();
    assert!(stderr.contains("none.pem, set in DRIPLINE_REDIS_CA, can’t be read"), "{stderr}");
}
