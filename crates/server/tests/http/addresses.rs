use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue};
use serving::ClientKey;
use serving::address::client;

fn seen(peer: &str, lines: &[(&'static str, &str)]) -> String {
    let trusted = ["127.0.0.0/8".parse().unwrap(), "10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()];
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(*name, HeaderValue::from_str(value).unwrap());
    }
    client(peer.parse().unwrap(), &headers, &trusted).to_string()
}

#[test]
fn a_stranger_cannot_choose_its_client_address() {
    assert_eq!(seen("203.0.113.9", &[("x-forwarded-for", "198.51.100.1")]), "203.0.113.9");
    assert_eq!(seen("203.0.113.9", &[("forwarded", "for=198.51.100.1")]), "203.0.113.9");
}

#[test]
fn without_trusted_proxies_no_header_counts() {
    let mut headers = HeaderMap::new();
    headers.insert("x-forwarded-for", HeaderValue::from_static("198.51.100.1"));
    let peer = "127.0.0.1".parse().unwrap();
    assert_eq!(client(peer, &headers, &[]), peer);
}

#[test]
fn the_rightmost_untrusted_hop_of_all_headers_is_the_client() {
    assert_eq!(seen("127.0.0.1", &[("x-forwarded-for", "1.1.1.1, 198.51.100.1, 10.0.0.7")]), "198.51.100.1");
    assert_eq!(
        seen("127.0.0.1", &[("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "198.51.100.1,10.0.0.7")]),
        "198.51.100.1"
    );
    assert_eq!(seen("fd00::1", &[("x-forwarded-for", "[2001:db8::5]:443")]), "2001:db8::5");
    assert_eq!(seen("127.0.0.1", &[("x-forwarded-for", "198.51.100.1:5000")]), "198.51.100.1");
    assert_eq!(seen("::ffff:127.0.0.1", &[("x-forwarded-for", "::ffff:198.51.100.1")]), "198.51.100.1");
}

#[test]
fn forwarded_is_read_when_x_forwarded_for_is_absent() {
    let line = r#"for=1.1.1.1;by=10.0.0.1, proto=https;For="[2001:db8::5]:4711""#;
    assert_eq!(seen("127.0.0.1", &[("forwarded", line)]), "2001:db8::5");
    assert_eq!(seen("127.0.0.1", &[("forwarded", "for=198.51.100.1"), ("x-forwarded-for", "198.51.100.2")]), "198.51.100.2");
    assert_eq!(seen("127.0.0.1", &[("forwarded", r#"for="198.51.100.1:80", for=10.0.0.1"#)]), "198.51.100.1");
}

#[test]
fn hidden_or_broken_hops_count_as_the_peer() {
    for hop in
        ["unknown", "_hidden", "_SEVKISEK", "", "300.1.1.1", "1.1.1", "localhost", "1.1.1.1 2.2.2.2", "[::1", "1.1.1.1:99999"]
    {
        assert_eq!(seen("127.0.0.1", &[("x-forwarded-for", &format!("198.51.100.1, {hop}"))]), "127.0.0.1", "{hop:?}");
        assert_eq!(seen("127.0.0.1", &[("forwarded", &format!("for=198.51.100.1, for={hop}"))]), "127.0.0.1", "{hop:?}");
    }
    assert_eq!(seen("127.0.0.1", &[("forwarded", "proto=https")]), "127.0.0.1");
}

#[test]
fn when_every_hop_is_trusted_the_first_one_is_the_client() {
    assert_eq!(seen("127.0.0.1", &[("x-forwarded-for", "10.1.1.1, 10.2.2.2")]), "10.1.1.1");
}

fn key(address: &str) -> ClientKey {
    ClientKey::from(address.parse::<IpAddr>().unwrap())
}

#[test]
fn an_ipv6_network_is_one_client_and_a_mapped_ipv4_address_counts_as_ipv4() {
    assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
    assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
    assert_eq!(key("::ffff:192.0.2.1"), key("192.0.2.1"));
    assert_ne!(key("192.0.2.2"), key("192.0.2.1"));
    assert_ne!(key("0.0.0.0"), key("::"));
}
