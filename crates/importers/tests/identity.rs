//! When two rows describe the same event.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use importers::{Record, content_key};

fn key(header: &str, row: &str, symbol: &str) -> String {
    let file = importers::Opened::open(format!("{header}\n{row}\n").as_bytes()).unwrap();
    let parsed = importers::by_name("dripline").unwrap().read(&file);
    let [record]: [Record; 1] = parsed.records.try_into().unwrap_or_else(|_| panic!("{:?}", parsed.errors));
    content_key(&record, symbol)
}

const HEADER: &str =
    "date,type,symbol,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,name,note,source,portfolio";
const ROW: &str = "2024-04-01,dividend,KO,10,0.485,4.85,,0.72,4.13,USD,,,2024-03-14,,,,";

#[test]
fn the_identity_of_a_row_ignores_spelling_names_notes_and_sources() {
    let same = key(HEADER, ROW, "KO");
    for row in [
        "2024-04-01,dividend,ko,10.000,0.4850,4.850,,0.720,4.130,USD,,,2024-03-14,Coca-Cola,paid,manual,Other",
        "2024-04-01,dividend,KO,010,00.485,4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
    ] {
        assert_eq!(key(HEADER, row, "KO"), same, "{row}");
    }
    let reordered = "currency,net,tax,amount,price,shares,symbol,type,date,ex_date";
    assert_eq!(key(reordered, "USD,4.13,0.72,4.85,0.485,10,KO,dividend,2024-04-01,2024-03-14", "KO"), same);
    assert_ne!(key(HEADER, ROW, "KO.DE"), same, "the symbol it was resolved to counts");
}

#[test]
fn the_identity_of_a_row_includes_every_number_and_date() {
    let keys: std::collections::HashSet<String> = [
        ROW,
        "2024-04-02,dividend,KO,10,0.485,4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,return_of_capital,KO,10,0.485,4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,11,0.485,4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.486,4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,-4.85,,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,0,0.72,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,0,4.13,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,0.72,,USD,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,0.72,4.13,EUR,,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,0.72,4.13,USD,1.1,,2024-03-14,,,,",
        "2024-04-01,dividend,KO,10,0.485,4.85,,0.72,4.13,USD,,,,,,,",
    ]
    .map(|row| key(HEADER, row, "KO"))
    .into();
    assert_eq!(keys.len(), 13);
    let split = |ratio: &str| key(HEADER, &format!("2024-04-01,split,KO,,,,,,,,,{ratio},,,,,"), "KO");
    assert_eq!(split("4:1"), split("4.0:1"));
    assert_ne!(split("4:1"), split("1:4"));
}

#[test]
fn pence_and_pounds_have_the_same_identity() {
    let header = "date,type,symbol,shares,price,currency";
    assert_eq!(
        key(header, "2024-01-02,buy,DGE.L,10,2505,GBp", "DGE.L"),
        key(header, "2024-01-02,buy,DGE.L,10,25.05,GBP", "DGE.L")
    );
}
