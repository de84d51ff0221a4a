//! Which stock a row refers to: symbol, ISIN, `--map`, `--unresolved`.

use serde_json::json;

use crate::dripline::{ANA, Dripline};

const HEADER: &str = "date,type,symbol,isin,shares,price,currency";
const ACME: &str = "US0000000200";

fn with_file(lines: &str) -> Dripline {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", format!("{HEADER}\n{lines}"));
    dripline
}

fn symbols(dripline: &Dripline) -> Vec<String> {
    dripline.export(ANA).lines().skip(1).map(|line| line.split(',').nth(2).unwrap().to_owned()).collect()
}

#[test]
fn a_known_isin_becomes_its_symbol_unless_the_row_names_one() {
    let dripline = with_file("2024-01-02,buy,,us1912161007,10,60,USD\n2024-01-02,buy,ko.de,US1912161007,1,55,EUR\n");
    dripline.done(&["import", "l.csv", "--user", ANA]);
    assert_eq!(symbols(&dripline), ["KO", "KO.DE"]);
}

#[test]
fn an_unknown_isin_is_asked_about() {
    let dripline = with_file(&format!("2024-01-02,buy,KO,,10,60,USD\n2024-01-02,buy,,{ACME},10,180,USD\n"));
    let reason = format!(
        "line 3: We couldn’t identify {ACME}. Match it with --map {ACME}=SYMBOL, or import it as it is with --unresolved keep."
    );
    dripline.refused(&["import", "l.csv", "--user", ANA], &[&reason]);
    dripline.refused(&["import", "l.csv", "--user", ANA, "--unresolved", "ask"], &[&reason]);
    dripline.refused(&["import", "l.csv", "--user", ANA, "--map", "US1912161007=KO"], &[&reason]);
    dripline.done(&["import", "l.csv", "--user", ANA, "--map", &format!("{}=acme", ACME.to_lowercase())]);
    assert_eq!(symbols(&dripline), ["KO", "ACME"]);
}

#[test]
fn an_unknown_isin_is_kept_as_the_symbol_if_the_user_says_so() {
    let dripline = with_file(&format!("2024-01-02,buy,,{ACME},10,180,USD\n"));
    dripline.done(&["import", "l.csv", "--user", ANA, "--unresolved", "keep"]);
    assert_eq!(symbols(&dripline), [ACME]);
    let again = dripline.json(&["import", "l.csv", "--user", ANA, "--unresolved", "keep", "--json"]);
    assert_eq!((&again["new"], &again["existing"]), (&json!(0), &json!(1)));
}

#[test]
fn an_isin_of_two_listings_is_asked_about_or_kept() {
    let dripline = with_file("2024-01-03,dividend,,US1912161007,10,0.48,GBP\n");
    dripline.write("m/stocks.csv", "symbol,currency,isin\nCCC3.DE,EUR,US1912161007\n");
    dripline.done(&["market", "load", "m"]);
    let words = ["line 2: US1912161007 has several listings. Choose one of CCC3.DE, KO with --map US1912161007=SYMBOL."];
    dripline.refused(&["import", "l.csv", "--user", ANA], &words);
    dripline.done(&["import", "l.csv", "--user", ANA, "--unresolved", "keep"]);
    assert_eq!(symbols(&dripline), ["US1912161007"]);
    dripline.done(&["import", "l.csv", "--user", ANA, "--map", "US1912161007=KO"]);
    assert_eq!(symbols(&dripline), ["KO"]);
}

#[test]
fn of_two_listings_the_one_in_the_currency_of_the_trades_is_chosen_for_all_rows() {
    let lines = "2024-01-02,buy,,US1912161007,10,55,EUR\n2024-04-01,dividend,,US1912161007,10,0.485,USD\n";
    let dripline = with_file(lines);
    dripline.write("m/stocks.csv", "symbol,currency,isin\nCCC3.DE,EUR,US1912161007\n");
    dripline.done(&["market", "load", "m"]);
    dripline.done(&["import", "l.csv", "--user", ANA]);
    assert_eq!(symbols(&dripline), ["CCC3.DE", "CCC3.DE"]);
    // A later file with only a dividend refers to the held listing.
    dripline.write("d.csv", format!("{HEADER}\n2024-07-01,dividend,,US1912161007,10,0.485,USD\n"));
    dripline.done(&["import", "d.csv", "--user", ANA]);
    assert_eq!(symbols(&dripline), ["CCC3.DE", "CCC3.DE", "CCC3.DE"]);
}

/// Coca-Cola is held in dollars; the file trades that ticker in pounds on an unknown exchange.
#[test]
fn a_ticker_traded_in_another_currency_is_not_taken_for_the_held_stock() {
    let dripline = with_file("2024-01-02,buy,KO,,10,60,USD\n");
    dripline.done(&["import", "l.csv", "--user", ANA]);
    let header =
        "Action,Time,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total),ID";
    dripline.write("t.csv", format!("{header}\nMarket buy,2024-02-02 10:00:00,KO,Other,1,20,GBP,1,20,GBP,EOF1\n"));
    dripline.refused(&["import", "t.csv", "--user", ANA], &["We couldn’t identify KO."]);
}

#[test]
fn an_isin_with_a_wrong_check_digit_is_a_typing_error() {
    let dripline = with_file("2024-01-02,buy,,US1912161008,10,60,USD\n");
    let words = ["line 2: isin: “US1912161008” isn’t a valid ISIN. Check its 12 characters."];
    dripline.refused(&["import", "l.csv", "--user", ANA, "--unresolved", "keep"], &words);
}

#[test]
fn a_malformed_map_option_is_a_usage_error() {
    let dripline = with_file("2024-01-02,buy,KO,,10,60,USD\n");
    let before = dripline.everything();
    for bad in ["US1912161007", "=KO", "US1912161007=", "KO=US1912161007", "US1912161007=K O", "US1912161007=KO=KO"] {
        let ran = dripline.run(&["import", "l.csv", "--user", ANA, "--map", bad]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{bad}");
        ran.says(&[bad, "write it as ISIN=SYMBOL, such as US1912161007=KO"]);
    }
    assert_eq!(dripline.everything(), before);
}

#[test]
fn an_unknown_symbol_takes_the_currency_of_its_earliest_entry() {
    let dripline = with_file("2024-03-01,buy,NEW,,1,10,EUR\n2024-01-02,buy,NEW,,1,10,TWD\n");
    // The European Central Bank has no rate for Taiwan dollars, so euros cannot be counted in them.
    let words = ["line 2: There is no EUR/TWD exchange rate for 2024-03-01."];
    dripline.refused(&["import", "l.csv", "--user", ANA], &words);
}
