//! Dividends from the events of a chart, compared with what was paid.

use market::DividendUnit;
use market::yahoo::chart;

use crate::{day, ok};

struct Book<'a> {
    unit: &'a str,
    /// Day and amount.
    dividends: &'a [(&'a str, &'a str)],
    gains: &'a [(&'a str, &'a str)],
    /// Day, new, old.
    splits: &'a [(&'a str, u32, u32)],
    closes: &'a [(&'a str, &'a str)],
}

const EMPTY: Book<'_> = Book { unit: "USD", dividends: &[], gains: &[], splits: &[], closes: &[] };

/// 9 a.m. in London.
fn opening(date: &str) -> i64 {
    let zone = jiff::tz::TimeZone::get("Europe/London").unwrap();
    day(date).at(9, 0, 0, 0).to_zoned(zone).unwrap().timestamp().as_second()
}

/// Day, amount, whether special.
fn paid(book: &Book<'_>) -> Vec<(String, String, Option<bool>)> {
    let amounts = |list: &[(&str, &str)]| {
        let event = |(at, (date, amount)): (usize, &(&str, &str))| {
            // The keys are those of the bars, not of the events.
            format!(r#""{at}":{{"amount":{amount},"date":{}}}"#, opening(date))
        };
        list.iter().enumerate().map(event).collect::<Vec<_>>().join(",")
    };
    let split = |(date, new, old): &(&str, u32, u32)| {
        format!(r#""{0}":{{"date":{0},"numerator":{new},"denominator":{old}}}"#, opening(date))
    };
    let splits: Vec<String> = book.splits.iter().map(split).collect();
    let times: Vec<String> = book.closes.iter().map(|(date, _)| opening(date).to_string()).collect();
    let closes: Vec<&str> = book.closes.iter().map(|(_, close)| *close).collect();
    let body = format!(
        r#"{{"chart":{{"result":[{{"meta":{{"symbol":"MILL","currency":"{}","exchangeTimezoneName":"Europe/London"}},
        "timestamp":[{}],"indicators":{{"quote":[{{"close":[{}]}}]}},
        "events":{{"dividends":{{{}}},"capitalGains":{{{}}},"splits":{{{}}}}}}}],"error":null}}}}"#,
        book.unit,
        times.join(","),
        closes.join(","),
        amounts(book.dividends),
        amounts(book.gains),
        splits.join(",")
    );
    let dividends = chart::parse(&ok(&body), day("2000-01-01")).unwrap().dividends;
    assert!(dividends.iter().all(|dividend| dividend.pay_date.is_none() && matches!(dividend.unit, DividendUnit::Whole(_))));
    dividends.iter().map(|one| (one.ex_date.to_string(), one.amount.to_string(), one.special)).collect()
}

fn amounts(book: &Book<'_>) -> Vec<String> {
    paid(book).into_iter().map(|(_, amount, _)| amount).collect()
}

#[test]
fn amounts_are_unadjusted_by_the_splits_after_them() {
    // 0.205 was 0.82 before a 4:1 split; the one after the split is unchanged.
    let dividends = [("2020-08-07", "0.205"), ("2020-11-06", "0.205")];
    assert_eq!(amounts(&Book { dividends: &dividends, splits: &[("2020-08-31", 4, 1)], ..EMPTY }), ["0.82", "0.205"]);
    // 2:1 and 3:1 later: six times. 1:10: a tenth.
    let twice = [("2010-01-05", 2, 1), ("2015-01-05", 3, 1)];
    assert_eq!(amounts(&Book { dividends: &[("2009-05-05", "0.1")], splits: &twice, ..EMPTY }), ["0.6"]);
    assert_eq!(amounts(&Book { dividends: &[("2009-05-05", "5")], splits: &[("2010-01-05", 1, 10)], ..EMPTY }), ["0.5"]);
}

