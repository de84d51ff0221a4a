//! Forward income: conversion, withholding, what is listed, the yield, and what cannot be converted.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::withholding::{Source, estimate};
use ledger::{
    Basis, Coverage, Currency, Decimal, Facts, Fx, Holding, Income, Likely, MarketDividend, Overflow, PayerKind, income, metrics,
};
use proptest::prelude::*;

const TODAY: Date = date(2026, 3, 10);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn code(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

/// 1 EUR = 1.25 USD = 0.80 GBP; the yen has a rate from tomorrow on only.
fn fx() -> Fx {
    let day = date(2026, 3, 9);
    Fx::new([(code("USD"), day, d("1.25")), (code("GBP"), day, d("0.80")), (code("JPY"), date(2026, 3, 11), d("160"))])
}

fn holding<'a>(symbol: &'a str, currency: &str, shares: &str, forward_rate: &str) -> Holding<'a> {
    Holding {
        symbol,
        portfolio: "Main",
        currency: code(currency),
        shares: d(shares),
        price: None,
        forward_rate: d(forward_rate),
        rate_currency: code(currency),
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

fn in_euro(holdings: &[Holding<'_>]) -> Income {
    income(holdings, Currency::EUR, &fx(), TODAY, 10, false).unwrap()
}

fn listed(income: &Income) -> Vec<(&str, &str)> {
    income.sources.iter().map(|source| (source.symbol.as_str(), source.portfolio.as_str())).collect()
}

#[test]
fn income_is_shares_times_forward_rate_at_the_rates_of_today() {
    let holdings = [
        holding("ULVR.L", "GBP", "50", "1.60"),
        holding("IBE.MC", "EUR", "300", "0.50"),
        holding("BRK-B", "USD", "10", "0"),
        Holding { withholding: d("0.15"), ..holding("KO", "USD", "100", "2.00") },
    ];
    let income = in_euro(&holdings);
    // KO 100 × 2.00 USD ÷ 1.25 = 160, IBE 300 × 0.50 = 150, ULVR 50 × 1.60 GBP ÷ 0.80 = 100; BRK-B pays nothing
    assert_eq!(listed(&income), [("KO", "Main"), ("IBE.MC", "Main"), ("ULVR.L", "Main")]);
    assert_eq!(income.sources.iter().map(|source| source.income).collect::<Vec<_>>(), [d("160"), d("150"), d("100")]);
    assert_eq!(income.annual, d("410"));
    // KO 160 × 0.85 = 136
    assert_eq!(income.sources[0].net_income, d("136"));
    assert_eq!(income.net_annual, d("386"));
    assert!(income.unconverted.is_empty());
}

#[test]
fn equal_incomes_are_listed_by_symbol_then_portfolio() {
    let mut holdings = [holding("B", "EUR", "10", "1"), holding("A", "EUR", "5", "2"), holding("A", "EUR", "10", "1")];
    holdings[1].portfolio = "Pension";
    assert_eq!(listed(&in_euro(&holdings)), [("A", "Main"), ("A", "Pension"), ("B", "Main")]);
}

#[test]
fn the_residence_decides_what_is_left_of_a_dividend() {
    // 100 × 2.00 USD of a US share: 15% withheld from Spain, nothing at home, 30% without a residence
    for (residence, net) in [(Some("ES"), "170"), (Some("US"), "200"), (None, "140")] {
        let withholding = estimate(Source { country: Some("US"), fund: false }, residence, None).rate;
        let holdings = [Holding { withholding, ..holding("KO", "USD", "100", "2.00") }];
        let income = income(&holdings, code("USD"), &Fx::default(), TODAY, 1, false).unwrap();
        assert_eq!((income.annual, income.net_annual), (d("200"), d(net)), "{residence:?}");
    }
}

#[test]
fn a_source_carries_the_figures_of_its_stock() {
    let stock = Holding {
        cagr_5y: Some(d("0.20")),
        growth: Some(d("0.15")),
        streak_years: Some(7),
        streak_at_least: true,
        basis: Basis::Ledger,
        ..holding("A", "EUR", "1", "1")
    };
    let source = &in_euro(&[stock]).sources[0];
    assert_eq!((source.cagr_5y, source.growth), (Some(d("0.20")), Some(d("0.15"))));
    assert_eq!((source.streak_years, source.streak_at_least, source.basis.as_str()), (Some(7), true, "ledger"));
}

#[test]
fn the_yield_counts_every_position_with_a_price() {
    let priced = |price: &str, holding: Holding<'static>| Holding { price: Some(d(price)), ..holding };
    let holdings = [
        priced("50", holding("KO", "USD", "100", "2.00")),
        priced("500", holding("BRK-B", "USD", "10", "0")),
        priced("0", holding("GONE", "EUR", "10", "1")),
        holding("IBE.MC", "EUR", "300", "0.50"),
    ];
    // KO 160 of 100 × 50 ÷ 1.25 = 4000 EUR, BRK-B nothing of 10 × 500 ÷ 1.25 = 4000 EUR: 160 ÷ 8000
    assert_eq!(in_euro(&holdings).current_yield_pct, Some(d("2.00")));
    assert_eq!(in_euro(&holdings[2..]).current_yield_pct, None);
    assert_eq!(in_euro(&holdings[1..2]).current_yield_pct, Some(Decimal::ZERO));
    // 0.125% and 0.375% round to the even hundredth
    assert_eq!(in_euro(&[priced("100", holding("A", "EUR", "10", "0.125"))]).current_yield_pct, Some(d("0.12")));
    assert_eq!(in_euro(&[priced("100", holding("A", "EUR", "10", "0.375"))]).current_yield_pct, Some(d("0.38")));
}

#[test]
fn growth_is_weighted_by_income_and_unknown_growth_is_none() {
    let holdings = [Holding { growth: Some(d("0.06")), ..holding("A", "EUR", "150", "1") }, holding("B", "EUR", "50", "1")];
    // (150 × 0.06 + 50 × 0) ÷ 200
    assert_eq!(in_euro(&holdings).growth_rate, Some(d("0.045")));
    assert_eq!(in_euro(&holdings[1..]).growth_rate, Some(Decimal::ZERO));
    assert_eq!(in_euro(&[holding("C", "EUR", "50", "0")]).growth_rate, None);
}

#[test]
fn positions_in_a_currency_without_a_rate_are_named_and_left_out() {
    let unpriced = |symbol, currency| Holding { price: Some(d("10")), ..holding(symbol, currency, "10", "1") };
    let mut holdings = vec![unpriced("YPF", "ARS"), unpriced("7203.T", "JPY"), unpriced("7203.T", "JPY"), unpriced("KO", "USD")];
    holdings[1].portfolio = "Pension";
    holdings[0].forward_rate = Decimal::ZERO;
    let result = in_euro(&holdings);
    assert_eq!(result.unconverted, [("7203.T".into(), code("JPY")), ("YPF".into(), code("ARS"))]);
    // Only KO: 10 × 1 ÷ 1.25 = 8 EUR of 80 EUR
    assert_eq!((result.annual, result.net_annual), (d("8"), d("8")));
    assert_eq!(result.current_yield_pct, Some(d("10.00")));
    assert_eq!(result.projection[10].income, d("8"));
    // A preferred currency without a rate is the one that is missing, and reaches nothing but itself.
    let in_peso = income(&holdings, code("ARS"), &fx(), TODAY, 1, false).unwrap();
    assert_eq!(in_peso.unconverted, [("7203.T".into(), code("JPY")), ("KO".into(), code("ARS"))]);
    assert_eq!((in_peso.annual, in_peso.current_yield_pct), (Decimal::ZERO, Some(Decimal::ZERO)));
}

/// Pays 1.25 in this currency four times a year; trades in pounds.
fn pays_in(currency: &str, rates: &Fx) -> Holding<'static> {
    let paid = |month| MarketDividend {
        ex_date: date(2025, month, 3),
        pay_date: None,
        amount: d("1.25"),
        currency: code(currency),
        special: false,
    };
    let facts = Facts {
        currency: code("GBP"),
        dividends: [3, 6, 9, 12].map(paid).into(),
        splits: Vec::new(),
        closes: Vec::new(),
        price: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        fund: false,
        lenient_payout: false,
    };
    let metrics = metrics(&facts, rates, TODAY);
    Holding { rate_currency: metrics.rate_currency, forward_rate: metrics.forward_rate, ..holding("SHEL.L", "GBP", "100", "0") }
}

#[test]
fn a_payer_in_another_currency_pays_at_the_rates_of_today() {
    // On the ex-dates a pound was a dollar, today it is 1.25 dollars: 100 × 4 × 1.25 = 500 USD are 400 GBP, not 500.
    let (past, now) = (date(2025, 1, 2), date(2026, 3, 9));
    let rates =
        [(code("USD"), past, d("1")), (code("GBP"), past, d("1")), (code("USD"), now, d("1.25")), (code("GBP"), now, d("1"))];
    let fx = Fx::new(rates);
    let income = income(&[pays_in("USD", &fx)], code("GBP"), &fx, TODAY, 1, false).unwrap();
    assert_eq!(income.annual, d("400"));
}

#[test]
fn a_payer_in_a_currency_without_a_rate_is_named() {
    let holdings = [Holding { price: Some(d("10")), ..pays_in("ARS", &fx()) }, holding("IBE.MC", "EUR", "300", "0.50")];
    let result = in_euro(&holdings);
    assert_eq!(result.unconverted, [("SHEL.L".into(), code("ARS"))]);
    // Its value counts neither.
    assert_eq!((result.annual, result.current_yield_pct), (d("150"), None));
}

#[test]
fn positions_without_data_are_counted_and_named() {
    let unknown = |symbol| Holding { has_data: false, ..holding(symbol, "EUR", "10", "0") };
    let holdings = [unknown("ZZZ"), holding("A", "EUR", "10", "1"), unknown("B"), unknown("ZZZ"), holding("C", "EUR", "10", "0")];
    let coverage = Coverage { positions: 5, with_data: 2, without_data: vec!["B".into(), "ZZZ".into()] };
    assert_eq!(in_euro(&holdings).coverage, coverage);
}

fn five_kinds() -> Vec<Holding<'static>> {
    let kinds = [
        ("A", "300", PayerKind::DeclaredCompany),
        ("A", "100", PayerKind::DeclaredCompany),
        ("B", "100", PayerKind::AnnualCompany),
        ("C", "200", PayerKind::VaryingFund),
        ("D", "100", PayerKind::SemiAnnualCompany),
        ("E", "200", PayerKind::DeclaredFund),
    ];
    kinds.map(|(symbol, shares, kind)| Holding { kind, ..holding(symbol, "EUR", shares, "1") }).into()
}

