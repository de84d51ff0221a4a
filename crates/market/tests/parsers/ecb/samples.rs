use jiff::civil::{Date, date};
use market::Rate;
use market::ecb::{csv, fields, zip};

use super::{from_csv, from_xml};
use crate::samples;

#[test]
fn the_real_history_is_read_in_full_from_the_zip_and_from_the_table() {
    let Some(folder) = samples("fx") else { return };
    let table = std::fs::read(folder.join("eurofxref-hist.csv")).unwrap();
    let table = fields::validated(csv::read(&mut table.as_slice()).unwrap()).unwrap();
    let zip = std::fs::read(folder.join("eurofxref-hist.zip")).unwrap();
    assert_eq!(fields::validated(zip::read(&zip, csv::read).unwrap()).unwrap(), table);

    let mut days: Vec<Date> = table.iter().map(|rate| rate.date).collect();
    days.dedup();
    assert_eq!((days.len(), days[0], days[7091]), (7_092, date(1999, 1, 4), date(2026, 9, 14)));
    let coverage = std::fs::read_to_string(folder.join("currency_coverage.csv")).unwrap();
    let mut currencies = 0;
    for line in coverage.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let of_it: Vec<&Rate> = table.iter().filter(|rate| rate.currency.code() == cells[0]).collect();
        let seen = (of_it[0].date.to_string(), of_it[of_it.len() - 1].date.to_string(), of_it.len().to_string());
        assert_eq!(seen, (cells[1].to_owned(), cells[2].to_owned(), cells[3].to_owned()), "{line}");
        currencies += 1;
    }
    assert_eq!(currencies, 41);
}

#[test]
fn the_real_daily_and_xml_files_are_read_in_full() {
    let Some(folder) = samples("fx") else { return };
    let daily = from_csv(&std::fs::read_to_string(folder.join("eurofxref-latest.csv")).unwrap()).unwrap();
    assert_eq!(daily.len(), 29);
    assert!(daily.iter().all(|rate| rate.starts_with("2026-09-14 ")));
    let recent = from_xml(&std::fs::read_to_string(folder.join("eurofxref-hist-90d-2013.xml")).unwrap()).unwrap();
    // 61 days of 33 currencies each
    assert_eq!(recent.len(), 2_013);
}
