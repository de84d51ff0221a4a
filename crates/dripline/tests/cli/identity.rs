//! Rows imported again are recognised by their ID, or by their content and the number of equal rows before them.

use serde_json::Value;

use crate::dripline::{ANA, BEN, Dripline};

const HEADER: &str = "date,type,symbol,shares,price\n";

/// Imports the text as one file: (rows, new, existing).
fn import(dripline: &Dripline, email: &str, content: &str) -> (u64, u64, u64) {
    dripline.write("l.csv", content);
    let report = dripline.json(&["import", "l.csv", "--user", email, "--json"]);
    let count = |name: &str| report[name].as_u64().unwrap();
    assert_eq!(count("rows"), count("new") + count("existing") + count("skipped"), "{report}");
    (count("rows"), count("new"), count("existing"))
}

/// A row for each number, all different.
fn numbered(numbers: std::ops::RangeInclusive<u32>) -> String {
    let row = |number: u32| format!("2024-01-{:02},buy,KO,{number},60\n", number % 28 + 1);
    format!("{HEADER}{}", numbers.map(row).collect::<String>())
}

#[test]
fn importing_the_same_file_twice_adds_nothing() {
    let dripline = Dripline::with_accounts();
    assert_eq!(import(&dripline, ANA, &numbered(1..=40)), (40, 40, 0));
    let before = dripline.everything();
    assert_eq!(import(&dripline, ANA, &numbered(1..=40)), (40, 0, 40));
    assert_eq!(dripline.everything(), before);
}

#[test]
fn two_equal_trades_in_a_file_stay_two() {
    let dripline = Dripline::with_accounts();
    let two = format!("{HEADER}2024-01-02,buy,KO,5,60\n2024-01-02,buy,KO,5,60\n");
    assert_eq!(import(&dripline, ANA, &two), (2, 2, 0));
    assert_eq!(import(&dripline, ANA, &two), (2, 0, 2));
    assert_eq!(import(&dripline, ANA, &format!("{two}2024-01-02,buy,KO,5,60\n")), (3, 1, 2), "a third one is new");
    assert_eq!(dripline.entries(ANA), 3);
}

#[test]
fn overlapping_files_add_what_is_new() {
    let dripline = Dripline::with_accounts();
    assert_eq!(import(&dripline, ANA, &numbered(1..=100)), (100, 100, 0));
    assert_eq!(import(&dripline, ANA, &numbered(51..=150)), (100, 50, 50));
    assert_eq!(dripline.entries(ANA), 150);
}

#[test]
fn the_same_row_is_new_in_another_portfolio_or_account() {
    let dripline = Dripline::with_accounts();
    let row = |portfolio: &str, id: &str| {
        format!("date,type,symbol,shares,price,portfolio,id\n2024-01-02,buy,KO,5,60,{portfolio},{id}\n")
    };
    for id in ["", "A1"] {
        assert_eq!(import(&dripline, ANA, &row("One", id)), (1, 1, 0));
        assert_eq!(import(&dripline, ANA, &row("Two", id)), (1, 1, 0));
        assert_eq!(import(&dripline, ANA, &row("one", id)), (1, 0, 1), "the case of a name does not count");
        assert_eq!(import(&dripline, BEN, &row("One", id)), (1, 1, 0));
    }
}

#[test]
fn a_row_spelled_differently_is_recognised() {
    let dripline = Dripline::with_accounts();
    let plain = "date,type,symbol,shares,price,currency\n2024-01-02,buy,KO,10,60.5,USD\n2024-01-03,buy,KO,1,61,USD\n";
    assert_eq!(import(&dripline, ANA, plain), (2, 2, 0));
    for same in [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.replace(",10,60.5,", ",10.0,60.500,"),
        plain.replace(",10,60.5,", ", 010 ,\"60.5\","),
        plain.replace("KO", "ko"),
        "type,currency,price,symbol,shares,date\nbuy,USD,60.5,KO,10,2024-01-02\nbuy,USD,61,KO,1,2024-01-03\n".to_owned(),
        "date,type,symbol,isin,shares,price,fees,note\n2024-01-02,buy,,US1912161007,10,60.5,,hello\n2024-01-03,buy,KO,,1,61,,\n"
            .to_owned(),
    ] {
        assert_eq!(import(&dripline, ANA, &same), (2, 0, 2), "{same:?}");
    }
    assert_eq!(import(&dripline, ANA, &plain.replace(",10,60.5,", ",10,60.51,")), (2, 1, 1));
}

