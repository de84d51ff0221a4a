//! Tables in no broker's format: their columns suggested, shown, named by hand and remembered.

use serde_json::json;

use crate::dripline::{ANA, BEN, Dripline};

#[test]
fn a_table_with_common_column_names_is_read_and_reports_its_columns() {
    let dripline = Dripline::with_accounts();
    dripline.write("t.csv", "Trade date;Transaction;ISIN;Quantity;Price;Currency\n2024-01-15;Buy;US1912161007;10;60,25;USD\n");
    let report = dripline.json(&["import", "t.csv", "--user", ANA, "--json"]);
    assert_eq!((&report["format"], &report["new"], &report["errors"]), (&json!("generic"), &json!(1), &json!([])));
    assert!(report["columns"].as_str().unwrap().contains("date=Trade date"), "{report}");
    assert!(dripline.export(ANA).contains("2024-01-15,buy,KO,US1912161007,,10,60.25,"), "{}", dripline.export(ANA));
}

#[test]
fn ambiguous_columns_are_asked_for_and_the_answer_is_remembered_per_user() {
    let dripline = Dripline::with_accounts();
    let table = |day: &str| format!("When,What,Ticker,Pieces,Each,Money\n{day},Zukauf,KO,10,60.25,USD\n");
    dripline.write("t.csv", table("03/04/2024"));
    let words = ["assign its columns with --columns"];
    dripline.refused(&["import", "t.csv", "--user", ANA], &words);
    let columns = "date=When;type=What;symbol=Ticker;shares=Pieces;price=Each;currency=Money;word:Zukauf=buy;dates=day-first";
    dripline.done(&["import", "t.csv", "--user", ANA, "--columns", columns]);
    assert!(dripline.export(ANA).contains("2024-04-03,buy,KO"), "{}", dripline.export(ANA));
    dripline.write("next.csv", table("04/05/2024"));
    let next = dripline.json(&["import", "next.csv", "--user", ANA, "--json"]);
    assert_eq!((&next["format"], &next["new"]), (&json!("generic"), &json!(1)));
    assert!(dripline.export(ANA).contains("2024-05-04,buy,KO"), "{}", dripline.export(ANA));
    dripline.refused(&["import", "next.csv", "--user", BEN], &words);
}

#[test]
fn unknown_columns_are_named() {
    let dripline = Dripline::with_accounts();
    dripline.write("t.csv", "When,Ticker,Pieces\n2024-01-02,KO,10\n");
    for columns in ["date=Whenever;symbol=Ticker;shares=Pieces", "colour=When", "date"] {
        let ran = dripline.run(&["import", "t.csv", "--user", ANA, "--columns", columns]);
        assert_eq!(ran.code, Some(1), "{columns}: {ran:?}");
        let word = columns.split(['=', ';']).next().unwrap();
        assert!(ran.stderr.contains(word) || ran.stderr.contains("Whenever"), "{columns}: {}", ran.stderr);
    }
    let words = ["schwab files have fixed columns"];
    dripline.refused(&["import", "t.csv", "--user", ANA, "--format", "schwab", "--columns", "date=When"], &words);
    assert_eq!(dripline.entries(ANA), 0);
}

#[test]
fn an_exported_plain_table_is_read_back_unchanged() {
    let dripline = Dripline::with_accounts();
    let ledger = "date,type,symbol,shares,price,amount,fees,tax,net,currency,ratio,ex_date,portfolio,note\n\
        2024-01-02,buy,KO,10,60.25,,1.50,,,USD,,,Core,first\n2024-04-01,dividend,KO,10,,4.85,,0.73,4.12,USD,,2024-03-14,Core,\n\
        2024-05-02,split,KO,,,,,,,USD,2:1,,Core,\n2024-06-03,sell,KO,5,31,,,,,USD,,,Core,\n2024-07-01,dividend,KO,,,,,,4.00,USD,,,Core,net only\n";
    dripline.write("l.csv", ledger);
    dripline.done(&["import", "l.csv", "--user", ANA]);
    dripline.done(&["export", "--user", ANA, "--format", "generic", "--output", "t.csv"]);
    let report = dripline.json(&["import", "t.csv", "--user", BEN, "--json"]);
    assert_eq!((&report["format"], &report["new"]), (&json!("generic"), &json!(5)), "{report}");
    let without_source = |file: String| file.replace("import:dripline", "").replace("import:generic", "");
    assert_eq!(without_source(dripline.export(BEN)), without_source(dripline.export(ANA)));
}
