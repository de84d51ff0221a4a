//! A client that sends exactly the given bytes, and a server for it.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use serving::tls::Tls;
use serving::{Limits, Options, serve, serve_encrypted, wrap};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

pub struct Server {
    pub address: SocketAddr,
    pub stop: oneshot::Sender<()>,
    pub ended: JoinHandle<()>,
}

pub async fn start(router: Router, options: Options, limits: Limits) -> Server {
    start_by(None, router, options, limits).await
}

/// Over HTTPS if there is a certificate.
pub async fn start_by(tls: Option<Tls>, router: Router, options: Options, limits: Limits) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let shutdown = async move {
        stopped.await.ok();
    };
    let site = wrap(router, options);
    let ended = match tls {
        Some(tls) => tokio::spawn(serve_encrypted(listener, (tls, "https://drip.example".to_owned()), site, limits, shutdown)),
        None => tokio::spawn(serve(listener, site, limits, shutdown)),
    };
    Server { address, stop, ended }
}

pub async fn start_plain() -> Server {
    start(super::routes::router(), Options::default(), Limits::default()).await
}

impl Server {
    /// The answer to one request on a connection of its own.
    pub async fn send(&self, raw: impl AsRef<[u8]>) -> Answer {
        let raw = raw.as_ref();
        let mut connection = Connection::open(self.address).await;
        connection.write(raw).await;
        connection.read(raw.starts_with(b"HEAD ")).await.expect("an answer")
    }

    pub async fn get(&self, target: &str) -> Answer {
        self.get_with(target, "").await
    }

    /// `fields` are whole lines, each with its line end.
    pub async fn get_with(&self, target: &str, fields: &str) -> Answer {
        self.ask("GET", target, fields).await
    }

    pub async fn ask(&self, method: &str, target: &str, fields: &str) -> Answer {
        self.send(format!("{method} {target} HTTP/1.1\r\nHost: test\r\n{fields}\r\n")).await
    }
}

pub struct Connection<S = TcpStream> {
    pub stream: S,
    unread: Vec<u8>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap())
    }

    /// From another address of this machine.
    pub async fn open_from(from: &str, address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(from.parse().unwrap(), 0)).unwrap();
        Self::over(socket.connect(address).await.unwrap())
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    pub fn over(stream: S) -> Self {
        Self { stream, unread: Vec::new() }
    }

    /// Bytes the server no longer reads are no failure: it may have answered already.
    pub async fn write(&mut self, raw: &[u8]) {
        let _ = self.stream.write_all(raw).await;
    }

    /// The next answer, or `None` if the connection ends first.
    pub async fn read(&mut self, is_head: bool) -> Option<Answer> {
        let end = loop {
            match self.unread.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(end) => break end,
                None => self.more().await?,
            }
        };
        let mut answer = Answer::parse(std::str::from_utf8(&self.unread[..end]).unwrap());
        self.unread.drain(..end + 4);
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        let length = if is_head || matches!(answer.status, 204 | 304) { 0 } else { length };
        while self.unread.len() < length {
            self.more().await?;
        }
        answer.body = self.unread.drain(..length).collect();
        Some(answer)
    }

    /// Whether the server ends the connection, with nothing more to read, within the time.
    pub async fn ends_within(&mut self, limit: Duration) -> bool {
        self.unread.is_empty() && matches!(timeout(limit, self.more()).await, Ok(None))
    }

    async fn more(&mut self) -> Option<()> {
        let mut space = vec![0; 64 << 10];
        let read = timeout(Duration::from_secs(20), self.stream.read(&mut space)).await.expect("the server went silent");
        let length = read.ok().filter(|length| *length > 0)?;
        self.unread.extend_from_slice(&space[..length]);
        Some(())
    }
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    fn parse(head: &str) -> Self {
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let field =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).unwrap();
        Self { status, headers: lines.map(field).collect(), body: Vec::new() }
    }

    /// The value of a header, which must not be repeated.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let value = values.next();
        assert!(values.next().is_none(), "{name} twice in {:?}", self.headers);
        value
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn etag(&self) -> &str {
        self.header("etag").expect("every answer has an ETag")
    }

    /// Asserts the usual error shape with a tag and no internal details.
    #[track_caller]
    pub fn is_error(&self, status: u16, code: &str) -> &Self {
        assert_eq!(self.status, status, "{self:?} {}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert_eq!(self.header("content-length"), Some(self.body.len().to_string().as_str()));
        assert!(self.etag().starts_with("W/\""), "{}", self.etag());
        let json: serde_json::Value = serde_json::from_slice(&self.body).unwrap();
        let error = json["error"].as_object().unwrap();
        assert_eq!((json.as_object().unwrap().len(), error.len()), (1, 2), "{json}");
        assert_eq!(error["code"], code);
        let message = error["message"].as_str().unwrap();
        assert!(message.ends_with('.') && message.starts_with(|first: char| first.is_uppercase()), "{message}");
        for leak in ["panick", "axum", "hyper", "tokio", "src/", ".rs", "SELECT", "sqlite", "0.1.0"] {
            assert!(!message.contains(leak), "{message}");
        }
        self
    }

    #[track_caller]
    pub fn is_ok(&self) -> &Self {
        assert_eq!(self.status, 200, "{self:?} {}", self.text());
        self
    }
}
