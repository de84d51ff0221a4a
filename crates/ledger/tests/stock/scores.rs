use ledger::{Facts, Scores};

use crate::{dec, metrics, payer, pays_every};

fn scores(change: impl Fn(&mut Facts)) -> Scores {
    let mut facts = payer(&[]);
    change(&mut facts);
    metrics(&facts).scores
}

/// 1.00 every May, so a price of 20 is a yield of 5%.
fn annual(facts: &mut Facts) {
    facts.dividends = pays_every(12, "2025-05-10", &["1.00"; 2]).dividends;
    facts.price = Some(dec("20"));
}

#[test]
fn without_data_there_is_no_score() {
    assert_eq!(scores(|_| ()), Scores { value: None, momentum: None, rating: None });
}

#[test]
fn a_low_price_to_earnings_ratio_raises_the_value_score() {
    // (30 − P/E) ÷ 20 × 10
    for (pe, value) in [("10", "10"), ("8", "10"), ("15", "7.5"), ("22.9", "3.6"), ("22.7", "3.6"), ("30", "0"), ("45", "0")] {
        assert_eq!(scores(|facts| facts.pe = Some(dec(pe))).value, Some(dec(value)), "P/E {pe}");
    }
    assert_eq!(scores(|facts| facts.pe = Some(dec("0"))).value, None);
    assert_eq!(scores(|facts| facts.pe = Some(dec("-12"))).value, None);
}

#[test]
fn a_yield_above_its_average_raises_the_value_score() {
    // (5% ÷ average − 0.7) ÷ 0.6 × 10: 5 ÷ 5 = 1 → 0.3 ÷ 0.6; 5 ÷ 4 = 1.25 → 0.55 ÷ 0.6 = 0.91667; 5 ÷ 8 is below 0.7
    let value = |average: &str| {
        scores(|facts| {
            annual(facts);
            facts.yield_avg_5y_pct = Some(dec(average));
        })
        .value
    };
    for (average, expected) in
        [("5", Some("5")), ("4", Some("9.2")), ("8", Some("0")), ("2", Some("10")), ("0", None), ("-4", None)]
    {
        assert_eq!(value(average), expected.map(dec), "average {average}");
    }
}

#[test]
fn the_value_score_is_the_mean_of_both() {
    // 5.0 of the yield, 7.5 of the P/E: 6.25, half to even
    let value = scores(|facts| {
        annual(facts);
        facts.yield_avg_5y_pct = Some(dec("5"));
        facts.pe = Some(dec("15"));
    });
    assert_eq!(value.value, Some(dec("6.2")));
}

#[test]
fn the_value_score_uses_the_unrounded_average_yield() {
    // 5 ÷ 4.004 = 1.248751…: 9.1459 → 9.1. Rounded to 4.00 first it would be 9.2.
    let value = scores(|facts| {
        annual(facts);
        facts.yield_avg_5y_pct = Some(dec("4.004"));
    });
    assert_eq!(value.value, Some(dec("9.1")));
}

#[test]
fn momentum_compares_the_price_with_its_yearly_range_and_averages() {
    let momentum = |change: &dyn Fn(&mut Facts)| {
        scores(|facts| {
            facts.price = Some(dec("100"));
            change(facts);
        })
        .momentum
    };
    let range = |low: &'static str, high: &'static str| {
        move |facts: &mut Facts| (facts.low52, facts.high52) = (Some(dec(low)), Some(dec(high)))
    };
    // (100 − 70) ÷ (120 − 70) = 0.6
    assert_eq!(momentum(&range("70", "120")), Some(dec("6")));
    assert_eq!(momentum(&range("110", "120")), Some(dec("0")));
    assert_eq!(momentum(&range("60", "90")), Some(dec("10")));
    assert_eq!(momentum(&range("100", "100")), None);
    assert_eq!(momentum(&|facts| facts.low52 = Some(dec("70"))), None);
    // (100 ÷ 100 − 0.9) ÷ 0.2 = 0.5; with MA50 97: (0.97 − 0.95) ÷ 0.1 = 0.2, mean 3.5
    assert_eq!(momentum(&|facts| facts.ma200 = Some(dec("100"))), Some(dec("5")));
    assert_eq!(momentum(&|facts| (facts.ma50, facts.ma200) = (Some(dec("97")), Some(dec("100")))), Some(dec("3.5")));
    assert_eq!(momentum(&|facts| facts.ma50 = Some(dec("97"))), None);
    // (6 + 5 + 2) ÷ 3 = 4.333
    let all = momentum(&|facts| {
        range("70", "120")(facts);
        (facts.ma50, facts.ma200) = (Some(dec("97")), Some(dec("100")));
    });
    assert_eq!(all, Some(dec("4.3")));
}

#[test]
fn rating_is_the_mean_of_safety_growth_streak_and_yield() {
    // 1.00 to 1.61051 in five years, the last four of them increases.
    let mut facts = pays_every(12, "2020-05-10", &["1.00", "0.99", "1.05", "1.10", "1.15", "1.61051", "1.60"]);
    facts.price = Some(dec("64"));
    facts.payout_ratio = Some(dec("0.80"));
    // Watch 5; growth 10% → 10; streak of 4 → 4; yield 1.60 ÷ 64 = 2.5% → 5. (5 + 10 + 4 + 5) ÷ 4 = 6
    assert_eq!(metrics(&facts).scores.rating, Some(dec("6")));
    // Safe 10: 29 ÷ 4 = 7.25
    facts.payout_ratio = Some(dec("0.50"));
    assert_eq!(metrics(&facts).scores.rating, Some(dec("7.2")));
    // Unknown is no part: 19 ÷ 3 = 6.333
    facts.payout_ratio = None;
    assert_eq!(metrics(&facts).scores.rating, Some(dec("6.3")));
    // At risk is 0: payout above earnings, cash unknown, no streak of 5. 19 ÷ 4 = 4.75
    facts.payout_ratio = Some(dec("1.20"));
    assert_eq!(metrics(&facts).scores.rating, Some(dec("4.8")));
}

#[test]
fn rating_needs_two_parts() {
    // Only a yield; then a yield of 5% (10) and a streak of 0 (0).
    let rating = |amounts: &[&str], first: &str| {
        let mut facts = pays_every(12, first, amounts);
        facts.price = Some(dec("20"));
        metrics(&facts).scores.rating
    };
    assert_eq!(rating(&["1.00"; 2], "2025-05-10"), None);
    assert_eq!(rating(&["1.00"; 3], "2024-05-10"), Some(dec("5")));
}
