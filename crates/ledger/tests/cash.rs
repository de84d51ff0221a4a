//! What a transaction comes to.

#![allow(clippy::unwrap_used)]

use ledger::cash::{Given, gross, net};
use ledger::{Decimal, Kind};

fn d(text: &str) -> Option<Decimal> {
    Some(text.parse().unwrap())
}

#[test]
fn an_amount_is_as_given_or_shares_times_price() {
    let given = Given { shares: d("2.5"), price: d("80"), ..Given::default() };
    assert_eq!(gross(Kind::Buy, given), d("200"));
    assert_eq!(gross(Kind::Buy, Given { amount: d("199.99"), ..given }), d("199.99"));
    assert_eq!(gross(Kind::Buy, Given { price: None, ..given }), None);
}

#[test]
fn a_dividend_without_an_amount_is_its_net_with_tax_and_fees() {
    let given = Given { net: d("10"), tax: d("2"), fees: d("0.50"), ..Given::default() };
    assert_eq!((gross(Kind::Dividend, given), net(Kind::Dividend, given)), (d("12.50"), d("10")));
    assert_eq!(gross(Kind::Dividend, Given { amount: d("13"), ..given }), d("13"));
    // Without the tax, the gross is not known.
    assert_eq!(gross(Kind::Dividend, Given { tax: None, ..given }), None);
    assert_eq!(gross(Kind::Sell, given), None);
}

#[test]
fn fees_and_tax_are_paid_with_a_purchase_and_kept_from_the_rest() {
    let given = Given { amount: d("100"), fees: d("3"), tax: d("2"), ..Given::default() };
    for (kind, want) in [
        (Kind::Buy, d("105")),
        (Kind::Sell, d("95")),
        (Kind::Dividend, d("95")),
        (Kind::ReturnOfCapital, d("95")),
        (Kind::TransferIn, None),
        (Kind::Split, None),
    ] {
        assert_eq!(net(kind, given), want, "{kind:?}");
    }
    assert_eq!(net(Kind::Buy, Given { fees: None, tax: None, ..given }), d("100"));
}
