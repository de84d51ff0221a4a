use ledger::Currency;
use market::yahoo::chart::{Chart, parse, parse_quote};
use market::{Detail, DividendUnit, Fault};

use super::not_found;
use crate::{day, figure, ok, response};

fn chart_of(meta: &str, rest: &str) -> Result<Chart, Fault> {
    let body = format!(r#"{{"chart":{{"result":[{{"meta":{{"symbol":"MILL",{meta}}}{rest}}}],"error":null}}}}"#);
    parse(&ok(&body), day("2021-01-01"))
}

const SYDNEY: &str = r#""currency":"AUD","exchangeTimezoneName":"Australia/Sydney","gmtoffset":39600"#;
const LONDON: &str = r#""currency":"GBp","exchangeTimezoneName":"Europe/London""#;

fn closes(meta: &str, times: &str, closes: &str) -> Vec<(String, String)> {
    let rest =
        format!(r#","timestamp":{times},"indicators":{{"quote":[{{"close":{closes}}}],"adjclose":[{{"adjclose":[1,1,1]}}]}}"#);
    let rows = chart_of(meta, &rest).unwrap().closes;
    rows.into_iter().map(|(date, close)| (date.to_string(), close.to_string())).collect()
}

fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(date, close)| ((*date).to_owned(), (*close).to_owned())).collect()
}

