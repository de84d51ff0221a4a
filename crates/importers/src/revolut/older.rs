//! The statement until 2021: `Trade Date, Settle Date, Currency, Activity Type, …, Symbol, Description, Quantity, Price, Amount`.

use ledger::{Decimal, Kind, QuoteUnit};

use super::total::settle;
use crate::joining::payments::Payments;
use crate::joining::split_ratio;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, fields, moment};
use crate::{Parsed, Record};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut payments = Payments::default();
    let mut splits = Vec::new();
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("trade date")));
    for line in table.lines() {
        parsed.rows += 1;
        let number = line.number();
        let placed = place(&line, order, &mut payments, &mut splits);
        match placed {
            Ok(Placed::Taken) => {}
            Ok(Placed::Record(record)) => parsed.records.push(*record),
            Ok(Placed::Skip(reason)) => parsed.skip(number, reason),
            Err(reason) => parsed.error(number, reason),
        }
    }
    parsed.records.extend(payments.finish());
    pair_splits(splits, &mut parsed);
    parsed
}

enum Placed {
    Record(Box<Record>),
    /// Kept to be joined with others.
    Taken,
    Skip(String),
}

fn place(
    line: &Line<'_, '_>,
    order: Order,
    payments: &mut Payments,
    splits: &mut Vec<(Record, Decimal)>,
) -> Result<Placed, String> {
    let kind = line.need("activity type")?.to_uppercase();
    let Some(symbol) = line.text("symbol") else {
        return match ["BUY", "SELL", "DIV", "SSP"].contains(&kind.as_str()) {
            true => Err(format!("{kind} has no Symbol; fill it in")),
            false => Ok(Placed::Skip(format!("\"{kind}\" moves money, not shares"))),
        };
    };
    let (date, time) = moment("Trade Date", line.need("trade date")?, order)?;
    let unit = QuoteUnit::parse(line.need("currency")?).map_err(|unknown| format!("Currency {unknown}"))?;
    let amount = line.figure("amount")?.map(|amount| unit.normalise(amount));
    let blank = |kind: Kind| -> Result<Record, String> {
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
            settle(&mut record, line.figure_needed("quantity")?.abs(), price, amount.map(|amount| amount.abs()))?;
            Ok(Placed::Record(Box::new(record)))
        }
        "DIV" => {
            let amount = amount.ok_or("Amount is missing")?;
            payments.dividend(key, Record { amount: Some(amount), ..blank(Kind::Dividend)? });
            Ok(Placed::Taken)
        }
        "DIVNRA" | "DIVFT" | "DIVWH" => {
            payments.tax(key, -amount.ok_or("Amount is missing")?, blank(Kind::Dividend)?);
            Ok(Placed::Taken)
        }
        "SSP" => {
            splits.push((Record { currency: None, ..blank(Kind::Split)? }, line.figure_needed("quantity")?));
            Ok(Placed::Taken)
        }
        _ => Err(format!(
            "the activity \"{kind}\" is not known here; take the line out of the file and enter what it means by hand"
        )),
    }
}

/// A split is two rows of one day: the old shares go, the new ones come.
fn pair_splits(splits: Vec<(Record, Decimal)>, parsed: &mut Parsed) {
    let mut waiting: std::collections::HashMap<(Option<String>, jiff::civil::Date), (Record, Decimal)> =
        std::collections::HashMap::new();
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
                parsed.error(first.line, by_hand(&first));
                parsed.skip(record.line, format!("belongs to line {}, which has an error", first.line));
            }
        }
    }
    let mut alone: Vec<Record> = waiting.into_values().map(|(record, _)| record).collect();
    alone.sort_by_key(|record| record.line);
    for record in alone {
        parsed.error(record.line, by_hand(&record));
    }
}

fn by_hand(record: &Record) -> String {
    format!(
        "the ratio of this split of {} cannot be worked out; take its lines out of the file and enter the split by hand, such as 4:1",
        record.ticker.as_deref().unwrap_or_default()
    )
}
