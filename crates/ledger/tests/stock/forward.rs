use ledger::{Decimal, Facts, MarketDividend};

use crate::{day, days_ago, dec, dividend, metrics, payer, pays_every, stock};

fn forward_rate(facts: &Facts) -> Decimal {
    metrics(facts).forward_rate
}

#[test]
fn an_even_monthly_payer_pays_its_latest_amount_twelve_times() {
    // 12 × 0.11
    let mut amounts = ["0.10"; 12];
    amounts[11] = "0.11";
    assert_eq!(forward_rate(&pays_every(1, "2025-08-05", &amounts)), dec("1.32"));
}

#[test]
fn an_even_quarterly_payer_pays_its_latest_amount_four_times() {
    // 0.26 is 1.3 × 0.20, not more: 4 × 0.26
    assert_eq!(forward_rate(&pays_every(3, "2025-09-05", &["0.20", "0.20", "0.20", "0.26"])), dec("1.04"));
}

#[test]
fn an_uneven_payer_pays_the_sum_of_its_last_year() {
    // 0.261 is more than 1.3 × 0.20: 0.20 + 0.20 + 0.20 + 0.261; the 9.00 before is of another year
    assert_eq!(forward_rate(&pays_every(3, "2025-06-05", &["9.00", "0.20", "0.20", "0.20", "0.261"])), dec("0.861"));
}

#[test]
fn an_interim_and_a_final_dividend_add_up() {
    // 0.70 + 0.32
    assert_eq!(forward_rate(&pays_every(6, "2024-05-10", &["0.65", "0.30", "0.70", "0.32"])), dec("1.02"));
}

#[test]
fn even_semi_annual_payments_add_up_too() {
    // 0.50 + 0.60, not 2 × 0.60
    assert_eq!(forward_rate(&pays_every(6, "2025-05-10", &["0.50", "0.50", "0.60"])), dec("1.10"));
}

#[test]
fn an_annual_payer_pays_its_latest() {
    assert_eq!(forward_rate(&pays_every(12, "2024-05-10", &["1.80", "1.90", "2.00"])), dec("2.00"));
}

#[test]
fn a_weekly_payer_pays_fifty_two_times() {
    // 52 × 0.06
    let even = stock((0..60).map(|week| dividend(days_ago(7 * week), "0.06")).collect());
    assert_eq!(forward_rate(&even), dec("3.12"));
}

#[test]
fn a_short_uneven_history_is_extrapolated_to_a_year() {
    // (0.10 + 0.20 + 0.15) ÷ 3 × 52 = 7.80
    let uneven = stock(vec![dividend(days_ago(14), "0.10"), dividend(days_ago(7), "0.20"), dividend(days_ago(0), "0.15")]);
    assert_eq!(forward_rate(&uneven), dec("7.80"));
}

#[test]
fn the_providers_rate_counts_within_half_of_the_history() {
    // The history says 4 × 0.25 = 1.00.
    let mut facts = pays_every(3, "2025-09-05", &["0.25"; 4]);
    for (provider, expected) in
        [("0.50", "0.50"), ("1.04", "1.04"), ("1.50", "1.50"), ("0.49", "1"), ("1.51", "1"), ("0", "1"), ("-1", "1")]
    {
        facts.forward_rate = Some(dec(provider));
        assert_eq!(forward_rate(&facts), dec(expected), "provider {provider}");
    }
}

#[test]
fn without_a_history_the_providers_rate_counts_as_it_is() {
    let mut facts = payer(&[("2026-05-10", "0.10")]);
    assert_eq!(forward_rate(&facts), dec("0"));
    facts.forward_rate = Some(dec("7.77"));
    assert_eq!(forward_rate(&facts), dec("7.77"));
    facts.dividends.clear();
    assert_eq!(forward_rate(&facts), dec("7.77"));
    facts.forward_rate = Some(dec("-7.77"));
    assert_eq!(forward_rate(&facts), dec("0"));
}

#[test]
fn a_declared_raise_counts_at_once() {
    // 4 × 0.30, going ex on 2026-08-05
    assert_eq!(forward_rate(&pays_every(3, "2025-08-05", &["0.25", "0.25", "0.25", "0.25", "0.30"])), dec("1.20"));
}

#[test]
fn a_special_is_left_out() {
    let mut facts = pays_every(3, "2025-09-05", &["0.25"; 4]);
    facts.dividends.push(MarketDividend { special: true, ..dividend(day("2026-07-01"), "5.00") });
    let metrics = metrics(&facts);
    assert_eq!(metrics.forward_rate, dec("1.00"));
    // Ex-dates of September, December, March and June on the 5th, paid 21 days later; nothing in July.
    assert_eq!(metrics.payment_months, [3, 6, 9, 12]);
    assert_eq!(metrics.history.payments.len(), 5);
}

#[test]
fn payment_months_are_those_of_the_pay_dates() {
    // 28 January + 21 days is 18 February, and so on.
    assert_eq!(metrics(&pays_every(3, "2025-07-28", &["0.25"; 4])).payment_months, [2, 5, 8, 11]);
    assert_eq!(metrics(&pays_every(6, "2024-05-10", &["0.65", "0.30", "0.70", "0.32"])).payment_months, [5, 12]);
    let weekly = stock((0..60).map(|week| dividend(days_ago(7 * week), "0.06")).collect());
    assert_eq!(metrics(&weekly).payment_months, (1..=12).collect::<Vec<i8>>());
}

#[test]
fn payment_months_are_those_of_the_last_year_only() {
    // Paid in March until 2024, in May since.
    let facts = payer(&[("2023-03-01", "1"), ("2024-03-01", "1"), ("2025-05-02", "1"), ("2026-05-04", "1")]);
    assert_eq!(metrics(&facts).payment_months, [5]);
}
