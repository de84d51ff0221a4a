use ledger::{Facts, Metrics, Outcome, Reason, Safety};

use crate::{dec, metrics, metrics_on, payer, pays_every};

/// Pays 1.00 in 2021, five cents more each year to 1.25 in 2026, at a yield of 5% that is its average.
fn sound() -> Facts {
    let mut facts = years(&["1.00", "1.05", "1.10", "1.15", "1.20", "1.25"]);
    facts.payout_ratio = Some(dec("0.5"));
    facts.fcf_cover = Some(dec("2"));
    facts
}

/// Annual amounts up to 2026; price and average so that 1.25 yields its average of 5%. Nothing else is known.
fn years(amounts: &[&str]) -> Facts {
    let first = 2027 - amounts.len();
    let mut facts = pays_every(12, &format!("{first}-05-10"), amounts);
    facts.price = Some(dec("25"));
    facts.yield_avg_5y_pct = Some(dec("5"));
    facts
}

fn with(change: impl Fn(&mut Facts)) -> (Safety, Vec<Reason>) {
    let mut facts = sound();
    change(&mut facts);
    assessed(&facts)
}

/// The rating, and the checks that fired.
fn assessed(facts: &Facts) -> (Safety, Vec<Reason>) {
    rated(&metrics(facts))
}

fn rated(metrics: &Metrics) -> (Safety, Vec<Reason>) {
    (metrics.safety, with_outcome(metrics, Outcome::Fired))
}

fn with_outcome(metrics: &Metrics, outcome: Outcome) -> Vec<Reason> {
    metrics.safety_reasons.iter().filter(|check| check.outcome == outcome).map(|check| check.reason).collect()
}

fn with_years(amounts: &[&str]) -> (Safety, Vec<Reason>) {
    with(|facts| facts.dividends = years(amounts).dividends)
}

const SAFE: (Safety, Vec<Reason>) = (Safety::Safe, Vec::new());
const UNKNOWN: (Safety, Vec<Reason>) = (Safety::Unknown, Vec::new());

fn at_risk(reasons: &[Reason]) -> (Safety, Vec<Reason>) {
    (Safety::AtRisk, reasons.to_vec())
}

fn watch(reason: Reason) -> (Safety, Vec<Reason>) {
    (Safety::Watch, vec![reason])
}

#[test]
fn a_covered_and_rising_dividend_is_safe() {
    assert_eq!(with(|_| ()), SAFE);
    assert_eq!(with(|facts| facts.payout_ratio = None), SAFE);
    assert_eq!(with(|facts| facts.fcf_cover = None), SAFE);
}

#[test]
fn without_payout_and_cash_flow_only_a_fund_with_three_complete_years_is_rated() {
    let known_years = |amounts: &[&str], fund| assessed(&Facts { fund, ..years(amounts) });
    assert_eq!(known_years(&["1.00", "1.05", "1.10", "1.25"], false), UNKNOWN);
    // Complete are the years before 2026: three, then two.
    assert_eq!(known_years(&["1.00", "1.05", "1.10", "1.25"], true), SAFE);
    assert_eq!(known_years(&["1.05", "1.10", "1.25"], true), UNKNOWN);
}

#[test]
fn a_fall_of_up_to_fifteen_percent_is_no_cut_of_a_fund() {
    let fund = |amounts: &[&str]| assessed(&Facts { fund: true, ..years(amounts) });
    assert_eq!(fund(&["1.00", "1.00", "0.85", "1.25"]), SAFE);
    assert_eq!(fund(&["1.00", "1.00", "0.84", "1.25"]), at_risk(&[Reason::Cut]));
}

