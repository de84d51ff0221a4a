//! HTTPS: versions, handshakes, replaced certificates, and plain HTTP on the same port.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use rustls::pki_types::ServerName;
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, ProtocolVersion};
use serving::tls::{Tls, TlsError};
use serving::{Limits, Options};
use tempfile::TempDir;
use testkit::Authority;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::client::{Connection, Server, start_by};
use super::{fast_lane, routes};

const REQUEST: &[u8] = b"GET /api/v1/me HTTP/1.1\r\nHost: test\r\n\r\n";
const AT_ONCE: &[u8] = b"GET /api/v1/ready HTTP/1.1\r\nHost: test\r\n\r\n";

/// A server with a certificate and its authority.
struct Scene {
    server: Server,
    authority: Authority,
    folder: TempDir,
    tls: Tls,
}

async fn scene(options: Options, limits: Limits) -> Scene {
    scene_of(routes::router(), options, limits).await
}

async fn scene_of(router: Router, options: Options, limits: Limits) -> Scene {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let tls = Tls::open(authority.write(folder.path())).unwrap();
    let server = start_by(Some(tls.clone()), router, options, limits).await;
    Scene { server, authority, folder, tls }
}

/// With a stored response of this many bytes.
async fn fast_lane_scene(bytes: usize, limits: Limits) -> Scene {
    let scene = scene_of(fast_lane::router(bytes), fast_lane::options(), limits).await;
    let mut connection = scene.open().await;
    connection.write(AT_ONCE).await;
    assert_eq!(connection.read(false).await.unwrap().body.len(), bytes);
    scene
}

impl Scene {
    async fn open(&self) -> Connection<TlsStream<TcpStream>> {
        self.open_by(self.authority.client(&[&TLS13, &TLS12], &["http/1.1"])).await.unwrap()
    }