#[test]
fn the_rounding_of_adjusted_amounts_is_undone() {
    // 2.65 / 28 is written 0.094643, and 28 times that is 2.650004.
    let splits = [("2014-06-09", 7, 1), ("2020-08-31", 4, 1)];
    assert_eq!(amounts(&Book { dividends: &[("2012-08-09", "0.094643")], splits: &splits, ..EMPTY }), ["2.65"]);
    // An amount with fewer decimals is exact: 7 x 0.13 is not 0.9.
    let one = [("2014-06-09", 7, 1)];
    assert_eq!(amounts(&Book { dividends: &[("2012-08-09", "0.13")], splits: &one, ..EMPTY }), ["0.91"]);
    let noise = [("2012-08-09", "0.30000000000000004")];
    assert_eq!(amounts(&Book { dividends: &noise, ..EMPTY }), ["0.3"]);
}

#[test]
fn the_adjustment_for_a_spin_off_is_undone() {
    // 0.8 / 1.046 is written 0.764818: a chart adjusts for spin-offs as for splits, and lists them as such.
    let dividends = [("2024-02-15", "0.764818"), ("2024-05-23", "0.4")];
    assert_eq!(amounts(&Book { dividends: &dividends, splits: &[("2024-04-01", 1046, 1000)], ..EMPTY }), ["0.8", "0.4"]);
}

#[test]
fn an_event_is_dated_by_its_date_and_not_its_key() {
    let found = paid(&Book { dividends: &[("2020-02-06", "0.2"), ("2020-05-06", "0.25")], ..EMPTY });
    let dates: Vec<&str> = found.iter().map(|(date, _, _)| date.as_str()).collect();
    assert_eq!(dates, ["2020-02-06", "2020-05-06"]);
    assert!(found.iter().all(|(_, _, special)| special.is_none()), "Yahoo does not tell special from regular");
}

const PENCE: [(&str, &str); 4] = [("2021-04-01", "500"), ("2021-10-01", "510"), ("2022-04-01", "520"), ("2022-10-03", "530")];

fn in_pence(dividends: &[(&str, &str)]) -> Vec<String> {
    amounts(&Book { unit: "GBp", dividends, closes: &PENCE, ..EMPTY })
}

#[test]
fn a_london_dividend_in_pence_becomes_pounds() {
    assert_eq!(in_pence(&[("2021-04-08", "18.5"), ("2021-10-14", "9.9")]), ["0.185", "0.099"]);
    let no_price = Book { unit: "GBp", dividends: &[("2021-04-08", "18.5")], ..EMPTY };
    assert_eq!(amounts(&no_price), ["0.185"]);
}

#[test]
fn a_london_dividend_that_is_in_pounds_already_stays_as_it_is() {
    // 0.1 among 9 to 10 pence: 0.02% of the price, and a hundred times it is similar to the others.
    let stray = [("2021-04-08", "9.5"), ("2021-10-14", "0.1"), ("2022-04-07", "10"), ("2022-10-13", "10.5")];
    assert_eq!(in_pence(&stray), ["0.095", "0.1", "0.1", "0.105"]);
    // All of them: 0.1 and 0.12 of 500 pence would be yields of 0.02%.
    assert_eq!(in_pence(&[("2021-04-08", "0.1"), ("2021-10-14", "0.12")]), ["0.1", "0.12"]);
}

#[test]
fn a_small_dividend_in_pence_is_not_taken_for_pounds() {
    // 0.15p of 510p is 0.03%, but a hundred times it, 15p, is unlike the others, which are near 0.6p.
    let small = [("2021-04-08", "0.6"), ("2021-10-14", "0.15"), ("2022-04-07", "0.7")];
    assert_eq!(in_pence(&small), ["0.006", "0.0015", "0.007"]);
}