#[test]
fn a_trade_in_pence_and_in_pounds_is_recognised_as_the_same() {
    let dripline = Dripline::with_accounts();
    let file = |price: &str, currency: &str| {
        format!("date,type,symbol,shares,price,currency\n2024-01-02,buy,DGE.L,10,{price},{currency}\n")
    };
    assert_eq!(import(&dripline, ANA, &file("2505", "GBp")), (1, 1, 0));
    assert_eq!(import(&dripline, ANA, &file("25.05", "GBP")), (1, 0, 1));
}

#[test]
fn a_row_is_recognised_by_its_id_whatever_else_changed() {
    let dripline = Dripline::with_accounts();
    let row = |date: &str, id: &str| format!("{date},buy,KO,5,60,{id}\n");
    let header = "date,type,symbol,shares,price,id\n";
    let both = format!("{header}{}{}", row("2024-01-02", "A1"), row("2024-01-02", "A2"));
    assert_eq!(import(&dripline, ANA, &both), (2, 2, 0), "two ids are two events, equal or not");
    assert_eq!(import(&dripline, ANA, &format!("{header}{}", row("2024-01-05", "A2"))), (1, 0, 1));
    let repeated = format!("{header}{}{}", row("2024-02-02", "A3"), row("2024-02-02", "A3"));
    assert_eq!(import(&dripline, ANA, &repeated), (2, 1, 1), "one id twice for one event is one event");
}

#[test]
fn a_row_repeated_within_its_file_is_reported_as_repeated() {
    let dripline = Dripline::with_accounts();
    let row = "2024-02-02,buy,KO,5,60,A3\n";
    dripline.write("l.csv", format!("date,type,symbol,shares,price,id\n{row}{row}"));
    let dry = dripline.run(&["import", "l.csv", "--user", ANA, "--dry-run"]);
    let summary = "l.csv (dripline): would add 1 of 2 rows, 0 duplicates, 1 repeated in the file, 0 skipped";
    assert_eq!(dry.stdout, format!("line 2: new transaction 1\nline 3: repeats line 2\n{summary}\n"));
    let report = dripline.json(&["import", "l.csv", "--user", ANA, "--dry-run", "--json"]);
    assert_eq!((&report["existing"], &report["repeated"]), (&1.into(), &1.into()));
    assert_eq!(report["plan"][1], serde_json::json!({"line": 3, "fate": "existing", "repeats": 2}));
}

#[test]
fn one_bad_row_of_ten_thousand_stores_none_and_is_named() {
    let dripline = Dripline::with_accounts();
    let mut lines: Vec<String> = numbered(1..=10_000).lines().map(str::to_owned).collect();
    lines[7_320] = "2024-02-30,buy,KO,1,60".to_owned();
    dripline.write("l.csv", lines.join("\n"));
    let ran = dripline.run(&["import", "l.csv", "--user", ANA, "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let count = |name: &str| report[name].as_u64().unwrap();
    assert_eq!((count("rows"), count("new"), count("existing"), count("skipped")), (10_000, 0, 0, 9_999));
    let errors = report["errors"].as_array().unwrap();
    assert_eq!((errors.len(), &errors[0]["line"]), (1, &Value::from(7_321)), "the header is line 1");
    assert_eq!(report["skips"].as_array().unwrap().len(), 9_999);
    assert_eq!(dripline.entries(ANA), 0);
}

#[test]
fn rows_are_accounted_for_when_the_ledger_refuses_them() {
    let dripline = Dripline::with_accounts();
    assert_eq!(import(&dripline, ANA, &numbered(1..=3)), (3, 3, 0));
    // Three duplicates, one valid new row, two invalid ones: 1 + 2 + 3 = 6 KO are held, no IBE.MC.
    let mixed = format!("{}2024-03-01,buy,KO,1,60\n2024-03-02,sell,KO,8,60\n2024-03-02,sell,IBE.MC,8,60\n", numbered(1..=3));
    dripline.write("l.csv", mixed);
    let ran = dripline.run(&["import", "l.csv", "--user", ANA, "--json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let count = |name: &str| report[name].as_u64().unwrap();
    assert_eq!((count("rows"), count("new"), count("existing"), count("skipped")), (6, 0, 3, 1));
    let lines: Vec<&Value> = report["errors"].as_array().unwrap().iter().map(|error| &error["line"]).collect();
    assert_eq!(lines, [6, 7]);
    assert_eq!(dripline.entries(ANA), 3);
}
