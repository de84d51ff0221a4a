//! Swissquote's transactions (CSV); PostFinance's e-trading exports the same columns.

mod kinds;
mod rows;

use std::collections::BTreeMap;

use ledger::{Decimal, Kind};

use crate::joining::cancelled_trades::without_reversed;
use crate::joining::fills::Fills;
use crate::joining::payments::Payments;
use crate::joining::split_ratio;
use crate::reading::Table;
use crate::reading::trade_text::Side;
use crate::{Parsed, Reason, Record};
use kinds::{Sort, is_coin, sort_of};
use rows::Transaction;
pub use rows::table;

pub const COLUMNS: &[&str] = &["Date", "Transaction", "Symbol", "ISIN", "Quantity", "Unit price", "Net Amount"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut books = Books::default();
    for line in table.lines() {
        parsed.rows += 1;
        let taken = Transaction::read(&line).and_then(|transaction| books.take(transaction, &mut parsed));
        if let Err(reason) = taken {
            parsed.error(line.number(), reason);
        }
    }
    books.finish(&mut parsed);
    parsed
}

#[derive(Default)]
struct Books {
    fills: Fills,
    payments: Payments,
    trades: Vec<Record>,
    /// Cancelled trades, as they would be recorded.
    cancelled: Vec<Record>,
    splits: BTreeMap<String, Vec<(Record, Decimal)>>,
}

impl Books {
    fn take(&mut self, row: Transaction, parsed: &mut Parsed) -> Result<(), Reason> {
        let sort = sort_of(&row.kind);
        if !row.has_instrument() && (row.record.name.is_none() || matches!(sort, Sort::Unknown | Sort::Skip(_))) {
            let reason = match sort {
                Sort::Skip(reason) => reason,
                _ => Reason::Cash,
            };
            parsed.skip(row.record.line, reason);
            return Ok(());
        }
        if row.record.isin.is_none() && row.record.ticker.as_deref().is_some_and(is_coin) {
            parsed.skip(row.record.line, Reason::unsupported_asset("crypto"));
            return Ok(());
        }
        match sort {
            Sort::Trade(_) | Sort::Cancelled(_) if row.percent || !row.accrued.is_zero() => {
                parsed.skip(row.record.line, Reason::unsupported_asset("bond"));
            }
            Sort::Trade(side) => {
                let record = self.trade(&row, side)?;
                self.trades.push(record);
            }
            Sort::Cancelled(side) => self.cancelled.push(trade(&row, side)?),
            Sort::Dividend(note) => self.payments.dividend(key(&row), dividend(&row, note)?),
            Sort::Tax => {
                let net = row.net.ok_or_else(|| Reason::missing("net amount"))?;
                self.payments.tax(key(&row), Decimal::ZERO.saturating_sub(net), row.record(Kind::Dividend)?);
            }
            Sort::Capital => {
                let amount = row.net.ok_or_else(|| Reason::missing("net amount"))?.saturating_add(row.costs);
                parsed.records.push(Record { amount: Some(amount), ..row.record(Kind::ReturnOfCapital)? });
            }
            Sort::Split => {
                let quantity = row.quantity.ok_or_else(|| Reason::missing("quantity"))?;
                let record = row.record(Kind::Split)?;
                self.splits.entry(row.key()).or_default().push((record, quantity));
            }
            Sort::Moved(side) => parsed.records.push(moved(&row, side)?),
            Sort::Skip(reason) => parsed.skip(row.record.line, reason),
            Sort::Unknown => {
                return Err(Reason::unsupported(row.kind));
            }
        }
        Ok(())
    }

    fn trade(&mut self, row: &Transaction, side: Side) -> Result<Record, Reason> {
        let record = trade(row, side)?;
        let id = record.shares.zip(record.price).and_then(|(shares, price)| self.fills.id(&row.order, shares, price));
        Ok(Record { id, ..record })
    }

    fn finish(self, parsed: &mut Parsed) {
        let key = |record: &Record| {
            let figure = |figure: Option<Decimal>| figure.unwrap_or_default().normalize();
            (record.kind.word(), record.isin.clone(), record.ticker.clone(), figure(record.shares), figure(record.price))
        };
        let trades = without_reversed(self.trades, self.cancelled, key, |record| record.line, parsed);
        parsed.records.extend(trades);
        for rows in self.splits.into_values() {
            split(rows, parsed);
        }
        parsed.records.extend(self.payments.finish());
    }
}

fn trade(row: &Transaction, side: Side) -> Result<Record, Reason> {
    let kind = if side == Side::Buy { Kind::Buy } else { Kind::Sell };
    let (price, fits) = row.price(side)?;
    let note = format!("the net amount {} is not shares × price and costs", row.net.unwrap_or_default());
    Ok(Record {
        shares: Some(row.shares()?),
        price: Some(price),
        fees: Some(row.costs.abs()),
        note: (!fits).then_some(note),
        ..row.record(kind)?
    })
}

/// The tax withheld is in the costs; without costs the tax is unknown.
fn dividend(row: &Transaction, note: Option<&str>) -> Result<Record, Reason> {
    let net = row.net.ok_or_else(|| Reason::missing("net amount"))?;
    let withheld = if net < Decimal::ZERO { Decimal::ZERO.saturating_sub(row.costs.abs()) } else { row.costs };
    // A quantity of 1 stands for the whole payment.
    let shares = row.quantity.map(|quantity| quantity.abs()).filter(|quantity| *quantity != Decimal::ONE && !quantity.is_zero());
    Ok(Record {
        shares,
        price: row.price.filter(|price| shares.is_some() && !price.is_zero()),
        amount: Some(net.saturating_add(withheld)),
        tax: Some(withheld).filter(|withheld| !withheld.is_zero()),
        note: note.map(str::to_owned),
        ..row.record(Kind::Dividend)?
    })
}

fn moved(row: &Transaction, side: Option<Side>) -> Result<Record, Reason> {
    let quantity = row.quantity.ok_or_else(|| Reason::missing("quantity"))?;
    let side = if quantity.is_sign_negative() { Side::Sell } else { side.unwrap_or(Side::Buy) };
    let kind = if side == Side::Buy { Kind::TransferIn } else { Kind::TransferOut };
    let record = Record { shares: Some(row.shares()?), note: Some(row.kind.clone()), ..row.record(kind)? };
    match row.price.filter(|price| !price.is_zero()) {
        _ if kind == Kind::TransferOut => Ok(record),
        Some(price) => Ok(Record { price: Some(price.abs()), ..record }),
        None => Ok(Record { amount: Some(Decimal::ZERO), ..record }),
    }
}

/// Shares out in one row and in in another give the ratio; one row alone does not.
fn split(rows: Vec<(Record, Decimal)>, parsed: &mut Parsed) {
    if let [(one, first), (other, second)] = rows.as_slice()
        && first.is_sign_negative() != second.is_sign_negative()
        && !first.is_zero()
        && !second.is_zero()
    {
        let (into, new, out, old) =
            if first.is_sign_negative() { (other, second, one, first) } else { (one, first, other, second) };
        let mut record = Record { currency: None, ratio: split_ratio::of_exchange(old.abs(), *new), ..into.clone() };
        record.joined.push(out.line);
        record.note = Some(format!("{} shares became {}", old.abs().normalize(), new.normalize()));
        parsed.records.push(record);
        return;
    }
    for (record, _) in rows {
        parsed.error(record.line, Reason::SplitRatioUnknown);
    }
}

/// What a dividend and its tax have in common: instrument, day and currency.
fn key(row: &Transaction) -> String {
    format!("{} {:?}", row.key(), row.currency)
}
