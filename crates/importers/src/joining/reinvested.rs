//! Purchases that the file says are reinvestments, and the dividends that paid for them, in rows of their own.

use std::collections::{HashMap, HashSet};

use ledger::{Decimal, Kind};

use super::days;
use crate::Record;
use crate::reading::us_security;

/// A dividend is reinvested within this many days.
const WITHIN_DAYS: i32 = 7;

/// Links each purchase on these lines with the dividend of the same security that it cost to the cent, if there is only one such
/// dividend and it only paid for one such purchase.
pub fn link(records: &mut [Record], purchases: &HashSet<u64>) {
    if purchases.is_empty() {
        return;
    }
    let of_kind = |kind: Kind| records.iter().enumerate().filter(move |(_, record)| record.kind == kind);
    let purchases: Vec<usize> = of_kind(Kind::Buy).filter(|(_, one)| purchases.contains(&one.line)).map(|(at, _)| at).collect();
    let mut dividends: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, dividend) in of_kind(Kind::Dividend) {
        dividends.entry(us_security::key(dividend)).or_default().push(at);
    }
    let pairs: Vec<(usize, usize)> = purchases
        .iter()
        .flat_map(|purchase| {
            let security = us_security::key(&records[*purchase]);
            let of_security = dividends.get(&security).into_iter().flatten();
            of_security.map(|dividend| (*purchase, *dividend)).collect::<Vec<_>>()
        })
        .filter(|(purchase, dividend)| has_paid_for(&records[*dividend], &records[*purchase]))
        .collect();
    let (mut of_purchase, mut of_dividend) = (HashMap::<usize, usize>::new(), HashMap::<usize, usize>::new());
    for (purchase, dividend) in &pairs {
        *of_purchase.entry(*purchase).or_default() += 1;
        *of_dividend.entry(*dividend).or_default() += 1;
    }
    for (purchase, dividend) in pairs {
        if of_purchase.get(&purchase) == Some(&1) && of_dividend.get(&dividend) == Some(&1) {
            records[purchase].reinvestment = Some(dividend);
            records[dividend].reinvestment = Some(dividend);
        }
    }
}

fn has_paid_for(dividend: &Record, purchase: &Record) -> bool {
    let cost = purchase.amount.map(|amount| amount.saturating_add(purchase.fees.unwrap_or_default()));
    let is_near = (0..=WITHIN_DAYS).contains(&days(dividend.date, purchase.date));
    is_near && dividend.currency == purchase.currency && cost.is_some_and(|cost| cost > Decimal::ZERO) && net(dividend) == cost
}

fn net(dividend: &Record) -> Option<Decimal> {
    let taken = dividend.tax.unwrap_or_default().saturating_add(dividend.fees.unwrap_or_default());
    dividend.net.or_else(|| dividend.amount?.checked_sub(taken))
}
