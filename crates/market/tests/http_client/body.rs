//! Bodies that are too large, compressed, truncated or of another type.

use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use market::{Config, Fault, Market};
use replay::{Replay, Reply, Stock, World};

use crate::{SEARCH, closes, only, search, start};

const LIMIT: usize = 4 << 20;

/// The socket buffers on both ends hold far less than 64 MB.
#[tokio::test]
async fn a_body_beyond_the_limit_is_refused_and_not_read_in_full() {
    let (replay, market) = start();
    replay.fail(SEARCH, replay::Fault::Huge(64 << 20));
    assert_eq!(search(&market).await, Err(Fault::TooLarge(LIMIT)));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!((LIMIT..32 << 20).contains(&replay.sent()), "{}", replay.sent());
    assert_eq!(replay.count(SEARCH), 1);
}

fn packed(body: &[u8]) -> Reply {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    Reply { body: encoder.finish().unwrap(), ..Reply::text("application/json", "") }.with("content-encoding", "gzip")
}

#[tokio::test]
async fn a_compressed_answer_is_read() {
    let (replay, market) = start();
    let hits = br#"{"quotes":[{"symbol":"A","quoteType":"EQUITY","isYahooFinance":true},
        {"symbol":"B","quoteType":"ETF","isYahooFinance":true}]}"#;
    replay.fail(SEARCH, replay::Fault::Reply(packed(hits)));
    assert_eq!(search(&market).await, Ok(2));
}

#[tokio::test]
async fn the_body_limit_counts_decompressed_bytes() {
    let (replay, market) = start();
    let bomb = packed(&vec![b' '; LIMIT + 1]);
    assert!(bomb.body.len() < LIMIT / 50, "{}", bomb.body.len());
    replay.fail(SEARCH, replay::Fault::Reply(bomb));
    assert_eq!(search(&market).await, Err(Fault::TooLarge(LIMIT)));
    // One byte less is a body of nothing, which is not JSON.
    replay.fail(SEARCH, replay::Fault::Reply(packed(&vec![b' '; LIMIT])));
    assert!(matches!(search(&market).await, Err(Fault::Malformed(_))));
}

#[tokio::test]
async fn a_damaged_compressed_answer_is_a_fault() {
    let (replay, market) = start();
    let whole = packed(br#"{"quotes":[]}"#);
    let cut = Reply { body: whole.body[..whole.body.len() / 2].to_vec(), ..whole.clone() };
    let not_packed = Reply { body: br#"{"quotes":[]}"#.to_vec(), ..whole };
    for damaged in [cut, not_packed] {
        replay.fail(SEARCH, replay::Fault::Reply(damaged));
        assert!(matches!(search(&market).await, Err(Fault::Unreachable(_))));
    }
}

#[tokio::test]
async fn html_unexpected_json_and_truncated_bodies_are_faults() {
    let (replay, market) = start();
    for strange in [replay::Fault::Html, replay::Fault::WrongJson] {
        replay.fail("finance", strange);
        assert!(matches!(search(&market).await, Err(Fault::Malformed(_))));
        assert!(matches!(closes(&market, 2020).await, Err(Fault::Malformed(_))));
    }
    let (replay, market) = start();
    replay.fail("finance", replay::Fault::Truncate);
    assert!(matches!(search(&market).await, Err(Fault::Unreachable(_))));
}

const KEY: &str = "S3CRET-KEY-0123456789";

fn keyed(url: String) -> Market {
    market::open(&[Config { name: "fmp".to_owned(), key: Some(KEY.to_owned()), url: Some(url), budget: None }]).unwrap()
}

/// Asserts that neither key nor address is in the message, its debug form, or the provider's health.
fn assert_discreet(market: &Market, fault: &Fault, port: u16) {
    let remembered = market.health()[0].last_error.clone().unwrap();
    for text in [fault.to_string(), format!("{fault:?}"), format!("{remembered:?}")] {
        for secret in [KEY, "S3CRET", "127.0.0.1", "http:", &port.to_string()] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}

#[tokio::test]
async fn no_message_shows_the_key_or_the_address() {
    let stock = Stock { symbol: "MILL".to_owned(), name: "Mill & Sons".to_owned(), ..Stock::default() };
    let faults = [
        replay::Fault::Html,
        replay::Fault::WrongJson,
        replay::Fault::Truncate,
        replay::Fault::Status(500),
        replay::Fault::Status(401),
        replay::Fault::Huge(LIMIT + 1),
        replay::Fault::Throttle(Some(60)),
        replay::Fault::Reply(Reply::text("text/html", format!("<p>No plan for {KEY}"))),
    ];
    for fault in faults {
        let replay = Replay::start(World { stocks: vec![stock.clone()], ..World::default() });
        let market = keyed(replay.url("fmp"));
        replay.fail("", fault);
        let fault = only(market.search("mill").await.unwrap_err());
        assert_discreet(&market, &fault, replay.address.port());
    }
}

#[tokio::test]
async fn no_message_about_an_unreachable_provider_shows_the_key_or_the_address() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let market = keyed(format!("http://{address}/stable"));
    let fault = only(market.search("mill").await.unwrap_err());
    assert!(matches!(fault, Fault::Unreachable(_)), "{fault}");
    assert_discreet(&market, &fault, address.port());
}
