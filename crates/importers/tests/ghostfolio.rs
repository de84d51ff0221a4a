//! What Ghostfolio takes over, and what its tables resemble.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use importers::{Kind, Opened, Parsed, Record};

const LEDGER: &str = "date,type,symbol,isin,shares,price,amount,fees,tax,net,currency,ratio,note
2024-01-02,buy,KO,,10,60.25,,1.5,,,USD,,
2024-01-03,buy,DGE.L,,3,,100.00,,,,GBP,,thirds
2024-01-04,buy,BTC-USD,,0.123456789,44558.42,,0,,,USD,,
2024-02-01,sell,,US1912161007,1.000000001,61,,0,,,USD,,
2024-03-14,dividend,KO,,9,0.485,4.365,0,0.65,,USD,,paid
2024-03-15,dividend,DGE.L,,,,7.10,0,,,GBP,,
2024-04-01,split,KO,,,,,,,,,4:1,
2024-04-02,transfer_out,KO,,1,,,,,,USD,,
2024-04-03,dividend,KO,,9,,-4.37,0,,,USD,,
";

#[test]
fn purchases_sales_and_dividends_read_back_as_they_were_and_the_rest_is_left_out() {
    let records = read("dripline", LEDGER.as_bytes()).records;
    let again = read("ghostfolio", &importers::write_ghostfolio(&records));
    assert!(again.errors.is_empty() && again.skips.is_empty() && again.refusal.is_none(), "{again:?}");
    let told = |record: &Record| {
        let amount = record.amount.or_else(|| record.shares?.checked_mul(record.price?));
        let rounded = amount.map(|amount| amount.round_dp(9).normalize());
        (
            record.date,
            record.kind,
            record.symbol.clone(),
            record.isin.clone(),
            rounded,
            record.fees.unwrap_or_default(),
            record.currency,
        )
    };
    let kept: Vec<&Record> = records.iter().filter(|record| importers::can_write_ghostfolio(record)).collect();
    assert_eq!(kept.len(), 6, "neither the split, nor the transfer, nor the dividend below zero");
    assert_eq!(again.records.iter().map(told).collect::<Vec<_>>(), kept.iter().map(|record| told(record)).collect::<Vec<_>>());
    let trades = |records: &[&Record]| -> Vec<_> {
        records
            .iter()
            .filter(|record| record.kind != Kind::Dividend)
            .map(|record| record.shares.map(|shares| shares.normalize()))
            .collect()
    };
    assert_eq!(trades(&again.records.iter().collect::<Vec<_>>()), trades(&kept));
    assert_eq!(again.records[4].note.as_deref(), Some("paid; withheld tax 0.65 USD"));
}

#[test]
fn our_own_file_is_not_taken_for_a_table_of_ghostfolio() {
    let detected = |text: &str| importers::detect(&Opened::open(text.as_bytes()).unwrap()).map(|format| format.name);
    assert_eq!(detected(LEDGER), Some("dripline"));
    assert_eq!(detected("date,type,symbol,shares,price,fees,currency\n"), Some("dripline"));
    assert_eq!(detected("date,type,symbol,quantity,unitPrice,fee,currency\n"), Some("ghostfolio"));
    assert_eq!(detected("Date,Type,Symbol,Quantity,Price,Fee,Currency,Balance\n"), Some("generic"), "another program's column");
}

fn read(format: &str, bytes: &[u8]) -> Parsed {
    importers::by_name(format).unwrap().read(&Opened::open(bytes).unwrap())
}
