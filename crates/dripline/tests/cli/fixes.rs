//! `dripline import` with rows that are skipped, and with opening positions.

use serde_json::json;

use crate::dripline::{ANA, Dripline};

/// Line 3 has an unknown type, and line 5 sells 5 shares too many.
const LEDGER: &str = "date,type,symbol,shares,price,currency\n\
    2024-01-02,buy,KO,10,60,USD\n\
    2024-01-03,conversion,KO,1,60,USD\n\
    2024-02-01,buy,IBE.MC,3,10,EUR\n\
    2024-03-01,sell,KO,15,60,USD\n";

#[test]
fn rows_are_skipped_by_their_line() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    let hint = "To skip rows with errors, use --skip-errors (all) or --skip-line LINE (one).";
    dripline.refused(&["import", "l.csv", "--user", ANA], &["  line 3: type: “conversion” isn’t", hint]);
    let hints = [
        "  line 5: This transaction needs 15 KO",
        "missing: 5 KO held on 2024-01-01\nTo add opening positions for the missing shares, use --opening auto.",
        hint,
    ];
    dripline.refused(&["import", "l.csv", "--user", ANA, "--skip-line", "3"], &hints);
    let both = ["import", "l.csv", "--user", ANA, "--skip-line", "3", "--skip-line", "5"];
    let ran = dripline.run(&both);
    ran.says(&["  line 3: skipped: Error: type: “conversion” isn’t", "\n  line 5: skipped: Skipped by you\n"]);
    assert!(ran.stdout.starts_with("l.csv (dripline): added 2 of 4 rows, 0 duplicates, 2 skipped\n"), "{ran:?}");
    assert_eq!(dripline.entries(ANA), 2);
    dripline.write("m.csv", LEDGER);
    let several = ["import", "l.csv", "m.csv", "--user", ANA, "--skip-line", "3"];
    dripline.refused(&several, &["--skip-line only works with a single file. Import the files one at a time."]);
}

#[test]
fn all_rows_with_errors_are_skipped_at_once() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    let report = dripline.json(&["import", "l.csv", "--user", ANA, "--skip-errors", "--json"]);
    let skips = report["skips"].as_array().unwrap();
    assert_eq!(
        skips.iter().map(|skip| (&skip["line"], &skip["code"])).collect::<Vec<_>>(),
        [(&json!(3), &json!("skipped_by_user")), (&json!(5), &json!("skipped_by_user"))]
    );
    assert!(skips[1]["reason"].as_str().unwrap().starts_with("Error: This transaction needs 15 KO"), "{skips:?}");
    assert_eq!((&report["new"], &report["skipped"], &report["errors"]), (&json!(2), &json!(2), &json!([])));
    dripline.write("bad.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60,1\n\"");
    let ran = dripline.run(&["import", "bad.csv", "--user", ANA, "--skip-errors"]);
    assert_eq!(ran.code, Some(1), "what is wrong with the file as a whole is not skipped");
}

#[test]
fn opening_positions_are_added_and_reported() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    let options = ["import", "l.csv", "--user", ANA, "--skip-errors", "--opening", "auto"];
    let dry = dripline.run(&[&options[..], &["--dry-run"]].concat());
    let said = "(dripline): would add 3 of 4 rows, 0 duplicates, 1 skipped\nopening position for line 5: 5 KO on 2024-01-01\n";
    assert!(dry.stdout.ends_with(said), "{dry:?}");
    assert_eq!(dripline.entries(ANA), 0);
    let report = dripline.json(&[&options[..], &["--json"]].concat());
    let opening = json!({
        "line": 5, "symbol": "KO", "date": "2024-01-01", "shares": "5", "cost": "300.00", "cost_known": false, "currency": "USD", "portfolio": "Main"
    });
    assert_eq!((&report["entries"], &report["openings"]), (&json!(4), &json!([opening])));
    assert!(dripline.export(ANA).contains("2024-01-01,transfer_in,KO,"), "{}", dripline.export(ANA));
    let again = dripline.json(&[&options[..], &["--json"]].concat());
    assert_eq!((&again["existing"], &again["entries"], &again["openings"]), (&json!(3), &json!(0), &json!(null)));
    dripline.done(&["import", "undo", report["id"].as_str().unwrap()]);
    assert_eq!(dripline.entries(ANA), 0);
}

#[test]
fn the_recommended_answers_are_taken_with_yes() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    let refused = dripline.run(&["import", "l.csv", "--user", ANA, "--skip-line", "3", "--opening", "refuse"]);
    assert!(refused.code == Some(1) && !refused.stderr.contains("--opening auto"), "{refused:?}");
    let report = dripline.json(&["import", "l.csv", "--user", ANA, "--yes", "--json"]);
    assert_eq!(
        (&report["rows"], &report["new"], &report["skipped"], &report["entries"]),
        (&json!(4), &json!(3), &json!(1), &json!(4))
    );
    assert!(dripline.export(ANA).contains(",opening:estimated,"), "{}", dripline.export(ANA));
}

#[test]
fn the_earlier_history_replaces_an_opening_position() {
    let dripline = Dripline::with_accounts();
    let header = "date,type,symbol,shares,price,currency\n";
    dripline.write("late.csv", format!("{header}2024-03-01,sell,KO,5,60,USD\n"));
    dripline.write("early.csv", format!("{header}2024-01-02,buy,KO,5,50,USD\n"));
    dripline.done(&["import", "late.csv", "--user", ANA, "--opening", "auto"]);
    let dry = dripline.json(&["import", "early.csv", "--user", ANA, "--dry-run", "--json"]);
    assert_eq!(dry["reopened"], json!([{"symbol": "KO", "before": "5", "after": "0"}]));
    let said = dripline.done(&["import", "early.csv", "--user", ANA]);
    assert!(said.contains("The opening position of KO is no longer needed: its 5 shares are now in your history."), "{said}");
    assert!(!dripline.export(ANA).contains("opening"), "{}", dripline.export(ANA));
    let id = said.lines().find_map(|line| line.strip_prefix("import ")).unwrap();
    assert!(dripline.done(&["import", "undo", id]).contains("1 opening position is back"));
    assert!(dripline.export(ANA).contains(",opening:estimated,"), "{}", dripline.export(ANA));
}
