//! Traces for an OpenTelemetry collector.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::{Value, json};

use crate::dripline::{ANA, Dripline};
use crate::served::Served;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// The address of a collector, and the path and body of what it receives.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let head: Vec<String> = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let length = head.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok()).unwrap();
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            let path = head[0].split(' ').nth(1).unwrap().to_owned();
            if sender.send((path, serde_json::from_slice(&body).unwrap())).is_err() {
                return;
            }
        }
    });
    (address, received)
}

fn serving(dripline: &Dripline, collector: &str) -> Command {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector).env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
    command.env("DRIPLINE_TRUSTED_PROXIES", "127.0.0.1/32");
    command
}

fn attributes(of: &Value) -> Value {
    let pairs = of["attributes"].as_array().unwrap().iter();
    pairs
        .map(|pair| {
            (pair["key"].as_str().unwrap().to_owned(), pair["value"].as_object().unwrap().values().next().unwrap().clone())
        })
        .collect()
}

#[test]
fn a_request_is_a_span_in_its_callers_trace_and_reveals_no_more_than_the_log() {
    let dripline = Dripline::with_accounts();
    let token = dripline.done(&["token", "create", "--user", ANA, "--name", "phone"]).trim().to_owned();
    let (address, received) = collector();
    let served = Served::spawn(&mut serving(&dripline, &address));
    let request = ureq::get(format!("{}/api/v1/me?query=asked", served.address));
    let request =
        request.header("Authorization", format!("Bearer {token}")).header("Traceparent", format!("00-{TRACE}-{CALLER}-01"));
    request.call().unwrap();
    assert_eq!(served.get("/nowhere/at-all", None), 404);
    served.signal("TERM");
    let (code, _, log) = served.end();
    assert_eq!(code, Some(0), "{log}");

    let (path, body) = received.recv().unwrap();
    assert_eq!(path, "/v1/traces");
    let resource = attributes(&body["resourceSpans"][0]["resource"]);
    assert_eq!(
        (&resource["service.name"], &resource["service.version"]),
        (&json!("dripline"), &json!(env!("CARGO_PKG_VERSION")))
    );
    let spans = body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let [me, nowhere] = &spans[..] else { panic!("{body}") };
    assert_eq!((&me["name"], &me["traceId"], &me["parentSpanId"]), (&json!("GET /api/v1/me"), &json!(TRACE), &json!(CALLER)));
    let received = json!({
        "http.request.method": "GET", "http.route": "/api/v1/me", "http.response.status_code": "200", "client.address": "127.0.0.0/24",
    });
    assert_eq!(attributes(me), received);
    let nanos = |name: &str| me[name].as_str().unwrap().parse::<u64>().unwrap();
    assert!(nanos("startTimeUnixNano") < nanos("endTimeUnixNano"));
    assert_eq!(nowhere["name"], "GET none");
    assert!(nowhere["traceId"] != TRACE && nowhere["parentSpanId"] == "", "{nowhere}");
    let all = body.to_string();
    for secret in [token.as_str(), &token[9..20], "asked", "at-all", ANA] {
        assert!(!all.contains(secret), "{secret} is in {all}");
    }
}

#[test]
fn an_unreachable_collector_is_logged_and_delays_nothing() {
    let dripline = Dripline::with_accounts();
    // Nobody listens there any more.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let served = Served::spawn(&mut serving(&dripline, &format!("http://{address}")));
    assert_eq!(served.get("/healthz", None), 200);
    served.signal("TERM");
    let (code, _, log) = served.end();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("opentelemetry"), "{log}");
}

#[test]
fn an_invalid_collector_address_is_refused_by_the_name_of_its_variable() {
    let dripline = Dripline::with_accounts();
    let done = serving(&dripline, "not an address").output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && stderr.contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{stderr}");
}
