//! `dripline radar …`

use serde_json::json;

use crate::dripline::{ANA, Dripline};

#[test]
fn stocks_are_added_to_listed_on_and_removed_from_the_watchlist() {
    let dripline = Dripline::with_accounts();
    assert_eq!(dripline.done(&["radar", "add", "ko", "IBE.MC", "KO", "--user", ANA]), "");
    let listed = dripline.json(&["radar", "list", "--user", ANA, "--json"]);
    let mut symbols: Vec<&str> = listed.as_array().unwrap().iter().map(|row| row["symbol"].as_str().unwrap()).collect();
    symbols.sort();
    assert_eq!(symbols, ["IBE.MC", "KO"]);
    dripline.done(&["radar", "remove", "ibe.mc", "--user", ANA]);
    assert_eq!(dripline.done(&["radar", "list", "--user", ANA]), "SYMBOL\nKO\n");
    dripline.done(&["radar", "remove", "KO", "--user", ANA]);
    assert_eq!(dripline.json(&["radar", "list", "--user", ANA, "--json"]), json!([]));
}

#[test]
fn all_named_stocks_are_added_or_removed_or_none() {
    let dripline = Dripline::with_accounts();
    dripline.refused(
        &["radar", "add", "KO", "NOPE", "--user", ANA],
        &["No data for NOPE: market data isn’t set up.", "Nothing was changed"],
    );
    dripline.done(&["radar", "add", "KO", "--user", ANA]);
    let words = ["IBE.MC is not on your watchlist. Nothing was changed."];
    dripline.refused(&["radar", "remove", "KO", "IBE.MC", "--user", ANA], &words);
}
