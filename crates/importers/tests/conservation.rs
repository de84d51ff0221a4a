//! Ledgers written to files and read back: nothing is lost, nothing is added, whatever program saved the file in between.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod ledgers;

use std::collections::BTreeMap;

use importers::{Kind, Opened, Record};
use jiff::civil::date;
use ledger::{Currency, Decimal, Dividend, Entry, Event, Fx, Oversell, Position, Trade, replay};
use ledgers::ledger;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_exported_ledger_reads_back_unchanged(records in ledger()) {
        let written = importers::write_ledger_file(&records);
        for (form, bytes) in forms(&written) {
            prop_assert_eq!(&read("dripline", &bytes)?, &records, "{}", form);
        }
    }

    #[test]
    fn an_exported_plain_table_reads_back_unchanged(records in ledger()) {
        // It has no column for the source of an entry and is sorted by date.
        let mut records: Vec<Record> = records.into_iter().map(|record| Record { source: None, ..record }).collect();
        records.sort_by_key(|record| record.date);
        let written = importers::generic::write(&records);
        let expected: Vec<Record> = records.iter().cloned().map(without_product).collect();
        for (form, bytes) in forms(&written) {
            let again = read("generic", &bytes)?;
            prop_assert_eq!(&again, &expected, "{}", form);
            prop_assert_eq!(positions(&again), positions(&records), "{}", form);
        }
        prop_assert_eq!(read("generic", &importers::generic::write(&expected))?, expected);
    }

    #[test]
    fn positions_are_the_same_after_export_and_import(records in ledger()) {
        let again = read("dripline", &importers::write_ledger_file(&records))?;
        prop_assert_eq!(positions(&again), positions(&records));
    }
}

/// The records of a file, which must be recognised; without their lines.
fn read(format: &str, bytes: &[u8]) -> Result<Vec<Record>, TestCaseError> {
    let file = Opened::open(bytes).map_err(|reason| TestCaseError::fail(format!("{reason:?}")))?;
    let detected = importers::detect(&file).ok_or_else(|| TestCaseError::fail("in no format known"))?;
    prop_assert_eq!(detected.name, format);
    let parsed = detected.read(&file);
    let text = || String::from_utf8_lossy(bytes).into_owned();
    prop_assert!(parsed.refusal.is_none() && parsed.errors.is_empty(), "{:?} {:?}\n{}", parsed.refusal, parsed.errors, text());
    prop_assert!(parsed.skips.is_empty(), "{:?}", parsed.skips);
    Ok(parsed.records.into_iter().map(|record| Record { line: 0, ..record }).collect())
}

/// Drops an amount that is exactly shares × price.
fn without_product(record: Record) -> Record {
    let product = record.shares.zip(record.price).and_then(|(shares, price)| shares.checked_mul(price));
    match record.amount.is_some() && record.amount == product {
        true => Record { amount: None, ..record },
        false => record,
    }
}

/// The same file as other programs save it.
fn forms(written: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let text = std::str::from_utf8(written).unwrap();
    let utf16 = |little: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    };
    let mut forms = vec![
        ("as written", written.to_vec()),
        ("UTF-16, little end first", utf16(true)),
        ("UTF-16, big end first", utf16(false)),
        ("with a byte order mark", format!("\u{feff}{text}").into_bytes()),
        ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ("semicolons and decimal commas", with_commas(written)),
    ];
    let (windows, _, lossy) = encoding_rs::WINDOWS_1252.encode(text);
    // Some bytes are valid in both encodings and cannot be told apart.
    let mistakable = windows.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if !lossy && !mistakable {
        forms.push(("Windows-1252", windows.into_owned()));
    }
    forms
}

/// As a spreadsheet with decimal commas saves it.
fn with_commas(written: &[u8]) -> Vec<u8> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(written);
    let mut writer = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
    let figures =
        ["shares", "price", "amount", "gross amount", "fees", "tax", "taxes", "net", "net amount", "fx_rate", "exchange rate"];
    let mut header: Vec<bool> = Vec::new();
    for row in reader.records().map(Result::unwrap) {
        if header.is_empty() {
            header = row.iter().map(|name| figures.contains(&name.to_lowercase().as_str())).collect();
        }
        let cells =
            row.iter().zip(&header).map(|(cell, is_figure)| if *is_figure { cell.replace('.', ",") } else { cell.to_owned() });
        writer.write_record(cells).unwrap();
    }
    writer.into_inner().unwrap()
}

/// What each portfolio holds of each symbol after replaying its entries; overselling closes a position.
fn positions(records: &[Record]) -> BTreeMap<(Option<String>, String), Result<Option<Position>, String>> {
    let mut entries: BTreeMap<(Option<String>, String), Vec<Entry>> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        let symbol = record.symbol.clone().or(record.isin.clone()).unwrap();
        entries.entry((record.portfolio.clone(), symbol)).or_default().push(entry(at, record));
    }
    let fx = Fx::default();
    let held = |entries: &[Entry]| {
        replay(entries, Currency::EUR, &[], &fx, date(2200, 1, 1), Oversell::Close).map_err(|error| error.to_string())
    };
    entries.into_iter().map(|(key, entries)| (key, held(&entries))).collect()
}

fn entry(at: usize, record: &Record) -> Entry {
    let product = record.shares.zip(record.price).and_then(|(shares, price)| shares.checked_mul(price));
    let amount = record.amount.or(product).unwrap_or_default();
    let trade =
        Trade { shares: record.shares.unwrap_or_default(), amount, fees: record.fees.unwrap_or_default(), cost_known: true };
    let event = match record.kind {
        Kind::Buy => Event::Buy(trade),
        Kind::Sell => Event::Sell(trade),
        Kind::TransferIn => Event::TransferIn(trade),
        Kind::TransferOut => Event::TransferOut(trade),
        Kind::Split => Event::Split(record.ratio.unwrap()),
        Kind::ReturnOfCapital => Event::ReturnOfCapital { amount },
        Kind::Dividend => Event::Dividend(Dividend {
            gross: record.amount.or(product).or(record.net).unwrap_or_default(),
            gross_known: record.amount.or(product).is_some(),
            tax: record.tax,
            fees: record.fees,
            ex_date: record.ex_date,
            net: record.net,
            shares: record.shares,
            per_share: record.price,
            estimated: false,
        }),
    };
    let currency = record.currency.unwrap_or(Currency::EUR);
    Entry { date: record.date, sequence: at as i64, currency, fx_rate: record.fx_rate.or(Some(Decimal::ONE)), event }
}
