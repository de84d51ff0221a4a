use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::date;
use market::alphavantage::{history, listing, notice, overview};
use market::{Detail, Fault, NextDividend};

use crate::{ok, samples, text, unit};

fn now() -> Timestamp {
    "2026-02-05T18:00:00Z".parse().unwrap()
}

#[test]
fn a_london_quote_is_in_pence_and_read_in_pounds() {
    let answer =
        ok(r#"{"Global Quote": {"01. symbol": "ABC.LON", "05. price": "512.4000", "07. latest trading day": "2026-02-03"}}"#);
    let quote = listing::read_quote(&answer, "ABC.L", unit("GBX"), now()).unwrap();
    assert_eq!((quote.symbol.as_str(), quote.price.to_string().as_str(), quote.unit.name()), ("ABC.L", "5.124", "GBp"));
    assert_eq!(quote.as_of.to_string(), "2026-02-04T00:00:00Z", "the end of the day that it names");
    let today = ok(r#"{"Global Quote": {"05. price": "1", "07. latest trading day": "2026-02-05"}}"#);
    assert_eq!(listing::read_quote(&today, "ABC.L", unit("GBX"), now()).unwrap().as_of, now(), "never in the future");
}

#[test]
fn an_empty_quote_is_an_unknown_symbol() {
    for nothing in [r#"{"Global Quote": {}}"#, "{}", " { }\n"] {
        assert_eq!(listing::read_quote(&ok(nothing), "A", unit("USD"), now()), Err(Fault::Unknown), "{nothing}");
    }
    assert!(matches!(listing::read_quote(&ok("[]"), "A", unit("USD"), now()), Err(Fault::Malformed(_))));
}

const MATCHES: &str = r#"{"bestMatches": [
    {"1. symbol": "AB", "2. name": "Abacus Inc", "3. type": "Equity", "4. region": "United States", "8. currency": "USD"},
    {"1. symbol": "AB.LON", "2. name": "Abacus plc", "3. type": "Equity", "4. region": "United Kingdom", "8. currency": "GBX"},
    {"1. symbol": "AB69.LON", "2. name": "null", "3. type": "Mutual Fund", "4. region": "United Kingdom", "8. currency": "GBP"},
    {"1. symbol": "AB.XYZ", "2. name": "Nowhere", "3. type": "ETF", "4. region": "Nowhere", "8. currency": "EUR"}]}"#;

#[test]
fn search_returns_only_listings_we_have_a_symbol_for() {
    let found = listing::read_search(&ok(MATCHES)).unwrap();
    assert_eq!(found.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["AB", "AB.L", "AB69.L"]);
    assert_eq!((found[2].name.as_deref(), found[2].kind.as_deref()), (None, Some("MUTUALFUND")));
}

#[test]
fn the_unit_is_that_of_the_exact_symbol() {
    let read = |symbol| listing::read_listed(&ok(MATCHES), symbol);
    assert_eq!(read("AB.LON").unwrap().unit, Some(unit("GBp")));
    assert_eq!(read("AB69.LON").unwrap().unit, Some(unit("GBP")));
    assert_eq!(read("A.LON").unwrap_err(), Fault::Unknown);
    let odd = ok(&MATCHES.replace("GBX", "Shells"));
    assert_eq!(listing::read_listed(&odd, "AB.LON").unwrap().unit, None, "no figure is read in a unit that we do not know");
}

const OVERVIEW: &str = r#"{"Symbol": "AB", "AssetType": "Common Stock", "Name": "Abacus", "Exchange": "NYSE", "Currency": "USD",
    "Country": "USA", "Sector": "REAL ESTATE", "Industry": "REIT - RETAIL", "PERatio": "None", "PayoutRatio": "-",
    "DividendPerShare": "6.7", "52WeekHigh": "324.9", "52WeekLow": "-", "50DayMovingAverage": "297.6",
    "200DayMovingAverage": "None", "DividendDate": "2026-03-10", "ExDividendDate": "2026-02-10"}"#;

#[test]
fn an_overview_is_read_and_its_placeholders_are_missing_values() {
    let overview = overview::read(&ok(OVERVIEW)).unwrap();
    let profile = overview.profile(overview.unit(), date(2026, 2, 10));
    assert_eq!((profile.pe, profile.payout_ratio, profile.low52, profile.ma200), (None, None, None, None));
    assert_eq!((text(profile.high52), text(profile.ma50)), (Some("324.9".to_owned()), Some("297.6".to_owned())));
    assert_eq!((profile.sector.as_deref(), profile.industry.as_deref()), (Some("Real Estate"), Some("Reit - Retail")));
    assert_eq!((profile.country.as_deref(), profile.kind.as_deref()), (Some("US"), Some("EQUITY")));
    assert_eq!(text(profile.forward_rate), Some("6.7".to_owned()));
    assert_eq!(profile.next, Some(NextDividend { ex_date: date(2026, 2, 10), pay_date: Some(date(2026, 3, 10)) }));
    assert_eq!(overview.profile(None, date(2026, 2, 11)).next, None, "a day that has passed is not the next");
}

#[test]
fn prices_in_pence_are_divided_and_the_dividend_rate_is_ignored() {
    let profile = overview::read(&ok(OVERVIEW)).unwrap().profile(Some(unit("GBp")), date(2026, 2, 10));
    assert_eq!((text(profile.high52), profile.forward_rate), (Some("3.249".to_owned()), None));
    let unknown = overview::read(&ok(OVERVIEW)).unwrap().profile(None, date(2026, 2, 10));
    assert_eq!((unknown.high52, unknown.forward_rate), (None, None));
}

