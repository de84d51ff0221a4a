//! How figures are rounded and printed.

#![allow(clippy::unwrap_used)]

use ledger::money::{Money, Overflow, by_currency, div, mul, shares_text};
use ledger::{Currency, Decimal};

fn money(amount: &str, code: &str) -> Money {
    Money::new(amount.parse().unwrap(), Currency::parse(code).unwrap())
}

#[test]
fn aggregates_round_half_even_to_all_minor_units() {
    for (amount, code, text) in [
        ("120", "EUR", "120.00"),
        ("120.4", "JPY", "120"),
        ("0.125", "EUR", "0.12"),
        ("0.135", "EUR", "0.14"),
        ("2.5", "JPY", "2"),
        ("3.5", "JPY", "4"),
        ("-0.001", "EUR", "0.00"),
        ("1.0005", "KWD", "1.000"),
        ("0", "JPY", "0"),
    ] {
        assert_eq!(money(amount, code).aggregate_text(), text, "{amount} {code}");
    }
}

#[test]
fn recorded_figures_print_as_recorded() {
    for (amount, code, text) in [
        ("18.00", "EUR", "18.00"),
        ("0.4812", "USD", "0.4812"),
        ("18", "EUR", "18.00"),
        ("18.5", "EUR", "18.50"),
        ("-3.1", "EUR", "-3.10"),
        ("7.000", "JPY", "7.000"),
    ] {
        assert_eq!(money(amount, code).recorded_text(), text);
    }
}

#[test]
fn per_share_figures_keep_ten_decimals_and_trim_to_minor_units() {
    let third = Money::new(div(Decimal::new(31, 0), Decimal::new(3, 0)).unwrap(), Currency::EUR);
    assert_eq!(third.per_share_text(), "10.3333333333");
    assert_eq!(money("10.50000", "EUR").per_share_text(), "10.50");
    assert_eq!(money("0.00000000005", "EUR").per_share_text(), "0.00");
    assert_eq!(money("0.00000000015", "EUR").per_share_text(), "0.0000000002");
    assert_eq!(money("1500.50", "JPY").per_share_text(), "1500.5");
}

#[test]
fn share_counts_have_no_trailing_zeros() {
    assert_eq!(shares_text("10.5000".parse().unwrap()), "10.5");
    assert_eq!(shares_text("100".parse().unwrap()), "100");
    assert_eq!(shares_text("0.000".parse().unwrap()), "0");
}

#[test]
fn each_currency_has_a_sum_of_its_own() {
    let sums = by_currency([money("1.50", "USD"), money("2", "EUR"), money("-0.25", "USD")]).unwrap();
    assert_eq!(sums, [money("2", "EUR"), money("1.25", "USD")]);
    let huge = Money::new(Decimal::MAX, Currency::EUR);
    assert_eq!(by_currency([huge, huge]), Err(Overflow));
}

#[test]
fn overflow_is_an_error_not_a_panic() {
    assert_eq!(mul(Decimal::MAX, Decimal::TWO), Err(Overflow));
    assert_eq!(div(Decimal::ONE, Decimal::ZERO), Err(Overflow));
    assert_eq!(Overflow.to_string(), "a figure is too large to compute with");
}