#[test]
fn a_dividend_in_pence_with_a_price_in_pounds_is_detected() {
    let closes = [("2022-04-27", "24.15"), ("2022-08-03", "24.32")];
    let dividends = [("2022-04-28", "35.5"), ("2022-08-04", "0.157")];
    assert_eq!(amounts(&Book { unit: "GBP", dividends: &dividends, closes: &closes, ..EMPTY }), ["0.355", "0.157"]);
    let dollars = Book { unit: "USD", dividends: &dividends, closes: &closes, ..EMPTY };
    assert_eq!(amounts(&dollars), ["35.5", "0.157"], "a dollar has no such unit; a large dividend may be one");
}

#[test]
fn agorot_and_cents_are_distinguished_from_shekels_and_rand() {
    for (hundredths, whole) in [("ILA", "ILS"), ("ZAc", "ZAR")] {
        let stray = [("2021-04-08", "9.5"), ("2021-10-14", "0.1"), ("2022-04-07", "10")];
        let book = Book { unit: hundredths, dividends: &stray, closes: &PENCE, ..EMPTY };
        assert_eq!(amounts(&book), ["0.095", "0.1", "0.1"], "{hundredths}");
        let closes = [("2022-04-27", "24.15")];
        let book = Book { unit: whole, dividends: &[("2022-04-28", "35.5")], closes: &closes, ..EMPTY };
        assert_eq!(amounts(&book), ["0.355"], "{whole}");
    }
}

#[test]
fn a_dividend_booked_on_two_days_counts_once_on_the_later_day() {
    let twice = [("2022-01-18", "3.5"), ("2022-01-19", "3.5"), ("2022-06-27", "10.25")];
    let found = paid(&Book { dividends: &twice, ..EMPTY });
    let dates: Vec<&str> = found.iter().map(|(date, _, _)| date.as_str()).collect();
    assert_eq!(dates, ["2022-01-19", "2022-06-27"]);
    // The same amount every week, and two different amounts on two days, are separate dividends.
    let weekly = [("2022-01-18", "0.2"), ("2022-01-25", "0.2"), ("2022-01-26", "0.3")];
    assert_eq!(amounts(&Book { dividends: &weekly, ..EMPTY }).len(), 3);
}

#[test]
fn capital_gains_of_a_fund_are_special_dividends() {
    let found = paid(&Book { dividends: &[("2021-12-15", "0.15")], gains: &[("2021-12-15", "0.17")], ..EMPTY });
    let rows: Vec<_> = found.iter().map(|(_, amount, special)| (amount.as_str(), *special)).collect();
    assert_eq!(rows, [("0.15", None), ("0.17", Some(true))]);
}

#[test]
fn a_capital_gain_included_in_a_dividend_counts_once() {
    // 4.177 includes the gain of 4.014 and a usual 0.163.
    let dividends = [("2021-06-10", "0.142"), ("2021-09-10", "0.165"), ("2021-12-15", "4.177"), ("2022-03-10", "0.141")];
    assert_eq!(
        amounts(&Book { dividends: &dividends, gains: &[("2021-12-15", "4.014")], ..EMPTY }),
        ["0.142", "0.165", "0.163", "4.014", "0.141"]
    );
    // 0.37 beside a gain of 0.32 is a usual dividend of a good quarter.
    let usual = [("2021-06-10", "0.18"), ("2021-09-10", "0.18"), ("2021-12-15", "0.37")];
    assert_eq!(amounts(&Book { dividends: &usual, gains: &[("2021-12-15", "0.32")], ..EMPTY }), ["0.18", "0.18", "0.37", "0.32"]);
}

#[test]
fn an_amount_with_the_most_possible_decimals_is_read() {
    let tiny = "0.0000000000000000000000000001";
    let expected = [("2026-01-02".to_owned(), tiny.to_owned(), None)];
    assert_eq!(paid(&Book { dividends: &[("2026-01-02", tiny)], ..EMPTY }), expected);
    assert_eq!(paid(&Book { dividends: &[("2026-01-02", "1e-28")], splits: &[("2026-02-02", 3, 1)], ..EMPTY }).len(), 1);
}
