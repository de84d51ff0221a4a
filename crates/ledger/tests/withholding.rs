//! Withholding rates by source and residence, rates from the user's own dividends, and the country of a dividend.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use ledger::Decimal;
use ledger::withholding::{self, Seen, Source, country_code, source_country, table_rate};

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// One dividend in a currency with cents.
fn seen(gross: &str, withheld: &str) -> Option<Seen> {
    Some(Seen { gross: d(gross), withheld: d(withheld), rounding: d("0.005") })
}

fn company(country: Option<&'static str>) -> Source {
    Source { country, fund: false }
}

fn fund(country: &'static str) -> Source {
    Source { country: Some(country), fund: true }
}

fn estimate(source: Source, residence: Option<&str>, seen: Option<Seen>) -> Decimal {
    withholding::estimate(source, residence, seen).rate
}

#[test]
fn a_treaty_lowers_the_statutory_rate() {
    for (source, residence, rate) in [
        ("US", "ES", "0.15"),
        ("DE", "ES", "0.15"),
        ("JP", "ES", "0.05"),
        ("GB", "US", "0"),
        ("NL", "GB", "0.10"),
        ("CH", "AU", "0.15"),
        ("FI", "IE", "0"),
    ] {
        assert_eq!(table_rate(company(Some(source)), Some(residence)), d(rate), "{source} to {residence}");
    }
}

#[test]
fn the_lower_of_treaty_and_statutory_rate_applies() {
    // France takes 12.8% by its own law, and its treaties allow 15%.
    assert_eq!(table_rate(company(Some("FR")), Some("ES")), d("0.128"));
    // India takes 20%, and its treaty with the United States allows 25%.
    assert_eq!(table_rate(company(Some("IN")), Some("US")), d("0.20"));
    // The United States take 30%, and the treaty allows 15%.
    assert_eq!(table_rate(company(Some("US")), Some("ES")), d("0.15"));
}

#[test]
fn funds_of_ireland_and_luxembourg_are_not_taxed() {
    for country in ["IE", "LU"] {
        assert_eq!(table_rate(fund(country), Some("ES")), Decimal::ZERO, "{country}");
        assert_eq!(table_rate(fund(country), None), Decimal::ZERO, "{country}");
        assert!(table_rate(company(Some(country)), None) > Decimal::ZERO, "{country}");
    }
    assert_eq!(table_rate(fund("US"), Some("ES")), d("0.15"));
    // What was really withheld counts more.
    assert_eq!(estimate(fund("IE"), Some("ES"), seen("100", "10")), d("0.10"));
}

#[test]
fn a_rate_that_rounding_made_of_an_official_one_is_that_one() {
    // 15% of 58.50 is 8.775, rounded to 8.78: 15.0085…%.
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("58.50", "8.78")), d("0.15"));
    // Without a treaty: 26.375% of 33.33 is 8.7907…
    assert_eq!(estimate(company(Some("DE")), None, seen("33.33", "8.79")), d("0.26375"));
    // A cent more is not rounding: 8.79 ÷ 58.50 = 0.15025…
    let rate = estimate(company(Some("US")), Some("ES"), seen("58.50", "8.79"));
    assert_eq!(rate.round_dp(5), d("0.15026"));
    // Four such dividends, each rounded by up to half a cent: 35.12 of 234.00, where 15% is 35.10.
    let four = Some(Seen { gross: d("234.00"), withheld: d("35.12"), rounding: d("0.02") });
    assert_eq!(estimate(company(Some("US")), Some("ES"), four), d("0.15"));
}

#[test]
fn a_receipt_is_taxed_by_the_country_of_the_company() {
    // A Taiwanese company whose receipts trade in New York.
    assert_eq!(source_country(Some("US8740391003"), Some("Taiwan"), Some("NYSE"), true), Some("TW"));
    assert_eq!(source_country(Some("US8740391003"), Some("Taiwan"), Some("NYSE"), false), Some("US"));
    assert_eq!(source_country(Some("US8740391003"), None, Some("NYSE"), true), Some("US"));
    assert_eq!(source_country(None, None, Some("NYSE"), true), Some("US"));
}