#[test]
fn dates_are_in_the_time_zone_of_the_exchange() {
    // 2021-10-12T23:00Z is 10 a.m. on the 13th in Sydney.
    let rest = r#","timestamp":[1634079600],"indicators":{"quote":[{"close":[44.7]}]},"events":{
        "dividends":{"1634079600":{"amount":0.26,"date":1634079600}},
        "splits":{"1634079600":{"date":1634079600,"numerator":2,"denominator":1}}}"#;
    let chart = chart_of(SYDNEY, rest).unwrap();
    let dates = (chart.closes[0].0, chart.dividends[0].ex_date, chart.splits[0].date);
    assert_eq!(dates, (day("2021-10-13"), day("2021-10-13"), day("2021-10-13")));
    let unnamed = r#""currency":"AUD","exchangeTimezoneName":"Mars/Base","gmtoffset":39600"#;
    assert_eq!(chart_of(unnamed, rest).unwrap().closes[0].0, day("2021-10-13"), "by the offset for want of the zone");
    assert!(matches!(chart_of(r#""currency":"AUD""#, rest), Err(Fault::Malformed(_))));
}

#[test]
fn closes_are_in_whole_units_and_not_adjusted_for_dividends() {
    // Three mornings in London, the second without a trade.
    let found = closes(LONDON, "[1634022000,1634108400,1634194800]", "[1259.5,null,408.2099914550781]");
    assert_eq!(found, rows(&[("2021-10-12", "12.595"), ("2021-10-14", "4.0821")]));
}

#[test]
fn closes_without_a_time_are_left_out() {
    assert_eq!(closes(LONDON, "[1634022000,1634108400]", "[100]"), rows(&[("2021-10-12", "1")]));
    assert_eq!(closes(LONDON, "[1634022000]", "[100,200]"), rows(&[("2021-10-12", "1")]));
    assert_eq!(closes(LONDON, "null", "[100]"), rows(&[]));
    let bare = r#","indicators":{"quote":[{"close":[75.0875015258789]}]}"#;
    assert_eq!(chart_of(LONDON, bare).unwrap(), Chart::default(), "no times at all");
    let empty = r#","timestamp":[1634022000],"indicators":{"quote":[{}]}"#;
    assert_eq!(chart_of(LONDON, empty).unwrap().closes, Vec::new());
}

#[test]
fn a_day_has_one_close_and_none_while_the_exchange_is_open() {
    let twice = closes(LONDON, "[1634022000,1634025600]", "[100,101]");
    assert_eq!(twice, rows(&[("2021-10-12", "1.01")]));
    // The exchange is open from 08:00 to 16:30 on the 12th, and the last trade was at 09:00.
    let periods = r#""currentTradingPeriod":{"regular":{"start":1634022000,"end":1634052600}}"#;
    let open = format!(r#"{LONDON},"regularMarketTime":1634025600,{periods}"#);
    assert_eq!(closes(&open, "[1633935600,1634025600]", "[100,101]"), rows(&[("2021-10-11", "1")]));
    let shut = format!(r#"{LONDON},"regularMarketTime":1634052600,{periods}"#);
    assert_eq!(closes(&shut, "[1633935600,1634052600]", "[100,101]").len(), 2);
}

#[test]
fn a_dividend_may_name_another_currency_than_the_price() {
    let events = r#","timestamp":[1634022000],"indicators":{"quote":[{"close":[1250]}]},"events":{"dividends":{
        "1":{"amount":0.24,"date":1634108400,"currency":"USD"},"2":{"amount":18.5,"date":1636700400,"currency":"GBp"}}}"#;
    let dividends = chart_of(LONDON, events).unwrap().dividends;
    let whole = |code: &str| DividendUnit::Whole(Currency::parse(code).unwrap());
    assert_eq!((dividends[0].amount, dividends[0].unit), (figure("0.24"), whole("USD")));
    assert_eq!((dividends[1].amount, dividends[1].unit), (figure("0.185"), whole("GBP")));
    let in_pounds = chart_of(LONDON, &events.replace(r#""currency":"GBp""#, r#""currency":"GBP""#)).unwrap().dividends;
    assert_eq!(in_pounds[1].amount, figure("0.185"), "which unit of the same currency it is, the price tells better");
    // 0.15p is small beside 0.7p, and a hundred times it is close to 15 dollars only by accident.
    let small = events.replace("18.5", r#"0.15,"date":1636700400},"3":{"amount":0.7"#).replace("0.24", "15");
    assert_eq!(chart_of(LONDON, &small).unwrap().dividends[1].amount, figure("0.0015"));
    let fault = chart_of(LONDON, &events.replace("USD", "XYZ")).unwrap_err();
    assert!(matches!(&fault, Fault::Malformed(Detail::Invalid { value, .. }) if value == "XYZ"), "{fault}");
}

#[test]
fn closes_before_the_requested_day_are_left_out() {
    // 2020-12-31 and 2021-01-04.
    assert_eq!(closes(LONDON, "[1609401600,1609747200]", "[100,101]"), rows(&[("2021-01-04", "1.01")]));
}

#[test]
fn a_split_is_read_from_its_terms_or_else_from_its_text() {
    let splits = |event: &str| chart_of(SYDNEY, &format!(r#","events":{{"splits":{{"1":{event}}}}}"#)).map(|chart| chart.splits);
    let ratio = |event: &str| splits(event).unwrap()[0].ratio.to_string();
    assert_eq!(ratio(r#"{"date":1634079600,"numerator":4.0,"denominator":1.0,"splitRatio":"9:9"}"#), "4:1");
    assert_eq!(ratio(r#"{"date":1634079600,"splitRatio":"1:15"}"#), "1:15");
    assert_eq!(ratio(r#"{"date":1634079600,"numerator":0,"denominator":1,"splitRatio":"3/2"}"#), "3:2");
    assert_eq!(splits(r#"{"date":1634079600}"#), Err(Fault::missing("splitRatio", "2021-10-13")));
}

#[test]
fn an_unknown_symbol_differs_from_a_period_without_trades() {
    assert_eq!(parse(&not_found("chart"), day("2021-01-01")), Err(Fault::Unknown));
    let early = r#"{"chart":{"result":null,"error":{"code":"Bad Request",
        "description":"Data doesn't exist for startDate = 1, endDate = 2"}}}"#;
    assert_eq!(parse(&response(400, early), day("2021-01-01")), Ok(Chart::default()));
    assert!(matches!(parse(&ok("<html>"), day("2021-01-01")), Err(Fault::Malformed(_))));
    let nothing = chart_of(r#""currency":null,"exchangeTimezoneName":"Europe/London""#, "");
    assert_eq!(nothing, Ok(Chart::default()), "no figures need no currency");
    let figures = r#","timestamp":[1634022000],"indicators":{"quote":[{"close":[1]}]}"#;
    assert!(matches!(chart_of(r#""currency":null,"gmtoffset":0"#, figures), Err(Fault::Malformed(_))));
}

#[test]
fn the_metadata_of_a_chart_is_a_quote() {
    let body = r#"{"chart":{"result":[{"meta":{"symbol":"MILL.L","currency":"GBp","regularMarketPrice":305.3,
        "regularMarketTime":1634025600}}],"error":null}}"#;
    let quote = parse_quote(&ok(body), "MILL.L").unwrap();
    assert_eq!((quote.price, quote.unit.name(), quote.as_of.as_second()), (figure("3.053"), "GBp", 1_634_025_600));
    let unpriced = body.replace("305.3", "null");
    assert_eq!(parse_quote(&ok(&unpriced), "MILL.L"), Err(Fault::Unknown));
    assert_eq!(parse_quote(&not_found("chart"), "GONE"), Err(Fault::Unknown));
}
