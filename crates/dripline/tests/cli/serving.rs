//! `dripline serve`

use crate::dripline::{ANA, BEN, Dripline, NOW};
use crate::served::Served;

#[test]
fn the_server_follows_changes_made_on_the_command_line_at_once() {
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
fn a_stopped_clock_is_reported_at_the_start() {
    let dripline = Dripline::with_accounts();
    for (now, warned) in [(Some(NOW), true), (None, false)] {
        let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env_remove("DRIPLINE_NOW").envs(now.map(|now| ("DRIPLINE_NOW", now)));
        let served = Served::spawn(&mut command);
        served.signal("TERM");
        let (_, _, stderr) = served.end();
        assert_eq!(stderr.contains("WARNING: DRIPLINE_NOW stops the clock at 2026-11-15T12:00:00Z"), warned, "{stderr}");
    }
}

#[test]
fn the_operator_decides_from_how_many_holders_a_stock_is_public() {
    let dripline = Dripline::with_accounts();
    dripline.done(&["radar", "add", "KO", "IBE.MC", "--user", ANA]);
    dripline.done(&["radar", "add", "KO", "--user", BEN]);
    let seen = |holders: Option<&str>| {
        let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
        let served = Served::spawn(command.envs(holders.map(|holders| ("DRIPLINE_PUBLIC_HOLDERS", holders))));
        ["KO", "IBE.MC", "DGE.L"].map(|symbol| served.get(&format!("/api/v1/stocks/{symbol}"), None) == 200)
    };
    assert_eq!(seen(None), [true; 3], "the operator loaded them");
    dripline.done(&["market", "untrack", "KO", "IBE.MC", "DGE.L"]);
    for (holders, public) in
        [(None, [false; 3]), (Some("0"), [false; 3]), (Some("1"), [true, true, false]), (Some("2"), [true, false, false])]
    {
        assert_eq!(seen(holders), public, "{holders:?}");
    }
    dripline.done(&["market", "track", "DGE.L"]);
    assert_eq!(seen(Some("0")), [false, false, true]);
}

#[test]
fn a_token_is_never_logged_wherever_it_was_sent() {
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
fn the_request_log_has_one_line_per_request_with_its_route_only() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    let log = dripline.path().join("log");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.env("RUST_LOG", "info").stderr(std::fs::File::create(&log).unwrap()));
    for _ in 0..3 {
        assert_eq!(served.get("/api/v1/stocks?q=secretsearch", Some(&token)), 200);
        assert_eq!(served.get("/api/v1/me", Some(&token)), 200);
    }
    assert_eq!(served.get("/nothing/%0a%7b%22level%22:%22ERROR%22%7d%1b[31m", None), 404);
    drop(served);
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<serde_json::Value> =
        log.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<_> = lines.iter().filter(|line| line["target"] == "dripline::request").collect();
    let of =
        |route: &str| requests.iter().filter(|line| line["fields"]["route"] == route && line["fields"]["status"] == 200).count();
    assert_eq!((requests.len(), of("/api/v1/stocks"), of("/api/v1/me")), (7, 3, 3), "{log}");
    let ids: std::collections::BTreeSet<_> = requests.iter().map(|line| line["span"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 7, "{log}");
    assert_eq!(requests[0]["fields"]["client"], "127.0.0.0/24");
    for private in ["secretsearch", "level\":\"ERROR", "\u{1b}", &token] {
        assert!(!log.contains(private), "{private:?} is in {log}");
    }
}

#[test]
fn the_server_stops_with_code_0_on_either_signal() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    for signal in ["TERM", "INT"] {
        let served = Served::start(&dripline);
        assert_eq!(served.get("/api/v1/me", Some(&token)), 200);
        served.signal(signal);
        let last_line = format!("Dripline is running at {}. Press Ctrl-C to stop.\n", served.address);
        let (code, stdout, stderr) = served.end();
        assert_eq!(
            (code, stdout.as_str(), stderr.split_once('\n').map(|(_, rest)| rest)),
            (Some(0), "", Some(last_line.as_str()))
        );
        assert!(stderr.starts_with("WARNING: DRIPLINE_NOW "), "{signal}: {stderr}");
    }
    let listed = dripline.json(&["token", "list", "--user", ANA, "--json"]);
    assert_eq!(listed[0]["last_used"], "2026-11-15T12:00:00Z", "what was noted in memory is written at the end");
}

#[test]
fn a_signal_right_after_the_start_stops_the_server_too() {
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
    ran.says(&[&address, "Can’t listen on", "If another program uses the port, choose another port with --listen"]);
    assert_eq!(dripline.everything(), before);
}
