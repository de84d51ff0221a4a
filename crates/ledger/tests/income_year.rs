//! The shape of a year: which months carry the income and which are thin.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::date;
use ledger::{Basis, Currency, Decimal, Fx, Holding, Income, IncomeYear, PayerKind, income};
use proptest::prelude::*;

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// One share that pays `annual` a year, in the given months.
fn payer<'a>(symbol: &'a str, annual: Decimal, months: &'a [i8]) -> Holding<'a> {
    Holding {
        symbol,
        portfolio: "Main",
        currency: Currency::EUR,
        shares: Decimal::ONE,
        price: None,
        forward_rate: annual,
        rate_currency: Currency::EUR,
        kind: PayerKind::DeclaredCompany,
        basis: Basis::Market,
        has_data: true,
        growth: None,
        cagr_5y: None,
        streak_years: None,
        streak_at_least: false,
        yield_fraction: None,
        payment_months: months,
        withholding: Decimal::ZERO,
    }
}

fn income_of(holdings: &[Holding<'_>]) -> Income {
    income(holdings, Currency::EUR, &Fx::default(), date(2026, 3, 10), 1, false).unwrap()
}

fn shape(holdings: &[Holding<'_>]) -> IncomeYear {
    income_of(holdings).income_year.unwrap()
}

fn months(figures: [i64; 12]) -> [Decimal; 12] {
    figures.map(Decimal::from)
}

fn five() -> Vec<Holding<'static>> {
    vec![
        payer("A", d("120"), &[3, 6, 9, 12]),
        payer("B", d("60"), &[1, 7]),
        payer("C", d("24"), &[2, 8]),
        payer("D", d("90"), &[5]),
        payer("E", d("6"), &[12]),
    ]
}

#[test]
fn income_falls_evenly_on_the_months_a_stock_pays_in() {
    let year = shape(&five());
    // A 30 in each of 3, 6, 9, 12; B 30 in 1, 7; C 12 in 2, 8; D 90 in 5; E 6 in 12
    assert_eq!(year.by_month, months([30, 12, 30, 0, 90, 30, 30, 12, 30, 0, 0, 36]));
    // 300 ÷ 12
    assert_eq!(year.average_month, d("25"));
    // 90 and 36, then the first of the five months with 30: (90 + 36 + 30) ÷ 300
    assert_eq!(year.biggest_months, [1, 5, 12]);
    assert_eq!(year.biggest_months_share, d("0.52"));
    assert_eq!(year.empty_months, [4, 10, 11]);
    assert_eq!(year.thin_months, [4, 10, 11, 2, 8]);
}

#[test]
fn a_stock_without_known_months_pays_in_all_of_them() {
    let mut holdings = five();
    holdings[2].payment_months = &[];
    let year = shape(&holdings);
    // C's 24 as 2 a month instead of 12 in 2 and 8
    assert_eq!(year.by_month, months([32, 2, 32, 2, 92, 32, 32, 2, 32, 2, 2, 38]));
    assert!(year.empty_months.is_empty());
    assert_eq!(year.thin_months, [2, 4, 8, 10, 11]);
    // (92 + 38 + 32) ÷ 300
    assert_eq!(year.biggest_months_share, d("0.54"));
}

#[test]
fn the_monthly_shape_is_net_of_withholding_tax() {
    let mut holdings = five();
    holdings[3].withholding = d("0.30");
    let year = shape(&holdings);
    // D keeps 63 of 90: 273 ÷ 12 = 22.75; (63 + 36 + 30) ÷ 273 = 0.4725…
    assert_eq!(year.by_month[4], d("63"));
    assert_eq!(year.average_month, d("22.75"));
    assert_eq!(year.biggest_months_share, d("0.473"));
    for holding in &mut holdings {
        holding.withholding = Decimal::ONE;
    }
    let nothing = shape(&holdings);
    assert_eq!(nothing.empty_months.len(), 12);
    assert_eq!((nothing.thin_months.len(), nothing.biggest_months_share), (0, Decimal::ZERO));
}

#[test]
fn a_perfectly_even_year_has_no_thin_month() {
    // 5 × (10 ÷ 12) and 50 ÷ 12 differ in the last digit a decimal holds; as money they are the same.
    let holdings: Vec<Holding<'_>> = ["A", "B", "C", "D", "E"].map(|symbol| payer(symbol, d("10"), &[])).into();
    let year = shape(&holdings);
    assert!(year.thin_months.is_empty(), "{:?}", year.thin_months);
    assert_eq!(year.biggest_months, [1, 2, 3]);
    assert_eq!(year.biggest_months_share, d("0.25"));
}

#[test]
fn four_paying_symbols_are_too_few_for_a_monthly_shape() {
    assert_eq!(income_of(&five()[..4]).income_year, None);
    let mut same_symbol_twice = five();
    same_symbol_twice[4].symbol = "A";
    same_symbol_twice[4].portfolio = "Pension";
    assert_eq!(income_of(&same_symbol_twice).income_year, None);
    let mut one_pays_nothing = five();
    one_pays_nothing[4].forward_rate = Decimal::ZERO;
    assert_eq!(income_of(&one_pays_nothing).income_year, None);
    let mut one_without_a_rate = five();
    let dollar = Currency::parse("USD").unwrap();
    (one_without_a_rate[4].currency, one_without_a_rate[4].rate_currency) = (dollar, dollar);
    assert_eq!(income_of(&one_without_a_rate).income_year, None);
}

proptest! {
    #[test]
    fn the_months_add_up_to_the_year(
        figures in prop::collection::vec((1u32..10_000_000, 0i64..=300, prop::collection::btree_set(1i8..=12, 0..=12)), 5..12),
    ) {
        let names = figures.iter().enumerate().map(|(at, (.., months))| (format!("S{at}"), months.iter().copied().collect()));
        let names: Vec<(String, Vec<i8>)> = names.collect();
        let holdings: Vec<Holding<'_>> = figures.iter().zip(&names).map(|((annual, withheld, _), (symbol, months))| Holding {
            withholding: Decimal::new(*withheld, 3),
            ..payer(symbol, Decimal::new((*annual).into(), 4), months)
        }).collect();
        let income = income_of(&holdings);
        let year = income.income_year.unwrap();
        let sum: Decimal = year.by_month.iter().sum();
        prop_assert!((sum - income.net_annual).abs() < d("0.000000000000000001"), "{} {}", sum, income.net_annual);
        prop_assert!(year.biggest_months.len() == 3 && year.biggest_months.is_sorted_by(|a, b| a < b));
        prop_assert!(year.biggest_months_share >= d("0.25") && year.biggest_months_share <= Decimal::ONE);
        prop_assert!(year.empty_months.iter().all(|month| year.thin_months.contains(month)));
        prop_assert!(year.biggest_months.iter().any(|month| !year.thin_months.contains(month)));
    }
}
