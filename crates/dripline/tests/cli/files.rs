//! Ledger files as other programs write them: encodings, line endings, headers.

use serde_json::{Value, json};

use crate::dripline::{ANA, Dripline};

const HEADER: &str = "date,type,symbol,shares,price,note";

fn report(content: impl AsRef<[u8]>) -> (Value, String) {
    let dripline = Dripline::with_accounts();
    let before = dripline.everything();
    dripline.write("l.csv", content);
    let ran = dripline.run(&["import", "l.csv", "--user", ANA, "--format", "dripline", "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let refused = report["errors"] != json!([]);
    assert_eq!(ran.code, Some(i32::from(refused)));
    if refused {
        assert_eq!(dripline.everything(), before);
    }
    (report, dripline.export(ANA))
}

fn taken(content: impl AsRef<[u8]>, rows: u64) -> String {
    let (report, export) = report(content);
    assert_eq!((&report["rows"], &report["new"], &report["errors"]), (&json!(rows), &json!(rows), &json!([])));
    export
}

fn errors(content: impl AsRef<[u8]>) -> Vec<(u64, String)> {
    let (report, _) = report(content);
    let list = report["errors"].as_array().unwrap();
    list.iter().map(|error| (error["line"].as_u64().unwrap(), error["code"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn line_ends_a_byte_order_mark_and_blank_lines_make_no_difference() {
    let plain = format!("{HEADER}\n2024-01-02,buy,KO,10,60,\"one, two\"\n2024-01-03,buy,KO,5,61,ü\n");
    let export = taken(&plain, 2);
    assert_eq!(taken(plain.replace('\n', "\r\n"), 2), export);
    assert_eq!(taken(format!("\u{feff}{plain}"), 2), export);
    assert_eq!(taken(format!("\u{feff}{}", plain.replace('\n', "\r\n")), 2), export);
    assert_eq!(taken(plain.replace('\n', "\n\n"), 2), export);
    assert_eq!(taken(plain.trim_end(), 2), export);
    assert_eq!(taken(plain.replace("date,type", "\"date\",type"), 2), export);
}

#[test]
fn a_bad_line_has_its_number_whatever_the_line_ends() {
    let lines = format!("{HEADER}\n2024-01-02,buy,KO,10,60,\n\n2024-01-32,buy,KO,5,61,\n2024-01-33,buy,KO,5,61,\n");
    for text in [lines.clone(), lines.replace('\n', "\r\n"), format!("\u{feff}{}", lines.replace('\n', "\r\n"))] {
        let numbers: Vec<u64> = errors(&text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(numbers, [4, 5], "{text:?}");
    }
}

#[test]
fn a_file_with_only_a_header_imports_nothing() {
    let (report, _) = report(format!("{HEADER}\n"));
    assert_eq!((&report["rows"], &report["new"], &report["id"]), (&json!(0), &json!(0), &Value::Null));
}

#[test]
fn an_empty_file_is_refused() {
    let dripline = Dripline::with_accounts();
    dripline.write("empty.csv", "");
    dripline.refused(&["import", "empty.csv", "--user", ANA], &["empty.csv: nothing was imported", "The file is empty."]);
    assert_eq!(errors("\n \n"), [(1, "file_empty".to_owned())]);
}

#[test]
fn a_header_that_is_not_understood_is_refused_and_its_rows_are_counted() {
    let row = "2024-01-02,buy,KO,10,60,x\n";
    let (report, _) = report(format!("date,type,symbol,shares,price,colour\n{row}{row}"));
    let reason = report["errors"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "Unknown column “colour”. Rename or remove it.");
    assert_eq!((&report["errors"][0]["line"], &report["rows"], &report["skipped"]), (&json!(1), &json!(2), &json!(2)));
    let twice = errors(format!("date,type,symbol,shares,price,price\n{row}"));
    assert_eq!(twice, [(1, "column_twice".to_owned())]);
    let capitals = errors(format!("Date,type,symbol,shares,price,note\n{row}"));
    assert_eq!(capitals, [(1, "unknown_column".to_owned())]);
    let missing = errors("date,symbol,shares,price\n2024-01-02,KO,10,60\n");
    assert_eq!(missing, [(1, "column_missing".to_owned())]);
}

#[test]
fn a_line_with_another_number_of_fields_is_refused() {
    let found = errors(format!("{HEADER}\n2024-01-02,buy,KO,10,60\n2024-01-02,buy,KO,10,60,,\n"));
    assert_eq!(found, [2, 3].map(|line| (line, "field_count".to_owned())));
}

#[test]
fn every_encoding_is_taken_and_two_in_one_file_are_not() {
    let text = format!("{HEADER}\n2024-01-02,buy,KO,10,60,München\n");
    let windows = text.replace('ü', "\u{1}").into_bytes().into_iter().map(|byte| if byte == 1 { 0xfc } else { byte }).collect();
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dripline = Dripline::with_accounts();
    for (name, bytes, expected) in
        [("1", text.clone().into_bytes(), "added 1 of 1"), ("2", windows, "1 duplicate"), ("3", utf16, "1 duplicate")]
    {
        dripline.write(name, bytes);
        let ran = dripline.done(&["import", name, "--user", ANA]);
        assert!(ran.contains(expected), "{ran}");
    }
    let mut mixed = text.into_bytes();
    mixed.extend(b"2024-01-03,buy,KO,10,60,M\xfcnchen\n");
    assert_eq!(errors(&mixed), [(3, "not_utf8".to_owned())]);
}

#[test]
fn control_characters_are_refused_and_never_reach_the_terminal() {
    let found = errors(format!("{HEADER}\n2024-01-02,buy,KO,10,60,a\u{7}b\n2024-01-02,buy,K\u{7}O,10,60,\n"));
    assert_eq!(found[0], (2, "control_character".to_owned()));
    assert_eq!(found[1], (3, "control_character".to_owned()));
    let zero = errors(format!("{HEADER}\n2024-01-02,buy,KO,10,60,\n2024-01-02,b\0y,KO,1,1,\n"));
    assert_eq!(zero, [(3, "zero_byte".to_owned())]);

    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", format!("{HEADER}\n2024-01-02,\x1b[2Jbuy,KO,10,60,\n"));
    let ran = dripline.run(&["import", "l.csv", "--user", ANA]);
    ran.says(&["line 2: type: “\\u{1b}[2Jbuy” isn’t a type of transaction"]);
    assert!(!ran.stderr.contains('\x1b'));
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read_whole() {
    let dripline = Dripline::with_accounts();
    dripline.write("large.csv", format!("{HEADER}\n{}", " ".repeat(51 * 1024 * 1024)));
    dripline.refused(&["import", "large.csv", "--user", ANA], &["The file is larger than 50 MiB."]);
}