#[test]
fn without_a_treaty_the_statutory_rate_applies() {
    for (source, residence, rate) in [
        ("DK", Some("ES"), "0.27"),
        ("IE", Some("FR"), "0.25"),
        ("TW", Some("US"), "0.21"),
        ("CL", Some("GB"), "0.35"),
        // A residence the table has no column for, and none at all.
        ("US", Some("AR"), "0.30"),
        ("US", None, "0.30"),
        ("DE", None, "0.26375"),
        ("JP", None, "0.15315"),
        ("FR", None, "0.128"),
    ] {
        assert_eq!(table_rate(company(Some(source)), residence), d(rate), "{source} to {residence:?}");
    }
}

#[test]
fn an_unknown_source_country_means_15_percent() {
    for residence in [Some("ES"), Some("AR"), None] {
        assert_eq!(table_rate(company(None), residence), d("0.15"));
        assert_eq!(table_rate(company(Some("PE")), residence), d("0.15"));
    }
}

#[test]
fn dividends_from_the_country_of_residence_are_not_taxed_abroad() {
    for country in ["ES", "US", "CH", "PE"] {
        assert_eq!(table_rate(company(Some(country)), Some(country)), Decimal::ZERO);
        // Spain takes 19% from its own residents: a prepayment, not withholding abroad.
        assert_eq!(estimate(company(Some(country)), Some(country), seen("100", "19")), Decimal::ZERO);
    }
    assert_eq!(estimate(company(None), None, None), d("0.15"));
}

#[test]
fn the_users_own_dividends_come_before_the_table() {
    // 5.25 of 35.00 = 15%; 26.375 of 100 = 26.375%, the treaty being reclaimed later
    assert_eq!(estimate(company(Some("US")), None, seen("35.00", "5.25")), d("0.15"));
    assert_eq!(estimate(company(Some("DE")), Some("ES"), seen("100", "26.375")), d("0.26375"));
    assert_eq!(estimate(company(None), Some("ES"), seen("40", "4")), d("0.10"));
    // Recorded as none: zero is a rate.
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("40", "0.00")), Decimal::ZERO);
}

#[test]
fn own_dividends_without_a_usable_sum_are_ignored() {
    assert_eq!(estimate(company(Some("US")), Some("ES"), None), d("0.15"));
    // Fully reversed, and a reversal without its payment.
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("0", "0")), d("0.15"));
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("-10", "-1")), d("0.15"));
    // A rate stays between nothing and all.
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("10", "11")), Decimal::ONE);
    assert_eq!(estimate(company(Some("US")), Some("ES"), seen("10", "-1")), Decimal::ZERO);
}

#[test]
fn the_isin_names_the_source_first() {
    assert_eq!(source_country(Some("US0378331005"), Some("Ireland"), Some("LSE"), false), Some("US"));
    assert_eq!(source_country(Some(" es0144580y14 "), None, None, false), Some("ES"));
    for nowhere in ["XS1234567890", "EU000A1G0AB4", "QS0000000001", "XC0009655157", "XF0000000001", "NONE", "N/A", "ES", ""] {
        assert_eq!(source_country(Some(nowhere), None, None, false), None, "{nowhere}");
        assert_eq!(source_country(Some(nowhere), Some("Spain"), Some("NYSE"), false), Some("ES"), "{nowhere}");
    }
}

#[test]
fn the_country_comes_next_by_code_or_name() {
    for (country, code) in
        [("US", "US"), ("es", "ES"), ("United States", "US"), ("spain", "ES"), (" UK ", "GB"), ("South Korea", "KR")]
    {
        assert_eq!(source_country(None, Some(country), Some("TYO"), false), Some(code), "{country}");
        assert_eq!(country_code(country), Some(code));
    }
    assert_eq!(source_country(None, Some("Atlantis"), Some("TYO"), false), Some("JP"));
    assert_eq!(country_code("XS"), None);
    assert_eq!(country_code(""), None);
}

#[test]
fn the_exchange_is_the_last_resort() {
    for (exchange, code) in [
        ("NYSE", "US"),
        ("NMS", "US"),
        ("LSE", "GB"),
        ("XETRA", "DE"),
        ("EPA", "FR"),
        ("bme", "ES"),
        ("TSE", "JP"),
        ("TSX", "CA"),
        ("ISE", "IE"),
        ("XTSE", "CA"),
        ("XTKS", "JP"),
        ("XCSE", "DK"),
        ("BVMF", "BR"),
        ("XDUB", "IE"),
        ("NasdaqGS", "US"),
    ] {
        assert_eq!(source_country(None, None, Some(exchange), false), Some(code), "{exchange}");
    }
    for exchange in ["", "PNK", "N"] {
        assert_eq!(source_country(None, None, Some(exchange), false), None, "{exchange:?}");
    }
}
