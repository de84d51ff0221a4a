//! `dripline import`: what is imported, and what is reported.

use serde_json::{Value, json};

use crate::dripline::{ANA, Dripline};

const LEDGER: &str = "date,type,symbol,shares,price,amount,currency,portfolio\n\
    2024-01-02,buy,KO,10,60.00,,USD,Main\n\
    2024-04-01,dividend,KO,10,,4.85,USD,Main\n\
    2024-05-02,sell,KO,2.5,,155,USD,Main\n";

#[test]
fn an_import_is_reported_in_one_line() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    let dry = dripline.run(&["import", "l.csv", "--user", ANA, "--dry-run"]);
    let plan = "line 2: new transaction 1\nline 3: new transaction 2\nline 4: new transaction 3\n";
    assert_eq!(dry.stdout, format!("{plan}l.csv (dripline): would add 3 of 3 rows, 0 duplicates, 0 skipped\n"));
    assert_eq!(dripline.entries(ANA), 0);
    assert_eq!(dripline.json(&["portfolio", "list", "--user", ANA, "--json"]), json!([]));

    let ran = dripline.run(&["import", "l.csv", "--user", ANA]);
    let mut lines = ran.stdout.lines();
    assert_eq!(lines.next(), Some("l.csv (dripline): added 3 of 3 rows, 0 duplicates, 0 skipped"));
    assert!(lines.next().unwrap().starts_with("import ") && lines.next().is_none(), "{ran:?}");
    assert_eq!(ran.stderr, "", "no progress where nobody watches");
    assert_eq!(dripline.entries(ANA), 3);
}

#[test]
fn json_is_one_object_per_file() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    dripline.write("bad.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60\n2024-01-02,bye,KO,10,60\n");
    dripline.write("more.csv", "date,type,symbol,shares,price\n2024-06-03,buy,KO,1,61\n");
    let ran = dripline.run(&["import", "l.csv", "bad.csv", "more.csv", "--user", ANA, "--json"]);
    assert_eq!(ran.code, Some(1), "one of them was refused");
    let objects: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = json!({
        "file": "l.csv", "format": "dripline", "id": objects[0]["id"], "rows": 3, "new": 3, "joined": 0, "existing": 0, "skipped": 0,
        "entries": 3, "errors": [], "skips": []
    });
    assert_eq!(objects[0], first);
    assert_eq!(objects[0]["id"].as_str().unwrap().len(), 36);
    let reason = "type: “bye” isn’t a type of transaction. Use buy, sell, dividend, split, transfer_in, transfer_out or return_of_capital.";
    let second = json!({
        "file": "bad.csv", "format": "dripline", "id": null, "rows": 2, "new": 0, "joined": 0, "existing": 0, "skipped": 1,
        "entries": 0, "errors": [{"line": 3, "code": "unknown_kind", "reason": reason, "text": "2024-01-02,bye,KO,10,60"}],
        "skips": [{"line": 2, "code": "left_out", "reason": "On hold (fix the errors first)"}]
    });
    assert_eq!(objects[1], second);
    assert_eq!((&objects[2]["file"], &objects[2]["new"]), (&json!("more.csv"), &json!(1)), "each file stands for itself");
    assert_eq!(dripline.entries(ANA), 4);
}

#[test]
fn every_type_of_entry_is_imported() {
    let dripline = Dripline::with_accounts();
    let ledger = "date,type,symbol,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,note\n\
        2024-01-02,buy,KO,10,60.00,,1.50,,,USD,,,,first\n\
        2024-01-03,transfer_in,KO,5,,300,,,,USD,,,,\n\
        2024-01-04,buy,KO,1,55,,,,,EUR,1.09,,,\n\
        2024-02-01,split,KO,,,,,,,,,2:1,,\n\
        2024-04-01,dividend,KO,32,,7.76,,1.16,,USD,,,2024-03-14,\n\
        2024-04-02,dividend,KO,,,-7.76,,-1.16,,USD,,,,reversal\n\
        2024-04-03,dividend,KO,,,,,,6.60,USD,,,,net only\n\
        2024-05-02,return_of_capital,KO,,,3,,,,USD,,,,\n\
        2024-05-03,transfer_out,KO,2,,,,,,USD,,,,\n\
        2024-05-04,sell,KO,30,31,,2,,,USD,,,,all of it\n";
    dripline.write("l.csv", ledger);
    let report = dripline.json(&["import", "l.csv", "--user", ANA, "--json"]);
    assert_eq!((&report["new"], &report["errors"]), (&json!(10), &json!([])));
}

#[test]
fn rows_go_to_their_own_portfolio_then_the_given_one_then_the_default() {
    let dripline = Dripline::with_accounts();
    dripline
        .write("named.csv", "date,type,symbol,shares,price,portfolio\n2024-01-02,buy,KO,1,60,Eins\n2024-01-02,buy,KO,2,60,\n");
    let listed = || {
        let rows = dripline.json(&["portfolio", "list", "--user", ANA, "--json"]);
        rows.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    dripline.done(&["import", "named.csv", "--user", ANA, "--portfolio", "Zwei"]);
    assert_eq!(listed(), ["Eins", "Zwei"]);
    dripline.done(&["import", "named.csv", "--user", ANA, "--portfolio", "EINS"]);
    dripline.write("plain.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,3,60\n");
    dripline.done(&["import", "plain.csv", "--user", ANA]);
    assert_eq!(listed(), ["Eins", "Zwei"]);
    let counts: Vec<(String, String)> = csv_columns(&dripline.export(ANA), "shares", "portfolio");
    let expected = [("1", "Eins"), ("2", "Zwei"), ("2", "Eins"), ("3", "Eins")];
    assert_eq!(counts, expected.map(|(shares, name)| (shares.to_owned(), name.to_owned())));

    let fresh = Dripline::with_accounts();
    fresh.write("plain.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,3,60\n");
    fresh.done(&["import", "plain.csv", "--user", ANA]);
    let listed = fresh.json(&["portfolio", "list", "--user", ANA, "--json"]);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["name"], &listed[0]["default"]), (1, &json!("Main"), &json!(true)));
}

/// Two columns of a CSV text without quotes.
fn csv_columns(text: &str, one: &str, other: &str) -> Vec<(String, String)> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
    lines.map(|line| (line[place(one)].to_owned(), line[place(other)].to_owned())).collect()
}

#[test]
fn formats_are_listed() {
    let dripline = Dripline::new();
    let formats = dripline.json(&["import", "--list-formats", "--json"]);
    assert!(formats.as_array().unwrap().contains(&json!({"name": "dripline", "about": "Dripline ledger file (CSV)"})));
    assert!(dripline.done(&["import", "--list-formats"]).starts_with("FORMAT"));
}

#[test]
fn an_unreadable_file_or_unknown_format_is_refused() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    dripline.refused(&["import", "nowhere.csv", "--user", ANA], &["nowhere.csv can’t be read: No such file"]);
    let words = ["There is no format \"quicken\". Run `dripline import --list-formats` to see all formats."];
    dripline.refused(&["import", "l.csv", "--user", ANA, "--format", "quicken"], &words);
    dripline.write("poem.txt", "roses are red\n");
    dripline.refused(
        &["import", "poem.txt", "--user", ANA],
        &["We don’t recognize this format. The file begins with “roses are red”.", "--list-formats"],
    );
    let words = ["Give the portfolio a name of 1 to 100 characters"];
    dripline.write("plain.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,3,60\n");
    dripline.refused(&["import", "plain.csv", "--user", ANA, "--portfolio", " "], &words);
}
