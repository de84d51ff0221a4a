//! Real invalid data of a large provider, if the shared data folder is present.

use std::path::{Path, PathBuf};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Decimal;
use market::validation::{Known, KnownDividend, Validated, closes};
use market::{Dividend, DividendUnit};

use crate::{currency, day, figure, paid, unit};

struct Day {
    date: Date,
    close: Decimal,
    dividend: Decimal,
}

fn folder() -> Option<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    data.is_dir().then(|| data.join("provider-samples/yahoo/yfinance-repair-cases"))
}

/// By date.
fn days(folder: &Path, case: &str) -> Vec<Day> {
    let mut reader = csv::Reader::from_path(folder.join(format!("{case}.csv"))).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (close, dividends) = (column("Close"), column("Dividends"));
    let number = |text: &str| text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(text)).unwrap();
    let day = |record: csv::StringRecord| Day {
        date: day(&record[0][..10]),
        close: number(&record[close]),
        dividend: number(&record[dividends]),
    };
    // Days without trade have no close.
    let traded = reader.records().map(Result::unwrap).filter(|record| !record[close].is_empty());
    let mut days: Vec<Day> = traded.map(day).collect();
    days.sort_by_key(|day| day.date);
    days
}

/// Ex-dates that pass and that are rejected, judged with the last good close as the price.
fn validated(folder: &Path, case: &str, code: &str, fund: bool) -> (Vec<Date>, Vec<String>) {
    let days = days(folder, case);
    let last = days.last().unwrap();
    let known = Known { unit: unit(code), price: Some(last.close), fund, ..Known::default() };
    let unit = DividendUnit::Whole(currency(code));
    let paid = days.iter().filter(|day| !day.dividend.is_zero());
    let answer: Vec<Dividend> = paid.map(|day| Dividend { amount: day.dividend, unit, ..paid_on(day.date) }).collect();
    let validated = market::validation::dividends(&known, &[], &answer, last.date);
    (
        validated.rows.iter().map(|row| row.ex_date).collect(),
        validated.rejected.into_iter().map(|rejected| rejected.field).collect(),
    )
}

fn paid_on(date: Date) -> Dividend {
    paid(&date.to_string(), "1")
}

#[test]
fn histories_in_pence_are_rejected_and_their_repairs_pass() {
    let Some(folder) = folder() else { return };
    for (case, rows) in [("REL-L-1d-bad-div", 6), ("PSH-L-1d-bad-div", 11)] {
        assert_eq!(validated(&folder, case, "GBP", false), (Vec::new(), vec!["dividends".to_owned()]), "{case}");
        let (passed, rejected) = validated(&folder, &format!("{case}-fixed"), "GBP", false);
        assert_eq!((passed.len(), rejected), (rows, Vec::new()), "{case}");
    }
}

#[test]
fn one_pence_row_in_a_history_of_pounds_is_found() {
    let Some(folder) = folder() else { return };
    let (bad, fixed) = (days(&folder, "PSH-L-1d-bad-div"), days(&folder, "PSH-L-1d-bad-div-fixed"));
    let bad: Vec<&Day> = bad.iter().filter(|day| !day.dividend.is_zero()).collect();
    let fixed: Vec<&Day> = fixed.iter().filter(|day| !day.dividend.is_zero()).collect();
    let known = Known { unit: unit("GBP"), ..Known::default() };
    let row = |day: &Day| Dividend { amount: day.dividend, unit: DividendUnit::Whole(currency("GBP")), ..paid_on(day.date) };
    for wrong in 0..fixed.len() {
        let answer: Vec<Dividend> =
            (0..fixed.len()).map(|place| row(if place == wrong { bad[place] } else { fixed[place] })).collect();
        let validated = market::validation::dividends(&known, &[], &answer, day("2024-08-21"));
        assert_eq!(validated.rows.len(), fixed.len() - 1, "{wrong}");
        assert_eq!(validated.rejected[0].field, format!("dividend {}", fixed[wrong].date));
    }
}

#[test]
fn a_dividend_booked_on_two_days_counts_once() {
    let Some(folder) = folder() else { return };
    let (passed, rejected) = validated(&folder, "KEN-TA-1d-bad-div", "ILS", false);
    assert_eq!((passed.len(), rejected), (4, vec!["dividend 2022-01-19".to_owned()]));
}

#[test]
fn good_histories_pass_completely() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("CALM-1d-no-bad-divs", "USD", false),
        ("EWG-1d-no-bad-divs", "USD", true),
        ("IBE-MC-1d-no-bad-divs", "EUR", false),
        ("JENYX-1d-cg-double-count", "USD", true),
    ];
    for (case, code, fund) in cases {
        assert_eq!(validated(&folder, case, code, fund).1, [""; 0], "{case}");
    }
}

