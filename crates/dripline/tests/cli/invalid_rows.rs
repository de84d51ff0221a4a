//! Invalid rows of a ledger file: each is named with its reason, and nothing is stored.

use crate::dripline::{ANA, Dripline};

/// Imports the lines below a header that holds every column they use; the last one is wrong.
fn refused(header: &str, lines: &[&str], reason: &str) {
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", format!("{header}\n{}\n", lines.join("\n")));
    let count = lines.len();
    let summary = format!("l.csv: nothing was imported. 1 of {count} rows has an error:\n  line {}: {reason}", count + 1);
    dripline.refused(&["import", "l.csv", "--user", ANA], &[&summary]);
}

const TRADE: &str = "date,type,symbol,shares,price,amount,currency";
const GOOD: &str = "2024-01-02,buy,KO,10,60,,USD";

#[test]
fn a_date_that_does_not_exist_is_refused() {
    let reason = "isn’t a date between 1900 and 2200, written as YYYY-MM-DD.";
    for bad in ["2024-02-30", "2024-1-2", "02.01.2024", "2024-01-02T00:00:00Z", "1899-12-31"] {
        refused(TRADE, &[GOOD, &format!("{bad},buy,KO,1,60,,USD")], &format!("date: “{bad}” {reason}"));
    }
    refused(TRADE, &[GOOD, ",buy,KO,1,60,,USD"], "“date” is missing.");
}

#[test]
fn a_currency_that_does_not_exist_is_refused() {
    for bad in ["XYZ", "usd", "EURO", "€"] {
        let reason = format!("currency: “{bad}” isn’t a currency code such as EUR or USD.");
        refused(TRADE, &[GOOD, &format!("2024-01-03,buy,KO,1,60,,{bad}")], &reason);
    }
    refused(
        TRADE,
        &[GOOD, "2024-01-03,buy,NEW,1,60,,"],
        "The currency is missing, and we don’t know which currency NEW trades in.",
    );
}

#[test]
fn selling_more_than_held_is_refused() {
    let reason = "This transaction needs 12.5 KO, but you only held 10 on 2024-01-03.";
    refused(TRADE, &[GOOD, "2024-01-03,sell,KO,12.5,61,,USD"], reason);
    refused(TRADE, &[GOOD, "2024-01-03,transfer_out,KO,12.5,,,"], reason);
    refused(TRADE, &[GOOD, "2024-01-01,sell,KO,5,61,,USD"], "This transaction needs 5 KO, but you held none on 2024-01-01.");
}

#[test]
fn selling_more_than_held_is_refused_counting_earlier_imports() {
    let dripline = Dripline::with_accounts();
    dripline.write("one.csv", format!("{TRADE}\n{GOOD}\n2024-06-03,sell,KO,10,61,,USD\n"));
    dripline.done(&["import", "one.csv", "--user", ANA]);
    dripline.write("two.csv", format!("{TRADE}\n2024-07-01,sell,KO,1,61,,USD\n"));
    let words = [
        "  line 2: This transaction needs 1 KO, but you held none on 2024-07-01. Import the earlier history first, or add the missing shares as an opening position.\n",
    ];
    dripline.refused(&["import", "two.csv", "--user", ANA], &words);
    dripline.write("three.csv", format!("{TRADE}\n2024-01-01,buy,IBE.MC,1,10,,EUR\n2024-05-01,sell,KO,4,61,,USD\n"));
    let reason = "This file conflicts with a transaction you already recorded: This transaction needs 10 KO, but you only held 6 on 2024-06-03.";
    dripline.refused(&["import", "three.csv", "--user", ANA], &[&format!("  line 3: {reason}")]);
}

