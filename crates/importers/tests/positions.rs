//! Lists of what is held: however they are written, they give the same opening positions.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use importers::{Describe, Opened, Parsed};
use jiff::civil::date;
use proptest::prelude::*;

fn open(text: &str) -> Opened {
    Opened { import_date: Some(date(2024, 7, 1)), ..Opened::open(text.as_bytes()).unwrap() }
}

fn read(text: &str) -> Result<Parsed, TestCaseError> {
    let file = open(text);
    let detected = importers::detect(&file).map(|format| format.name);
    prop_assert_eq!(detected, Some("positions"), "{}", text);
    Ok(importers::by_name("positions").unwrap().read(&file))
}

const SYMBOLS: [&str; 6] = ["KO", "PEP", "IBE.MC", "BRK-B", "US1912161007", "NL0010273215"];
/// How cells are separated, and the decimal mark.
const STYLES: [(&str, &str); 7] = [(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), (" ", "."), ("  ", ",")];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_list_is_read_the_same_in_every_style(
        rows in prop::collection::vec((0..SYMBOLS.len(), 1_i64..9_999, 1_i64..99_999), 1..8),
        titled in any::<bool>(),
    ) {
        for (separator, mark) in STYLES {
            // Two decimals show which mark is the decimal one.
            let figure = |hundredths: i64| format!("{}{mark}{:02}", hundredths / 100, hundredths % 100);
            let line = |cells: [String; 4]| cells.join(separator) + "\n";
            let header = ["Symbol", "Shares", "Avg_cost", "Currency"].map(str::to_owned);
            let body: String = rows
                .iter()
                .map(|(symbol, shares, cost)| line([SYMBOLS[*symbol].to_owned(), figure(*shares), figure(*cost), "USD".to_owned()]))
                .collect();
            let text = if titled { line(header) + &body } else { body };
            let parsed = read(&text)?;
            prop_assert!(parsed.errors.is_empty() && parsed.refusal.is_none(), "{:?}\n{}", parsed.errors, text);
            let found: Vec<(String, String, String)> = parsed
                .records
                .iter()
                .map(|record| {
                    let name = record.symbol.clone().or(record.isin.clone()).unwrap();
                    (name, record.shares.unwrap().to_string(), record.price.unwrap().to_string())
                })
                .collect();
            let plain = |hundredths: i64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
            let expected: Vec<(String, String, String)> =
                rows.iter().map(|(symbol, shares, cost)| (SYMBOLS[*symbol].to_owned(), plain(*shares), plain(*cost))).collect();
            prop_assert_eq!(found, expected, "{}", text);
        }
    }

    #[test]
    fn any_text_is_accounted_for(
        lines in prop::collection::vec(prop::collection::vec("KO|US1912161007|Total|Cash|Shares|Symbol|Date|USD|[-0-9.,%$€]{1,6}|\\PC{0,6}", 0..6), 0..8),
        separator in prop::sample::select(vec![",", ";", "\t", " "]),
    ) {
        let text = lines.iter().map(|line| line.join(separator)).collect::<Vec<_>>().join("\n");
        let Ok(file) = Opened::open(text.as_bytes()) else { return Ok(()) };
        let parsed = importers::by_name("positions").unwrap().read(&file);
        prop_assert!(parsed.adds_up() || parsed.refusal.is_some(), "{}", text);
    }
}

#[test]
fn the_same_securities_have_the_same_ids_whatever_the_figures() {
    let ids = |text: &str| -> Vec<Option<String>> { read(text).unwrap().records.into_iter().map(|record| record.id).collect() };
    let first = ids("KO 10 60.50 USD\nNL0010273215 3\nKO 5\n");
    assert_eq!(first, ["positions KO", "positions NL0010273215", "positions KO 2"].map(|id| Some(id.to_owned())));
    assert_eq!(ids("Symbol,Shares\nKO,11\nNL0010273215,4\nKO,1\n"), first);
}

#[test]
fn a_list_without_any_date_says_so() {
    let file = Opened::open(b"KO 10\n").unwrap();
    let parsed = importers::detect(&file).unwrap().read(&file);
    assert_eq!(parsed.errors[0].reason.to_string(), "missing column=\"date\"");
}

#[test]
fn transactions_and_texts_are_no_positions() {
    for text in [
        "Date,Symbol,Shares,Average cost\n2024-01-02,KO,10,60\n2024-01-03,KO,-5,61\n",
        "Symbol,Type,Shares,Price\nKO,Buy,10,60\nKO,Sell,5,61\n",
        "Symbol,Shares,Average price,Trade date\nKO,10,60,2024-01-02\n",
        "KO Buy 10 60\nKO Sell 5 61\n",
        "2024-01-02 KO 10 60\n",
        "A,B,C,D\nx,WELL,10,20\n",
        "Paper Pieces Each\nKO 10 60\n",
        "Dear reader,\nthis is a letter of 3 lines.\nIt has 10 words.\n",
    ] {
        let detected = importers::detect(&open(text)).map(|format| format.name);
        assert_ne!(detected, Some("positions"), "{text}");
    }
}

#[test]
fn a_mistyped_line_is_an_error_and_the_others_are_read() {
    for (line, code) in [
        ("PEP 1o 150 USD", "not_a_number"),
        ("PEP l0 150 USD", "not_a_number"),
        ("PEP 10x 150 USD", "not_a_number"),
        ("PEP 5 150 XXQ", "unknown_currency"),
        ("PEP -5 150 USD", "shares_not_positive"),
    ] {
        let parsed = read(&format!("KO 10 60.50 USD\n{line}\n")).unwrap();
        let errors: Vec<_> = parsed.errors.iter().map(|problem| (problem.line, problem.reason.code())).collect();
        assert_eq!((errors, parsed.records.len()), (vec![(2, code)], 1), "{line}");
    }
    for line in ["MMM 10 3M Company", "VWCE 5 100 Vanguard World ETF", "XXQ 5 100 EUR", "IWDA 5 80 EUR acc"] {
        assert_eq!(read(&format!("KO 10 60.50 USD\n{line}\n")).unwrap().records.len(), 2, "{line}");
    }
}
