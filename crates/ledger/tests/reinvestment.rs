//! What a dividend buys.

#![allow(clippy::unwrap_used)]

use ledger::{Currency, Decimal, Money, Reinvestment, reinvestment};

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn bought(net: &str, shares: Option<&str>, price: Option<&str>) -> Option<(String, String, Option<String>)> {
    let net = Money::new(d(net), Currency::EUR);
    let Reinvestment { shares, price, amount } = reinvestment(net, shares.map(d), price.map(d)).unwrap()?;
    Some((shares.to_string(), price.to_string(), amount.map(|amount| amount.to_string())))
}

fn of(shares: &str, price: &str, amount: Option<&str>) -> Option<(String, String, Option<String>)> {
    Some((shares.to_owned(), price.to_owned(), amount.map(str::to_owned)))
}

#[test]
fn shares_follow_from_the_price_and_cost_the_whole_net() {
    assert_eq!(bought("10.20", None, Some("40")), of("0.255", "40", Some("10.20")));
    // 8.50 ÷ 60 = 0.141666666…, rounded to 8 decimals.
    assert_eq!(bought("8.50", None, Some("60")), of("0.14166667", "60", Some("8.50")));
    // 1 ÷ 64000000 = 0.000000015625.
    assert_eq!(bought("1", None, Some("64000000")), of("0.00000002", "64000000", Some("1")));
    assert_eq!(bought("2.5", None, Some("100000000")), of("0.00000002", "100000000", Some("2.5")), "half-even");
}

#[test]
fn the_price_follows_from_the_shares() {
    assert_eq!(bought("8.50", Some("0.2"), None), of("0.2", "42.5", Some("8.50")));
    assert_eq!(bought("10", Some("3"), None), of("3", "3.3333333333", Some("10")));
}

#[test]
fn both_are_kept_and_cost_the_net_if_they_only_differ_by_rounding() {
    // 0.217 × 56.87 = 12.34079, which rounds to the net.
    assert_eq!(bought("12.34", Some("0.217"), Some("56.87")), of("0.217", "56.87", Some("12.34")));
    // 0.21 × 56.87 = 11.9427.
    assert_eq!(bought("12.34", Some("0.21"), Some("56.87")), of("0.21", "56.87", None));
    // The shares that would follow, although 0.00000001 × 987654321 = 9.87654321 is far from 10.
    assert_eq!(bought("10", Some("0.00000001"), Some("987654321")), of("0.00000001", "987654321", Some("10")));
}

#[test]
fn nothing_follows_from_nothing() {
    assert_eq!(bought("10", None, None), None);
    for net in ["0", "-10"] {
        assert_eq!(bought(net, None, Some("40")), None, "{net}");
        assert_eq!(bought(net, Some("1"), None), None, "{net}");
    }
    assert_eq!(bought("10", None, Some("0")), None);
    assert_eq!(bought("10", Some("0"), None), None);
}