#[test]
fn a_foreign_currency_without_a_rate_for_the_day_is_refused() {
    let reason =
        "There is no TWD/USD exchange rate for 2024-01-03. Enter how many USD you got for 1 TWD, because KO trades in USD.";
    refused(TRADE, &[GOOD, "2024-01-03,buy,KO,1,50,,TWD"], reason);
    let dripline = Dripline::with_accounts();
    dripline.write("l.csv", format!("{TRADE},fx_rate\n2024-01-03,buy,KO,1,50,,TWD,0.03\n2024-01-03,buy,KO,1,55,,EUR,\n"));
    dripline.done(&["import", "l.csv", "--user", ANA]);
}

#[test]
fn an_amount_that_is_not_shares_times_price_is_refused() {
    let lines = ["2024-01-02,buy,KO,10,60,600,USD", "2024-01-03,buy,KO,10,60,900,USD"];
    refused(TRADE, &lines, "The amount 900 isn’t shares × price (600). Correct one of them, or leave one empty.");
    let dripline = Dripline::with_accounts();
    // Brokers round: 595 is 5.00 off, within a hundredth of itself (5.95); 594 is 6.00 off, beyond its 5.94.
    dripline.write("l.csv", format!("{TRADE}\n2024-01-03,buy,KO,10,60,595,USD\n2024-01-03,buy,KO,10,60,594,USD\n"));
    let words = ["  line 3: The amount 594 isn’t shares × price (600). Correct one of them, or leave one empty.\n"];
    dripline.refused(&["import", "l.csv", "--user", ANA], &words);
}

#[test]
fn an_id_used_for_two_events_is_refused() {
    let header = "date,type,symbol,shares,price,id";
    let lines = ["2024-01-02,buy,KO,10,60,A1", "2024-01-02,buy,KO,10.0,60.00,A1", "2024-01-02,buy,KO,11,60,A1"];
    refused(header, &lines, "The ID “A1” is also on line 2, for a different transaction. Give each transaction its own ID.");
}

#[test]
fn invalid_numbers_are_refused() {
    for (figure, reason) in [
        ("1,5", "This row has 8 fields, but the header has 7."),
        ("1e3", "shares: “1e3” isn’t a number such as 1234.50 (with a point and no thousands separator)."),
        ("-1", "The number of shares is -1. Enter a positive number. The type says whether the shares were bought or sold."),
        ("0", "The number of shares is 0."),
        ("", "The number of shares for this purchase is missing."),
        ("1000000000000", "shares: “1000000000000” is too large. Numbers must be below 1 trillion."),
        ("0.1234567890123456789", "“shares” has more than 18 decimal places."),
    ] {
        refused(TRADE, &[GOOD, &format!("2024-01-03,buy,KO,{figure},60,,USD")], reason);
    }
    refused(
        TRADE,
        &[GOOD, "2024-01-03,buy,KO,1,,,USD"],
        "The price for this purchase is missing. Enter a price per share or a total.",
    );
    refused(
        TRADE,
        &[GOOD, "2024-01-03,buy,KO,1,-60,,USD"],
        "“price” must not be negative. Enter a positive number. The type says whether you paid or received the amount.",
    );
}

#[test]
fn every_bad_line_is_named_in_the_order_of_the_file() {
    let dripline = Dripline::with_accounts();
    let lines =
        "2024-01-02,buy,KO,10,60,,USD\n2024-01-03,buy,,1,1,,USD\n2024-99-03,buy,KO,1,1,,USD\n2024-01-02,buy,KO,9,60,,USD\n";
    dripline.write("l.csv", format!("{TRADE}\n{lines}"));
    let words = [
        "nothing was imported. 2 of 4 rows have errors:\n  line 3: The symbol and the ISIN are missing. Add at least one of them.\n    2024-01-03,buy,,1,1,,USD\n  line 4: date: “2024-99-03”",
    ];
    dripline.refused(&["import", "l.csv", "--user", ANA], &words);
    let refused = dripline.run(&["import", "l.csv", "--user", ANA, "--dry-run"]);
    assert_eq!(refused.code, Some(1), "a dry run of a file that would be refused says so");
}
