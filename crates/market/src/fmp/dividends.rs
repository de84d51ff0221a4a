//! Dividends of one symbol, and of all symbols by date.

use jiff::civil::Date;
use ledger::Decimal;
use serde::Deserialize;

use super::notice::rows;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::{Announcement, Dividend, DividendUnit, Split};
use crate::{blank, figure, split_ratio};

/// A dividend as listed. Its `yield` is in percent and not needed.
#[derive(Debug)]
pub struct Listed {
    pub symbol: String,
    pub dividend: Dividend,
    /// Old rows only have the split-adjusted amount.
    pub is_adjusted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    symbol: String,
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    payment_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    declaration_date: Option<Date>,
    #[serde(default, deserialize_with = "figure::optional")]
    dividend: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    adj_dividend: Option<Decimal>,
    #[serde(default, deserialize_with = "blank::text")]
    frequency: Option<String>,
}

/// Oldest first, without duplicates.
pub fn read(response: &Response) -> Result<Vec<Listed>, Fault> {
    let mut listed = Vec::new();
    for row in rows::<Row>(response)? {
        listed.extend(read_row(row)?);
    }
    let key = |one: &Listed| (one.dividend.ex_date, one.symbol.clone(), one.dividend.amount);
    listed.sort_by_key(key);
    // A row may be repeated, and one of the two may have more dates.
    listed.dedup_by(|later, kept| {
        let same = key(later) == key(kept);
        if same {
            kept.dividend.pay_date = kept.dividend.pay_date.or(later.dividend.pay_date);
            kept.dividend.declared_date = kept.dividend.declared_date.or(later.dividend.declared_date);
        }
        same
    });
    Ok(listed)
}

/// `None` if the amount is not known yet, or nothing is paid.
fn read_row(row: Row) -> Result<Option<Listed>, Fault> {
    let ex_date = row.date.ok_or_else(|| Fault::missing("dividends.date", &row.symbol))?;
    let paid = row.dividend.filter(|amount| !amount.is_zero());
    let Some(amount) = paid.or(row.adj_dividend).filter(|amount| !amount.is_zero()) else { return Ok(None) };
    if amount < Decimal::ZERO {
        return Err(Fault::invalid("dividend", amount, format_args!("{} {ex_date}", row.symbol)));
    }
    let dividend = Dividend {
        ex_date,
        pay_date: row.payment_date,
        declared_date: row.declaration_date,
        amount,
        unit: DividendUnit::AsQuoted,
        special: row.frequency.filter(|word| word.eq_ignore_ascii_case("special")).map(|_| true),
    };
    Ok(Some(Listed { symbol: row.symbol, dividend, is_adjusted: paid.is_none() }))
}

/// Amounts as paid.
pub fn as_paid(listed: Vec<Listed>, splits: Option<&[Split]>) -> Vec<Dividend> {
    listed.into_iter().filter_map(|one| split_ratio::as_paid(one.dividend, one.is_adjusted, splits)).collect()
}

/// The calendar has future days, which no split has followed yet: its adjusted amounts are as paid.
pub fn announced(listed: Vec<Listed>, from: Date, to: Date) -> Vec<Announcement> {
    let within = listed.into_iter().filter(|one| (from..=to).contains(&one.dividend.ex_date));
    within.map(|one| Announcement { symbol: one.symbol, dividend: one.dividend }).collect()
}
