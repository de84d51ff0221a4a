//! Targets of the watchlist and the distance to them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ledger::{Decimal, Target};

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn a_yield_target_is_reached_at_or_above_it() {
    assert_eq!(Target::of_yield(d("3.50"), d("3.496"), d("3.5")), Some(Target::Reached));
    // At 3% now, 4% takes a price of three quarters.
    assert_eq!(Target::of_yield(d("3"), d("3"), d("4")), Some(Target::ToGo(d("25.0"))));
}

#[test]
fn a_price_target_is_reached_at_or_below_it() {
    assert_eq!(Target::of_price(d("60"), d("60")), Some(Target::Reached));
    // 60 of 64: 6.25%. 317 of 320: 0.9375%, to the even hundredth.
    assert_eq!(Target::of_price(d("64"), d("60")), Some(Target::ToGo(d("6.25"))));
    assert_eq!(Target::of_price(d("320"), d("317")), Some(Target::ToGo(d("0.94"))));
    assert!(Target::Reached.is_reached() && !Target::ToGo(d("0.0")).is_reached());
}
