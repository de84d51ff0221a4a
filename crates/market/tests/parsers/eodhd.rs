use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::date;
use ledger::{Currency, Decimal};
use market::eodhd::{history, in_path, listing, notice};
use market::{DividendUnit, Fault, Split};

use crate::{ok, response, unit};

fn now() -> Timestamp {
    "2026-02-05T18:00:00Z".parse().unwrap()
}

#[test]
fn a_london_quote_is_in_pence_and_read_in_pounds() {
    let answer =
        ok(r#"{"code": "ABC.LSE", "timestamp": 1729888080, "gmtoffset": 0, "close": 512.4, "volume": null, "change_p": "NA"}"#);
    let quote = listing::read_quote(&answer, "ABC.L", unit("GBX"), now()).unwrap();
    assert_eq!(
        (quote.symbol.as_str(), quote.price.to_string().as_str(), quote.as_of.as_second()),
        ("ABC.L", "5.124", 1_729_888_080)
    );
}

#[test]
fn a_quote_of_na_is_an_unknown_symbol() {
    let answer = ok(r#"{"code": "NONE.US", "timestamp": "NA", "close": "NA"}"#);
    assert_eq!(listing::read_quote(&answer, "NONE", unit("USD"), now()), Err(Fault::Unknown));
    let undated = ok(r#"{"code": "A.US", "timestamp": "NA", "close": 1}"#);
    assert_eq!(listing::read_quote(&undated, "A", unit("USD"), now()).unwrap().as_of, now());
    for bad in [r#"{"error": "oops"}"#, "<html>", r#"{"code": "A.US", "close": 1, "timestamp": 99999999999999}"#] {
        assert!(matches!(listing::read_quote(&ok(bad), "A", unit("USD"), now()), Err(Fault::Malformed(_))), "{bad}");
    }
}

fn listing(exchange: &str, currency: &str) -> listing::Listing {
    let text = format!(
        r#"[{{"Code": "AB", "Exchange": "{exchange}", "Name": "Abacus", "Type": "Common Stock", "Country": "Germany",
            "Currency": "{currency}", "ISIN": "US0000000001", "previousClose": 1}}]"#
    );
    listing::read(&ok(&text)).unwrap().remove(0)
}

#[test]
fn a_unit_that_may_be_pence_or_pounds_is_unknown() {
    for (exchange, currency) in [("LSE", "GBP"), ("JSE", "ZAR"), ("TA", "ILS"), ("GBOND", "Unknown")] {
        assert_eq!(listing(exchange, currency).unit(), None, "{currency} in {exchange}");
    }
    for (exchange, currency, expected) in
        [("LSE", "GBX", "GBp"), ("LSE", "USD", "USD"), ("XETRA", "EUR", "EUR"), ("JSE", "ZAC", "ZAc")]
    {
        assert_eq!(listing(exchange, currency).unit(), Some(unit(expected)));
    }
}

