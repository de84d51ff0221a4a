use market::Profile;
use market::validation::{Known, profile};

use crate::{fields, figure, unit};

fn known() -> Known {
    Known { unit: unit("GBp"), price: Some(figure("20")), forward_rate: Some(figure("0.6")), ..Known::default() }
}

fn full() -> Profile {
    Profile {
        unit: unit("GBp"),
        name: Some("Invented plc".to_owned()),
        isin: Some("US1912161007".to_owned()),
        forward_rate: Some(figure("0.65")),
        payout_ratio: Some(figure("2.59")),
        fcf_cover: Some(figure("1.4")),
        pe: Some(figure("15")),
        ma50: Some(figure("21")),
        ma200: Some(figure("19")),
        low52: Some(figure("15")),
        high52: Some(figure("25")),
        yield_avg_5y_pct: Some(figure("4.08")),
        ..Profile::default()
    }
}

/// What is rejected of the full profile with one change.
fn rejected(change: impl Fn(&mut Profile)) -> Vec<String> {
    let mut answer = full();
    change(&mut answer);
    let validated = profile(&known(), &answer);
    fields(&validated.rejected).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_plausible_profile_passes_completely() {
    let validated = profile(&known(), &full());
    assert_eq!((validated.rows, validated.rejected), (full(), Vec::new()));
    assert_eq!(profile(&Known::default(), &full()).rows, full());
}

#[test]
fn figures_in_another_currency_are_rejected_and_texts_kept() {
    let validated = profile(&known(), &Profile { unit: unit("USD"), ..full() });
    assert_eq!(fields(&validated.rejected), ["unit", "forward_rate", "ma50", "ma200", "low52", "high52"]);
    let (unit, forward_rate, ma50, ma200, low52, high52) = (None, None, None, None, None, None);
    assert_eq!(validated.rows, Profile { unit, forward_rate, ma50, ma200, low52, high52, ..full() });
}

/// 0.6 × 50 = 30, above the price of 20 anyway; 0.6 ÷ 50 = 0.012.
#[test]
fn an_annual_rate_out_of_scale_is_rejected() {
    assert_eq!(rejected(|answer| answer.forward_rate = Some(figure("0.012"))), [""; 0]);
    for rate in ["0.0119", "20.01", "-0.1", "0"] {
        assert_eq!(rejected(|answer| answer.forward_rate = Some(figure(rate))), ["forward_rate"], "{rate}");
    }
    let answer = Profile { forward_rate: Some(figure("30.1")), ..full() };
    assert_eq!(fields(&profile(&Known { price: None, ..known() }, &answer).rejected), ["forward_rate"]);
    let answer = Profile { forward_rate: Some(figure("-0.1")), ..full() };
    assert_eq!(fields(&profile(&Known::default(), &answer).rejected), ["forward_rate"]);
    let answer = Profile { forward_rate: Some(figure("0.01")), ..full() };
    assert!(profile(&Known { forward_rate: Some(figure("0")), ..known() }, &answer).rejected.is_empty());
}

#[test]
fn averages_and_ranges_out_of_scale_are_rejected() {
    assert_eq!(rejected(|answer| answer.ma50 = Some(figure("1000.1"))), ["ma50"]);
    assert_eq!(rejected(|answer| answer.ma200 = Some(figure("0.39"))), ["ma200"]);
    assert_eq!(rejected(|answer| answer.high52 = Some(figure("2500"))), ["high52"]);
    assert_eq!(rejected(|answer| answer.low52 = Some(figure("0"))), ["low52"]);
    let negative = Profile { low52: Some(figure("-1")), ..full() };
    assert_eq!(fields(&profile(&Known::default(), &negative).rejected), ["low52"]);
    assert_eq!(rejected(|answer| answer.low52 = Some(figure("25.01"))), ["low52", "high52"]);
}

#[test]
fn ratios_outside_their_range_are_rejected() {
    assert_eq!(rejected(|answer| answer.payout_ratio = Some(figure("50"))), [""; 0]);
    assert_eq!(rejected(|answer| answer.payout_ratio = Some(figure("50.1"))), ["payout_ratio"]);
    assert_eq!(rejected(|answer| answer.payout_ratio = Some(figure("-0.1"))), ["payout_ratio"]);
    assert_eq!(rejected(|answer| answer.yield_avg_5y_pct = Some(figure("100.1"))), ["yield_avg_5y_pct"]);
    assert_eq!(rejected(|answer| answer.yield_avg_5y_pct = Some(figure("-1"))), ["yield_avg_5y_pct"]);
}

#[test]
fn a_company_at_a_loss_has_no_pe() {
    let validated = profile(&known(), &Profile { pe: Some(figure("-3")), ..full() });
    assert_eq!((validated.rows.pe, validated.rejected), (None, Vec::new()));
}

#[test]
fn the_check_digit_of_an_isin_is_verified() {
    for good in ["US1912161007", "GB0002374006", "ES0144580Y14", " ie00b4l5y983 "] {
        let validated = profile(&known(), &Profile { isin: Some(good.to_owned()), ..full() });
        assert_eq!(validated.rows.isin, Some(good.trim().to_uppercase()), "{good}");
    }
    for bad in ["US1912161008", "US1912160107", "KO", "121912161007", "US191216100É"] {
        let validated = profile(&known(), &Profile { isin: Some(bad.to_owned()), ..full() });
        assert_eq!((validated.rows.isin, fields(&validated.rejected)), (None, vec!["isin"]), "{bad}");
    }
    let validated = profile(&known(), &Profile { isin: Some(" ".to_owned()), ..full() });
    assert_eq!((validated.rows.isin, validated.rejected), (None, Vec::new()));
}

#[test]
fn texts_are_plain_and_short() {
    let answer = Profile {
        name: Some(" Inven\u{7}ted\n ".to_owned()),
        sector: Some(" \t ".to_owned()),
        industry: Some("ü".repeat(201)),
        ..full()
    };
    let rows = profile(&known(), &answer).rows;
    assert_eq!(rows.name.as_deref(), Some("Invented"));
    assert_eq!(rows.sector, None);
    assert_eq!(rows.industry, Some("ü".repeat(200)));
}
