use ledger::{Decimal, Facts, Frequency, MarketDividend, PayerKind};

use crate::{currency, day, days_ago, dec, dividend, metrics, payer, pays_every, stock};

fn forward_rate(facts: &Facts) -> Decimal {
    metrics(facts).forward_rate
}

#[test]
fn a_monthly_payer_of_a_declared_rate_pays_its_latest_amount_twelve_times() {
    // 12 × 0.11
    let mut amounts = ["0.10"; 12];
    amounts[11] = "0.11";
    assert_eq!(forward_rate(&pays_every(1, "2025-08-05", &amounts)), dec("1.32"));
}

#[test]
fn a_quarterly_payer_of_a_declared_rate_pays_its_latest_amount_four_times() {
    // 0.32 is 1.6 × 0.20, not more: 4 × 0.32
    assert_eq!(forward_rate(&pays_every(3, "2025-09-05", &["0.20", "0.20", "0.20", "0.32"])), dec("1.28"));
    // Two equal amounts among the last five are enough.
    assert_eq!(forward_rate(&pays_every(3, "2025-06-05", &["0.20", "0.20", "0.21", "0.22", "0.23"])), dec("0.92"));
}

#[test]
fn a_raise_above_a_factor_of_1_6_may_be_an_exception() {
    // 0.20 + 0.20 + 0.20 + 0.321; the 9.00 before is of another year
    assert_eq!(forward_rate(&pays_every(3, "2025-06-05", &["9.00", "0.20", "0.20", "0.20", "0.321"])), dec("0.921"));
}

#[test]
fn a_payer_whose_amounts_vary_pays_the_sum_of_its_last_year() {
    // 0.20 + 0.21 + 0.22 + 0.23; the two equal amounts are six and five payments ago
    let amounts = ["0.30", "0.30", "0.20", "0.21", "0.22", "0.23"];
    assert_eq!(forward_rate(&pays_every(3, "2025-03-05", &amounts)), dec("0.86"));
}

#[test]
fn a_quarterly_fund_pays_the_sum_of_its_last_year() {
    // Two equal amounts are chance: 0.20 + 0.25 + 0.25 + 0.30, not 4 × 0.30. A monthly fund declares a rate: 12 × 0.26.
    let fund = |months, first, amounts: &[&str]| forward_rate(&Facts { fund: true, ..pays_every(months, first, amounts) });
    assert_eq!(fund(3, "2025-09-05", &["0.20", "0.25", "0.25", "0.30"]), dec("1.00"));
    assert_eq!(fund(1, "2026-04-05", &["0.25", "0.25", "0.26"]), dec("3.12"));
}

#[test]
fn a_dividend_cut_to_half_is_half_of_the_year() {
    // 4 × 0.25, not 0.50 + 0.50 + 0.50 + 0.25 = 1.75
    assert_eq!(forward_rate(&pays_every(3, "2025-09-05", &["0.50", "0.50", "0.50", "0.25"])), dec("1.00"));
}

#[test]
fn a_payer_that_became_monthly_pays_twelve_times() {
    // Three gaps of a month in a row: 12 × 0.10, not 0.30 + 0.10 + 0.10 + 0.10 = 0.60 as a quarterly payer.
    let quarterly = [("2025-07-10", "0.30"), ("2025-10-10", "0.30"), ("2026-01-10", "0.30"), ("2026-04-10", "0.30")];
    let monthly = [("2026-05-10", "0.10"), ("2026-06-10", "0.10"), ("2026-07-10", "0.10")];
    let metrics = metrics(&payer(&[&quarterly[..], &monthly].concat()));
    assert_eq!((metrics.forward_rate, metrics.payments_per_year), (dec("1.20"), 12));
}

#[test]
fn three_payments_a_year_count_as_three() {
    // February, June and October in both of the last two years: 3 × 0.50, not 4 × 0.50. With the lag of 21 days, February's and
    // June's are paid on the 3rd of March and the 1st of July.
    let ex_dates = ["2024-10-10", "2025-02-10", "2025-06-10", "2025-10-10", "2026-02-10", "2026-06-10"];
    let metrics = metrics(&payer(&ex_dates.map(|ex_date| (ex_date, "0.50"))));
    assert_eq!(metrics.frequency, Some(Frequency::Quarterly));
    assert_eq!((metrics.payments_per_year, metrics.forward_rate), (3, dec("1.50")));
    assert_eq!(metrics.payment_months, [3, 7, 10]);
    assert_eq!(metrics.to_come[0].per_share.amount, dec("0.50"));
}

