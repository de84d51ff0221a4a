//! Apps whose ID is the address of their metadata.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use app::oauth::Documents;
use serde_json::{Value, json};
use server::oauth::document::Fetcher;
use testkit::Service;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::flow::{ANA, ask, code, error_of, exchange, later, request, scene_at, signed_in};

/// A web server with its own certificate that serves the given pages and counts requests.
pub struct Server {
    address: SocketAddr,
    root: reqwest::Certificate,
    pub asked: Arc<AtomicUsize>,
    connections: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
}

pub type Pages = Arc<dyn Fn(&str, &str) -> Vec<u8> + Send + Sync>;

pub async fn server(pages: Pages, delay: Duration) -> Server {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let root = reqwest::Certificate::from_der(made.cert.der()).unwrap();
    let (asked, connections, most_at_once) = <(Arc<AtomicUsize>, Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let (counted, connected, most) = (asked.clone(), connections.clone(), most_at_once.clone());
    tokio::spawn(async move {
        let now = Arc::new(AtomicUsize::new(0));
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            connected.fetch_add(1, Ordering::SeqCst);
            let (acceptor, pages, counted, now, most) =
                (acceptor.clone(), pages.clone(), counted.clone(), now.clone(), most.clone());
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(socket).await else { return };
                // After the handshake: until then, this server knows which clients have given up.
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let mut head = vec![0; 4096];
                let read = stream.read(&mut head).await.unwrap_or(0);
                counted.fetch_add(usize::from(read > 0), Ordering::SeqCst);
                let answers = tokio::select! {
                    () = tokio::time::sleep(delay), if read > 0 => true,
                    _ = stream.read_u8() => false,
                };
                // Once the answer is on its way, the client may start another fetch.
                now.fetch_sub(1, Ordering::SeqCst);
                if answers {
                    let head = String::from_utf8_lossy(&head[..read]).into_owned();
                    let path = head.split(' ').nth(1).unwrap_or_default();
                    let own = format!("https://localhost:{}{path}", address.port());
                    let _ = stream.write_all(&pages(path, &own)).await;
                    let _ = stream.shutdown().await;
                }
            });
        }
    });
    Server { address, root, asked, connections, most_at_once }
}

impl Server {
    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.address.port())
    }

    pub fn fetcher(&self, loopback: bool) -> Fetcher {
        let own = loopback.then_some(std::net::IpAddr::from([127, 0, 0, 1]));
        Fetcher::trusting(own, vec![self.root.clone()])
    }
}

pub fn ok(body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .into_bytes()
}

pub fn good(own: &str) -> Value {
    json!({"client_id": own, "client_name": "App", "redirect_uris": ["https://app.example/cb"]})
}

#[tokio::test]
async fn metadata_is_fetched_from_loopback_if_the_server_itself_is_on_loopback() {
    let server = server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::ZERO).await;
    let document = server.fetcher(true).fetch(&server.url("/client.json")).await.unwrap();
    assert_eq!((document.name.as_str(), document.redirect_uris.as_slice()), ("App", &["https://app.example/cb".to_owned()][..]));
}

#[tokio::test]
async fn no_address_of_this_machine_or_network_is_ever_connected_to() {
    // N29
    let server = server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::ZERO).await;
    let port = server.address.port();
    let fetcher = server.fetcher(false);
    for host in [
        "localhost",
        "127.0.0.1",
        "127.0.0.2",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.0.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "[::ffff:127.0.0.1]",
        "[fd00::1]",
        "[::]",
        "2130706433",
        "0x7f.1",
    ] {
        assert!(fetcher.fetch(&format!("https://{host}:{port}/client.json")).await.is_err(), "{host}");
    }
    for elsewhere in ["127.0.0.2", "[::1]"] {
        assert!(server.fetcher(true).fetch(&format!("https://{elsewhere}:{port}/client.json")).await.is_err(), "{elsewhere}");
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 0);
    assert_eq!(server.connections.load(Ordering::SeqCst), 0, "not even a connection");
}

#[tokio::test]
async fn invalid_metadata_is_refused_and_fetched_again() {
    // N30
    let pages: Pages = Arc::new(|path, own| {
        let with = |name: &str, value: Value| {
            let mut metadata = good(own);
            metadata[name] = value;
            ok(&metadata.to_string())
        };
        match path {
            "/other" => with("client_id", json!("https://localhost/elsewhere")),
            "/secret" => with("client_secret", json!("x")),
            "/method" => with("token_endpoint_auth_method", json!("client_secret_post")),
            "/large" => with("padding", json!("x".repeat(6 << 10))),
            "/moved" => b"HTTP/1.1 301 Moved\r\nLocation: /good\r\nContent-Length: 0\r\n\r\n".to_vec(),
            "/gone" => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
            "/broken" => ok("{"),
            _ => ok(&good(own).to_string()),
        }
    });
    let server = server(pages, Duration::ZERO).await;
    let fetcher = server.fetcher(true);
    for path in ["/other", "/secret", "/method", "/large", "/moved", "/gone", "/broken"] {
        for time in 1..=2 {
            let before = server.asked.load(Ordering::SeqCst);
            assert!(fetcher.fetch(&server.url(path)).await.is_err(), "{path}");
            assert_eq!(server.asked.load(Ordering::SeqCst), before + 1, "{path}, time {time}");
        }
    }
    assert!(fetcher.fetch(&server.url("/good")).await.is_ok());
}