#[test]
fn the_country_comes_from_the_isin_and_not_the_exchange() {
    let profile = listing("XETRA", "EUR").profile();
    assert_eq!((profile.country.as_deref(), profile.name.as_deref()), (Some("US"), Some("Abacus")));
    assert_eq!((profile.kind.as_deref(), profile.instrument_type.as_deref()), (Some("EQUITY"), Some("equity")));
    let nameless = listing::read(&ok(r#"[{"Code": "AB", "Exchange": "F", "Country": "Germany", "ISIN": null}]"#)).unwrap();
    assert_eq!(nameless.into_iter().next().unwrap().profile().country, None);
}

#[test]
fn a_search_result_has_our_symbol_or_is_left_out() {
    let hit = listing("XETRA", "EUR").into_match().unwrap();
    assert_eq!((hit.symbol.as_str(), hit.unit.as_deref(), hit.isin.as_deref()), ("AB.DE", Some("EUR"), Some("US0000000001")));
    assert_eq!(listing("US", "USD").into_match().unwrap().symbol, "AB");
    assert_eq!(listing("FOREX", "USD").into_match(), None);
}

#[test]
fn dividends_are_unadjusted_and_in_their_own_currency() {
    let answer = ok(r#"[
        {"date": "2012-08-09", "declarationDate": "2012-07-24", "recordDate": "2012-08-13", "paymentDate": "2012-08-16",
         "period": "Quarterly", "value": 0.0946, "unadjustedValue": 2.6488, "currency": "USD"},
        {"date": "2026-01-08", "declarationDate": null, "paymentDate": "", "period": "Special", "value": 12.5, "unadjustedValue": 12.5,
         "currency": "GBX"},
        {"date": "2013-01-08", "value": 0.25, "currency": null},
        {"date": "2013-02-08", "value": 0, "currency": "USD"}]"#);
    let rows = history::read_dividends(&answer).unwrap();
    assert_eq!(rows.iter().map(|row| row.is_adjusted).collect::<Vec<_>>(), [false, true, false]);
    // 0.25 × 4 = 1 was paid before a split of 4:1.
    let split = Split { date: date(2020, 8, 31), ratio: ledger::Ratio { new: 4.into(), old: Decimal::ONE } };
    let paid = history::as_paid(rows, Some(&[split]));
    let whole = |code| DividendUnit::Whole(Currency::parse(code).unwrap());
    let figures: Vec<_> = paid.iter().map(|one| (one.amount.to_string(), one.unit, one.pay_date, one.special)).collect();
    assert_eq!(figures[0], ("2.6488".to_owned(), whole("USD"), Some(date(2012, 8, 16)), None));
    assert_eq!(figures[1], ("1".to_owned(), DividendUnit::AsQuoted, None, None));
    assert_eq!(figures[2], ("0.125".to_owned(), whole("GBP"), None, Some(true)));
    assert_eq!(history::as_paid(history::read_dividends(&answer).unwrap(), None).len(), 2);
    for bad in [
        r#"[{"date": "", "value": 1, "currency": "USD"}]"#,
        r#"[{"date": "2026-01-08", "value": -1, "currency": "USD"}]"#,
        r#"[{"date": "2026-01-08", "value": 1, "currency": "Doubloons"}]"#,
    ] {
        assert!(matches!(history::read_dividends(&ok(bad)), Err(Fault::Malformed(_))), "{bad}");
    }
}

#[test]
fn splits_are_read_and_spin_offs_left_out() {
    let answer =
        ok(r#"[{"date": "2014-06-09", "split": "7.000000/1.000000"}, {"date": "2021-11-04", "split": "1046.000000/1000.000000"},
        {"date": "2000-06-21", "split": "1.000000/10.000000"}]"#);
    let splits = history::read_splits(&answer).unwrap();
    let texts: Vec<_> = splits.iter().map(|split| format!("{} {}", split.date, split.ratio)).collect();
    assert_eq!(texts, ["2000-06-21 1:10", "2014-06-09 7:1"]);
    let fault = history::read_splits(&ok(r#"[{"date": "2014-06-09", "split": "7-1"}]"#)).unwrap_err();
    assert_eq!(fault, Fault::invalid("split", "7-1", "2014-06-09"));
}

#[test]
fn closes_are_adjusted_for_splits_and_not_for_dividends() {
    let answer = ok(
        r#"[{"date": "2020-09-01", "close": 130, "adjusted_close": 127}, {"date": "2020-08-28", "close": 500, "adjusted_close": 121},
        {"date": "2020-08-27", "close": 0}]"#,
    );
    let split = Split { date: date(2020, 8, 31), ratio: ledger::Ratio { new: 4.into(), old: Decimal::ONE } };
    let closes = history::adjusted(history::read_closes(&answer).unwrap(), unit("USD"), &[split]).unwrap();
    // 500 ÷ 4 = 125
    assert_eq!(closes, [(date(2020, 8, 28), Decimal::from(125)), (date(2020, 9, 1), Decimal::from(130))]);
    for bad in [r#"[{"date": "2020-09-01"}]"#, r#"[{"close": 1}]"#, r#"[{"date": "2020-09-01", "close": -1}]"#] {
        assert!(matches!(history::read_closes(&ok(bad)), Err(Fault::Malformed(_))), "{bad}");
    }
}

#[test]
fn error_answers_become_the_right_fault() {
    let complaint = |status, text: &str| notice::complaint(&response(status, text), now());
    assert_eq!(complaint(402, "<html>quota</html>"), Some(Fault::Throttled(Some(Duration::from_secs(6 * 3600)))));
    assert!(matches!(complaint(401, "Unauthenticated"), Some(Fault::Denied(_))));
    assert!(matches!(complaint(200, "Unauthenticated\n"), Some(Fault::Denied(_))));
    assert!(matches!(complaint(403, r#"{"error": "Invalid key", "code": 403}"#), Some(Fault::Denied(_))));
    assert!(matches!(complaint(403, "Only EOD data allowed for free users."), Some(Fault::Unsupported(_))));
    assert_eq!(complaint(200, "[]"), None);
    assert_eq!(history::read_splits(&response(404, "Ticker Not Found.")).unwrap_err(), Fault::Unknown);
    assert!(matches!(history::read_splits(&ok("<!doctype html><p>Be right back")), Err(Fault::Malformed(_))));
}

#[test]
fn a_text_is_escaped_as_one_path_segment() {
    assert_eq!(in_path("A/B C?"), "A%2FB%20C%3F");
    assert_eq!(in_path("BRK-B.US"), "BRK-B.US");
}
