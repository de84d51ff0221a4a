use jiff::Timestamp;
use jiff::civil::date;
use ledger::Decimal;
use market::fmp::{dividends, prices, profile, search, splits};
use market::{Detail, DividendUnit, Fault, Split};

use crate::{ok, samples, text, unit};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

#[test]
fn a_london_quote_is_in_pence_and_read_in_pounds() {
    let answer = ok(r#"[{"symbol": "ABC.L", "price": 512.4, "priceAvg50": 500, "priceAvg200": 450.5, "timestamp": 1775160000}]"#);
    let quote = prices::read_quote(&answer, "ABC.L", unit("GBp"), NOW).unwrap();
    assert_eq!((quote.price.to_string().as_str(), quote.unit.name()), ("5.124", "GBp"));
    assert_eq!(quote.as_of.as_second(), 1_775_160_000);
    let averages = prices::read_averages(&answer, unit("GBp")).unwrap();
    assert_eq!((text(averages.0), text(averages.1)), (Some("5".to_owned()), Some("4.505".to_owned())));
}

#[test]
fn a_listing_without_a_price_is_unknown() {
    for nothing in ["[]", r#"[{"symbol": "AAA.DE", "price": null}]"#, r#"[{"symbol": "AAA.DE", "price": 0}]"#] {
        assert_eq!(prices::read_quote(&ok(nothing), "AAA.DE", unit("EUR"), NOW), Err(Fault::Unknown), "{nothing}");
    }
    let undated = prices::read_quote(&ok(r#"[{"price": 1}]"#), "A", unit("EUR"), NOW).unwrap();
    assert_eq!(undated.as_of, NOW);
}

#[test]
fn closes_come_oldest_first_in_whole_units() {
    let answer = ok(
        r#"[{"date": "2026-01-05", "price": 110}, {"date": "2026-01-03", "price": 0}, {"date": "2026-01-02", "price": 100.5}]"#,
    );
    let closes = prices::read_closes(&answer, unit("GBp")).unwrap();
    assert_eq!(closes, [(date(2026, 1, 2), Decimal::new(1005, 3)), (date(2026, 1, 5), Decimal::new(11, 1))]);
    for bad in [r#"[{"date": "", "price": 1}]"#, r#"[{"date": "2026-01-02"}]"#, r#"[{"date": "2026-01-02", "price": -1}]"#] {
        assert!(matches!(prices::read_closes(&ok(bad), unit("EUR")), Err(Fault::Malformed(_))), "{bad}");
    }
}

#[test]
fn a_profile_converts_its_range_and_ignores_the_last_dividend() {
    let answer = ok(r#"[{"symbol": "ABC.L", "lastDividend": 20.5, "range": "400.5-600", "companyName": "Abacus plc",
        "currency": "GBp", "isin": "GB00ABACUS12", "exchange": "LSE", "industry": "", "sector": "Utilities", "country": "GB",
        "isEtf": false, "isFund": false, "cik": null}]"#);
    let profile = profile::read(&answer).unwrap();
    assert_eq!(profile.unit, Some(unit("GBp")));
    assert_eq!((text(profile.low52), text(profile.high52)), (Some("4.005".to_owned()), Some("6".to_owned())));
    assert_eq!((profile.forward_rate, profile.industry), (None, None));
    assert_eq!((profile.kind.as_deref(), profile.instrument_type.as_deref()), (Some("EQUITY"), Some("equity")));
    assert_eq!((profile.isin.as_deref(), profile.country.as_deref()), (Some("GB00ABACUS12"), Some("GB")));
}

#[test]
fn funds_are_distinguished_from_shares_and_an_invalid_range_is_missing() {
    let kind = |flags: &str| profile::read(&ok(&format!(r#"[{{"currency": "USD", "range": null {flags}}}]"#))).unwrap().kind;
    assert_eq!(kind(r#", "isEtf": true, "isFund": true"#).as_deref(), Some("ETF"));
    assert_eq!(kind(r#", "isEtf": false, "isFund": true"#).as_deref(), Some("MUTUALFUND"));
    assert_eq!(kind(""), None);
    let odd = profile::read(&ok(r#"[{"currency": "Shells", "range": "1-2"}]"#)).unwrap();
    assert_eq!((odd.unit, odd.low52), (None, None), "no figure is read in a unit that we do not know");
    for odd in [r#""-""#, r#""0-0""#, r#""9-3""#, r#""many""#] {
        let profile = profile::read(&ok(&format!(r#"[{{"currency": "USD", "range": {odd}}}]"#))).unwrap();
        assert_eq!((profile.low52, profile.high52), (None, None), "{odd}");
    }
}

#[test]
fn ratios_of_a_loss_are_missing() {
    let ratios = |pe: &str, payout: &str| {
        let row = format!(r#"[{{"priceToEarningsRatioTTM": {pe}, "dividendPayoutRatioTTM": {payout}}}]"#);
        let (pe, payout) = profile::read_ratios(&ok(&row)).unwrap();
        (text(pe), text(payout))
    };
    assert_eq!(ratios("17.5", "0.62"), (Some("17.5".to_owned()), Some("0.62".to_owned())));
    assert_eq!(ratios("-4.1", "-0.3"), (None, None));
    assert_eq!(ratios("null", "0"), (None, Some("0".to_owned())));
}

#[test]
fn cash_cover_is_taken_from_the_last_full_year() {
    // 300 ÷ 120 = 2.5; the quarter and the previous year do not count.
    let answer = ok(r#"[
        {"date": "2026-03-31", "period": "Q1", "freeCashFlow": 1, "netDividendsPaid": -1},
        {"date": "2024-12-31", "period": "FY", "freeCashFlow": 9, "netDividendsPaid": -1},
        {"date": "2025-12-31", "period": "FY", "freeCashFlow": 300, "netDividendsPaid": 0, "commonDividendsPaid": -120}]"#);
    assert_eq!(text(profile::read_cover(&answer).unwrap()), Some("2.5".to_owned()));
    let no_dividends = ok(r#"[{"date": "2025-12-31", "period": "FY", "freeCashFlow": 300, "netDividendsPaid": 0}]"#);
    assert_eq!(profile::read_cover(&no_dividends), Ok(None));
}

const OLD_ROWS: &str = r#"[
    {"symbol": "OLD", "date": "2025-11-10", "recordDate": "2025-11-10", "paymentDate": "2025-11-13", "declarationDate": "2025-10-30",
     "adjDividend": 0.26, "dividend": 0.26, "yield": 0.38, "frequency": "Quarterly"},
    {"symbol": "OLD", "date": "2025-11-10", "recordDate": "", "paymentDate": "", "declarationDate": "",
     "adjDividend": 0.26, "dividend": 0.26, "yield": 0.38, "frequency": "Quarterly"},
    {"symbol": "OLD", "date": "2025-05-10", "paymentDate": "2025-05-20", "adjDividend": 1, "dividend": 1, "frequency": "Special"},
    {"symbol": "OLD", "date": "1990-02-16", "recordDate": "", "paymentDate": "", "declarationDate": "",
     "adjDividend": 0.0025, "dividend": null, "yield": 0.1, "frequency": "Quarterly"}]"#;

#[test]
fn old_rows_without_dates_are_read_and_repeated_rows_count_once() {
    let rows = dividends::read(&ok(OLD_ROWS)).unwrap();
    assert_eq!(rows.iter().map(|row| row.is_adjusted).collect::<Vec<_>>(), [true, false, false]);
    // 0.0025 × 7 × 4 = 0.07 was paid before splits of 7:1 and 4:1.
    let split = |year, new: u32| Split { date: date(year, 6, 1), ratio: ledger::Ratio { new: new.into(), old: Decimal::ONE } };
    let paid = dividends::as_paid(rows, Some(&[split(2014, 7), split(2020, 4)]));
    let figures: Vec<_> = paid.iter().map(|one| (one.ex_date, one.amount.to_string(), one.pay_date, one.special)).collect();
    assert_eq!(figures[0], (date(1990, 2, 16), "0.07".to_owned(), None, None));
    assert_eq!(figures[1], (date(2025, 5, 10), "1".to_owned(), Some(date(2025, 5, 20)), Some(true)));
    assert_eq!(figures[2], (date(2025, 11, 10), "0.26".to_owned(), Some(date(2025, 11, 13)), None));
    assert_eq!((paid[2].declared_date, paid[2].unit), (Some(date(2025, 10, 30)), DividendUnit::AsQuoted));
    let without_splits = dividends::as_paid(dividends::read(&ok(OLD_ROWS)).unwrap(), None);
    assert_eq!(without_splits.len(), 2, "what the old amount was cannot be told");
}

#[test]
fn rows_without_an_amount_are_left_out_and_malformed_ones_are_named() {
    let nothing =
        r#"[{"symbol": "A", "date": "2026-01-02", "dividend": 0, "adjDividend": 0}, {"symbol": "A", "date": "2026-01-02"}]"#;
    assert!(dividends::read(&ok(nothing)).unwrap().is_empty());
    let fault = |bad: &str| dividends::read(&ok(bad)).unwrap_err();
    assert_eq!(fault(r#"[{"symbol": "A", "date": "", "dividend": 1}]"#), Fault::missing("dividends.date", "A"));
    let negative = r#"[{"symbol": "A", "date": "2026-01-02", "dividend": -1}]"#;
    assert_eq!(fault(negative), Fault::invalid("dividend", -1, "A 2026-01-02"));
    let soon = fault(r#"[{"symbol": "A", "date": "2026-01-02", "dividend": "soon"}]"#);
    assert!(matches!(&soon, Fault::Malformed(Detail::Unparsable { cause, .. }) if cause.contains("soon")), "{soon}");
}

#[test]
fn a_spin_off_is_not_taken_for_a_split() {
    let answer = ok(r#"[
        {"date": "2021-11-04", "numerator": 1046, "denominator": 1000, "splitType": "stock-split"},
        {"date": "2020-08-31", "numerator": 4, "denominator": 1, "splitType": "stock-split"},
        {"date": "2019-04-02", "numerator": 3, "denominator": 2, "splitType": "spin-off"},
        {"date": "2014-06-09", "numerator": 1, "denominator": 10, "splitType": "stock-split"}]"#);
    let (listed, splits) = splits::read(&answer).unwrap();
    let texts: Vec<_> = splits.iter().map(|split| format!("{} {}", split.date, split.ratio)).collect();
    assert_eq!((listed, texts), (4, vec!["2014-06-09 1:10".to_owned(), "2020-08-31 4:1".to_owned()]));
    assert!(matches!(splits::read(&ok(r#"[{"date": "2020-08-31", "numerator": 4}]"#)), Err(Fault::Malformed(_))));
}

#[test]
fn two_searches_are_merged_even_if_one_fails() {
    let found = |text: &str| search::read(&ok(text));
    let by_symbol = found(r#"[{"symbol": "AB", "name": "Abacus", "currency": "USD"}, {"symbol": "AB.L", "currency": "GBp"}]"#);
    let by_name = found(r#"[{"symbol": "AB.L", "name": "Abacus"}, {"symbol": "ABX", "exchange": "NYSE"}]"#);
    let merged = search::merge(by_symbol.clone(), by_name).unwrap();
    assert_eq!(merged.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["AB", "AB.L", "ABX"]);
    assert_eq!(merged[1].unit.as_deref(), Some("GBp"));
    assert_eq!(search::merge(by_symbol, Err(Fault::TimedOut)).unwrap().len(), 2);
    assert_eq!(search::merge(Err(Fault::TimedOut), Err(Fault::Unknown)), Err(Fault::TimedOut));
}

#[test]
fn every_recorded_answer_is_parsed() {
    let Some(folder) = samples("provider-samples/fmp") else { return };
    let read = |name: &str| ok(&std::fs::read_to_string(folder.join(name)).unwrap());
    for name in ["quote.json", "stock_quote.json"] {
        assert!(prices::read_quote(&read(name), "AAPL", unit("USD"), NOW).unwrap().price > Decimal::ONE_HUNDRED);
    }
    for name in ["profile.json", "company_profile.json", "exchange_variants.json"] {
        let profile = profile::read(&read(name)).unwrap();
        assert_eq!((profile.unit, profile.isin.as_deref()), (Some(unit("USD")), Some("US0378331005")));
        assert!(profile.low52 < profile.high52);
    }
    assert_eq!(text(profile::read_ratios(&read("ratios_ttm.json")).unwrap().0), Some("32.0465676266164".to_owned()));
    // 98767 ÷ 15421 = 6.404708
    assert_eq!(text(profile::read_cover(&read("cash_flow.json")).unwrap()), Some("6.404708".to_owned()));
    assert_eq!(dividends::read(&read("dividends.json")).unwrap().len(), 2);
    assert_eq!(splits::read(&read("stock_split.json")).unwrap().1.len(), 2);
    assert_eq!(prices::read_closes(&read("forex_chart_light.json"), unit("USD")).unwrap().len(), 5);
    for (name, hits) in [("search_symbol.json", 2), ("search_name.json", 2), ("search_isin.json", 5)] {
        assert_eq!(search::read(&read(name)).unwrap().len(), hits, "{name}");
    }
}
