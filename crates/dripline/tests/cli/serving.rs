//! `dripline serve`

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command};

use crate::dripline::{ANA, Dripline};

/// A running `dripline serve` on a port of its own choice; killed when a test fails.
struct Served {
    child: Child,
    stdout: BufReader<ChildStdout>,
    address: String,
}

impl Served {
    fn start(dripline: &Dripline) -> Served {
        Served::spawn(&mut dripline.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    fn spawn(command: &mut Command) -> Served {
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.trim_end().to_owned();
        assert!(address.starts_with("http://127.0.0.1:") && !address.ends_with(":0"), "{address}");
        Served { child, stdout, address }
    }

    /// The status of a GET.
    fn get(&self, path: &str, token: Option<&str>) -> u16 {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut request = agent.get(format!("{}{path}", self.address));
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        request.call().unwrap().status().as_u16()
    }

    fn signal(&self, name: &str) {
        let command = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
    }

    /// Waits for the end: how it ended, and what else it said.
    fn end(mut self) -> (Option<i32>, String, String) {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap().code(), stdout, stderr)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_serves_what_the_command_line_writes_and_forgets_what_it_revokes() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    let served = Served::start(&dripline);
    assert_eq!(served.get("/api/v1/openapi.json", None), 200);
    assert_eq!(served.get("/api/v1/me", None), 401);
    assert_eq!(served.get("/api/v1/me", Some(&token)), 200);
    let second = dripline.done(&["token", "create", "--user", ANA, "--name", "laptop"]).trim().to_owned();
    assert_eq!(served.get("/api/v1/me", Some(&second)), 200);
    dripline.done(&["user", "disable", ANA]);
    assert_eq!(served.get("/api/v1/me", Some(&token)), 403);
    dripline.done(&["user", "enable", ANA]);
    let id = dripline.json(&["token", "list", "--user", ANA, "--json"])[0]["id"].as_str().unwrap().to_owned();
    dripline.done(&["token", "revoke", &id]);
    assert_eq!(served.get("/api/v1/me", Some(&token)), 401);
    assert_eq!(served.get("/api/v1/me", Some(&second)), 200);
    dripline.done(&["user", "delete", ANA, "--yes"]);
    assert_eq!(served.get("/api/v1/me", Some(&second)), 401);
}

#[test]
fn no_log_holds_a_token_wherever_it_stood() {
    // N22
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    let log = dripline.path().join("log");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.env("RUST_LOG", "trace").stderr(std::fs::File::create(&log).unwrap()));
    assert_eq!(served.get(&format!("/api/v1/me?access_token={token}"), None), 401);
    assert_eq!(served.get(&format!("/oauth/authorize?client_id=https://127.0.0.1:1/{token}"), None), 400);
    assert_eq!(served.get("/api/v1/me", Some(&token)), 200);
    drop(served);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("the description of an app could not be fetched"), "it says what happened: {log}");
    assert!(!log.contains(&token), "{log}");
}

#[test]
fn it_stops_on_either_signal_with_code_0() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    for signal in ["TERM", "INT"] {
        let served = Served::start(&dripline);
        assert_eq!(served.get("/api/v1/me", Some(&token)), 200);
        served.signal(signal);
        let said = format!("dripline serves on {}; stop it with Ctrl-C\n", served.address);
        assert_eq!(served.end(), (Some(0), String::new(), said), "{signal}");
    }
    let listed = dripline.json(&["token", "list", "--user", ANA, "--json"]);
    assert_eq!(listed[0]["last_used"], "2026-11-15T12:00:00Z", "what was noted in memory is written at the end");
}

#[test]
fn a_signal_in_the_moment_it_says_its_address_stops_it_too() {
    let dripline = Dripline::new();
    for _ in 0..10 {
        let served = Served::start(&dripline);
        served.signal("TERM");
        assert_eq!(served.end().0, Some(0));
    }
}

#[test]
fn a_port_in_use_is_named() {
    let dripline = Dripline::with_accounts();
    let before = dripline.everything();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let ran = dripline.run(&["serve", "--listen", &address]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    ran.says(&[&address, "cannot be served on; is another program using the port? Choose one with --listen"]);
    assert_eq!(dripline.everything(), before);
}
