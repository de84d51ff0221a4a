//! Ledger files beside what they are read as: `ledgers/NAME.csv` and `ledgers/NAME.txt`.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use std::fmt::Write;
use std::path::{Path, PathBuf};

use importers::{Parsed, Record};

#[test]
fn every_ledger_file_is_read_as_the_text_beside_it_says() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    assert!(files.len() >= 8, "where are the ledger files?");
    for path in files {
        let expected = std::fs::read_to_string(path.with_extension("txt")).unwrap();
        assert_eq!(told(&read(&std::fs::read(&path).unwrap())), expected, "{}", path.display());
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_make_no_difference() {
    for name in ["every_type.csv", "bad_lines.csv", "wrong_fields.csv"] {
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        let plain = told(&read(text.as_bytes()));
        assert_eq!(told(&read(text.replace('\n', "\r\n").as_bytes())), plain, "{name}");
        assert_eq!(told(&read(format!("\u{feff}{text}").as_bytes())), plain, "{name}");
    }
}

#[test]
fn what_is_written_reads_back_the_same() {
    let text = std::fs::read(folder().join("every_type.csv")).unwrap();
    let records = read(&text).records;
    let written = importers::write_ledger_file(&records);
    let again = read(&written);
    assert_eq!(again.errors, []);
    let lineless = |records: Vec<Record>| records.into_iter().map(|record| Record { line: 0, ..record }).collect::<Vec<_>>();
    assert_eq!(lineless(again.records), lineless(records));
    assert_eq!(importers::write_ledger_file(&read(&written).records), written);
}

#[test]
fn the_format_is_recognised_by_its_header_alone() {
    for ours in
        ["date,type,symbol\n", "\u{feff}note,\"type\",isin,date\r\n", "type,date,symbol,colour", "date,type,symbol,shares"]
    {
        assert_eq!(importers::detect(ours.as_bytes()).map(|format| format.name), Some("dripline"), "{ours:?}");
    }
    for not_ours in ["", "\n", "Date,Type,Symbol\n", "date;type;symbol\n", "date,symbol\n", "date,type,price\n"] {
        assert!(importers::detect(not_ours.as_bytes()).is_none(), "{not_ours:?}");
    }
    assert!(importers::detect(b"date,type,symbol,\xff\n").is_none());
    assert!(importers::by_name("dripline").is_some() && importers::by_name("Dripline").is_none());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledgers")
}

fn read(bytes: &[u8]) -> Parsed {
    let parsed = (importers::by_name("dripline").unwrap().parse)(bytes);
    let header_errors = parsed.errors.iter().filter(|problem| problem.line == 1).count();
    assert_eq!(parsed.rows as usize, parsed.records.len() + parsed.skips.len() + parsed.errors.len() - header_errors);
    parsed
}

/// One line per row: its number, and what it is or what is wrong with it.
fn told(parsed: &Parsed) -> String {
    let mut lines: Vec<(u64, String)> = parsed.records.iter().map(|record| (record.line, told_record(record))).collect();
    lines.extend(parsed.skips.iter().map(|problem| (problem.line, format!("skipped: {}", problem.reason))));
    lines.extend(parsed.errors.iter().map(|problem| (problem.line, format!("error: {}", problem.reason))));
    lines.sort();
    lines.iter().fold(format!("{} rows\n", parsed.rows), |text, (line, told)| format!("{text}{line}: {told}\n"))
}

fn told_record(record: &Record) -> String {
    let mut text = format!("{} {}", record.date, record.kind.word());
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            write!(text, " {name}={value}").unwrap();
        }
    };
    add("symbol", record.symbol.clone());
    add("isin", record.isin.clone());
    add("name", record.name.clone());
    add("shares", record.shares.map(|figure| figure.to_string()));
    add("price", record.price.map(|figure| figure.to_string()));
    add("amount", record.amount.map(|figure| figure.to_string()));
    add("fees", record.fees.map(|figure| figure.to_string()));
    add("tax", record.tax.map(|figure| figure.to_string()));
    add("net", record.net.map(|figure| figure.to_string()));
    add("currency", record.currency.map(|currency| currency.to_string()));
    add("fx_rate", record.fx_rate.map(|figure| figure.to_string()));
    add("ratio", record.ratio.map(|ratio| ratio.to_string()));
    add("ex_date", record.ex_date.map(|date| date.to_string()));
    add("portfolio", record.portfolio.clone());
    add("source", record.source.clone());
    add("id", record.id.clone());
    add("note", record.note.clone());
    text
}
