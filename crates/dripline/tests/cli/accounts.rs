//! `dripline user …`

use std::io::Write;
use std::process::Stdio;

use crate::dripline::{ANA, BEN, Dripline, NOW, Ran, ran};

#[test]
fn an_account_is_added_listed_disabled_enabled_and_deleted() {
    let dripline = Dripline::new();
    let id = dripline.done(&["user", "add", ANA, "--name", "Ana", "--currency", "USD", "--residence", "es"]);
    let listed = dripline.json(&["user", "list", "--json"]);
    let expected = serde_json::json!([{
        "id": id.trim(), "email": ANA, "name": "Ana", "currency": "USD", "residence": "ES", "disabled": false, "owner": true,
        "verified": NOW, "created": NOW
    }]);
    assert_eq!(listed, expected);

    dripline.done(&["user", "disable", "ANA@example.com"]);
    assert_eq!(dripline.json(&["user", "list", "--json"])[0]["disabled"], true);
    let table = dripline.done(&["user", "list"]);
    assert!(table.starts_with("EMAIL") && table.lines().nth(1).unwrap().ends_with("disabled"), "{table}");
    dripline.done(&["user", "enable", ANA]);
    assert_eq!(dripline.json(&["user", "list", "--json"])[0]["disabled"], false);

    let deleted = dripline.run(&["user", "delete", ANA, "--yes"]);
    assert_eq!((deleted.code, deleted.stdout.as_str()), (Some(0), ""));
    deleted.says(&["ana@example.com deleted."]);
    assert_eq!(dripline.json(&["user", "list", "--json"]), serde_json::json!([]));
}

#[test]
fn an_account_is_deleted_with_everything_in_it_and_no_other() {
    let dripline = Dripline::with_accounts();
    dripline.write("a.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60\n");
    for email in [ANA, BEN] {
        dripline.done(&["import", "a.csv", "--user", email]);
        dripline.done(&["token", "create", "--user", email, "--name", "phone"]);
        dripline.done(&["radar", "add", "IBE.MC", "--user", email]);
    }
    let bens = dripline.export(BEN);
    dripline.done(&["user", "delete", ANA, "--yes"]);
    assert_eq!(dripline.export(BEN), bens);
    assert_eq!(dripline.json(&["user", "list", "--json"]).as_array().unwrap().len(), 1);
    assert_eq!(dripline.json(&["doctor", "--json"])[0]["verdict"], "ok");
    dripline.done(&["user", "add", ANA]);
    assert_eq!(dripline.entries(ANA), 0);
}

#[test]
fn an_account_with_invalid_data_is_refused() {
    let dripline = Dripline::with_accounts();
    for bad in ["ana", "@example.com", "ana@", "a@b@c", "an a@example.com"] {
        dripline.refused(&["user", "add", bad], &[bad, "is not an e-mail address. Enter one such as"]);
    }
    dripline.refused(&["user", "add", "ANA@EXAMPLE.COM"], &["There is already an account for ANA@EXAMPLE.COM."]);
    dripline
        .refused(&["user", "add", "new@example.com", "--residence", "XX"], &["\"XX\" is not a country. Enter a two-letter code"]);
    dripline.refused(&["user", "add", "new@example.com", "--residence", "Spain"], &["\"Spain\" is not a country."]);
    dripline.refused(&["user", "add", "new@example.com", "--currency", "eur"], &["\"eur\" is not a currency."]);
    dripline.refused(&["user", "add", "new@example.com", "--name", " "], &["Enter a name of 1 to 100 characters."]);
}

#[test]
fn an_account_that_does_not_exist_is_named_in_every_refusal() {
    let dripline = Dripline::with_accounts();
    dripline.write("a.csv", "date,type,symbol,shares,price\n2024-01-02,buy,KO,10,60\n");
    let nobody = "nobody@example.com";
    for arguments in [
        &["user", "disable", nobody][..],
        &["user", "enable", nobody],
        &["user", "delete", nobody, "--yes"],
        &["token", "create", "--user", nobody, "--name", "phone"],
        &["token", "list", "--user", nobody],
        &["portfolio", "add", "Main", "--user", nobody],
        &["portfolio", "list", "--user", nobody],
        &["radar", "add", "KO", "--user", nobody],
        &["radar", "list", "--user", nobody],
        &["import", "a.csv", "--user", nobody],
        &["export", "--user", nobody],
    ] {
        dripline.refused(arguments, &["There is no account nobody@example.com. Run `dripline user list` to see all accounts."]);
    }
}

#[test]
fn deleting_an_account_needs_yes() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["user", "delete", ANA], &["This deletes ana@example.com with all its portfolios", "Add --yes to confirm"]);
}

#[test]
fn a_password_is_read_from_standard_input() {
    let dripline = Dripline::new();
    let too_short = add_with_password(&dripline, "hunter2\n");
    assert_eq!(too_short.code, Some(1));
    too_short.says(&["Use at least 15 characters"]);
    assert!(!too_short.stderr.contains("hunter2"));
    assert_eq!(dripline.json(&["user", "list", "--json"]), serde_json::json!([]));
    // The line end does not count: fifteen letters, and one less than that.
    assert_eq!(add_with_password(&dripline, "fourteenletter\r\n").code, Some(1));
    assert_eq!(add_with_password(&dripline, "fifteen letters\r\n").code, Some(0));
}

fn add_with_password(dripline: &Dripline, password: &str) -> Ran {
    let mut command = dripline.command(&["user", "add", ANA, "--password-stdin"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
    ran(child.wait_with_output().unwrap())
}
