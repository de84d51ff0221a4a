//! `dripline portfolio …`

use serde_json::{Value, json};

use crate::dripline::{ANA, BEN, Dripline};

fn portfolio(dripline: &Dripline, arguments: &[&str]) -> String {
    dripline.done(&[&["portfolio"], arguments, &["--user", ANA]].concat())
}

fn refused(dripline: &Dripline, arguments: &[&str], words: &[&str]) {
    dripline.refused(&[&["portfolio"], arguments, &["--user", ANA]].concat(), words);
}

fn names(dripline: &Dripline) -> Vec<Value> {
    let listed = dripline.json(&["portfolio", "list", "--user", ANA, "--json"]);
    listed.as_array().unwrap().iter().map(|row| row["name"].clone()).collect()
}

#[test]
fn portfolios_are_added_ordered_renamed_shared_and_deleted() {
    let dripline = Dripline::with_accounts();
    for name in ["Main", "Growth", "Income"] {
        assert_eq!(portfolio(&dripline, &["add", name]), "");
    }
    portfolio(&dripline, &["add", "Chosen", "--default"]);
    assert_eq!(names(&dripline), ["Chosen", "Main", "Growth", "Income"]);
    portfolio(&dripline, &["order", "income", "GROWTH"]);
    assert_eq!(names(&dripline), ["Chosen", "Income", "Growth", "Main"]);
    portfolio(&dripline, &["default", "Main"]);
    portfolio(&dripline, &["rename", "main", "Hauptdepot"]);
    let slug = portfolio(&dripline, &["share", "Hauptdepot"]).trim().to_owned();
    assert!(slug.len() == 16 && !slug.contains("haupt"), "{slug}");
    assert_ne!(portfolio(&dripline, &["share", "Income"]).trim(), slug);
    portfolio(&dripline, &["unshare", "Income"]);
    assert_eq!(portfolio(&dripline, &["share", "Growth", "--slug", "anas-growth"]), "anas-growth\n");
    let expected = json!([
        {"name": "Hauptdepot", "default": true, "slug": slug, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []},
        {"name": "Income", "default": false, "slug": null, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []},
        {"name": "Growth", "default": false, "slug": "anas-growth", "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []},
        {"name": "Chosen", "default": false, "slug": null, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []}
    ]);
    assert_eq!(dripline.json(&["portfolio", "list", "--user", ANA, "--json"]), expected);
    let table = portfolio(&dripline, &["list"]);
    assert!(table.lines().nth(1).unwrap().starts_with("Hauptdepot  default"), "{table}");

    portfolio(&dripline, &["unshare", "anas-growth"]);
    portfolio(&dripline, &["delete", "Hauptdepot", "--yes"]);
    let expected = json!([
        {"name": "Income", "default": true, "slug": null, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []},
        {"name": "Growth", "default": false, "slug": null, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []},
        {"name": "Chosen", "default": false, "slug": null, "automatic": "suggest", "reinvest": "off", "reinvest_exceptions": []}
    ]);
    assert_eq!(dripline.json(&["portfolio", "list", "--user", ANA, "--json"]), expected);
}

#[test]
fn a_portfolio_is_deleted_with_its_entries() {
    let dripline = Dripline::with_accounts();
    dripline
        .write("a.csv", "date,type,symbol,shares,price,portfolio\n2024-01-02,buy,KO,10,60,One\n2024-01-02,buy,KO,10,60,Two\n");
    dripline.done(&["import", "a.csv", "--user", ANA]);
    portfolio(&dripline, &["delete", "One", "--yes"]);
    assert_eq!(dripline.entries(ANA), 1);
    assert!(dripline.export(ANA).contains(",Two,"));
}

#[test]
fn portfolio_names_are_unique_regardless_of_case() {
    let dripline = Dripline::with_accounts();
    for name in ["Ümlaut", "Straße", "Other"] {
        portfolio(&dripline, &["add", name]);
    }
    for taken in ["üMLAUT", "U\u{308}mlaut", " ümlaut ", "STRASSE", "strasse", "STRAẞE"] {
        let words = [&format!("You already have a portfolio called \"{}\".", taken.trim()), "Choose another name."];
        refused(&dripline, &["add", taken], &words);
        refused(&dripline, &["rename", "Other", taken], &words);
    }
    portfolio(&dripline, &["rename", "ümlaut", "ÜMLAUT"]);
    portfolio(&dripline, &["add", "Umlaut"]);
    dripline.done(&["portfolio", "add", "Ümlaut", "--user", BEN]);
}

#[test]
fn a_slug_is_unique_in_the_whole_service() {
    let dripline = Dripline::with_accounts();
    dripline.done(&["portfolio", "add", "Growth", "--user", BEN]);
    dripline.done(&["portfolio", "share", "Growth", "--slug", "growth", "--user", BEN]);
    portfolio(&dripline, &["add", "Growth"]);
    let words = ["The address \"growth\" is taken. Choose another one. Set the address with --slug."];
    refused(&dripline, &["share", "Growth", "--slug", "growth"], &words);
    for slug in ["", "ab", "-ab", "Äb-c", &"x".repeat(61)] {
        let words = [&format!("\"{slug}\" can’t be an address. Use 3 to 60 lowercase letters, digits or hyphens.")[..], "--slug"];
        refused(&dripline, &["share", "Growth", &format!("--slug={slug}")], &words);
    }
}

#[test]
fn invalid_portfolio_names_and_orders_are_refused() {
    let dripline = Dripline::with_accounts();
    portfolio(&dripline, &["add", "Main"]);
    portfolio(&dripline, &["add", "Other"]);
    for name in ["", " ", &"x".repeat(101), "a\tb"] {
        refused(&dripline, &["add", name], &["Give the portfolio a name of 1 to 100 characters"]);
        refused(&dripline, &["rename", "Main", name], &["Give the portfolio a name of 1 to 100 characters"]);
    }
    let unknown = ["You have no portfolio called \"Nope\". You have: Main, Other."];
    refused(&dripline, &["rename", "Nope", "New"], &unknown);
    refused(&dripline, &["order", "Other", "Nope"], &unknown);
    refused(&dripline, &["default", "Nope"], &unknown);
    refused(&dripline, &["share", "Nope"], &unknown);
    refused(&dripline, &["unshare", "Nope"], &unknown);
    refused(&dripline, &["delete", "Nope", "--yes"], &unknown);
    refused(&dripline, &["order", "Other", "Main", "OTHER"], &["You named \"OTHER\" twice."]);
    refused(
        &dripline,
        &["delete", "Main"],
        &["This deletes the portfolio \"Main\" and all its transactions. Add --yes to confirm."],
    );
}

#[test]
fn missing_dividends_are_suggested_recorded_or_left_alone() {
    let dripline = Dripline::with_accounts();
    dripline.done(&["market", "load", &market(&dripline)]);
    dripline.write("a.csv", "date,type,symbol,shares,price,currency,portfolio\n2024-01-02,buy,KO,10,60,USD,Main\n");
    dripline.done(&["import", "a.csv", "--user", ANA]);
    let mode = || dripline.json(&["portfolio", "list", "--user", ANA, "--json"])[0]["automatic"].clone();
    assert_eq!((mode(), dripline.entries(ANA)), (json!("suggest"), 1));
    assert_eq!(portfolio(&dripline, &["automatic", "main", "record"]), "");
    assert_eq!((mode(), dripline.entries(ANA)), (json!("record"), 2));
    assert!(portfolio(&dripline, &["list"]).lines().nth(1).unwrap().contains("record"));
    portfolio(&dripline, &["automatic", "Main", "off"]);
    assert_eq!((mode(), dripline.entries(ANA)), (json!("off"), 1));
    refused(&dripline, &["automatic", "Nope", "off"], &["You have no portfolio called \"Nope\". You have: Main."]);
    let wrong = dripline.run(&["portfolio", "automatic", "Main", "perhaps", "--user", ANA]);
    assert_eq!(wrong.code, Some(2));
    wrong.says(&["[possible values: off, suggest, record]"]);
}

#[test]
fn recorded_dividends_are_reinvested_by_the_rule_of_the_portfolio_or_stock() {
    let dripline = Dripline::with_accounts();
    dripline.write("market/prices.csv", "symbol,date,close\nKO,2024-04-01,2.00\n");
    dripline.done(&["market", "load", &market(&dripline)]);
    dripline.write("a.csv", "date,type,symbol,shares,price,currency,portfolio\n2024-01-02,buy,KO,10,60,USD,Main\n");
    dripline.done(&["import", "a.csv", "--user", ANA]);
    let rules = || {
        let listed = dripline.json(&["portfolio", "list", "--user", ANA, "--json"])[0].clone();
        (listed["reinvest"].clone(), listed["reinvest_exceptions"].clone())
    };
    assert_eq!(portfolio(&dripline, &["automatic", "Main", "record"]), "");
    assert_eq!((rules(), dripline.entries(ANA)), ((json!("off"), json!([])), 2));
    assert_eq!(portfolio(&dripline, &["reinvest", "main", "whole"]), "");
    assert_eq!((rules(), dripline.entries(ANA)), ((json!("whole"), json!([])), 3));
    portfolio(&dripline, &["reinvest", "Main", "off", "--symbol", "ko"]);
    assert_eq!(rules(), (json!("whole"), json!([{"symbol": "KO", "reinvest": "off"}])));
    assert_eq!(dripline.entries(ANA), 2);
    let table = portfolio(&dripline, &["list"]);
    assert!(table.lines().next().unwrap().contains("REINVEST") && table.contains("whole, KO off"), "{table}");
    portfolio(&dripline, &["reinvest", "Main", "default", "--symbol", "KO"]);
    assert_eq!((rules(), dripline.entries(ANA)), ((json!("whole"), json!([])), 3));

    refused(&dripline, &["reinvest", "Main", "default"], &["Name the stock with --symbol"]);
    assert_eq!(rules().0, json!("whole"));
    refused(&dripline, &["reinvest", "Main", "off", "--symbol", "PEP"], &["This portfolio has no transactions of PEP."]);
    refused(&dripline, &["reinvest", "Nope", "off"], &["You have no portfolio called \"Nope\". You have: Main."]);
    let wrong = dripline.run(&["portfolio", "reinvest", "Main", "perhaps", "--user", ANA]);
    assert_eq!(wrong.code, Some(2));
    wrong.says(&["[possible values: off, fractional, whole, default]"]);
}

/// A folder with one dividend of KO.
fn market(dripline: &Dripline) -> String {
    dripline.write("market/stocks.csv", "symbol,name,currency,country\nKO,Coca-Cola,USD,United States\n");
    dripline.write("market/dividends.csv", "symbol,ex_date,pay_date,amount\nKO,2024-03-14,2024-04-01,0.485\n");
    "market".to_owned()
}
