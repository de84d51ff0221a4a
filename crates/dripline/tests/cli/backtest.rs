//! `dripline market backtest`

use crate::dripline::Dripline;

const STOCKS: &str = "symbol,currency\nA,USD\nB,USD\n";

/// A, in the choosing half, pays every quarter for less than a year. B, in the judging half, raises its dividend every January.
const DIVIDENDS: &str = "symbol,ex_date,amount\n\
    A,2024-01-10,1\nA,2024-04-10,1\nA,2024-07-10,1\nA,2024-10-15,1\n\
    B,2023-01-10,0.50\nB,2023-04-10,0.50\nB,2023-07-10,0.50\nB,2023-10-10,0.50\n\
    B,2024-01-10,0.55\nB,2024-04-10,0.55\nB,2024-07-10,0.55\nB,2024-10-10,0.55\nB,2025-01-10,0.60\n";

fn with_folder() -> Dripline {
    let dripline = Dripline::new();
    dripline.write("m/stocks.csv", STOCKS);
    dripline.write("m/dividends.csv", DIVIDENDS);
    dripline
}

/// The row of a table, with single spaces.
fn row(text: &str, table: &str, label: &str) -> String {
    let rows = text.split_once(table).unwrap_or_else(|| panic!("no {table} in {text}")).1.lines();
    let found = rows.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).find(|line| line.starts_with(label));
    found.unwrap_or_else(|| panic!("no {label} in {text}"))
}

#[test]
fn a_folder_is_measured_without_a_database() {
    let dripline = with_folder();
    let ran = dripline.run(&["market", "backtest", "m"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = &ran.stdout;
    assert!(text.starts_with("Stocks: 2 (1 choosing, 1 judging), payments: 13, 2023-01-10 to 2025-01-10\n"), "{text}");
    // A's third payment was a day early, its fourth five days late.
    let ex_dates = row(text, "Estimated ex-dates: all payments", "quarterly company");
    assert!(ex_dates.contains(" 2 50.0 / 50.0 / 100.0 7 "), "{ex_dates}");
    // B's forward rate was 2.00 for nine months; it paid 2.10, 2.15 and 2.20, each after three of them: 0.15 ÷ 2.15, 0.20 ÷ 2.20.
    let rates = row(text, "Forward rate", "declared company");
    assert_eq!(rates, "declared company 9 0 7.0 / 9.1 0 0 – / – 9 0 7.0 / 9.1");
    assert_eq!(row(text, "Likely range", "judging"), "judging 0 – – –");
    ran.says(&["The likely range needs a month with at least 20 payers in each half."]);
    assert!(!dripline.data_dir().exists());
}

#[test]
fn stored_market_data_is_measured_like_its_folder() {
    let dripline = with_folder();
    let of_folder = dripline.done(&["market", "backtest", "m"]);
    dripline.done(&["market", "load", "m"]);
    assert_eq!(dripline.done(&["market", "backtest"]), of_folder);
}

#[test]
fn a_stock_that_still_has_a_price_has_stopped_paying() {
    let dripline = with_folder();
    let stopped = |stocks: &str, prices: &str| {
        dripline.write("m/stocks.csv", stocks);
        dripline.write("m/prices.csv", prices);
        row(&dripline.done(&["market", "backtest", "m"]), "Forward rate", "all")
    };
    // Nothing follows the rates of February to June 2025, after which it counts as stopped. Of the 26 errors, the 13th is that of
    // 2.20 against 0.55 + 0.55 + 0.60 from May 2024 on, and the 20th that of 2.20 against 0.60 from November 2024 on.
    let with_price = stopped("symbol,currency,price,price_as_of\nA,USD,,\nB,USD,70,2026-10-30\n", "symbol,date,close\n");
    assert_eq!(with_price, "all 26 5 29.4 / 266.7 0 0 – / – 26 5 29.4 / 266.7");
    assert_eq!(stopped(STOCKS, "symbol,date,close\nB,2026-10-30,70\n"), with_price);
}

#[test]
fn many_payers_have_a_likely_range() {
    let dripline = Dripline::new();
    let (mut stocks, mut dividends) = ("symbol,currency\n".to_owned(), "symbol,ex_date,amount\n".to_owned());
    // 25 in each half.
    for number in 10..60 {
        stocks += &format!("S{number},USD\n");
        for (year, amount) in [(2022, "1.00"), (2023, "1.05"), (2024, "1.10")] {
            for month in ["02", "05", "08", "11"] {
                dividends += &format!("S{number},{year}-{month}-10,{amount}\n");
            }
        }
    }
    dripline.write("m/stocks.csv", stocks);
    dripline.write("m/dividends.csv", dividends);
    let text = dripline.done(&["market", "backtest", "m", "--portfolios", "50"]);
    // Each payer paid 1.01 to 1.05 × its forward rate. The range of 25 declared companies begins at 1.05 − 0.14 × √(0.07 + 0.93 ÷ 25)
    // = 1.004 at most.
    assert_eq!(row(&text, "Likely range", "judging"), "judging 50 100.0 0.0 0.0");
    assert_eq!(text, dripline.done(&["market", "backtest", "m", "--portfolios", "50"]), "the portfolios are the same every time");
}

#[test]
fn tables_are_printed_in_markdown() {
    let text = with_folder().done(&["market", "backtest", "m", "--markdown"]);
    assert!(text.contains("\n### Estimated ex-dates: all payments\n\n| Payers | All | 1 / 3 / 7 days |"), "{text}");
    assert!(text.contains("\n|---|---:|---:|---:|---:|---:|---:|\n| all | 9 |"), "{text}");
    assert!(text.contains("\n| declared company | 9 | 0 | 7.0 / 9.1 | 0 | 0 | – / – | 9 | 0 | 7.0 / 9.1 |\n"), "{text}");
}

#[test]
fn without_past_dividends_it_says_what_to_do() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["market", "backtest"], &["There are no past dividends to compare with.", "`dripline market load`"]);
    dripline.write("m/stocks.csv", STOCKS);
    let words = ["m has no past dividends to compare with. Add them to dividends.csv."];
    dripline.refused(&["market", "backtest", "m"], &words);
    // Payments to come are not past.
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nA,2026-12-10,1\n");
    dripline.refused(&["market", "backtest", "m"], &words);
}

#[test]
fn files_with_errors_are_refused_line_by_line() {
    let dripline = Dripline::with_accounts();
    dripline.refused(&["market", "backtest", "nowhere"], &["nowhere: The folder has none of the files stocks.csv"]);
    dripline.write("m/stocks.csv", STOCKS);
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nA,2024-13-10,1\nA,2024-01-10,-1\n");
    let words = ["dividends.csv, line 2: ex_date \"2024-13-10\" is not a date.", "dividends.csv, line 3: amount is -1"];
    dripline.refused(&["market", "backtest", "m"], &words);
    dripline.write("m/dividends.csv", "symbol,ex_date,amount\nA,2024-01-10,1\nC,2024-01-10,1\n");
    dripline.refused(&["market", "backtest", "m"], &["dividends.csv: C is unknown. Add it to stocks.csv."]);
    dripline.write("m/dividends.csv", "symbol,ex_date,amount,currency\nA,2024-01-10,1,\nA,2024-01-10,2,USD\n");
    dripline.refused(&["market", "backtest", "m"], &["dividends.csv: ", "A", "2024-01-10"]);
}
