//! Rows of brokers' files are recognised by their ID, or by their content and the number of equal rows.

use std::fmt::Write;
use std::thread;

use crate::account::Account;

/// Trades of Schwab, whose rows have no ids: some of them equal in everything.
fn schwab(rows: std::ops::RangeInclusive<u32>) -> String {
    let mut text =
        "\"Date\",\"Action\",\"Symbol\",\"Description\",\"Quantity\",\"Price\",\"Fees & Comm\",\"Amount\"\n".to_owned();
    for row in rows.rev() {
        // Three rows a day, two of them the same.
        let (day, shares) = (row / 3, 1 + (row % 3) / 2);
        let date = format!("{:02}/{:02}/2024", 1 + day / 28, 1 + day % 28);
        writeln!(
            text,
            "\"{date}\",\"Buy\",\"KO\",\"COCA COLA CO\",\"{shares}\",\"$60.25\",\"\",\"-${}.{}\"",
            shares * 60,
            25 * shares
        )
        .unwrap();
    }
    text
}

fn trading_212(rows: std::ops::RangeInclusive<u32>) -> String {
    let mut text = "Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total),ID\n".to_owned();
    for row in rows {
        let time = format!("2024-{:02}-{:02} 10:00:00", 1 + row / 28, 1 + row % 28);
        writeln!(text, "Market buy,{time},US1912161007,KO,Coca-Cola,1.5,60.25,USD,1.25000,72.30,GBP,EOF{row}").unwrap();
    }
    text
}

fn taken(account: &Account, text: &str) -> (u64, u64) {
    let report = account.import(text.as_bytes(), None).unwrap();
    assert_eq!(report.errors, vec![]);
    (report.new, report.existing)
}

#[test]
fn overlapping_exports_add_only_new_rows() {
    for export in [schwab, trading_212] {
        let account = Account::new();
        // Whole days: 3 rows each, 33 days and 17 days more.
        assert_eq!(taken(&account, &export(0..=98)), (99, 0));
        assert_eq!(taken(&account, &export(51..=149)), (51, 48));
        assert_eq!(taken(&account, &export(0..=149)), (0, 150));
    }
}

#[test]
fn equal_trades_keep_their_number() {
    let account = Account::new();
    // Two of one share and one of two on the same day.
    assert_eq!(taken(&account, &schwab(0..=2)), (3, 0));
    assert_eq!(taken(&account, &schwab(0..=2)), (0, 3));
    assert!(account.answers()[1].0.contains("\"shares\":\"4\""), "{}", account.answers()[1].0);
}

#[test]
fn decimal_commas_and_semicolons_do_not_change_a_rows_identity() {
    let account = Account::new();
    let text = trading_212(1..=5);
    assert_eq!(taken(&account, &text), (5, 0));
    let spreadsheet = text.replace(',', ";").replace("1.5;60.25", "1,5;60,25").replace("1.25000;72.30", "1,25000;72,30");
    assert_eq!(taken(&account, &spreadsheet), (0, 5));
}

#[test]
fn null_in_json_counts_as_missing() {
    let activity = |more: &str| {
        format!(
            "{{\"activities\":[{{\"currency\":\"USD\",\"dataSource\":\"YAHOO\",\"date\":\"2024-01-02T00:00:00.000Z\",\"fee\":0,\
             \"quantity\":2,\"symbol\":\"KO\",\"type\":\"BUY\",\"unitPrice\":60.5{more}}}]}}"
        )
    };
    let account = Account::new();
    assert_eq!(taken(&account, &activity(",\"comment\":null,\"accountId\":null")), (1, 0));
    assert_eq!(taken(&account, &activity("")), (0, 1));
    // The same as a table.
    let table = "Date,Code,DataSource,Currency,Price,Quantity,Action,Fee,Note\n2024-01-02,KO,YAHOO,USD,60.50,2.0,buy,0.00,\n";
    assert_eq!(taken(&account, table), (0, 1));
}

#[test]
fn one_invalid_row_stores_nothing_and_is_quoted() {
    let account = Account::new();
    let before = account.answers();
    let mut text = trading_212(1..=300);
    text.push_str("Market buy,2024-12-40 10:00:00,US1912161007,KO,Coca-Cola,1,60,USD,1,48,GBP,EOF999\n");
    let report = account.import(text.as_bytes(), None).unwrap();
    assert_eq!((report.new, report.errors.len(), report.errors[0].line), (0, 1, 302));
    assert!(report.quotes[&302].starts_with("Market buy,2024-12-40"), "{:?}", report.quotes);
    assert_eq!(account.answers(), before);
}

#[test]
fn eight_simultaneous_imports_of_one_file_add_it_once() {
    let account = Account::new();
    let text = schwab(0..=299);
    let added: u64 = thread::scope(|scope| {
        let imports: Vec<_> = (0..8).map(|_| scope.spawn(|| taken(&account, &text).0)).collect();
        imports.into_iter().map(|import| import.join().unwrap()).sum()
    });
    assert_eq!(added, 300);
}

#[test]
fn trades_in_both_degiro_exports_are_recognised_as_the_same() {
    let account = Account::new();
    let statement = "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id\n\
        02-01-2024,10:00,02-01-2024,COCA-COLA,US1912161007,Buy 3 COCA-COLA@60.25 USD (US1912161007),,USD,-180.75,USD,0.00,0a1b2c3d-0000-1111-2222-333344445555\n";
    let transactions = "Date,Time,Product,ISIN,Reference exchange,Venue,Quantity,Price,,Local value,,Value,,Exchange rate,Transaction and/or third,,Total,,Order ID\n\
        02-01-2024,10:00,COCA-COLA,US1912161007,NSY,XNYS,3,60.2500,USD,-180.75,USD,-165.00,EUR,1.0955,,,-165.00,EUR,0a1b2c3d-0000-1111-2222-333344445555\n";
    assert_eq!(taken(&account, statement), (1, 0));
    assert_eq!(taken(&account, transactions), (0, 1));
}
