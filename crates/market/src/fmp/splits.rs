//! Splits of one symbol.

use jiff::civil::Date;
use serde::Deserialize;

use super::notice::rows;
use crate::fault::Fault;
use crate::figure::Figure;
use crate::http_client::Response;
use crate::provider::Split;
use crate::{blank, split_ratio};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    numerator: Figure,
    denominator: Figure,
    #[serde(default, deserialize_with = "blank::text")]
    split_type: Option<String>,
}

/// The number of rows, and those that are splits, oldest first: spin-offs are also listed here.
pub fn read(response: &Response) -> Result<(usize, Vec<Split>), Fault> {
    let rows: Vec<Row> = rows(response)?;
    let listed = rows.len();
    let mut splits = Vec::new();
    for row in rows {
        let date = row.date.ok_or_else(|| Fault::missing("splits.date", ""))?;
        let is_spin_off = row.split_type.is_some_and(|kind| kind.to_lowercase().contains("spin"));
        let ratio = split_ratio::ratio(row.numerator.0, row.denominator.0).filter(|_| !is_spin_off);
        splits.extend(ratio.map(|ratio| Split { date, ratio }));
    }
    splits.sort_by_key(|split| split.date);
    splits.dedup();
    Ok((listed, splits))
}
