//! `DRIPLINE_TLS_CERT` and `DRIPLINE_TLS_KEY`

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::version::TLS13;
use rustls::{ClientConnection, StreamOwned};
use testkit::Authority;

use crate::dripline::{Dripline, ran};
use crate::served::Served;

const FILES: [(&str, &str); 2] = [("DRIPLINE_TLS_CERT", "cert.pem"), ("DRIPLINE_TLS_KEY", "key.pem")];

type Encrypted = StreamOwned<ClientConnection, TcpStream>;

fn serve(dripline: &Dripline) -> Served {
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.stderr(std::fs::File::create(dripline.path().join("log")).unwrap());
    Served::spawn(command.envs(FILES))
}

fn open(served: &Served, authority: &Authority) -> Encrypted {
    let address = served.address.strip_prefix("https://").unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let session = ClientConnection::new(authority.client(&[&TLS13], &["http/1.1"]), name).unwrap();
    StreamOwned::new(session, TcpStream::connect(address).unwrap())
}

/// The head of the response and the server's certificate.
fn get(stream: &mut Encrypted, path: &str) -> (String, Vec<u8>) {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |length| length.parse().unwrap());
    stream.read_exact(&mut vec![0; length]).unwrap();
    (head, stream.conn.peer_certificates().unwrap()[0].to_vec())
}

fn certificate(served: &Served, authority: &Authority) -> Vec<u8> {
    get(&mut open(served, authority), "/healthz").1
}

