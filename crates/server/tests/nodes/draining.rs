use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use testkit::{Node, Service};

/// Sends a request on the connection and reads its answer, which has no body.
fn head(connection: &mut TcpStream, path: &str) -> String {
    connection.write_all(format!("HEAD {path} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte).unwrap();
        answer.push(byte[0]);
    }
    String::from_utf8(answer).unwrap().to_lowercase()
}

#[test]
fn a_draining_node_is_not_ready_but_serves_and_closes_connections() {
    let service = Service::start();
    let node = Node::start(&service, None);
    let mut connection = TcpStream::connect(node.address).unwrap();
    connection.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    for path in ["/readyz", "/api/v1/openapi.json"] {
        let before = head(&mut connection, path);
        assert!(before.starts_with("http/1.1 200 ") && !before.contains("connection: close"), "{before}");
    }
    node.draining.begin();
    let refused = node.get("/readyz", None);
    assert_eq!((refused.status, refused.error_code().as_str()), (503, "unavailable"));
    assert_eq!(node.get("/healthz", None).status, 200);
    // An idle connection may send one more request.
    let last = head(&mut connection, "/api/v1/openapi.json");
    assert!(last.starts_with("http/1.1 200 ") && last.contains("connection: close"), "{last}");
    assert_eq!(connection.read(&mut [0]).unwrap(), 0, "the connection ends");
    assert_eq!(node.get("/sign-in", None).header("connection"), "close", "new ones are taken, for one answer");
}
