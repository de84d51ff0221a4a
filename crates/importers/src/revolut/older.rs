//! The statement until 2021: `Trade Date, Settle Date, Currency, Activity Type, …, Symbol, Description, Quantity, Price, Amount`.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use super::total::set_amounts;
use crate::joining::split_ratio;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut splits = Vec::new();
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("trade date")));
    let mut parsed = rows::parse(table, |line| read(&line, order, &mut splits));
    pair_splits(splits, &mut parsed);
    parsed
}

fn read(line: &Line<'_, '_>, order: Order, splits: &mut Vec<(Record, Decimal)>) -> Result<Read, Reason> {
    let kind = line.need("activity type")?.to_uppercase();
    let Some(symbol) = line.text("symbol") else {
        return match ["BUY", "SELL", "DIV", "SSP"].contains(&kind.as_str()) {
            true => Err(Reason::missing("Symbol")),
            false => Ok(Read::Skip(Reason::Cash)),
        };
    };
    let (date, time) = moment("Trade Date", line.need("trade date")?, order)?;
    let unit = fields::unit("Currency", line.need("currency")?)?;
    let amount = line.figure("amount")?.map(|amount| unit.normalise(amount));
    let blank = |kind: Kind| -> Result<Record, Reason> {
        Ok(Record {
            time,
            ticker: Some(fields::symbol("Symbol", symbol)?),
            name: line.text("description").and_then(short),
            currency: Some(unit.currency),
            ..Record::new(line.number(), date, kind)
        })
    };
    let key = format!("{symbol} {date} {}", unit.currency);
    match kind.as_str() {
        "BUY" | "SELL" => {
            let mut record = blank(if kind == "BUY" { Kind::Buy } else { Kind::Sell })?;
            let price = line.figure("price")?.map(|price| unit.normalise(price));
            set_amounts(&mut record, line.figure_needed("quantity")?.abs(), price, amount.map(|amount| amount.abs()))?;
            Ok(record.into())
        }
        "DIV" => {
            let amount = amount.ok_or_else(|| Reason::missing("Amount"))?;
            Ok(Read::dividend(key, Record { amount: Some(amount), ..blank(Kind::Dividend)? }))
        }
        "DIVNRA" | "DIVFT" | "DIVWH" => {
            Ok(Read::tax(key, -amount.ok_or_else(|| Reason::missing("Amount"))?, blank(Kind::Dividend)?))
        }
        "SSP" => {
            splits.push((Record { currency: None, ..blank(Kind::Split)? }, line.figure_needed("quantity")?));
            Ok(Read::Kept)
        }
        _ => Err(Reason::unsupported(kind)),
    }
}

/// A split is two rows of one day: the old shares are removed, the new ones added.
fn pair_splits(splits: Vec<(Record, Decimal)>, parsed: &mut Parsed) {
    let mut waiting: HashMap<(Option<String>, Date), (Record, Decimal)> = HashMap::new();
    for (record, count) in splits {
        let key = (record.ticker.clone(), record.date);
        let Some((mut first, other)) = waiting.remove(&key) else {
            waiting.insert(key, (record, count));
            continue;
        };
        let (gone, come) = (count.min(other), count.max(other));
        match split_ratio::of_exchange(-gone, come) {
            Some(ratio) => {
                first.ratio = Some(ratio);
                first.note = Some(format!("Ratio worked out from {} shares becoming {}", (-gone).normalize(), come.normalize()));
                first.joined.push(record.line);
                parsed.records.push(first);
            }
            None => {
                parsed.error(first.line, Reason::SplitRatioUnknown);
                parsed.skip(record.line, Reason::PartOfError { line: first.line });
            }
        }
    }
    let mut alone: Vec<Record> = waiting.into_values().map(|(record, _)| record).collect();
    alone.sort_by_key(|record| record.line);
    for record in alone {
        parsed.error(record.line, Reason::SplitRatioUnknown);
    }
}
