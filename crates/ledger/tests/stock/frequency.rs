use ledger::Frequency;

use crate::{day, days_ago, dec, dividend, metrics, metrics_on, payer, pays_every, stock};

#[test]
fn the_gap_between_ex_dates_gives_the_frequency() {
    for (gap, class) in [
        (7, Some("weekly")),
        (10, Some("weekly")),
        (11, Some("monthly")),
        (45, Some("monthly")),
        (46, Some("quarterly")),
        (135, Some("quarterly")),
        (136, Some("semi_annual")),
        (270, Some("semi_annual")),
        (271, Some("annual")),
        (430, Some("annual")),
        (431, None),
    ] {
        let facts = stock(vec![dividend(days_ago(gap), "1.00"), dividend(days_ago(0), "1.00")]);
        assert_eq!(metrics(&facts).frequency.map(Frequency::as_str), class, "{gap} days");
    }
}

#[test]
fn a_median_gap_half_a_day_over_the_limit_is_the_next_frequency() {
    // Gaps of 10 and 11 days: median 10.5, more than the 10 of a weekly payer.
    let facts = stock(vec![dividend(days_ago(21), "1"), dividend(days_ago(11), "1"), dividend(days_ago(0), "1")]);
    assert_eq!(metrics(&facts).frequency, Some(Frequency::Monthly));
    // Gaps of 9 and 11 days: median 10.
    let facts = stock(vec![dividend(days_ago(20), "1"), dividend(days_ago(11), "1"), dividend(days_ago(0), "1")]);
    assert_eq!(metrics(&facts).frequency, Some(Frequency::Weekly));
}

#[test]
fn only_the_last_eight_ex_dates_count() {
    // From today back: gaps of 150, 100, 150, 100, 150, 100, 150 days, median 150. The 100 days to a ninth date would make it
    // 125, quarterly.
    let ex_dates = [0, 150, 250, 400, 500, 650, 750, 900, 1000].map(|days| dividend(days_ago(days), "1"));
    assert_eq!(metrics(&stock(ex_dates.to_vec())).frequency, Some(Frequency::SemiAnnual));
}

#[test]
fn only_ex_dates_of_the_last_three_years_count() {
    // 2024-12-01 to 2026-01-25 is 420 days: annual. With the 505 days from 2023-07-15 the median is 462.5: no class.
    let recent = [("2024-12-01", "1"), ("2026-01-25", "1")];
    let with = |older| metrics(&payer(&[&[(older, "1")], &recent[..]].concat())).frequency;
    assert_eq!(with("2023-07-14"), Some(Frequency::Annual));
    assert_eq!(with("2023-07-15"), None);
}

#[test]
fn a_single_payment_has_no_frequency() {
    let metrics = metrics(&payer(&[("2026-05-01", "1.00")]));
    assert_eq!((metrics.frequency, metrics.stopped), (None, false));
}

#[test]
fn a_payer_has_stopped_half_a_gap_and_thirty_days_after_a_missed_payment() {
    // 1.5 × gap + 30: weekly 40.5, monthly 75, quarterly 166.5, semi-annual 303, annual 577.5 days.
    for (gap, last_alive) in [(7, 40), (30, 75), (91, 166), (182, 303), (365, 577)] {
        let ended = |days| metrics(&stock(vec![dividend(days_ago(days + gap), "1"), dividend(days_ago(days), "1")]));
        assert!(!ended(last_alive).stopped, "gap {gap}");
        assert!(ended(last_alive).frequency.is_some(), "gap {gap}");
        assert!(ended(last_alive + 1).stopped, "gap {gap}");
        assert_eq!(ended(last_alive + 1).frequency, None, "gap {gap}");
    }
}

#[test]
fn without_a_frequency_the_annual_limit_decides_whether_a_payer_stopped() {
    assert!(!metrics(&stock(vec![dividend(days_ago(577), "1")])).stopped);
    assert!(metrics(&stock(vec![dividend(days_ago(578), "1")])).stopped);
    assert!(metrics(&payer(&[("2015-03-01", "1"), ("2015-06-01", "1")])).stopped);
    assert!(!metrics(&payer(&[])).stopped);
}

#[test]
fn a_stopped_payer_has_no_forward_rate_and_no_payment_months() {
    let mut facts = pays_every(3, "2024-01-05", &["0.50"; 5]);
    facts.forward_rate = Some(dec("2.00"));
    // The last of the five fell on 2025-01-05.
    let alive = metrics_on(&facts, "2025-02-01");
    assert_eq!((alive.forward_rate, alive.payment_months), (dec("2.00"), vec![1, 4, 7, 10]));
    let stopped = metrics(&facts);
    assert!(stopped.stopped);
    assert_eq!((stopped.forward_rate, stopped.payment_months), (dec("0"), vec![]));
}

#[test]
fn a_payment_declared_after_a_stop_is_a_new_start() {
    // 2026-01-05 is 191 days back, more than 166.5: without the declared row it would have stopped.
    let quarterly = [("2025-07-05", "1"), ("2025-10-05", "1"), ("2026-01-05", "1")];
    assert!(metrics(&payer(&quarterly)).stopped);
    let declared = metrics(&payer(&[&quarterly[..], &[("2026-07-20", "1")]].concat()));
    assert_eq!((declared.stopped, declared.frequency), (false, None));
}

