//! The two files of dividend histories, row by row, and which source is used for a symbol.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::Date;
use ledger::Decimal;

#[derive(Clone, Debug)]
pub struct Row {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub amount: Decimal,
    /// A currency, or pence.
    pub unit: String,
    /// Per share as it was then; otherwise per share of today.
    pub as_paid: bool,
    pub kind: String,
    pub source: String,
}

pub type Symbols = BTreeMap<String, Vec<Row>>;

/// Every symbol with at least one amount, its rows of all sources by ex-date; none when the folder is not there.
pub fn read() -> Option<Symbols> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/dividends");
    if !folder.exists() {
        eprintln!("no dividend histories at {}: nothing is checked", folder.display());
        return None;
    }
    let mut symbols = Symbols::new();
    for name in ["dividends_licensed.csv", "dividends_unlicensed_facts.csv"] {
        for record in csv::Reader::from_path(folder.join(name)).unwrap().deserialize() {
            let record: BTreeMap<String, String> = record.unwrap();
            if let Some(row) = row(&record) {
                symbols.entry(record["symbol"].clone()).or_default().push(row);
            }
        }
    }
    symbols.values_mut().for_each(|rows| rows.sort_by_key(|row| row.ex_date));
    Some(symbols)
}

/// One source speaks for a symbol: the one whose newest ex-date is the latest; of two equals the one with more rows. In
/// these files it also reaches back the furthest, so no period is left to another. Where it has no pay date, another's
/// for the same ex-date is taken.
pub fn one_source(rows: &[Row]) -> Vec<Row> {
    let mut by_source: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for row in rows {
        by_source.entry(&row.source).or_default().push(row.clone());
    }
    let mut chosen = by_source.into_values().max_by_key(|rows| (rows.last().map(|row| row.ex_date), rows.len())).unwrap();
    assert_eq!(chosen[0].ex_date, rows[0].ex_date, "another source begins earlier");
    for row in &mut chosen {
        let same_day = rows.iter().filter(|other| other.ex_date == row.ex_date);
        row.pay_date = row.pay_date.or_else(|| same_day.filter_map(|other| other.pay_date).min());
    }
    chosen
}

/// A blank amount is a payment nobody knows the size of: dropped.
fn row(record: &BTreeMap<String, String>) -> Option<Row> {
    let amount = Some(record["amount"].as_str()).filter(|amount| !amount.is_empty())?;
    Some(Row {
        ex_date: record["ex_date"].parse().unwrap(),
        pay_date: Some(&record["pay_date"]).filter(|date| !date.is_empty()).map(|date| date.parse().unwrap()),
        amount: amount.parse().unwrap(),
        unit: record["currency"].clone(),
        as_paid: record["split_adjusted"].starts_with("no"),
        kind: record["kind"].clone(),
        source: record["source"].clone(),
    })
}
