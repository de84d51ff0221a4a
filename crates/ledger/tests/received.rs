//! Dividends received, in one currency.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::received::{Receipt, Received, quarter, received};
use ledger::{Currency, Decimal, Fx, Overflow};

const TODAY: Date = date(2026, 11, 15);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn receipt(symbol: &str, day: Date, code: &str, gross: &str, net: &str) -> Receipt {
    let (symbol, portfolio) = (symbol.to_owned(), if symbol == "OAK" { "Grove" } else { "Meadow" }.to_owned());
    Receipt { symbol, portfolio, date: day, currency: currency(code), gross: d(gross), net: d(net), gross_known: true }
}

/// Two dollars a euro until the end of 2025, one and a quarter since.
fn rates() -> Fx {
    let usd = currency("USD");
    Fx::new([(usd, date(2024, 1, 2), d("2")), (usd, date(2026, 1, 2), d("1.25"))])
}

fn in_euros(receipts: &[Receipt]) -> Received {
    received(receipts, Currency::EUR, &rates(), TODAY).unwrap()
}

#[test]
fn each_dividend_is_taken_at_the_rate_of_its_pay_date() {
    // 10 USD gross and 8 net: 5 and 4 EUR at 2, 8 and 6.40 EUR at 1.25.
    let all = in_euros(&[
        receipt("ELM", date(2025, 3, 14), "USD", "10", "8"),
        receipt("ELM", date(2026, 3, 13), "USD", "10", "8"),
        receipt("OAK", date(2026, 3, 20), "EUR", "1.005", "1.005"),
    ]);
    let years: Vec<_> = all.years.iter().map(|year| (year.year, year.total.gross.amount, year.total.net.amount)).collect();
    assert_eq!(years, [(2025, d("5"), d("4")), (2026, d("9.005"), d("7.405"))]);
    assert_eq!(all.years[1].months[2].net.amount, d("7.405"));
    assert_eq!(all.years[1].months.iter().filter(|month| !month.net.amount.is_zero()).count(), 1);
    assert_eq!(all.by_stock[0].key, "ELM");
    assert_eq!(all.by_stock[0].total.net.amount, d("10.4"));
    assert_eq!(all.by_stock[0].years.len(), 2);
    assert_eq!((all.by_portfolio[1].key.as_str(), all.by_portfolio[1].total.gross.amount), ("Grove", d("1.005")));
}

#[test]
fn twelve_months_end_today_and_are_compared_with_the_twelve_before() {
    let all = in_euros(&[
        receipt("OAK", date(2026, 11, 15), "EUR", "7", "6"),
        receipt("OAK", date(2025, 11, 16), "EUR", "7", "6"),
        receipt("OAK", date(2025, 11, 15), "EUR", "9", "8"),
        receipt("OAK", date(2024, 11, 15), "EUR", "100", "100"),
        receipt("OAK", date(2026, 11, 16), "EUR", "100", "100"),
    ]);
    assert_eq!((all.last_12_months.gross.amount, all.last_12_months.net.amount), (d("14"), d("12")));
    assert_eq!(all.before_12.net.amount, d("8"));
    // 12 ÷ 8 − 1
    assert_eq!(all.growth, Some(d("0.5")));
    // What is dated tomorrow has not come yet.
    assert_eq!(all.by_stock[0].total.net.amount, d("120"));
}

#[test]
fn without_a_year_before_there_is_no_growth() {
    assert_eq!(in_euros(&[receipt("OAK", TODAY, "EUR", "7", "6")]).growth, None);
    let reversed = [receipt("OAK", TODAY, "EUR", "7", "6"), receipt("OAK", date(2025, 5, 5), "EUR", "-1", "-1")];
    assert_eq!(in_euros(&reversed).growth, None);
    let none = in_euros(&[]);
    assert_eq!((none.years, none.growth, none.net_only), (vec![], None, 0));
}

#[test]
fn a_currency_without_a_rate_is_left_out_and_named_once() {
    let all = in_euros(&[
        receipt("FIR", date(2026, 1, 5), "TWD", "50", "40"),
        receipt("FIR", date(2026, 2, 5), "TWD", "50", "40"),
        receipt("OAK", date(2026, 2, 5), "EUR", "2", "1"),
    ]);
    assert_eq!(all.unconverted, [("FIR".to_owned(), currency("TWD"))]);
    assert_eq!(all.by_stock.len(), 1);
    assert_eq!(all.years[0].total.net.amount, d("1"));
}

#[test]
fn years_without_a_dividend_are_listed_too() {
    let all = in_euros(&[receipt("OAK", date(2024, 2, 5), "EUR", "2", "1")]);
    let years: Vec<_> = all.years.iter().map(|year| (year.year, year.total.net.amount)).collect();
    assert_eq!(years, [(2024, d("1")), (2025, d("0")), (2026, d("0"))]);
}

#[test]
fn dividends_with_only_a_net_amount_are_counted() {
    let net_only = Receipt { gross_known: false, ..receipt("OAK", date(2026, 2, 5), "EUR", "1", "1") };
    let all = in_euros(&[
        net_only.clone(),
        receipt("OAK", date(2026, 2, 5), "EUR", "1", "1"),
        receipt("OAK", date(2026, 2, 5), "EUR", "1", "1"),
        Receipt { currency: currency("TWD"), ..net_only },
    ]);
    assert_eq!((all.net_only, all.years[0].total.gross.amount), (1, d("3")));
}

#[test]
fn all_time_counts_every_dividend_up_to_today() {
    let all = in_euros(&[
        receipt("OAK", date(2019, 2, 5), "EUR", "2", "1"),
        receipt("OAK", TODAY, "EUR", "20", "10"),
        receipt("OAK", date(2026, 11, 16), "EUR", "200", "100"),
    ]);
    assert_eq!((all.all_time.gross.amount, all.all_time.net.amount), (d("22"), d("11")));
}

#[test]
fn a_month_falls_into_a_quarter_of_the_highest_month() {
    // Of 80: up to 20 is the first quarter, up to 40 the second, above 60 the last.
    let quarters = ["-3", "0", "0.01", "20", "20.01", "40", "60.01", "80"].map(|month| quarter(d(month), d("80")));
    assert_eq!(quarters, [0, 0, 1, 1, 2, 2, 4, 4]);
    assert_eq!(quarter(d("-1"), d("-1")), 0);
}

#[test]
fn a_sum_too_large_is_an_error() {
    let huge = Receipt { gross: Decimal::MAX, ..receipt("OAK", TODAY, "EUR", "1", "1") };
    assert_eq!(received(&[huge.clone(), huge], Currency::EUR, &rates(), TODAY), Err(Overflow));
}