#[test]
fn only_the_closes_a_hundredfold_off_are_rejected() {
    let Some(folder) = folder() else { return };
    for case in ["AET-L-1d-100x-error", "SSW-JO-1d-100x-error"] {
        let (bad, fixed) = (days(&folder, case), days(&folder, &format!("{case}-fixed")));
        let good: Vec<Date> = bad
            .iter()
            .zip(&fixed)
            .filter(|(bad, fixed)| bad.close.round_dp(2) == fixed.close.round_dp(2))
            .map(|(bad, _)| bad.date)
            .collect();
        let last = fixed.last().unwrap();
        let tomorrow = last.date.saturating_add(1.day());
        let price_as_of = Some(format!("{tomorrow}T12:00:00Z").parse().unwrap());
        let known = Known { price: Some(last.close), price_as_of, ..Known::default() };
        let answer: Vec<(Date, Decimal)> = bad.iter().map(|day| (day.date, day.close)).collect();
        let validated = closes(&known, &answer, tomorrow);
        assert_eq!(validated.rows.iter().map(|row| row.0).collect::<Vec<_>>(), good, "{case}");
        assert!(!good.is_empty() && good.len() < bad.len() && validated.rejected.len() == 1, "{case}");
    }
}

/// Real rows of one payer, as one of the sources has them; those without an amount are left out by every provider.
fn answer_of(folder: &Path, source: &str, symbol: &str) -> Vec<Dividend> {
    let read = |file: &str| {
        let reader = csv::Reader::from_path(folder.join("../../../dividends").join(file)).unwrap();
        let of_it = |record: &csv::StringRecord| &record[0] == symbol && &record[9] == source && !record[5].is_empty();
        let records = reader.into_records().map(Result::unwrap).filter(of_it);
        records.map(|record| paid(&record[1], &record[5])).collect::<Vec<_>>()
    };
    [read("dividends_licensed.csv"), read("dividends_unlicensed_facts.csv")].concat()
}

fn validated_from(folder: &Path, source: &str, symbol: &str, today: &str, fund: bool) -> (usize, Validated<Vec<KnownDividend>>) {
    let answer = answer_of(folder, source, symbol);
    assert!(!answer.is_empty(), "{symbol}");
    let known = Known { unit: unit("USD"), fund, ..Known::default() };
    (answer.len(), market::validation::dividends(&known, &[], &answer, day(today)))
}

/// Cut to a seventy-ninth or stopped, a month's payment with supplements, weekly ones, blank rows beside full ones.
#[test]
fn real_cuts_stops_supplements_and_weekly_payments_pass() {
    let Some(folder) = folder() else { return };
    for symbol in ["OXY", "GE", "RDS.B", "BA", "DAL", "O", "BP", "NVO"] {
        let (count, validated) = validated_from(&folder, "A", symbol, "2020-08-20", false);
        assert_eq!((validated.rows.len(), validated.rejected), (count, Vec::new()), "{symbol}");
    }
    for (symbol, fund) in [("MAIN", false), ("MMM", false), ("MSTY", true), ("NVDY", true), ("TSLY", true), ("YMAX", true)] {
        let (count, validated) = validated_from(&folder, "E", symbol, "2026-08-01", fund);
        assert_eq!((validated.rows.len(), validated.rejected), (count, Vec::new()), "{symbol}");
    }
}

#[test]
fn real_rows_listed_twice_count_once_and_two_amounts_a_day_never_add_up() {
    let Some(folder) = folder() else { return };
    let (count, alike) = validated_from(&folder, "A", "ALK", "2020-08-20", false);
    assert_eq!((count, alike.rows.len(), alike.rejected), (20, 19, Vec::new()));
    // Each payment stands there in American and in Canadian dollars, and neither row says which it is.
    for symbol in ["CP", "ENB"] {
        let (count, validated) = validated_from(&folder, "A", symbol, "2020-08-20", false);
        assert_eq!((count, validated.rows.len(), validated.rejected.len()), (40, 0, 40), "{symbol}");
    }
    // A fund's income and gain of one day were both paid.
    let (count, fund) = validated_from(&folder, "B", "BND", "2021-12-01", true);
    let specials = fund.rows.iter().filter(|row| row.special).count();
    assert_eq!((count, fund.rows.len(), specials, fund.rejected), (190, 190, 13, Vec::new()));
}

#[test]
fn a_real_special_of_seven_dollars_is_found_in_its_quarterly_history() {
    let Some(folder) = folder() else { return };
    let (_, validated) = validated_from(&folder, "A", "COST", "2020-08-20", false);
    let special: Vec<_> = validated.rows.iter().filter(|row| row.special).map(|row| (row.ex_date, row.amount)).collect();
    assert_eq!((special, validated.rejected), (vec![(day("2017-05-08"), figure("7"))], Vec::new()));
}