#[test]
fn a_zero_or_empty_dividend_rate_is_missing() {
    for nothing in ["0", "None", "-"] {
        let overview = overview::read(&ok(&OVERVIEW.replace("\"6.7\"", &format!("\"{nothing}\"")))).unwrap();
        assert_eq!(
            (overview.pays(), overview.profile(Some(unit("USD")), date(2026, 1, 1)).forward_rate),
            (false, None),
            "{nothing}"
        );
    }
}

#[test]
fn cash_cover_is_taken_from_the_last_full_year() {
    // (500 − 200) ÷ 120 = 2.5
    let answer = ok(r#"{"annualReports": [
        {"fiscalDateEnding": "2024-12-31", "operatingCashflow": "9", "capitalExpenditures": "1", "dividendPayout": "1"},
        {"fiscalDateEnding": "2025-12-31", "operatingCashflow": "500", "capitalExpenditures": "200", "dividendPayout": "120"}]}"#);
    assert_eq!(text(overview::read_cover(&answer).unwrap()), Some("2.5".to_owned()));
    let none =
        ok(r#"{"annualReports": [{"fiscalDateEnding": "2025-12-31", "operatingCashflow": "500", "capitalExpenditures": "200",
        "dividendPayout": "None"}]}"#);
    assert_eq!(overview::read_cover(&none), Ok(None));
}

#[test]
fn dividends_come_oldest_first_with_the_dates_there_are() {
    let answer = ok(r#"{"symbol": "AB", "data": [
        {"ex_dividend_date": "2026-02-10", "declaration_date": "2026-01-28", "record_date": "2026-02-10", "payment_date": "2026-03-10", "amount": "1.68"},
        {"ex_dividend_date": "2026-05-10", "declaration_date": "None", "record_date": "None", "payment_date": "None", "amount": "None"},
        {"ex_dividend_date": "1995-02-06", "declaration_date": "None", "record_date": "None", "payment_date": "None", "amount": "0.25"}]}"#);
    let dividends = history::read_dividends(&answer).unwrap();
    let rows: Vec<_> = dividends.iter().map(|one| (one.ex_date, one.pay_date, one.amount.to_string())).collect();
    assert_eq!(rows[0], (date(1995, 2, 6), None, "0.25".to_owned()));
    assert_eq!(rows[1], (date(2026, 2, 10), Some(date(2026, 3, 10)), "1.68".to_owned()));
    assert_eq!(rows.len(), 2, "an amount that is not known yet is left out");
    for bad in [
        r#"{"data": [{"ex_dividend_date": "None", "amount": "1"}]}"#,
        r#"{"data": [{"ex_dividend_date": "2026-02-10", "amount": "-1"}]}"#,
    ] {
        assert!(matches!(history::read_dividends(&ok(bad)), Err(Fault::Malformed(_))), "{bad}");
    }
}

#[test]
fn a_spin_off_is_not_taken_for_a_split() {
    let answer = ok(r#"{"symbol": "AB", "data": [{"effective_date": "2021-11-04", "split_factor": "1.0460"},
        {"effective_date": "1999-05-27", "split_factor": "2.0000"}]}"#);
    let (listed, splits) = history::read_splits(&answer).unwrap();
    assert_eq!((listed, splits.len(), splits[0].ratio.to_string().as_str()), (2, 1, "2:1"));
}

#[test]
fn error_answers_become_the_right_fault() {
    let complaint = |text: &str| notice::complaint(text, now());
    let until_midnight = Some(Duration::from_secs(6 * 3600));
    for (text, expected) in [
        ("We have detected your API key as X1 and our standard API rate limit is 25 requests per day.", until_midnight),
        ("Our standard API call frequency is 5 calls per minute and 500 calls per day.", None),
        (
            "Please consider spreading out your free API requests more sparingly (1 request per second), limit 25 requests per day",
            None,
        ),
        ("You have met your rate limit", None),
    ] {
        assert_eq!(complaint(text), Fault::Throttled(expected), "{text}");
    }
    assert_eq!(complaint("Invalid API call. Please retry or visit the documentation for SPLITS."), Fault::Unknown);
    assert!(matches!(complaint("the parameter apikey is invalid or missing. Please claim your free API key"), Fault::Denied(_)));
    assert!(matches!(complaint("This is a premium endpoint. You may subscribe to any plan"), Fault::Unsupported(_)));
    assert_eq!(complaint("Something new"), Fault::Malformed(Detail::Quoted("Something new".to_owned())));
    for key in ["Information", "Note", "Error Message"] {
        let answer = ok(&format!(r#"{{"{key}": "Invalid API call."}}"#));
        assert_eq!(history::read_dividends(&answer), Err(Fault::Unknown), "{key}");
    }
}

#[test]
fn every_recorded_answer_is_parsed() {
    let Some(folder) = samples("provider-samples/alphavantage") else { return };
    let read = |name: &str| ok(&std::fs::read_to_string(folder.join(name)).unwrap());
    let overview = overview::read(&read("company_overview_IBM.json")).unwrap();
    let profile = overview.profile(overview.unit(), date(2025, 11, 1));
    assert_eq!((text(profile.pe), profile.payout_ratio), (Some("37.31".to_owned()), None));
    assert_eq!(profile.next, Some(NextDividend { ex_date: date(2025, 11, 10), pay_date: Some(date(2025, 12, 10)) }));
    // (13445 − 1685) ÷ 6147 = 1.913128
    assert_eq!(text(overview::read_cover(&read("cash_flow_IBM.json")).unwrap()), Some("1.913128".to_owned()));
    assert_eq!(history::read_dividends(&read("dividends_IBM.json")).unwrap().len(), 6);
    assert_eq!(history::read_splits(&read("splits_IBM.json")).unwrap().1.len(), 1);
    assert_eq!(listing::read_search(&read("symbol_search_sample.json")).unwrap().len(), 10);
}
