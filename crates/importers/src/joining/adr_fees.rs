//! Fees of the bank behind an ADR: in a separate row, usually on the day of a dividend.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use crate::reading::us_security;
use crate::{Parsed, Reason, Record};

/// Each fee is added to the dividend of its day; without one it is skipped. The records are the fee rows, with the fee as their
/// amount, negative if it was charged.
pub fn charge(fees: Vec<Record>, parsed: &mut Parsed) {
    let mut dividends: HashMap<(String, Date), usize> = HashMap::new();
    for (place, record) in parsed.records.iter().enumerate().filter(|(_, record)| record.kind == Kind::Dividend) {
        dividends.entry((us_security::key(record), record.date)).or_insert(place);
    }
    for row in fees {
        let fee = Decimal::ZERO.saturating_sub(row.amount.unwrap_or_default());
        match dividends.get(&(us_security::key(&row), row.date)).map(|place| &mut parsed.records[*place]) {
            Some(dividend) => {
                let before = dividend.net.or_else(|| dividend.amount?.checked_sub(dividend.tax.unwrap_or_default()));
                dividend.fees = Some(dividend.fees.unwrap_or_default().saturating_add(fee));
                dividend.net = before.map(|net| net.saturating_sub(fee));
                dividend.joined.push(row.line);
            }
            None => parsed.skip(row.line, Reason::FeeWithoutDividend),
        }
    }
}