    async fn open_by(&self, config: Arc<ClientConfig>) -> std::io::Result<Connection<TlsStream<TcpStream>>> {
        let stream = TcpStream::connect(self.server.address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        Ok(Connection::over(TlsConnector::from(config).connect(name, stream).await?))
    }

    async fn certificate(&self) -> Vec<u8> {
        certificate(&self.open().await)
    }
}

fn certificate(connection: &Connection<TlsStream<TcpStream>>) -> Vec<u8> {
    connection.stream.get_ref().1.peer_certificates().unwrap()[0].to_vec()
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[tokio::test]
async fn tls_1_2_and_1_3_are_offered_with_http_1_1_only() {
    let scene = scene(Options::default(), Limits::default()).await;
    for (version, name) in [(&TLS12, ProtocolVersion::TLSv1_2), (&TLS13, ProtocolVersion::TLSv1_3)] {
        for alpn in [&["h2", "http/1.1"][..], &["http/1.1"], &[]] {
            let mut connection = scene.open_by(scene.authority.client(&[version], alpn)).await.unwrap();
            let agreed = connection.stream.get_ref().1;
            let spoken = agreed.alpn_protocol().map(<[u8]>::to_vec);
            assert_eq!((agreed.protocol_version(), spoken.is_some()), (Some(name), !alpn.is_empty()));
            assert!(spoken.is_none_or(|name| name == b"http/1.1"));
            for _ in 0..3 {
                connection.write(REQUEST).await;
                assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
            }
        }
        assert!(scene.open_by(scene.authority.client(&[version], &["h2"])).await.is_err());
    }
}

#[tokio::test]
async fn an_older_tls_version_is_refused() {
    let scene = scene(Options::default(), Limits::default()).await;
    for minor in [0, 1, 2] {
        // A hello of SSL 3.0, TLS 1.0 and 1.1, with a suite that these had, and a group and a signature that are known.
        let (random, extensions) = ([7; 32], [0, 16, 0, 10, 0, 4, 0, 2, 0, 0x1d, 0, 13, 0, 4, 0, 2, 4, 3]);
        let body = [&[3, minor][..], &random, &[0], &[0, 2, 0xc0, 0x13], &[1, 0], &extensions].concat();
        let length = |bytes: usize| (bytes as u16).to_be_bytes();
        let hello = [&[1, 0][..], &length(body.len()), &body].concat();
        let record = [&[0x16, 3, 1][..], &length(hello.len()), &hello].concat();
        let mut stream = TcpStream::connect(scene.server.address).await.unwrap();
        stream.write_all(&record).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        // A fatal alert, "protocol version".
        assert_eq!((answer[0], &answer[5..]), (0x15, &[2, 70][..]), "{answer:?}");
    }
}

#[tokio::test]
async fn an_unfinished_handshake_is_cut_off_and_frees_its_connection() {
    let limits = Limits { handshake: milliseconds(300), connections_max: 1, ..Limits::default() };
    let scene = scene(Options::default(), limits).await;
    for begun in [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"] {
        let mut half = Connection::open(scene.server.address).await;
        half.write(begun).await;
        let start = Instant::now();
        assert!(half.ends_within(milliseconds(1500)).await, "{begun:?}");
        assert!(start.elapsed() >= milliseconds(200));
        let mut whole = scene.open().await;
        whole.write(REQUEST).await;
        whole.read(false).await.unwrap().is_ok();
        whole.stream.shutdown().await.unwrap();
    }
}

#[tokio::test]
async fn a_slow_request_head_is_answered_over_tls() {
    let scene = scene(Options::default(), Limits { head: milliseconds(300), ..Limits::default() }).await;
    let mut connection = scene.open().await;
    connection.write(&REQUEST[..10]).await;
    connection.read(false).await.unwrap().is_error(408, "bad_request");
    assert!(connection.ends_within(milliseconds(500)).await);
    assert!(scene.open().await.ends_within(milliseconds(1500)).await, "and so is silence");
}

#[tokio::test]
async fn a_new_certificate_is_served_and_connections_stay_open() {
    let scene = scene(Options::default(), Limits::default()).await;
    let mut held = scene.open().await;
    let before = certificate(&held);
    assert!(!scene.tls.look().unwrap(), "nothing has changed");
    scene.authority.write(scene.folder.path());
    assert!(!scene.tls.look().unwrap(), "it may be half of a change");
    assert_eq!(scene.certificate().await, before);
    assert!(scene.tls.look().unwrap());
    let after = scene.certificate().await;
    assert_ne!(after, before);
    assert!(!scene.tls.look().unwrap());
    held.write(REQUEST).await;
    held.read(false).await.unwrap().is_ok();
    assert_eq!(certificate(&held), before);
    scene.authority.write(scene.folder.path());
    scene.tls.reload().unwrap();
    assert_ne!(scene.certificate().await, after, "whoever says so need not wait");
}

#[tokio::test]
async fn what_cannot_be_served_leaves_the_old_one_and_is_reported_once() {
    let scene = scene(Options::default(), Limits::default()).await;
    let (before, other) = (scene.certificate().await, tempfile::tempdir().unwrap());
    let files = scene.authority.write(other.path());
    let own = scene.folder.path();
    let good = std::fs::read(own.join("key.pem")).unwrap();
    let (certificate, key) = (own.join("cert.pem"), own.join("key.pem"));
    let no_key = || TlsError::NoKey { path: key.clone() };
    let cause = "No such file or directory (os error 2)".to_owned();
    for (content, expected) in [
        (Some(std::fs::read(&files.key).unwrap()), TlsError::KeyMismatch { key: key.clone(), certificate }),
        (Some(b"nonsense".to_vec()), no_key()),
        (Some(Vec::new()), no_key()),
        (None, TlsError::Unreadable { path: key.clone(), cause }),
    ] {
        match content {
            Some(content) => std::fs::write(own.join("key.pem"), content).unwrap(),
            None => std::fs::remove_file(own.join("key.pem")).unwrap(),
        }
        let error = (0..2).find_map(|_| scene.tls.look().err()).unwrap();
        assert_eq!(error, expected);
        assert!(!scene.tls.look().unwrap() && !scene.tls.look().unwrap(), "once is enough");
        assert_eq!(scene.certificate().await, before);
        assert_eq!(scene.tls.reload().unwrap_err(), expected, "but whoever asks hears of it");
    }
    std::fs::write(own.join("key.pem"), good).unwrap();
    assert!(!scene.tls.look().unwrap() && scene.tls.look().unwrap());
    assert_eq!(scene.certificate().await, before);
}

#[tokio::test]
async fn plain_http_redirects_pages_and_refuses_everything_else() {
    let scene = scene(Options::default(), Limits::default()).await;
    for (target, location) in [("/", "https://drip.example/"), ("/upcoming?x=1&y=%2F", "https://drip.example/upcoming?x=1&y=%2F")]
    {
        for method in ["GET", "HEAD"] {
            let answer = scene.server.ask(method, target, "").await;
            assert_eq!((answer.status, answer.header("location")), (308, Some(location)));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
    }
    for target in ["/api/v1/me", "/mcp", "/oauth/token", "/.well-known/oauth-authorization-server", "/healthz"] {
        let answer = scene.server.get_with(target, "Authorization: Bearer x\r\n").await;
        assert!(answer.is_error(400, "bad_request").text().contains("This address speaks HTTPS."), "{}", answer.text());
        assert_eq!(answer.header("connection"), Some("close"));
    }
    let form = "POST /sign-in HTTP/1.1\r\nHost: test\r\nContent-Length: 8\r\n\r\nname=ana";
    for request in [form, "GET /", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "nonsense\r\n", "\u{0}\u{1}\u{2}\n"] {
        let mut connection = Connection::open(scene.server.address).await;
        connection.write(request.as_bytes()).await;
        connection.stream.shutdown().await.unwrap();
        connection.read(false).await.unwrap().is_error(400, "bad_request");
        assert!(connection.ends_within(milliseconds(1500)).await);
    }
}

#[tokio::test]
async fn cached_responses_are_sent_over_tls() {
    let scene = fast_lane_scene(5, Limits::default()).await;
    let mut connection = scene.open().await;
    for _ in 0..20 {
        connection.write(AT_ONCE).await;
        let answer = connection.read(false).await.unwrap();
        assert_eq!((answer.text(), answer.header("x-kind")), ("aaaaa", Some("stored")));
        connection.write(REQUEST).await;
        connection.read(false).await.unwrap().is_ok();
    }
}

#[tokio::test]
async fn a_slow_reader_gets_a_long_answer_and_the_next_over_tls() {
    const BYTES: usize = 32 << 20;
    let scene = fast_lane_scene(BYTES, Limits::default()).await;
    let mut connection = scene.open().await;
    for request in [AT_ONCE, b"GET /api/v1/huge HTTP/1.1\r\nHost: t\r\n\r\n"] {
        connection.write(request).await;
        sleep(milliseconds(200)).await;
        connection.write(REQUEST).await;
        sleep(milliseconds(200)).await;
        let long = connection.read(false).await.unwrap();
        assert!(long.body.len() >= BYTES && long.body.iter().all(|byte| *byte == long.body[0]));
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
    }
}

#[tokio::test]
async fn a_tls_client_that_reads_nothing_is_cut_off() {
    let scene = fast_lane_scene(32 << 20, Limits { stall: milliseconds(300), ..Limits::default() }).await;
    for request in [AT_ONCE, b"GET /api/v1/huge HTTP/1.1\r\nHost: t\r\n\r\n"] {
        let mut connection = scene.open().await;
        connection.write(request).await;
        sleep(milliseconds(2500)).await;
        assert!(connection.read(false).await.is_none(), "all of it came");
    }
}

#[tokio::test]
async fn a_shutdown_finishes_requests_over_tls() {
    let scene = scene(Options::default(), Limits::default()).await;
    let mut connection = scene.open().await;
    connection.write(b"GET /api/v1/slow?600 HTTP/1.1\r\nHost: t\r\n\r\n").await;
    sleep(milliseconds(100)).await;
    scene.server.stop.send(()).unwrap();
    assert_eq!(connection.read(false).await.unwrap().is_ok().header("connection"), Some("close"));
    tokio::time::timeout(Duration::from_secs(2), scene.server.ended).await.unwrap().unwrap();
}