#[test]
fn a_rate_in_another_currency_is_converted_at_todays_exchange_rate() {
    // Four times 1.25 USD, 5.00 a year. On the ex-dates a pound was a dollar, today it is 1.25: 4.00 GBP, not 5.00.
    let (dollar, pound) = (currency("USD"), currency("GBP"));
    let mut facts = pays_every(3, "2025-09-05", &["1.25"; 4]);
    facts.currency = pound;
    facts.price = Some(dec("100"));
    facts.dividends.iter_mut().for_each(|row| row.currency = dollar);
    let of = |date, usd| [(dollar, day(date), dec(usd)), (pound, day(date), dec("1"))];
    let fx = ledger::Fx::new([of("2025-01-01", "1"), of(crate::TODAY, "1.25")].concat());
    let metrics = ledger::metrics(&facts, &fx, day(crate::TODAY));
    assert_eq!((metrics.forward_rate, metrics.rate_currency), (dec("4"), pound));
    assert_eq!(metrics.yield_pct, Some(dec("4.00")));
    // Years stay in the currency of the payments: 2 × 1.25 in 2025.
    assert_eq!((metrics.history.currency, metrics.years[0].total), (dollar, dec("2.50")));
    // The provider's rate is in pounds: 5.50 is within half of 4.
    let with_provider = Facts { forward_rate: Some(dec("5.50")), ..facts.clone() };
    assert_eq!(ledger::metrics(&with_provider, &fx, day(crate::TODAY)).forward_rate, dec("5.50"));
    // Without an exchange rate it stays in dollars, and no yield is made of it.
    let unknown = ledger::metrics(&with_provider, &ledger::Fx::default(), day(crate::TODAY));
    assert_eq!((unknown.forward_rate, unknown.rate_currency, unknown.yield_pct), (dec("5.00"), dollar, None));
    // A single payment has no rate, so the provider's counts, which needs no exchange rate.
    let single = Facts { dividends: facts.dividends[3..].to_vec(), ..with_provider };
    assert_eq!(ledger::metrics(&single, &fx, day(crate::TODAY)).forward_rate, dec("5.50"));
    assert_eq!(ledger::metrics(&single, &ledger::Fx::default(), day(crate::TODAY)).forward_rate, dec("5.50"));
}

#[test]
fn an_interim_and_a_final_dividend_add_up() {
    // 0.70 + 0.32
    assert_eq!(forward_rate(&pays_every(6, "2024-05-10", &["0.65", "0.30", "0.70", "0.32"])), dec("1.02"));
}

#[test]
fn equal_semi_annual_payments_add_up_too() {
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

#[test]
fn two_payments_of_a_new_monthly_payer_make_a_year_of_twelve_months() {
    // Paid on 26 June and 27 July; ten more, each 30 days later, reach 23 May.
    assert_eq!(metrics(&payer(&[("2026-06-05", "0.10"), ("2026-07-06", "0.10")])).payment_months, (1..=12).collect::<Vec<i8>>());
    // Quarterly, paid on 21 March and 19 June; 91 days later it is 18 September, and then 18 December.
    assert_eq!(metrics(&payer(&[("2026-02-28", "0.10"), ("2026-05-29", "0.10")])).payment_months, [3, 6, 9, 12]);
}

#[test]
fn a_payers_kind_depends_on_its_rhythm_and_its_amounts() {
    let kind = |months, first, amounts: &[&str], fund| metrics(&Facts { fund, ..pays_every(months, first, amounts) }).kind;
    let (equal, varying) = (&["0.20"; 4][..], &["0.20", "0.21", "0.22", "0.23"][..]);
    assert_eq!(kind(3, "2025-09-05", equal, false), PayerKind::DeclaredCompany);
    assert_eq!(kind(3, "2025-09-05", varying, false), PayerKind::VaryingCompany);
    assert_eq!(kind(3, "2025-09-05", equal, true), PayerKind::VaryingFund);
    assert_eq!(kind(1, "2026-04-05", equal, true), PayerKind::DeclaredFund);
    assert_eq!(kind(6, "2024-12-05", equal, false), PayerKind::SemiAnnualCompany);
    assert_eq!(kind(12, "2023-05-05", equal, false), PayerKind::AnnualCompany);
    assert_eq!(kind(12, "2023-05-05", equal, true), PayerKind::VaryingFund);
}