fn until(holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(20), "it did not come to that");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn https_is_served_and_plain_http_redirects_to_it() {
    let (dripline, authority) = (Dripline::with_accounts(), Authority::new());
    authority.write(dripline.path());
    let served = serve(&dripline);
    let base = served.address.clone();
    assert!(base.starts_with("https://127.0.0.1:"), "{base}");
    let mut stream = open(&served, &authority);
    let (head, _) = get(&mut stream, "/api/v1/me");
    assert!(head.starts_with("HTTP/1.1 401 "), "{head}");
    assert!(head.contains(&format!("resource_metadata=\"{base}/.well-known/")), "{head}");
    let (head, _) = get(&mut stream, "/sign-in");
    assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("strict-transport-security: max-age=31536000"), "{head}");
    let cookie = head.lines().find(|line| line.starts_with("set-cookie: ")).unwrap();
    assert!(cookie.contains("__Host-") && cookie.contains("Secure"), "{cookie}");
    let plain = |path: &str| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
        let mut answer = agent.get(format!("{}{path}", base.replace("https://", "http://"))).call().unwrap();
        let location = answer.headers().get("location").map(|value| value.to_str().unwrap().to_owned());
        (answer.status().as_u16(), location, answer.body_mut().read_to_string().unwrap())
    };
    assert_eq!(plain("/upcoming?x=1"), (308, Some(format!("{base}/upcoming?x=1")), String::new()));
    let (status, location, body) = plain("/api/v1/me");
    assert!((status, location) == (400, None) && body.contains("This address speaks HTTPS."), "{body}");
    served.signal("TERM");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn the_metrics_show_when_the_certificate_expires() {
    let (dripline, authority) = (Dripline::new(), Authority::new());
    let files = authority.write(dripline.path());
    let log = dripline.path().join("log");
    let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"]);
    let served = Served::spawn(command.envs(FILES).stderr(std::fs::File::create(&log).unwrap()));
    let log_text = || std::fs::read_to_string(&log).unwrap();
    until(|| log_text().contains("Metrics at "));
    let metrics = log_text().lines().find_map(|line| line.strip_prefix("Metrics at ").map(str::to_owned)).unwrap();
    let held = open(&served, &authority);
    let text = || ureq::get(&metrics).call().unwrap().body_mut().read_to_string().unwrap();
    let ends = files.read().unwrap().ends.as_second();
    until(|| text().contains("dripline_http_connections 1\n"));
    let text = text();
    for line in [format!("dripline_certificate_end_timestamp_seconds {ends}"), "dripline_http_connections_refused_total 0".into()]
    {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    drop(held);
}

#[test]
fn a_new_certificate_is_loaded_while_serving_unless_it_is_invalid() {
    let (dripline, authority) = (Dripline::new(), Authority::new());
    let files = authority.write(dripline.path());
    let served = serve(&dripline);
    let mut held = open(&served, &authority);
    let (_, first) = get(&mut held, "/healthz");
    authority.write(dripline.path());
    until(|| certificate(&served, &authority) != first);
    let second = certificate(&served, &authority);
    let log = || std::fs::read_to_string(dripline.path().join("log")).unwrap();
    let key = std::fs::read(&files.key).unwrap();
    let other = tempfile::tempdir().unwrap();
    std::fs::copy(authority.write(other.path()).key, &files.key).unwrap();
    until(|| log().contains("The key in key.pem doesn’t belong to the first certificate in cert.pem"));
    assert_eq!(log().lines().filter(|line| line.contains("\"WARN\"")).count(), 1, "{}", log());
    assert_eq!(certificate(&served, &authority), second);
    std::fs::write(&files.key, key).unwrap();
    authority.write(dripline.path());
    served.signal("HUP");
    until(|| certificate(&served, &authority) != second);
    assert_eq!(get(&mut held, "/healthz").1, first, "who was there stays");
    served.signal("TERM");
    assert_eq!(served.end().0, Some(0));
}

#[test]
fn an_invalid_certificate_or_key_prevents_the_start() {
    let (dripline, authority) = (Dripline::new(), Authority::new());
    authority.write(dripline.path());
    let read = |name: &str| std::fs::read(dripline.path().join(name)).unwrap();
    let (certificate, key) = (read("cert.pem"), read("key.pem"));
    authority.write(dripline.path());
    let other = read("key.pem");
    for (certificate, key, words) in [
        (Some(&certificate), Some(&other), "The key in key.pem doesn’t belong to the first certificate in cert.pem"),
        (Some(&certificate), Some(&certificate), "key.pem has no unencrypted private key in PEM format"),
        (Some(&key), Some(&key), "cert.pem has no certificate in PEM format"),
        (None, Some(&key), "cert.pem can’t be read"),
        (Some(&certificate), None, "key.pem can’t be read"),
    ] {
        for (name, content) in [("cert.pem", certificate), ("key.pem", key)] {
            match content {
                Some(content) => drop(dripline.write(name, content)),
                None => std::fs::remove_file(dripline.path().join(name)).unwrap(),
            }
        }
        let mut command = dripline.command(&["serve", "--listen", "127.0.0.1:0"]);
        let ran = ran(command.envs(FILES).output().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        ran.says(&[words]);
    }
}

#[test]
fn the_doctor_reports_when_the_certificate_expires_and_what_is_wrong_with_it() {
    let (dripline, authority) = (Dripline::with_accounts(), Authority::new());
    let findings = || {
        let mut command = dripline.command(&["doctor", "--json"]);
        let ran = ran(command.envs(FILES).output().unwrap());
        let checks: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let checks = checks.as_array().unwrap().iter().filter(|check| check["check"] == "certificate");
        let cells = |check: &serde_json::Value| ["verdict", "finding"].map(|name| check[name].as_str().unwrap().to_owned());
        (ran.code, checks.map(cells).collect::<Vec<_>>())
    };
    let key = authority.write_until(dripline.path(), (2027, 1, 14)).key;
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o640)).unwrap();
    let (code, found) = findings();
    assert_eq!((code, found.len()), (Some(0), 1), "{found:?}");
    assert_eq!(found[0], ["ok", "cert.pem expires on 2027-01-14, in 59 days. Its key matches."]);
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (_, found) = findings();
    assert!(found[1][0] == "warning" && found[1][1].contains("Other users can read the key key.pem"), "{found:?}");
    // The clock stands at noon of 2026-11-15.
    for (until, verdict, words) in [
        ((2026, 11, 30), "ok", "in 14 days"),
        ((2026, 11, 29), "warning", "cert.pem expires on 2026-11-29, in 13 days"),
        ((2026, 11, 15), "error", "cert.pem expired on 2026-11-15"),
    ] {
        authority.write_until(dripline.path(), until);
        let (code, found) = findings();
        assert!(found[0][0] == verdict && found[0][1].contains(words), "{found:?}");
        assert_eq!(code, Some(i32::from(verdict == "error")));
    }
    std::fs::write(&key, "").unwrap();
    let (code, found) = findings();
    assert_eq!((code, found[0][0].as_str()), (Some(1), "error"));
    assert!(found[0][1].contains("key.pem has no unencrypted private key in PEM format"), "{found:?}");
}
