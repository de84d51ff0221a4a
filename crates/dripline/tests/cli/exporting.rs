//! `dripline export`

use crate::dripline::{ANA, BEN, Dripline};

const LEDGER: &str = "date,type,symbol,isin,name,shares,price,amount,fees,tax,net,currency,fx_rate,ratio,ex_date,reinvests,portfolio,source,id,note\n\
    2024-01-02,buy,KO,US1912161007,\"Coca-Cola, Co\",10.50,60.000,,1.50,,,USD,,,,,Main,import:dripline,A1,\"said \"\"yes\"\"\"\n\
    2024-01-22,dividend,KO,,,21,,9.20,,1.38,,USD,,,2024-01-05,,Ümlaut,manual,,\n\
    2024-02-01,split,KO,,,,,,,,,USD,,2:1,,,Main,import:dripline,,\n\
    2024-04-02,dividend,KO,,,,,-9.20,,-1.38,,USD,,,,,Main,manual,,reversal\n\
    2024-05-02,buy,KO,,,1,55,,,,,EUR,1.0873,,,,Main,import:dripline,,\n\
    2024-07-01,dividend,KO,,,21,,9.70,,,,USD,,,,,Main,import:dripline,,\n\
    2024-07-02,buy,KO,,,0.15,,9.70,,,,USD,,,,2024-07-01,Main,import:dripline,,\n";

#[test]
fn a_ledger_is_exported_as_it_was_recorded() {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", LEDGER);
    dripline.done(&["import", "l.csv", "--user", ANA]);
    let exported = dripline.run(&["export", "--user", ANA]);
    assert_eq!((exported.stdout.as_str(), exported.stderr.as_str()), (LEDGER, ""));
    assert_eq!(dripline.done(&["export", "--user", ANA, "--output", "out.csv"]), "");
    assert_eq!(std::fs::read_to_string(dripline.path().join("out.csv")).unwrap(), LEDGER);

    dripline.done(&["import", "out.csv", "--user", BEN]);
    assert_eq!(dripline.export(BEN), LEDGER);
    let list = |email| dripline.json(&["portfolio", "list", "--user", email, "--json"]);
    assert_eq!(list(ANA), list(BEN));
}

#[test]
fn an_account_without_entries_exports_the_header() {
    let dripline = Dripline::with_accounts();
    assert_eq!(dripline.export(ANA), LEDGER.lines().next().unwrap().to_owned() + "\n");
}

#[test]
fn pence_are_exported_as_pounds_that_can_be_imported_again() {
    let dripline = Dripline::with_accounts();
    // A hundredth needs two decimals more, and eighteen are the most a file may have.
    dripline.write("l.csv", "date,type,symbol,shares,price,currency\n2024-01-02,buy,DGE.L,10,2505.12345678901234567,GBp\n");
    let words = ["line 2: “price” has more than 16 decimal places."];
    dripline.refused(&["import", "l.csv", "--user", ANA], &words);
    dripline.write("l.csv", "date,type,symbol,shares,price,currency\n2024-01-02,buy,DGE.L,10,2505.1234567890123456,GBp\n");
    dripline.done(&["import", "l.csv", "--user", ANA]);
    let exported = dripline.export(ANA);
    assert!(exported.contains(",25.051234567890123456,"));
    dripline.write("out.csv", &exported);
    dripline.done(&["import", "out.csv", "--user", BEN]);
    assert_eq!(dripline.export(BEN), exported);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["export", "--user", ANA, "--output", "no/such/folder.csv"], &["no/such/folder.csv can’t be written"]);
}

#[test]
fn exporting_to_a_closed_pipe_does_not_panic() {
    let dripline = Dripline::with_accounts();
    let rows: String = (1..5_000).map(|shares| format!("2024-01-02,buy,KO,{shares},60\n")).collect();
    dripline.write("l.csv", format!("date,type,symbol,shares,price\n{rows}"));
    dripline.done(&["import", "l.csv", "--user", ANA]);
    let mut child = dripline.command(&["export", "--user", ANA]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn the_order_of_the_portfolios_and_the_default_one_survive() {
    let dripline = Dripline::with_accounts();
    let row = |day: &str, portfolio: &str| format!("2024-01-{day},buy,KO,1,60,{portfolio}\n");
    let rows = [row("02", "One"), row("03", "Two"), row("04", "Three")].concat();
    dripline.write("l.csv", format!("date,type,symbol,shares,price,portfolio\n{rows}"));
    dripline.done(&["import", "l.csv", "--user", ANA]);
    dripline.done(&["portfolio", "default", "Two", "--user", ANA]);
    dripline.done(&["portfolio", "order", "Three", "One", "--user", ANA]);
    dripline.done(&["export", "--user", ANA, "--output", "out.csv"]);
    dripline.done(&["import", "out.csv", "--user", BEN]);
    let names = |email| {
        let listed = dripline.json(&["portfolio", "list", "--user", email, "--json"]);
        listed.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(ANA), ["Two", "Three", "One"]);
    assert_eq!(names(BEN), names(ANA));
}
