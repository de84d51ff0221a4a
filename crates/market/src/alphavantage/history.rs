//! Dividends and splits of one symbol.

use jiff::civil::Date;
use ledger::Decimal;
use serde::Deserialize;

use super::notice::data;
use crate::fault::Fault;
use crate::figure::Figure;
use crate::http_client::Response;
use crate::provider::{Dividend, DividendUnit, Split};
use crate::{blank, figure, split_ratio};

#[derive(Deserialize)]
struct Rows<T> {
    data: Vec<T>,
}

#[derive(Deserialize)]
struct DividendRow {
    #[serde(default, deserialize_with = "blank::day")]
    ex_dividend_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    declaration_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    payment_date: Option<Date>,
    #[serde(default, deserialize_with = "figure::optional")]
    amount: Option<Decimal>,
}

/// Oldest first.
pub fn read_dividends(response: &Response) -> Result<Vec<Dividend>, Fault> {
    let mut dividends = Vec::new();
    for row in data::<Rows<DividendRow>>(response)?.data {
        let ex_date = row.ex_dividend_date.ok_or_else(|| Fault::missing("ex_dividend_date", ""))?;
        // Declared, but without an amount so far.
        let Some(amount) = row.amount.filter(|amount| !amount.is_zero()) else { continue };
        if amount < Decimal::ZERO {
            return Err(Fault::invalid("amount", amount, ex_date));
        }
        dividends.push(Dividend {
            ex_date,
            pay_date: row.payment_date,
            declared_date: row.declaration_date,
            amount,
            unit: DividendUnit::AsQuoted,
            special: None,
        });
    }
    dividends.sort_by_key(|dividend| dividend.ex_date);
    dividends.dedup();
    Ok(dividends)
}

#[derive(Deserialize)]
struct SplitRow {
    #[serde(default, deserialize_with = "blank::day")]
    effective_date: Option<Date>,
    split_factor: Figure,
}

/// The number of rows, and those that are splits, oldest first: spin-offs are also listed here.
pub fn read_splits(response: &Response) -> Result<(usize, Vec<Split>), Fault> {
    let rows = data::<Rows<SplitRow>>(response)?.data;
    let listed = rows.len();
    let mut splits = Vec::new();
    for row in rows {
        let date = row.effective_date.ok_or_else(|| Fault::missing("effective_date", ""))?;
        splits.extend(split_ratio::ratio(row.split_factor.0, Decimal::ONE).map(|ratio| Split { date, ratio }));
    }
    splits.sort_by_key(|split| split.date);
    Ok((listed, splits))
}
