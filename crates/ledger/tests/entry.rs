//! Entries as they are parsed and named.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ledger::{Decimal, Dividend, Kind, Ratio};

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

#[test]
fn each_kind_of_entry_has_its_own_word_and_is_parsed_from_it() {
    let words = ["buy", "sell", "dividend", "split", "transfer_in", "transfer_out", "return_of_capital"];
    assert_eq!(Kind::ALL.map(Kind::word), words);
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.word()), Some(kind));
    }
    assert_eq!((Kind::parse(""), Kind::parse("BUY"), Kind::parse("buy ")), (None, None, None));
}

#[test]
fn a_ratio_is_two_figures_above_zero() {
    for (text, new, old, written) in
        [("4:1", "4", "1", "4:1"), (" 3.0 : 2.50 ", "3", "2.5", "3:2.5"), ("1:100", "1", "100", "1:100")]
    {
        let ratio = Ratio::parse(text).unwrap();
        assert_eq!((ratio.new, ratio.old, ratio.to_string().as_str()), (d(new), d(old), written));
    }
    for bad in ["", "4", "4:", ":1", "0:1", "1:0", "-4:1", "4:-1", "four:one", "4:1:1"] {
        assert_eq!(Ratio::parse(bad), None, "{bad}");
    }
}

#[test]
fn the_net_is_the_one_recorded_else_the_gross_less_withholding_and_fees() {
    let dividend = |tax: Option<&str>, fees: Option<&str>, net: Option<&str>| Dividend {
        gross: d("20"),
        gross_known: true,
        tax: tax.map(d),
        fees: fees.map(d),
        ex_date: None,
        net: net.map(d),
        shares: None,
        per_share: None,
        estimated: false,
    };
    assert_eq!(dividend(None, None, None).net(), d("20"));
    assert_eq!(dividend(Some("3"), None, None).net(), d("17"));
    // 20 − 3 − 0.25; 20 − 0.25
    assert_eq!(dividend(Some("3"), Some("0.25"), None).net(), d("16.75"));
    assert_eq!(dividend(None, Some("0.25"), None).net(), d("19.75"));
    // The recorded net counts, even if something else was deducted as well.
    assert_eq!(dividend(Some("3"), Some("0.25"), Some("16.50")).net(), d("16.50"));
}
