//! `dripline market …`

use serde_json::json;

use crate::dripline::{ANA, Dripline};

#[test]
fn a_folder_is_loaded_and_loading_it_again_changes_nothing_that_is_shown() {
    let dripline = Dripline::new();
    dripline.write("m/stocks.csv", "symbol,currency,tracked\nKO,USD,true\nPEP,USD,false\n");
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nKO,2026-09-12,0.51\n");
    dripline.write("m/splits.csv", "symbol,date,ratio\nKO,2012-08-13,2:1\n");
    dripline.write("m/prices.csv", "symbol,date,close\nKO,2026-11-13,70\nKO,2026-11-12,69\n");
    dripline.write("m/fx.csv", "date,currency,rate\n2026-11-13,USD,1.08\n");
    for _ in 0..2 {
        let loaded = dripline.run(&["market", "load", "m"]);
        assert_eq!(loaded.stdout, "Loaded: stocks 2, dividends 1, splits 1, prices 2, exchange rates 1\n");
        assert_eq!(loaded.stderr, "", "no progress where nobody watches");
    }
    let status = dripline.json(&["market", "status", "--json"]);
    assert_eq!((&status["stocks"], &status["tracked"], &status["unknown"]), (&json!(2), &json!(1), &json!([])));
    assert_eq!((&status["currencies"], &status["newest_rate"]), (&json!(1), &json!("2026-11-13")));
    let text = dripline.done(&["market", "status"]);
    assert!(text.contains("2 with data, 1 tracked") && text.contains("latest from 2026-11-13, currencies: 1"), "{text}");
}

#[test]
fn stocks_are_tracked_and_untracked_all_or_none() {
    let dripline = Dripline::with_accounts();
    let tracked = || dripline.json(&["market", "status", "--json"])["tracked"].clone();
    assert_eq!(tracked(), 3);
    dripline.done(&["market", "untrack", "ko", "IBE.MC"]);
    assert_eq!(tracked(), 1);
    dripline.refused(&["market", "track", "KO", "NOPE"], &["No data for NOPE: market data isn’t set up.", "Nothing was changed"]);
    dripline.done(&["market", "track", "KO"]);
    assert_eq!(tracked(), 2);
    dripline.done(&["radar", "add", "IBE.MC", "--user", ANA]);
    assert_eq!(tracked(), 3, "the radar of a user tracks too");
}

#[test]
fn a_held_symbol_without_market_data_is_named() {
    let dripline = Dripline::with_accounts();
    dripline.write("a.csv", "date,type,symbol,shares,price,currency\n2024-01-02,buy,NEW,10,60,EUR\n");
    dripline.done(&["import", "a.csv", "--user", ANA]);
    assert_eq!(dripline.json(&["market", "status", "--json"])["unknown"], json!(["NEW"]));
    assert!(dripline.done(&["market", "status"]).contains("No data     NEW (held by users)"));
}

#[test]
fn every_bad_line_is_named_with_its_file_and_nothing_is_loaded() {
    let dripline = Dripline::with_accounts();
    dripline.write("m/stocks.csv", "symbol,currency,price\nNEW,USD,1\n,USD,1\nOLD,usd,1\n");
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nKO,2026-13-12,0.51\nKO,2026-09-12,0.51\nKO,2026-09-12,0.52\n");
    dripline.write("m/splits.csv", "symbol,date,ratio\nKO,2012-08-13,2\n");
    dripline.write("m/prices.csv", "symbol,date,close\nKO,2026-11-13,-1\n");
    dripline.write("m/fx.csv", "date,currency,rate\n2026-11-13,GBp,85\n");
    let words = [
        "  stocks.csv, line 3: Fill in symbol.\n",
        "  stocks.csv, line 4: \"usd\" is not a currency.",
        "  dividends.csv, line 2: ex_date \"2026-13-12\" is not a date. Enter it as YYYY-MM-DD.\n",
        "  dividends.csv, line 4: The figures for the KO dividend on 2026-09-12 differ from those on line 3. Add them up",
        "  splits.csv, line 2: ratio \"2\" is not a split ratio. Enter it as new:old, such as 4:1.\n",
        "  prices.csv, line 2: close is -1, but must be above zero.\n",
        "  fx.csv, line 2: Exchange rates must be per whole unit, not per hundredth. Enter the rate for GBP.\n",
        "dripline: Nothing was loaded: there are 7 problems in the market files.",
    ];
    dripline.refused(&["market", "load", "m"], &words);
}

#[test]
fn a_folder_without_market_data_or_with_unknown_symbols_is_refused() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["market", "load", "nowhere"], &["nowhere: The folder has none of the files stocks.csv, dividends.csv"]);
    dripline.refused(&["market", "load", "market/fx.csv"], &["stocks.csv: The file can’t be read: Not a directory"]);
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nNOPE,2026-09-12,0.51\n");
    dripline.refused(&["market", "load", "m"], &["dividends.csv: NOPE is unknown. Add it to stocks.csv."]);
    dripline.write("m/dividends.csv", "symbol,ex_date,amount,colour\nKO,2026-09-12,0.51,red\n");
    let words = ["dividends.csv, line 1: There is no column \"colour\". The columns are symbol, ex_date, pay_date"];
    dripline.refused(&["market", "load", "m"], &words);
}

#[test]
fn a_wrong_dividend_is_removed() {
    let dripline = Dripline::with_accounts();
    let rows = "KO,2026-03-13,0.51,\nKO,2026-06-12,0.51,\nKO,2026-09-14,0.51,\nKO,2026-09-14,2,special\n";
    dripline.write("m/dividends.csv", format!("symbol,ex_date,amount,kind\n{rows}"));
    dripline.done(&["market", "load", "m"]);
    let near = ["KO has no such dividend with the ex-dividend date 2026-06-13.", "2026-03-13, 2026-06-12, 2026-09-14"];
    dripline.refused(&["market", "remove", "KO", "2026-06-13"], &near);
    dripline.refused(&["market", "remove", "DGE.L", "2026-06-13"], &["There are no dividends of DGE.L."]);
    dripline.refused(&["market", "remove", "NOPE", "2026-06-13"], &["No data for NOPE."]);
    let several = ["0.51 USD (regular), 2 USD (special)", "--kind"];
    dripline.refused(&["market", "remove", "KO", "2026-09-14"], &several);
    let removed = dripline.done(&["market", "remove", "ko", "2026-09-14", "--kind", "special"]);
    assert_eq!(removed, "Removed: 2 USD, special dividend, ex-date 2026-09-14, from files\n");
    dripline.done(&["market", "remove", "KO", "2026-09-14"]);
    let status = dripline.done(&["market", "status", "KO"]);
    assert!(status.contains("Removed     dividend 2026-09-14 USD special: 2 (since 2026-11-15"), "{status}");
    assert!(!dripline.done(&["market", "status"]).contains("Rejected"));
    dripline.done(&["market", "load", "m"]);
    assert!(!dripline.done(&["market", "status", "KO"]).contains("Removed"), "the operator has loaded them again");
}

#[test]
fn a_payout_in_percent_is_refused() {
    let dripline = Dripline::new();
    dripline.write("m/stocks.csv", "symbol,currency,payout_ratio\nKO,USD,40\n");
    let words = ["  stocks.csv, line 2: payout_ratio is 40, but must be a fraction, such as 0.40 for 40%.\n"];
    dripline.refused(&["market", "load", "m"], &words);
}