#[test]
fn a_safe_dividend_names_the_checks_made_and_those_not_made() {
    // A monthly fund whose distributions vary, without figures of earnings: 2023 to 2025 are complete.
    let amounts: Vec<String> = (0..42).map(|month| format!("0.{}", 40 + month % 7)).collect();
    let mut fund = pays_every(1, "2023-01-04", &amounts.iter().map(String::as_str).collect::<Vec<_>>());
    fund.fund = true;
    let income = metrics(&fund);
    assert_eq!(income.safety, Safety::Safe);
    assert_eq!(with_outcome(&income, Outcome::Passed), [Reason::Cut, Reason::Stopped, Reason::StreakEnded]);
    let not_made = [Reason::Uncovered, Reason::YieldDoubled, Reason::HighPayout, Reason::ThinCashCover, Reason::YieldRaised];
    assert_eq!(with_outcome(&income, Outcome::NotMade), not_made);
    // With everything known, every check was made.
    let known = metrics(&sound());
    assert_eq!((known.safety_reasons.len(), with_outcome(&known, Outcome::Passed).len()), (8, 8));
}

#[test]
fn a_rating_below_safe_names_the_checks_that_fired_and_those_not_made() {
    let mut facts = sound();
    (facts.payout_ratio, facts.fcf_cover) = (None, Some(dec("1.2")));
    let metrics = metrics(&facts);
    assert_eq!(rated(&metrics), watch(Reason::ThinCashCover));
    assert_eq!(with_outcome(&metrics, Outcome::NotMade), [Reason::Uncovered, Reason::YieldDoubled, Reason::HighPayout]);
    assert_eq!(with_outcome(&metrics, Outcome::Passed), []);
}

#[test]
fn a_stock_that_never_paid_is_unknown() {
    assert_eq!(with(|facts| facts.dividends.clear()), UNKNOWN);
    assert_eq!(with(|facts| facts.dividends.iter_mut().for_each(|dividend| dividend.special = true)), UNKNOWN);
}

#[test]
fn a_cut_of_more_than_two_percent_in_the_last_three_years_is_a_risk() {
    // 2023 after 2022: 1.00 → 0.97 is more than 2%, 1.00 → 0.98 is not.
    assert_eq!(with_years(&["0.90", "1.00", "0.97", "1.00", "1.10", "1.25"]), at_risk(&[Reason::Cut]));
    assert_eq!(with_years(&["0.90", "1.00", "0.98", "1.00", "1.10", "1.25"]), SAFE);
    // 2022 after 2021 is four complete years ago.
    assert_eq!(with_years(&["0.90", "0.50", "0.98", "1.00", "1.10", "1.25"]), SAFE);
    // 2025 after three increases: every check that fired is named.
    let ended = at_risk(&[Reason::Cut, Reason::StreakEnded]);
    assert_eq!(with_years(&["0.90", "0.95", "0.98", "1.00", "0.90", "1.25"]), ended);
}

#[test]
fn a_stopped_dividend_is_a_risk() {
    // Quarterly, the last ex-date 2025-10-05: 166 days later it still pays, 167 days later it has stopped.
    let mut facts = sound();
    let amounts = ["0.20", "0.20", "0.20", "0.20", "0.21", "0.21", "0.21", "0.21", "0.22", "0.22", "0.22", "0.22"];
    facts.dividends = pays_every(3, "2023-01-05", &amounts).dividends;
    assert_eq!(metrics_on(&facts, "2026-03-20").safety, Safety::Safe);
    let stopped = metrics_on(&facts, "2026-03-21");
    assert_eq!(rated(&stopped), at_risk(&[Reason::Stopped]));
}

#[test]
fn a_stopped_dividend_with_too_little_data_is_unknown() {
    let metrics = metrics(&payer(&[("2020-05-10", "1"), ("2021-05-10", "1")]));
    assert_eq!((metrics.stopped, metrics.safety), (true, Safety::Unknown));
}

