//! Imports listed and undone, and securities matched later.

use serde_json::json;

use crate::dripline::{ANA, BEN, Dripline};

const HEADER: &str = "date,type,symbol,isin,shares,price,currency,portfolio";
const ACME: &str = "US0000000200";

fn import(dripline: &Dripline, name: &str, lines: &str, more: &[&str]) -> String {
    dripline.write(name, format!("{HEADER}\n{lines}"));
    let report = dripline.json(&[&["import", name, "--user", ANA, "--json"], more].concat());
    report["id"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_import_is_listed_and_undone_with_the_portfolio_it_created() {
    let dripline = Dripline::with_accounts();
    let before = (dripline.export(ANA), dripline.json(&["portfolio", "list", "--user", ANA, "--json"]));
    let id = import(&dripline, "l.csv", "2024-01-02,buy,KO,,10,60,USD,Core\n2024-02-02,buy,KO,,5,61,USD,Core\n", &[]);
    let listed = dripline.json(&["import", "list", "--user", ANA, "--json"]);
    let expected = json!([{
        "id": id, "at": listed[0]["at"], "file": "l.csv", "format": "dripline", "rows": 2, "entries": 2, "existing": 0, "skipped": 0
    }]);
    assert_eq!(listed, expected);
    assert_eq!(dripline.json(&["import", "list", "--user", BEN, "--json"]), json!([]));

    assert_eq!(dripline.done(&["import", "file", &id]), std::fs::read_to_string(dripline.path().join("l.csv")).unwrap());

    let output = dripline.done(&["import", "undo", &id]);
    assert_eq!(output, format!("l.csv ({ANA}): import undone, 2 transactions removed\n"));
    assert_eq!((dripline.export(ANA), dripline.json(&["portfolio", "list", "--user", ANA, "--json"])), before);
    assert_eq!(dripline.json(&["import", "list", "--user", ANA, "--json"]), json!([]));
    dripline.refused(&["import", "undo", &id], &["There is no import"]);
    let again = import(&dripline, "l.csv", "2024-01-02,buy,KO,,10,60,USD,Core\n", &[]);
    assert!(!again.is_empty() && again != id, "what was taken back can come again");
}

#[test]
fn undoing_an_import_keeps_a_portfolio_that_is_in_use() {
    let dripline = Dripline::with_accounts();
    let first = import(&dripline, "a.csv", "2024-01-02,buy,KO,,10,60,USD,Core\n", &[]);
    import(&dripline, "b.csv", "2024-01-03,buy,KO,,1,60,USD,Core\n", &[]);
    dripline.done(&["import", "undo", &first]);
    assert_eq!(dripline.entries(ANA), 1);
    assert_eq!(dripline.json(&["portfolio", "list", "--user", ANA, "--json"])[0]["name"], json!("Core"));
}

#[test]
fn an_import_that_later_entries_depend_on_cannot_be_undone() {
    let dripline = Dripline::with_accounts();
    let bought = import(&dripline, "a.csv", "2024-01-02,buy,KO,,10,60,USD,\n", &[]);
    let sold = import(&dripline, "b.csv", "2024-02-02,sell,KO,,4,60,USD,\n", &[]);
    let words =
        ["later transactions depend on it", "You held no KO on 2024-02-02.", "Undo or delete the later transactions first."];
    dripline.refused(&["import", "undo", &bought], &words);
    dripline.done(&["import", "undo", &sold]);
    dripline.done(&["import", "undo", &bought]);
    assert_eq!(dripline.entries(ANA), 0);
}

#[test]
fn an_unknown_import_id_is_refused() {
    let dripline = Dripline::with_accounts();
    for id in ["x", "00000000-0000-0000-0000-000000000000", "018f5c3e-7c5a-7d7e-8b1a-1c2d3e4f5a6b"] {
        dripline.refused(&["import", "undo", id], &[&format!("There is no import {id}")]);
        dripline.refused(&["import", "file", id], &[&format!("There is no import {id}")]);
    }
}

#[test]
fn a_match_is_remembered_for_the_users_next_file() {
    let dripline = Dripline::with_accounts();
    import(&dripline, "a.csv", &format!("2024-01-02,buy,,{ACME},10,180,USD,\n"), &["--map", &format!("{ACME}=AAPL")]);
    import(&dripline, "b.csv", &format!("2024-01-03,buy,,{ACME},1,181,USD,\n"), &[]);
    assert_eq!(dripline.export(ANA).matches(",AAPL,").count(), 2);
    dripline.refused(&["import", "b.csv", "--user", BEN], &["We couldn’t identify US0000000200."]);
}

#[test]
fn entries_kept_under_an_isin_take_its_symbol_once_matched_and_are_still_recognised() {
    let dripline = Dripline::with_accounts();
    let lines = format!("2024-01-02,buy,,{ACME},10,180,USD,\n2024-01-02,buy,,{ACME},10,180,USD,\n2024-01-02,buy,KO,,1,60,USD,\n");
    import(&dripline, "a.csv", &lines, &["--unresolved", "keep"]);
    assert_eq!(dripline.export(ANA).matches(&format!(",{ACME},{ACME},")).count(), 2);
    let next = dripline.json(&["import", "a.csv", "--user", ANA, "--json"]);
    assert_eq!((&next["new"], &next["existing"]), (&json!(0), &json!(3)), "kept once, it is found there");
    let output = dripline.done(&["import", "map", &format!("{ACME}=AAPL"), "--user", ANA]);
    assert_eq!(output, "1 match saved, 2 transactions changed\n");
    assert_eq!(dripline.export(ANA).matches(&format!(",AAPL,{ACME},")).count(), 2);
    let again = dripline.json(&["import", "a.csv", "--user", ANA, "--json"]);
    assert_eq!((&again["new"], &again["existing"]), (&json!(0), &json!(3)));
    // A symbol listed by market data is not a placeholder: matching it with another changes nothing.
    dripline.done(&["import", "map", "KO=KO.DE", "--user", ANA]);
    assert_eq!(dripline.export(ANA).matches(",KO,").count(), 1);
}

#[test]
fn a_match_given_with_a_file_renames_entries_kept_earlier() {
    let dripline = Dripline::with_accounts();
    let line = format!("2024-01-02,buy,,{ACME},10,180,USD,\n");
    import(&dripline, "a.csv", &line, &["--unresolved", "keep"]);
    let map = format!("{ACME}=AAPL");
    let again = dripline.json(&["import", "a.csv", "--user", ANA, "--json", "--map", &map]);
    assert_eq!((&again["new"], &again["existing"]), (&json!(0), &json!(1)));
    assert_eq!(dripline.export(ANA).matches(&format!(",AAPL,{ACME},")).count(), 1);
    // A dry run remembers nothing.
    let other = format!("{ACME}=XXX");
    dripline.done(&["import", "a.csv", "--user", ANA, "--dry-run", "--map", &other]);
    assert_eq!(dripline.export(ANA).matches(&format!(",AAPL,{ACME},")).count(), 1);
}