#[test]
fn the_likely_range_combines_what_payers_share_and_what_they_do_not() {
    // Centre: 400 × 1.05 + 100 × 0.99 + 200 × 1.03 + 100 × 1.05 + 200 × 1.02 = 1034; A's two positions are one payer.
    // Down: 400 × 0.14 = 56, 62, 86, 30, 32; sum 266, squares 16300: √(0.07 × 266² + 0.93 × 16300) = √20111.92.
    // Up: 76, 45, 84, 25, 54; sum 284, squares 18398: √(0.07 × 284² + 0.93 × 18398) = √22756.06.
    let Likely { low, high } = in_euro(&five_kinds()).likely.unwrap();
    assert_eq!((low.round_dp(6), high.round_dp(6)), (d("892.183499"), d("1184.851119")));
}

#[test]
fn four_payers_are_too_few_for_a_likely_range() {
    let holdings = five_kinds();
    assert_eq!(in_euro(&holdings[..5]).likely, None);
    assert_eq!(in_euro(&[]).likely, None);
}

#[test]
fn without_holdings_the_income_is_zero() {
    let income = in_euro(&[]);
    assert_eq!((income.annual, income.net_annual), (Decimal::ZERO, Decimal::ZERO));
    assert_eq!((income.current_yield_pct, income.growth_rate, income.income_year), (None, None, None));
    assert_eq!(income.projection.len(), 11);
    assert!(income.sources.is_empty());
}

