//! Income over the years, with and without reinvestment.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::date;
use ledger::{Basis, Currency, Decimal, Fx, Holding, PayerKind, Year, income};
use proptest::prelude::*;

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn holding(symbol: &str, shares: Decimal, forward_rate: Decimal) -> Holding<'_> {
    Holding {
        symbol,
        portfolio: "Main",
        currency: Currency::EUR,
        shares,
        price: None,
        forward_rate,
        rate_currency: Currency::EUR,
        kind: PayerKind::DeclaredCompany,
        basis: Basis::Market,
        has_data: true,
        growth: None,
        cagr_5y: None,
        streak_years: None,
        streak_at_least: false,
        yield_fraction: None,
        payment_months: &[],
        withholding: Decimal::ZERO,
    }
}

/// A grows 6% a year, yields 5% and loses 15%: 200 of income. B's growth and price are unknown, it loses 30%: 60 of income.
fn growing_and_unknown() -> [Holding<'static>; 2] {
    let growing = Holding {
        growth: Some(d("0.06")),
        price: Some(d("40")),
        yield_fraction: Some(d("0.05")),
        withholding: d("0.15"),
        ..holding("A", d("100"), d("2.00"))
    };
    [growing, Holding { withholding: d("0.30"), ..holding("B", d("50"), d("1.20")) }]
}

fn projection(holdings: &[Holding<'_>], years: u32, drip: bool) -> Vec<Year> {
    income(holdings, Currency::EUR, &Fx::default(), date(2026, 3, 10), years, drip).unwrap().projection
}

/// Equal to eight decimals: fifty roundings at the 28th digit stay far below them.
fn assert_year(year: Year, income: &str, net_income: &str) {
    assert_eq!((year.income.round_dp(8), year.net_income.round_dp(8)), (d(income), d(net_income)));
}

#[test]
fn each_holding_grows_at_its_own_rate() {
    let years = projection(&growing_and_unknown(), 50, false);
    assert_eq!(years.len(), 51);
    // 200 + 60; 200 × 0.85 + 60 × 0.70
    assert_year(years[0], "260", "212");
    // 200 × 1.06 + 60 = 272; 212 × 0.85 + 42 = 222.2
    assert_year(years[1], "272", "222.2");
    // 200 × 1.06^50 + 60 = 3744.030854998288; 200 × 1.06^50 × 0.85 + 42 = 3173.426226748545
    assert_year(years[50], "3744.03085500", "3173.42622675");
}

#[test]
fn reinvested_dividends_compound_where_a_yield_is_known() {
    let years = projection(&growing_and_unknown(), 50, true);
    assert_year(years[0], "260", "212");
    // 200 × 1.06 × (1 + 0.05 × 0.85) + 60 = 212 × 1.0425 + 60 = 281.01; 221.01 × 0.85 + 42 = 229.8585
    assert_year(years[1], "281.01", "229.8585");
    // 200 × (1.06 × 1.0425)^50 + 60 = 29580.685715450530; × 0.85 of the first part, + 42 = 25134.582858132951
    assert_year(years[50], "29580.68571545", "25134.58285813");
}

#[test]
fn a_falling_dividend_shrinks() {
    let falling = Holding { growth: Some(d("-0.10")), ..holding("A", d("100"), d("2")) };
    // 200 × 0.9^50 = 1.030755041464
    assert_year(projection(&[falling], 50, false)[50], "1.03075504", "1.03075504");
}

#[test]
fn an_absurd_yield_ends_at_the_income_cap() {
    for absurd in ["5000", "1000000000000000", "79228162514264337593543950335"] {
        let holding = Holding { growth: Some(d("0.15")), yield_fraction: Some(d(absurd)), ..holding("A", d("100"), d("2")) };
        let years = projection(&[holding], 50, true);
        assert_eq!(years[0].income, d("200"));
        assert_eq!(years[50].income, d("1000000000000000000000000"), "{absurd}");
        assert!(years.is_sorted_by(|a, b| a.income <= b.income));
    }
}

proptest! {
    #[test]
    fn the_first_year_is_the_annual_income(
        figures in prop::collection::vec((1u32..1_000_000, 1u32..100_000, -100i64..=150, 0i64..=300, 0u32..2_000), 0..12),
        years in 1u32..=50,
        drip: bool,
    ) {
        let symbols: Vec<String> = (0..figures.len()).map(|at| format!("S{at}")).collect();
        let holdings: Vec<Holding<'_>> = figures.iter().zip(&symbols).map(|((shares, rate, growth, withheld, yields), symbol)| Holding {
            growth: Some(Decimal::new(*growth, 3)),
            withholding: Decimal::new(*withheld, 3),
            yield_fraction: Some(Decimal::new((*yields).into(), 4)),
            ..holding(symbol, Decimal::new((*shares).into(), 3), Decimal::new((*rate).into(), 4))
        }).collect();
        let income = income(&holdings, Currency::EUR, &Fx::default(), date(2026, 3, 10), years, drip).unwrap();
        prop_assert_eq!(income.projection.len(), years as usize + 1);
        prop_assert_eq!(income.projection[0], Year { income: income.annual, net_income: income.net_annual });
        prop_assert!(income.projection.iter().all(|year| year.net_income <= year.income));
        let without = projection(&holdings, years, false);
        prop_assert!(income.projection.iter().zip(without).all(|(year, plain)| year.income >= plain.income));
    }
}