#[tokio::test]
async fn a_slow_metadata_server_is_given_up() {
    // N30
    let server = server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::from_secs(20)).await;
    let refused = server.fetcher(true).fetch(&server.url("/slow")).await;
    assert_eq!(refused, Err(app::oauth::DescriptionError::Unreachable));
}

#[tokio::test]
async fn at_most_eight_of_a_thousand_fetches_run_at_once() {
    // N33
    let server = server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::from_millis(20)).await;
    let fetcher = Arc::new(server.fetcher(true));
    let all: Vec<_> = (0..1_000)
        .map(|number| {
            let (fetcher, url) = (fetcher.clone(), server.url(&format!("/client-{number}")));
            tokio::spawn(async move { fetcher.fetch(&url).await.is_ok() })
        })
        .collect();
    let mut good = 0;
    for one in all {
        good += usize::from(one.await.unwrap());
    }
    assert_eq!(server.most_at_once.load(Ordering::SeqCst), 8);
    assert!(good >= 8, "{good}");
}

#[tokio::test]
async fn simultaneous_requests_for_one_address_share_one_fetch() {
    let server = server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::from_millis(50)).await;
    let fetcher = Arc::new(server.fetcher(true));
    let url = server.url("/client.json");
    let all: Vec<_> = (0..20)
        .map(|_| {
            let (fetcher, url) = (fetcher.clone(), url.clone());
            tokio::spawn(async move { fetcher.fetch(&url).await.is_ok() })
        })
        .collect();
    for one in all {
        assert!(one.await.unwrap());
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn an_app_that_changed_its_redirects_needs_consent_again() {
    // N31
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let moved = Arc::new(AtomicBool::new(false));
    let flag = moved.clone();
    let pages: Pages = Arc::new(move |_, own| {
        let mut metadata = good(own);
        if flag.load(Ordering::SeqCst) {
            metadata["redirect_uris"] = json!(["https://app.example/new"]);
        }
        ok(&metadata.to_string())
    });
    let server = runtime.block_on(server(pages, Duration::ZERO));
    let scene = scene_at(Service::start_with_documents(Arc::new(server.fetcher(true))));
    let id = server.url("/client.json");
    let asked = request(&id, &[]);
    assert!(ask(&scene.ana, &asked).text().contains("Published at localhost"));
    let code = code(&scene, &id, &[]);
    moved.store(true, Ordering::SeqCst);
    let node = scene.second_node(&later(301));
    let ana = signed_in(&node, ANA);
    assert_eq!(ask(&ana, &asked).status, 400, "the address of before is none of its own any more");
    let fresh = ask(&ana, &request(&id, &[("redirect_uri", "https://app.example/new")]));
    assert!(fresh.status == 200 && !fresh.text().contains("You already allowed this app"));
    assert_eq!(error_of(&exchange(&node, &id, &code, &[])), "invalid_grant", "and the code is past");
}

#[test]
fn a_thousand_requests_for_different_apps_take_little_memory() {
    // N33
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(server(Arc::new(|_, own| ok(&good(own).to_string())), Duration::ZERO));
    let scene = scene_at(Service::start_with_documents(Arc::new(server.fetcher(true))));
    ask(&scene.ana, &request(&server.url("/first"), &[]));
    let before = resident_bytes();
    std::thread::scope(|scope| {
        for thread in 0..20 {
            let (scene, server) = (&scene, &server);
            scope.spawn(move || {
                (0..50).for_each(|one| drop(ask(&scene.ana, &request(&server.url(&format!("/{thread}-{one}")), &[]))))
            });
        }
    });
    assert!(server.most_at_once.load(Ordering::SeqCst) <= 8);
    let more = resident_bytes().saturating_sub(before);
    assert!(more < 64 << 20, "{more} bytes more");
}

/// Memory of this process, with service, server and browsers.
fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn metadata_is_cached_for_a_while_and_a_failure_is_not() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(server(
        Arc::new(|path, own| {
            if path == "/gone" { b"HTTP/1.1 404 N\r\nContent-Length: 0\r\n\r\n".to_vec() } else { ok(&good(own).to_string()) }
        }),
        Duration::ZERO,
    ));
    let scene = scene_at(Service::start_with_documents(Arc::new(server.fetcher(true))));
    for times in 1..=3 {
        assert_eq!(ask(&scene.ana, &request(&server.url("/gone"), &[])).status, 400);
        assert_eq!(server.asked.load(Ordering::SeqCst), times);
    }
    for _ in 0..3 {
        assert_eq!(ask(&scene.ana, &request(&server.url("/good"), &[])).status, 200);
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 4);
    for number in 0..30 {
        assert_eq!(ask(&scene.browser(), &request(&server.url(&format!("/{number}")), &[])).status, 303);
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 24, "who is not signed in makes us fetch twenty times a minute");
}
