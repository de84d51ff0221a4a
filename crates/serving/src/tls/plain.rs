//! Plain HTTP on the HTTPS port. A program gets an error, because its token was sent unencrypted; a browser is redirected.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::request::facts::is_api;
use crate::response::error::ApiError;
use crate::response::{page_headers, refusal};

/// Enough for the address of a page; more is not read.
const LINE_BYTES_MAX: usize = 8 << 10;
/// Closing a socket with unread input resets it, and the client may lose the answer.
const LINGER: Duration = Duration::from_secs(1);

pub async fn answer(mut stream: TcpStream, base_url: &str, limit: Duration) {
    let answered = async {
        let line = line(&mut stream).await?;
        stream.write_all(&to(&line, base_url)).await?;
        stream.shutdown().await
    };
    if matches!(timeout(limit, answered).await, Ok(Ok(()))) {
        let mut space = [0; 4096];
        let rest = async { while matches!(stream.read(&mut space).await, Ok(1..)) {} };
        let _ = timeout(LINGER, rest).await;
    }
}

/// Reads up to the end of the first line.
async fn line(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut line = Vec::new();
    while !line.contains(&b'\n') && line.len() < LINE_BYTES_MAX {
        if stream.read_buf(&mut line).await? == 0 {
            break;
        }
    }
    Ok(line)
}

fn to(line: &[u8], base_url: &str) -> Vec<u8> {
    match page(line) {
        Some(target) => {
            let lines: String = page_headers::lines().collect();
            format!(
                "HTTP/1.1 308 Permanent Redirect\r\nconnection: close\r\nlocation: {base_url}{target}\r\n{lines}content-length: 0\r\n\r\n"
            )
            .into_bytes()
        }
        None => {
            let message =
                "This address speaks HTTPS. Use https:// instead of http://. Replace any token you sent: it was not encrypted.";
            refusal::answer(&ApiError::bad_request(message), std::iter::empty())
        }
    }
}

/// Path and query of the requested page.
fn page(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.split(|byte| *byte == b'\n').next()?).ok()?;
    let mut words = line.trim_end_matches('\r').split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let path = target.split(['?', '#']).next()?;
    let plain = target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic());
    let asked = matches!(method, "GET" | "HEAD") && version.starts_with("HTTP/1.") && words.next().is_none();
    (asked && plain && !is_api(path)).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_redirects_page_requests_only() {
        assert_eq!(page(b"GET /upcoming?x=1 HTTP/1.1\r\nHost: x\r\n"), Some("/upcoming?x=1"));
        assert_eq!(page(b"HEAD / HTTP/1.0\n"), Some("/"));
        for line in [
            &b"POST /sign-in HTTP/1.1\r\n"[..],
            b"GET /api/v1/me HTTP/1.1\r\n",
            b"GET /API/v1/me HTTP/1.1\r\n",
            b"GET /mcp HTTP/1.1\r\n",
            b"GET /oauth/token HTTP/1.1\r\n",
            b"GET /healthz HTTP/1.1\r\n",
            b"GET http://x/ HTTP/1.1\r\n",
            b"GET /a\rb HTTP/1.1\r\n",
            b"GET /\xff HTTP/1.1\r\n",
            b"GET / HTTP/2\r\n",
            b"GET / \r\n",
            b"GET /",
            b"",
        ] {
            assert_eq!(page(line), None, "{}", String::from_utf8_lossy(line));
        }
    }
}
