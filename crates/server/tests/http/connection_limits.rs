//! Many connections of one client leave room for others.

use std::time::Duration;

use serving::{Limits, Options};

use super::client::{Connection, Server, start};
use super::routes;

const REQUEST: &[u8] = b"GET /api/v1/me HTTP/1.1\r\nHost: test\r\n\r\n";

async fn start_with(limits: Limits) -> Server {
    start(routes::router(), Options::default(), limits).await
}

async fn answered(connection: &mut Connection) -> bool {
    connection.write(REQUEST).await;
    connection.read(false).await.is_some_and(|answer| answer.status == 200)
}

#[tokio::test]
async fn one_connection_too_many_is_closed_and_other_clients_are_served() {
    let server = start_with(Limits { connections_per_client_max: 3, ..Limits::default() }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut connection = Connection::open(server.address).await;
        assert!(answered(&mut connection).await);
        held.push(connection);
    }
    for _ in 0..20 {
        assert!(Connection::open(server.address).await.ends_within(Duration::from_secs(1)).await);
    }
    assert!(answered(&mut Connection::open_from("127.0.0.2", server.address).await).await, "another client");
    for connection in &mut held {
        assert!(answered(connection).await, "those that were there stay");
    }
    held.pop();
    let mut again = Connection::open(server.address).await;
    for _ in 0..100 {
        if answered(&mut again).await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        again = Connection::open(server.address).await;
    }
    panic!("a place that was left was not given away again");
}

#[tokio::test]
async fn a_client_with_all_its_connections_leaves_some_for_others() {
    let limits = Limits { connections_max: 8, connections_per_client_max: 6, ..Limits::default() };
    let server = start_with(limits).await;
    let mut held = Vec::new();
    for _ in 0..50 {
        held.push(Connection::open(server.address).await);
    }
    for _ in 0..10 {
        assert!(answered(&mut Connection::open_from("127.0.0.2", server.address).await).await);
    }
}

#[tokio::test]
async fn a_trusted_proxy_may_use_all_connections() {
    let proxies = ["127.0.0.0/8".parse().unwrap()].into();
    let server = start_with(Limits { connections_per_client_max: 2, proxies, ..Limits::default() }).await;
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut connection = Connection::open(server.address).await;
        assert!(answered(&mut connection).await);
        held.push(connection);
    }
}
