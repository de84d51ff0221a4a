//! Files that resemble Ghostfolio's and are not taken for them.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

use importers::Opened;

#[test]
fn an_exported_ledger_is_not_taken_for_a_ghostfolio_file() {
    let detected = |text: &str| importers::detect(&Opened::open(text.as_bytes()).unwrap()).map(|format| format.name);
    assert_eq!(detected("date,type,symbol,shares,price,fees,currency\n"), Some("dripline"));
    assert_eq!(detected("date,type,symbol,quantity,unitPrice,fee,currency\n"), Some("ghostfolio"));
    assert_eq!(detected("Date,Type,Symbol,Quantity,Price,Fee,Currency,Balance\n"), Some("generic"), "another program's column");
}