#[test]
fn a_payout_above_earnings_is_a_risk_when_cash_does_not_cover_it() {
    let payout = |payout, cover: Option<&str>| {
        with(|facts| {
            facts.payout_ratio = Some(dec(payout));
            facts.fcf_cover = cover.map(dec);
        })
    };
    assert_eq!(payout("1.01", Some("0.99")), at_risk(&[Reason::Uncovered, Reason::HighPayout, Reason::ThinCashCover]));
    assert_eq!(payout("1.01", Some("2")), watch(Reason::HighPayout));
    assert_eq!(payout("1.00", Some("0.99")), (Safety::Watch, vec![Reason::HighPayout, Reason::ThinCashCover]));
    assert_eq!(payout("1.01", Some("1.00")), (Safety::Watch, vec![Reason::HighPayout, Reason::ThinCashCover]));
    // Cash unknown: a streak of 4 does not help, one of 5 does.
    assert_eq!(payout("1.01", None), at_risk(&[Reason::Uncovered, Reason::HighPayout]));
    let mut longer = years(&["0.95", "1.00", "1.05", "1.10", "1.15", "1.20", "1.25"]);
    longer.payout_ratio = Some(dec("1.01"));
    assert_eq!(assessed(&longer), watch(Reason::HighPayout));
}

#[test]
fn a_doubled_yield_is_a_risk_with_a_high_payout_and_rated_watch_without() {
    // 1.25 ÷ 12.5 = 10%, exactly twice the 5%; ÷ 12.4 is more.
    let at = |price, payout| {
        with(|facts| {
            facts.price = Some(dec(price));
            facts.payout_ratio = Some(dec(payout));
        })
    };
    assert_eq!(at("12.4", "0.91"), at_risk(&[Reason::YieldDoubled, Reason::HighPayout, Reason::YieldRaised]));
    assert_eq!(at("12.5", "0.91"), (Safety::Watch, vec![Reason::HighPayout, Reason::YieldRaised]));
    assert_eq!(at("12.4", "0.90"), (Safety::Watch, vec![Reason::HighPayout, Reason::YieldRaised]));
}

#[test]
fn a_yield_half_above_its_average_is_rated_watch() {
    // Above 7.5%: 1.25 ÷ 16.6 is 7.53%, 1.25 ÷ 16.7 is 7.49%.
    assert_eq!(with(|facts| facts.price = Some(dec("16.6"))), watch(Reason::YieldRaised));
    assert_eq!(with(|facts| facts.price = Some(dec("16.7"))), SAFE);
    // Compared unrounded: 1.25 ÷ 16.666 is 7.5003%, which prints as 7.50.
    assert_eq!(with(|facts| facts.price = Some(dec("16.666"))), watch(Reason::YieldRaised));
}

#[test]
fn a_high_payout_is_rated_watch_later_for_reits_and_utilities() {
    let payout = |payout, lenient| {
        with(|facts| {
            facts.payout_ratio = Some(dec(payout));
            facts.lenient_payout = lenient;
        })
    };
    assert_eq!(payout("0.75", false), SAFE);
    assert_eq!(payout("0.76", false), watch(Reason::HighPayout));
    assert_eq!(payout("0.90", true), SAFE);
    assert_eq!(payout("0.91", true), watch(Reason::HighPayout));
}

#[test]
fn a_thin_cash_cover_is_rated_watch() {
    assert_eq!(with(|facts| facts.fcf_cover = Some(dec("1.3"))), SAFE);
    assert_eq!(with(|facts| facts.fcf_cover = Some(dec("1.29"))), watch(Reason::ThinCashCover));
}

#[test]
fn the_end_of_a_streak_of_three_or_more_is_rated_watch() {
    // 2025 equals 2024 after the increases of 2022, 2023 and 2024; then after those of 2023 and 2024 only.
    assert_eq!(with_years(&["1.00", "1.05", "1.10", "1.15", "1.15", "1.25"]), watch(Reason::StreakEnded));
    assert_eq!(with_years(&["1.05", "1.05", "1.10", "1.15", "1.15", "1.25"]), SAFE);
    assert_eq!(with_years(&["1.00", "1.05", "1.10", "1.15", "1.14", "1.25"]), watch(Reason::StreakEnded));
}

#[test]
fn the_ratings_have_the_words_of_the_contract() {
    let words = [Safety::Safe, Safety::Watch, Safety::AtRisk, Safety::Unknown].map(Safety::as_str);
    assert_eq!(words, ["safe", "watch", "at_risk", "unknown"]);
}
