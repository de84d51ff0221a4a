//! What a purchase costs, and what an amount buys.

#![allow(clippy::unwrap_used)]

use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, Fx, Money, purchase};

const TODAY: Date = date(2026, 11, 15);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn money(amount: &str, code: &str) -> Money {
    Money::new(d(amount), Currency::parse(code).unwrap())
}

/// 1.25 dollars and 0.80 pounds per euro.
fn fx() -> Fx {
    let rate = |code: &str, rate: &str| (Currency::parse(code).unwrap(), date(2026, 11, 13), d(rate));
    Fx::new([rate("USD", "1.25"), rate("GBP", "0.80")])
}

fn shares(amount: Money, price: Money) -> Option<Decimal> {
    purchase::shares_for(amount, price, &fx(), TODAY).unwrap()
}

#[test]
fn an_amount_buys_its_quotient_by_the_price() {
    assert_eq!(shares(money("1000", "EUR"), money("32", "EUR")), Some(d("31.25")));
    // 100 EUR are 125 USD; 100 GBP are 156.25 USD.
    assert_eq!(shares(money("100", "EUR"), money("80", "USD")), Some(d("1.5625")));
    assert_eq!(shares(money("100", "GBP"), money("80", "USD")), Some(d("1.953125")));
    assert_eq!(shares(money("100", "EUR"), money("30", "EUR")), Some(d("3.3333333333333333333333333333")));
}

#[test]
fn a_cost_is_shares_times_price_in_the_preferred_currency() {
    let cost = |shares: &str, price| purchase::cost(d(shares), price, Currency::EUR, &fx(), TODAY).unwrap();
    assert_eq!(cost("10", money("80", "USD")), Some(money("640", "EUR")));
    assert_eq!(cost("2.5", money("12.50", "EUR")), Some(money("31.25", "EUR")));
    assert_eq!(cost("1", money("20000", "KRW")), None);
}

#[test]
fn nothing_is_bought_without_an_exchange_rate_and_too_much_overflows() {
    assert_eq!(shares(money("100", "EUR"), money("20000", "KRW")), None);
    let max = Money::new(Decimal::MAX, Currency::EUR);
    assert!(purchase::shares_for(max, money("0.1", "EUR"), &fx(), TODAY).is_err());
    assert!(purchase::cost(Decimal::MAX, money("2", "EUR"), Currency::EUR, &fx(), TODAY).is_err());
}
