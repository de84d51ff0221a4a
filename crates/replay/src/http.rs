//! Just enough HTTP/1.1 for a test: one request per connection, a thread each.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::{Fault, Shared};

#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    pub path: String,
    pub query: Vec<(String, String)>,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl Reply {
    pub fn json(value: &serde_json::Value) -> Reply {
        Reply::text("application/json", value.to_string())
    }

    pub fn text(content_type: &str, body: impl Into<String>) -> Reply {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        Reply { status: 200, headers, body: body.into().into_bytes() }
    }

    pub fn status(mut self, status: u16) -> Reply {
        self.status = status;
        self
    }

    pub fn with(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        let shared = shared.clone();
        std::thread::spawn(move || converse(stream, &shared));
    }
}

/// A client that disconnects is ignored.
fn converse(mut stream: TcpStream, shared: &Shared) {
    let Some(request) = read(&stream) else { return };
    shared.note(&request);
    let fault = shared.fault(&request);
    let reply = match &fault {
        None | Some(Fault::Truncate | Fault::Stall) => shared.answer(&request),
        Some(Fault::Slow(wait)) => {
            std::thread::sleep(*wait);
            shared.answer(&request)
        }
        Some(Fault::Hang) => {
            std::thread::sleep(SILENCE);
            return;
        }
        Some(Fault::Throttle(after)) => {
            let reply = Reply::text("text/plain", "Too Many Requests\r\n").status(429);
            after.iter().fold(reply, |reply, seconds| reply.with("retry-after", &seconds.to_string()))
        }
        Some(Fault::Html) => Reply::text("text/html", "<!doctype html><title>Be right back</title><p>We are working on it."),
        Some(Fault::Status(status)) => Reply::text("text/plain", "oops").status(*status),
        Some(Fault::WrongJson) => Reply::text("application/json", r#"{"surprise":[{"a":1}],"data":"none"}"#),
        Some(Fault::Huge(bytes)) => Reply::text("application/json", " ".repeat(*bytes)),
        Some(Fault::Reply(reply)) => reply.clone(),
    };
    let cut = if matches!(fault, Some(Fault::Truncate | Fault::Stall)) { reply.body.len() / 2 } else { reply.body.len() };
    let mut head = format!("HTTP/1.1 {} -\r\ncontent-length: {}\r\nconnection: close\r\n", reply.status, reply.body.len());
    reply.headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
    head.push_str("\r\n");
    let _ = stream.write_all(head.as_bytes());
    for part in reply.body[..cut].chunks(PART_BYTES) {
        if stream.write_all(part).is_err() {
            return;
        }
        shared.sent(part.len());
    }
    let _ = stream.flush();
    if fault == Some(Fault::Stall) {
        std::thread::sleep(SILENCE);
    }
}

const SILENCE: Duration = Duration::from_secs(60);
const PART_BYTES: usize = 64 << 10;

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut words = first.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let query = query.split('&').filter_map(|pair| pair.split_once('=')).map(|(key, value)| (decode(key), decode(value)));
    let (path, query) = (decode(path), query.collect());
    Some(Request { method, path, query, target, headers, body: String::from_utf8(body).ok()? })
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 2;
            }
            (b'+', _) => plain.push(b' '),
            (byte, _) => plain.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&plain).into_owned()
}