#[test]
fn a_figure_too_large_is_an_error_not_a_panic() {
    let huge = Holding { shares: Decimal::MAX, ..holding("A", "EUR", "1", "2") };
    assert_eq!(income(&[huge], Currency::EUR, &fx(), TODAY, 1, false), Err(Overflow));
    let large = |symbol| Holding { shares: Decimal::MAX, ..holding(symbol, "EUR", "1", "1") };
    assert_eq!(income(&[large("A"), large("B")], Currency::EUR, &fx(), TODAY, 1, false), Err(Overflow));
}

/// Any digits, with up to this many decimals.
fn figure(digits: std::ops::Range<i64>, decimals: u32) -> impl Strategy<Value = Decimal> {
    (digits, 0..=decimals).prop_map(|(digits, scale)| Decimal::new(digits, scale))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Sums kept to twenty decimals give the same cents as sums with all digits of a decimal.
    #[test]
    fn sums_are_made_from_unrounded_figures(
        of in prop::collection::vec(
            (0_usize..3, figure(1..50_000_000, 6), figure(1..100_000, 5), figure(0..40, 2), figure(1..1_000_000, 4)), 1..60,
        ),
        (dollar, pound) in (figure(1_0000..2_0000, 4), figure(50_000..99_999, 5)),
    ) {
        let day = date(2026, 3, 9);
        let (dollar, pound) = (dollar.max(d("0.5")), pound.max(d("0.5")));
        let fx = Fx::new([(code("USD"), day, dollar), (code("GBP"), day, pound)]);
        let symbols: Vec<String> = (0..of.len()).map(|number| format!("S{number:02}")).collect();
        let holdings: Vec<Holding<'_>> = of.iter().zip(&symbols).map(|((currency, shares, rate, withheld, price), symbol)| Holding {
            withholding: *withheld.min(&Decimal::ONE),
            price: Some(*price),
            ..holding(symbol, ["EUR", "USD", "GBP"][*currency], &shares.to_string(), &rate.to_string())
        }).collect();
        let [mut gross, mut net, mut value] = [Decimal::ZERO; 3];
        for holding in &holdings {
            let in_euro = |amount| fx.convert(amount, holding.currency, Currency::EUR, TODAY).unwrap();
            let income = in_euro(holding.shares * holding.forward_rate);
            gross += income;
            net += income * (Decimal::ONE - holding.withholding);
            value += in_euro(holding.shares * holding.price.unwrap());
        }
        let result = income(&holdings, Currency::EUR, &fx, TODAY, 0, false).unwrap();
        prop_assert_eq!(result.annual.round_dp(2), gross.round_dp(2));
        prop_assert_eq!(result.net_annual.round_dp(2), net.round_dp(2));
        prop_assert_eq!(result.current_yield_pct, Some((gross * Decimal::ONE_HUNDRED / value).round_dp(2)));
    }
}