#[test]
fn after_a_stop_only_the_payments_since_count() {
    // Quarterly 0.50 until July 2024. Since January 2026, 549 days later, 0.20 each quarter: 4 × 0.20.
    let before = ["2023-10-10", "2024-01-10", "2024-04-10", "2024-07-10"].map(|ex_date| (ex_date, "0.50"));
    let since = [("2026-01-10", "0.20"), ("2026-04-10", "0.20"), ("2026-07-10", "0.20")];
    let resumed = metrics(&payer(&[&before[..], &since].concat()));
    assert_eq!((resumed.frequency, resumed.forward_rate), (Some(Frequency::Quarterly), dec("0.80")));
    assert_eq!(resumed.payment_months, [1, 5, 7, 10]);
    // 10 July 2026 is the month's eighth business day, and so is 12 October.
    let estimate = resumed.to_come.iter().find(|item| !item.declared).expect("an estimate");
    assert_eq!((estimate.ex_date, estimate.per_share.amount), (day("2026-10-12"), dec("0.20")));
    // Its years still have what was paid before: 0.50 in 2023, 1.50 in 2024, nothing in 2025.
    let totals: Vec<_> = resumed.years.iter().map(|year| (year.year, year.total)).collect();
    assert_eq!(totals, [(2023, dec("0.50")), (2024, dec("1.50")), (2025, dec("0")), (2026, dec("0.60"))]);
}

#[test]
fn a_new_rhythm_needs_three_gaps_to_be_monthly_and_two_to_be_slower() {
    let ex_dates = |ago: &[i32]| stock(ago.iter().map(|days| dividend(days_ago(*days), "1")).collect());
    // Gaps of 91 days, then two or three of 30.
    assert_eq!(metrics(&ex_dates(&[0, 30, 60, 151, 242, 333, 424, 515, 606])).frequency, Some(Frequency::Quarterly));
    assert_eq!(metrics(&ex_dates(&[0, 30, 60, 90, 181, 272, 363, 454, 545])).frequency, Some(Frequency::Monthly));
    // Gaps of 30 days, then one or two of 61.
    assert_eq!(metrics(&ex_dates(&[0, 61, 91, 121, 151, 181, 211, 241])).frequency, Some(Frequency::Monthly));
    assert_eq!(metrics(&ex_dates(&[0, 61, 122, 152, 182, 212, 242, 272, 302])).frequency, Some(Frequency::Quarterly));
}

#[test]
fn specials_do_not_change_the_frequency() {
    let mut facts = pays_every(12, "2022-05-10", &["1.00"; 5]);
    let special = |ex_date| ledger::MarketDividend { special: true, ..dividend(day(ex_date), "3.00") };
    facts.dividends.extend(["2025-11-10", "2025-12-10", "2026-01-10", "2026-02-10"].map(special));
    assert_eq!(metrics(&facts).frequency, Some(Frequency::Annual));
}

#[test]
fn an_interim_and_a_final_four_and_eight_months_apart_are_semi_annual_all_year_round() {
    // April and August: gaps of about 122 and 243 days take turns. Whichever came last is the median of an odd number of
    // gaps (quarterly or semi-annual), but any two of them make a year.
    let ex_dates = ["2023-08-24", "2024-04-24", "2024-08-24", "2025-04-24", "2025-08-24", "2026-04-24", "2026-08-24"];
    let facts = payer(&ex_dates.map(|ex_date| (ex_date, if ex_date.contains("-04-") { "0.15" } else { "0.06" })));
    for today in ["2026-08-25", "2026-11-01", "2027-01-01", "2027-04-01"] {
        let metrics = metrics_on(&facts, today);
        assert_eq!(metrics.frequency, Some(Frequency::SemiAnnual), "{today}");
        // The last two payments, 0.15 + 0.06: one year's dividend, not two.
        assert_eq!(metrics.forward_rate, "0.21".parse().unwrap(), "{today}");
    }
}

#[test]
fn a_payer_that_has_just_become_quarterly_is_not_averaged_with_its_past() {
    // Three gaps of a year, then four of a quarter: only the payments after the first gap of a quarter count.
    let ex_dates =
        ["2022-07-14", "2023-07-14", "2024-07-14", "2025-07-14", "2025-10-14", "2026-01-14", "2026-04-14", "2026-07-14"];
    let facts = payer(&ex_dates.map(|ex_date| (ex_date, if ex_date < "2025-08" { "1" } else { "0.30" })));
    assert_eq!((metrics(&facts).frequency, metrics(&facts).forward_rate), (Some(Frequency::Quarterly), dec("1.20")));
}

#[test]
fn a_payment_350_days_before_the_last_belongs_to_the_year_before() {
    // Gaps of 120, 230 and 120 days: two of them make 350 days, and two payments lie in the year up to the last.
    let ex_dates = [0, 120, 350, 470].map(|days| dividend(days_ago(days), "1"));
    assert_eq!(metrics(&stock(ex_dates.to_vec())).frequency, Some(Frequency::SemiAnnual));
    // One day nearer it is a third.
    let ex_dates = [0, 120, 349, 469].map(|days| dividend(days_ago(days), "1"));
    assert_eq!(metrics(&stock(ex_dates.to_vec())).frequency, Some(Frequency::Quarterly));
}
