use std::time::{Duration, Instant};

use serving::{Limits, Options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::sleep;

use super::client::{Connection, Server, start, start_plain};
use super::routes;

const REQUEST: &[u8] = b"GET /api/v1/me HTTP/1.1\r\nHost: test\r\n\r\n";

async fn start_with(limits: Limits) -> Server {
    start(routes::router(), Options::default(), limits).await
}

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let server = start_with(Limits { head: milliseconds(200), ..Limits::default() }).await;
    for begun in [&b""[..], b"\r\n", b"\n\n\r\n"] {
        let mut connection = Connection::open(server.address).await;
        connection.write(begun).await;
        assert!(connection.ends_within(milliseconds(1500)).await, "{begun:?}");
    }
}

#[tokio::test]
async fn a_request_head_that_trickles_in_is_answered_and_closed() {
    let server = start_with(Limits { head: milliseconds(300), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    let start = Instant::now();
    for byte in REQUEST.iter().take(12) {
        connection.write(&[*byte]).await;
        sleep(milliseconds(50)).await;
    }
    connection.read(false).await.unwrap().is_error(408, "bad_request");
    assert!(connection.ends_within(milliseconds(500)).await);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn half_an_http_2_preface_is_closed() {
    let server = start_with(Limits { head: milliseconds(200), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"PRI * HTTP/2.0\r\n\r\nSM").await;
    connection.read(false).await;
    assert!(connection.ends_within(milliseconds(1500)).await);
}

#[tokio::test]
async fn a_connection_may_be_idle_between_requests_up_to_the_limit() {
    let server = start_with(Limits { head: milliseconds(500), idle: milliseconds(2000), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    for _ in 0..2 {
        connection.write(REQUEST).await;
        connection.read(false).await.unwrap().is_ok();
        sleep(milliseconds(800)).await;
    }
    connection.write(REQUEST).await;
    connection.read(false).await.unwrap().is_ok();
    assert!(!connection.ends_within(milliseconds(800)).await);
    assert!(connection.ends_within(milliseconds(4000)).await);
}

#[tokio::test]
async fn a_missing_body_does_not_delay_an_answer_that_needs_none() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"POST /api/v1/me HTTP/1.1\r\nHost: test\r\nContent-Length: 4096\r\n\r\nx").await;
    connection.read(false).await.unwrap().is_error(405, "bad_request");
    assert!(connection.ends_within(Duration::from_secs(5)).await);
}

#[tokio::test]
async fn a_body_that_never_comes_is_given_up_after_the_time_limit() {
    let options = Options { time_limit: milliseconds(200), ..Options::default() };
    let server = start(routes::router(), options, Limits::default()).await;
    let answer = server.send("POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nContent-Length: 4096\r\n\r\nx").await;
    answer.is_error(503, "unavailable");
}

#[tokio::test]
async fn a_body_that_trickles_in_is_answered_and_closed() {
    let server = start_with(Limits { body: milliseconds(400), ..Limits::default() }).await;
    for framing in ["Content-Length: 4096", "Transfer-Encoding: chunked"] {
        let mut connection = Connection::open(server.address).await;
        connection.write(format!("POST /api/v1/echo HTTP/1.1\r\nHost: test\r\n{framing}\r\n\r\n").as_bytes()).await;
        let start = Instant::now();
        for _ in 0..12 {
            connection.write(b"1\r\nx\r\n").await;
            sleep(milliseconds(50)).await;
        }
        connection.read(false).await.unwrap().is_error(408, "bad_request");
        assert!(connection.ends_within(milliseconds(500)).await, "and nothing follows");
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn a_body_that_arrives_steadily_is_accepted_however_long_it_takes() {
    let server = start_with(Limits { body: milliseconds(1500), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nContent-Length: 65536\r\n\r\n").await;
    for _ in 0..16 {
        connection.write(&[b'x'; 4096]).await;
        sleep(milliseconds(125)).await;
    }
    assert_eq!(connection.read(false).await.unwrap().is_ok().body.len(), 65_536);
}

#[tokio::test]
async fn three_requests_in_one_packet_are_answered_in_order() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    let raw: String = [3, 1, 2].iter().map(|days| format!("GET /api/v1/days?days={days} HTTP/1.1\r\nHost: t\r\n\r\n")).collect();
    connection.write(raw.as_bytes()).await;
    for days in [3, 1, 2] {
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), format!(r#"{{"days":{days}}}"#));
    }
}

#[tokio::test]
async fn the_beginning_of_the_next_request_may_wait_for_a_slow_answer() {
    let server = start_with(Limits { head: milliseconds(600), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    let both = [b"GET /api/v1/slow?1000 HTTP/1.1\r\nHost: t\r\n\r\n", &REQUEST[..20]].concat();
    connection.write(&both).await;
    connection.read(false).await.unwrap().is_ok();
    connection.write(&REQUEST[20..]).await;
    connection.read(false).await.unwrap().is_ok();
}

#[tokio::test]
async fn a_client_that_half_closes_still_gets_its_answer() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"GET /api/v1/slow?200 HTTP/1.1\r\nHost: t\r\n\r\n").await;
    connection.stream.shutdown().await.unwrap();
    connection.read(false).await.unwrap().is_ok();
    assert!(connection.ends_within(Duration::from_secs(2)).await);
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_cut_off() {
    let server = start_with(Limits { stall: milliseconds(300), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"GET /api/v1/huge HTTP/1.1\r\nHost: t\r\n\r\n").await;
    sleep(milliseconds(2500)).await;
    assert!(count_until_end(&mut connection).await < 64 << 20);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_client_that_reads_nothing_from_a_full_socket_buffer_is_cut_off() {
    let server = start_with(Limits { stall: milliseconds(500), ..Limits::default() }).await;
    let whole = 3 * server.get("/api/v1/big").await.body.len();
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(1024).unwrap();
    let mut connection = Connection::over(socket.connect(server.address).await.unwrap());
    let many = b"GET /api/v1/big HTTP/1.1\r\nHost: t\r\n\r\n".repeat(3);
    connection.write(&many).await;
    sleep(milliseconds(2500)).await;
    assert!(count_until_end(&mut connection).await < whole);
}

#[tokio::test]
async fn a_client_that_reads_steadily_gets_everything_however_long_it_takes() {
    let server = start_with(Limits { stall: milliseconds(1000), idle: milliseconds(1000), ..Limits::default() }).await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"GET /api/v1/huge HTTP/1.1\r\nHost: t\r\n\r\n").await;
    let mut space = vec![0; 4 << 20];
    let mut total = 0;
    while total < 48 << 20 {
        total += connection.stream.read_exact(&mut space).await.unwrap();
        sleep(milliseconds(100)).await;
    }
    assert!(total + count_until_end(&mut connection).await > 64 << 20);
}

async fn count_until_end(connection: &mut Connection) -> usize {
    let mut space = vec![0; 1 << 20];
    let mut total = 0;
    while let Ok(length @ 1..) = connection.stream.read(&mut space).await {
        total += length;
    }
    total
}

#[tokio::test]
async fn a_shutdown_finishes_the_running_request_and_accepts_no_new_ones() {
    let server = start_plain().await;
    let mut running = Connection::open(server.address).await;
    let mut resting = Connection::open(server.address).await;
    resting.write(REQUEST).await;
    resting.read(false).await.unwrap().is_ok();
    running.write(b"GET /api/v1/slow?600 HTTP/1.1\r\nHost: t\r\n\r\n").await;
    sleep(milliseconds(100)).await;
    server.stop.send(()).unwrap();
    assert!(resting.ends_within(milliseconds(400)).await, "idle connections end at once");
    assert!(tokio::net::TcpStream::connect(server.address).await.is_err());
    assert_eq!(running.read(false).await.unwrap().is_ok().header("connection"), Some("close"));
    tokio::time::timeout(Duration::from_secs(2), server.ended).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_shutdown_waits_no_longer_than_the_grace_period() {
    let server = start_with(Limits { grace: milliseconds(200), ..Limits::default() }).await;
    let mut running = Connection::open(server.address).await;
    running.write(b"GET /api/v1/slow?60000 HTTP/1.1\r\nHost: t\r\n\r\n").await;
    sleep(milliseconds(100)).await;
    server.stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(2), server.ended).await.unwrap().unwrap();
    assert!(running.ends_within(Duration::from_secs(1)).await);
}

#[tokio::test]
async fn connections_beyond_the_limit_wait_until_one_ends() {
    let server = start_with(Limits { connections_max: 2, ..Limits::default() }).await;
    let mut first = Connection::open(server.address).await;
    let mut second = Connection::open(server.address).await;
    for connection in [&mut first, &mut second] {
        connection.write(REQUEST).await;
        connection.read(false).await.unwrap().is_ok();
    }
    let mut third = Connection::open(server.address).await;
    third.write(REQUEST).await;
    assert!(tokio::time::timeout(milliseconds(300), third.read(false)).await.is_err());
    drop(first);
    third.read(false).await.unwrap().is_ok();
}

#[tokio::test]
async fn hundreds_of_half_sent_requests_do_not_keep_others_waiting() {
    let server = start_plain().await;
    let mut held = Vec::new();
    for _ in 0..400 {
        let mut connection = Connection::open(server.address).await;
        connection.write(b"GET /api/v1/me HTTP/1.1\r\nHost: te").await;
        held.push(connection);
    }
    let start = Instant::now();
    for _ in 0..20 {
        server.get("/api/v1/me").await.is_ok();
    }
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}
