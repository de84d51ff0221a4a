//! The statement until 2021: `Trade Date, Settle Date, Currency, Activity Type, …, Symbol, Description, Quantity, Price, Amount`.

use ledger::{Decimal, Kind, QuoteUnit};

use super::total::set_amounts;
use crate::joining::payments::Payments;
use crate::joining::split_ratio;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, fields, moment};
use crate::{Parsed, Reason, Record};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut payments = Payments::default();
    let mut splits = Vec::new();
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("trade date")));
    for line in table.lines() {
        parsed.rows += 1;
        let number = line.number();
        let read = read(&line, order, &mut payments, &mut splits);
        match read {
            Ok(Read::Taken) => {}
            Ok(Read::Record(record)) => parsed.records.push(*record),
            Ok(Read::Skip(reason)) => parsed.skip(number, reason),
            Err(reason) => parsed.error(number, reason),
        }
    }
    parsed.records.extend(payments.finish());
    pair_splits(splits, &mut parsed);
    parsed
}

enum Read {
    Record(Box<Record>),
    /// Kept to be joined with others.
    Taken,
    Skip(Reason),
}

fn read(line: &Line<'_, '_>, order: Order, payments: &mut Payments, splits: &mut Vec<(Record, Decimal)>) -> Result<Read, Reason> {
    let kind = line.need("activity type")?.to_uppercase();
    let Some(symbol) = line.text("symbol") else {
        return match ["BUY", "SELL", "DIV", "SSP"].contains(&kind.as_str()) {
            true => Err(Reason::missing("Symbol")),
            false => Ok(Read::Skip(Reason::Cash)),
        };
    };
    let (date, time) = moment("Trade Date", line.need("trade date")?, order)?;
    let unit = QuoteUnit::parse(line.need("currency")?).map_err(|unknown| Reason::unknown_currency("Currency", unknown))?;
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
            Ok(Read::Record(Box::new(record)))
        }
        "DIV" => {
            let amount = amount.ok_or_else(|| Reason::missing("Amount"))?;
            payments.dividend(key, Record { amount: Some(amount), ..blank(Kind::Dividend)? });
            Ok(Read::Taken)
        }
        "DIVNRA" | "DIVFT" | "DIVWH" => {
            payments.tax(key, -amount.ok_or_else(|| Reason::missing("Amount"))?, blank(Kind::Dividend)?);
            Ok(Read::Taken)
        }
        "SSP" => {
            splits.push((Record { currency: None, ..blank(Kind::Split)? }, line.figure_needed("quantity")?));
            Ok(Read::Taken)
        }
        _ => Err(Reason::unsupported(kind)),
    }
}

/// A split is two rows of one day: the old shares are removed, the new ones added.
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
