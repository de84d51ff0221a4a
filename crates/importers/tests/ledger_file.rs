//! Dripline's own file, written and recognised.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use importers::{Opened, Parsed, Record};

const REINVESTED: &[u8] = include_bytes!("fixtures/dripline/reinvested_dividends.csv");
const EVERY_TYPE: &[u8] = include_bytes!("fixtures/dripline/every_type.csv");

#[test]
fn a_written_ledger_file_reads_back_unchanged() {
    for file in [EVERY_TYPE, REINVESTED] {
        let records = read(file).records;
        let written = importers::write_ledger_file(&records);
        let again = read(&written);
        assert_eq!(again.errors, []);
        let lineless = |records: Vec<Record>| records.into_iter().map(|record| Record { line: 0, ..record }).collect::<Vec<_>>();
        assert_eq!(lineless(again.records), lineless(records));
        assert_eq!(importers::write_ledger_file(&read(&written).records), written);
    }
}

const MANY: usize = 30_000;

/// Dividends of one security and day, some without its symbol, and as many purchases. If each looked at every dividend, or each bad
/// row moved all that follow, this would take a minute.
#[test]
fn many_dividends_of_one_day_are_told_apart_in_no_time() {
    let mut text = "date,type,symbol,isin,shares,price,amount,currency,reinvests\n".to_owned();
    for row in 0..MANY {
        let symbol = if row % 3 == 0 { "" } else { "KO" };
        text.push_str(&format!("2024-07-01,dividend,{symbol},US1912161007,,,{}.00,USD,\n", row + 1));
    }
    for row in 0..MANY {
        // Every second one names a dividend that the file does not have.
        let number = if row % 2 == 0 { row + 1 } else { row + 1 + MANY };
        text.push_str(&format!("2024-07-02,buy,KO,US1912161007,1,{},,USD,2024-07-01 {number}\n", row + 1));
    }
    let parsed = read(text.as_bytes());
    assert_eq!((parsed.records.len(), parsed.errors.len()), (MANY + MANY / 2, MANY / 2));
    for purchase in parsed.records[MANY..].iter().step_by(997) {
        let dividend = &parsed.records[purchase.reinvestment.unwrap()];
        assert_eq!((dividend.amount.unwrap(), dividend.reinvestment), (purchase.price.unwrap(), purchase.reinvestment));
    }
    let again = read(&importers::write_ledger_file(&parsed.records));
    assert_eq!(again.errors, []);
    let links = |parsed: &Parsed| parsed.records.iter().map(|record| record.reinvestment).collect::<Vec<_>>();
    assert_eq!(links(&again), links(&parsed));
}

#[test]
fn no_cell_is_a_formula_and_every_text_reads_back_unchanged() {
    for text in ["=HYPERLINK(\"http://x\")", "+1", "-2", "@SUM(A1)", "'=x", "plain"] {
        let symbol = text.split('(').next().unwrap().to_uppercase();
        let record = Record {
            symbol: Some(symbol),
            name: Some(text.to_owned()),
            portfolio: Some(text.to_owned()),
            id: Some(text.to_owned()),
            note: Some(text.to_owned()),
            amount: Some("-2.50".parse().unwrap()),
            currency: Some(ledger::Currency::EUR),
            ..Record::new(0, jiff::civil::date(2026, 1, 5), importers::Kind::Dividend)
        };
        let written = importers::write_ledger_file(std::slice::from_ref(&record));
        let line = std::str::from_utf8(&written).unwrap().lines().nth(1).unwrap();
        for cell in line.split(',').map(|cell| cell.trim_start_matches('"')) {
            assert!(!cell.starts_with(['=', '+', '-', '@']) || cell == "-2.50", "{cell} of {line}");
        }
        let again = read(&written);
        assert_eq!(again.errors, []);
        assert_eq!(again.records, [Record { line: 2, ..record }], "{text}");
    }
}

#[test]
fn the_format_is_recognised_by_its_header_alone() {
    let detected = |text: &str| importers::detect(&Opened::open(text.as_bytes()).unwrap()).map(|format| format.name);
    for ours in [
        "date,type,symbol\n",
        "\u{feff}note,\"type\",isin,date\r\n",
        "type,date,symbol,colour",
        "date,type,symbol,shares",
        "date;type;symbol\n",
    ] {
        assert_eq!(detected(ours), Some("dripline"), "{ours:?}");
    }
    for not_ours in ["Date,Type,Symbol\n", "date,symbol\n", "date,type,price\n"] {
        assert_ne!(detected(not_ours), Some("dripline"), "{not_ours:?}");
    }
    assert!(importers::by_name("dripline").is_some() && importers::by_name("Dripline").is_none());
}

#[test]
fn decimal_commas_of_a_spreadsheet_are_read_as_points() {
    let with_points = "date,type,symbol,shares,price,currency\n2024-01-02,buy,KO,1.5,60.25,USD\n";
    let with_commas = "date;type;symbol;shares;price;currency\n2024-01-02;buy;KO;1,5;60,25;USD\n";
    assert_eq!(read(with_commas.as_bytes()).records, read(with_points.as_bytes()).records);
}

fn read(bytes: &[u8]) -> Parsed {
    importers::by_name("dripline").unwrap().read(&Opened::open(bytes).unwrap())
}
