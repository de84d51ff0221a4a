//! The current statement: `Date, Ticker, Type, Quantity, Price per share, Total Amount, Currency, FX Rate`.

use ledger::{Decimal, Kind};

use super::event::{Act, Event};
use super::share_count::ShareCount;
use super::total::set_amounts;
use crate::joining::negative_purchase;
use crate::joining::split_ratio;
use crate::reading::{Table, fields};
use crate::rows::{Read, Rows};
use crate::{Parsed, Reason, Record};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut rows = Rows::default();
    let mut events = Vec::new();
    for line in table.lines() {
        match Event::read(&line) {
            Ok(event) => events.push(event),
            Err(reason) => rows.add(line.number(), Err(reason)),
        }
    }
    let backwards = events.first().zip(events.last()).is_some_and(|(first, last)| first.date > last.date);
    if backwards {
        events.reverse();
    }
    events.sort_by_key(|event| (event.date, event.time));
    let mut held = ShareCount::default();
    for event in &events {
        event.count(&mut held);
    }
    held.rewind();
    for event in &events {
        rows.add(event.line, event.read_with(&held));
        event.count(&mut held);
    }
    rows.finish()
}

impl Event<'_> {
    /// Applies the row to the shares held.
    fn count(&self, held: &mut ShareCount) {
        let Some(ticker) = self.ticker else { return };
        let quantity = self.quantity.unwrap_or_default();
        match self.act {
            Act::Buy | Act::SpinOff => held.change(ticker, quantity.abs()),
            Act::Sell => held.change(ticker, -quantity.abs()),
            Act::Split | Act::Merger => held.change(ticker, quantity),
            Act::Closure if quantity.is_zero() => held.change(ticker, -held.of_file(ticker)),
            Act::Closure => held.change(ticker, -quantity.abs()),
            Act::Move if quantity > Decimal::ZERO => held.stated(ticker, quantity),
            Act::Move | Act::Dividend | Act::DividendTax | Act::ReturnOfCapital | Act::Cash | Act::Other => {}
        }
    }

    fn read_with(&self, held: &ShareCount) -> Result<Read, Reason> {
        let kind = self.kind;
        match (self.act, self.ticker) {
            (Act::Move, Some(_)) => Ok(Read::Skip(Reason::MovedInside)),
            (Act::Cash, _) => Ok(Read::Skip(Reason::Cash)),
            (Act::Move | Act::Other, None) if self.quantity.unwrap_or_default().is_zero() => Ok(Read::Skip(Reason::Cash)),
            (Act::Other, _) => Err(Reason::unsupported(kind)),
            (_, None) => Err(Reason::missing("Ticker")),
            (_, Some(ticker)) => self.record(ticker, held).map(Read::from),
        }
    }

    fn record(&self, ticker: &str, held: &ShareCount) -> Result<Record, Reason> {
        let kind = self.record_kind();
        let mut record = self.blank(ticker, kind)?;
        let shares = || -> Result<Decimal, Reason> {
            negative_purchase::shares_moved(kind, self.quantity.ok_or_else(|| Reason::missing("Quantity"))?)
        };
        let total = || self.total.ok_or_else(|| Reason::missing("Total Amount"));
        match self.act {
            Act::Buy | Act::Sell => set_amounts(&mut record, shares()?, self.price, self.total.map(|total| total.abs()))?,
            Act::Dividend => {
                record.net = Some(total()?);
                record.shares = self.quantity.filter(|quantity| *quantity > Decimal::ZERO);
            }
            Act::DividendTax => {
                record.amount = Some(Decimal::ZERO);
                record.tax = Some(-total()?);
                record.note = Some("Tax on earlier dividends, corrected".to_owned());
            }
            Act::ReturnOfCapital => record.amount = Some(total()?),
            Act::Split => self.split(&mut record, ticker, held)?,
            Act::Closure => {
                let count = self.quantity.filter(|quantity| !quantity.is_zero()).map(|quantity| quantity.abs());
                let count = count.unwrap_or_else(|| held.of_file(ticker));
                if count <= Decimal::ZERO {
                    return Err(Reason::missing("Quantity"));
                }
                record.shares = Some(count);
                record.amount = Some(self.total.unwrap_or_default().abs());
                record.note = Some(format!("Position closed by Revolut ({})", self.kind.to_lowercase()));
            }
            Act::Merger | Act::SpinOff => {
                record.shares = Some(shares()?);
                let (amount, note) = match (self.act, kind) {
                    (Act::SpinOff, _) => (Some(Decimal::ZERO), "Received in a spin-off"),
                    (_, Kind::TransferOut) => (None, "Given up in a merger"),
                    _ => (Some(Decimal::ZERO), "Received in a merger; its cost is not in the file"),
                };
                record.amount = amount;
                record.note = Some(note.to_owned());
            }
            Act::Move | Act::Cash | Act::Other => return Err(Reason::unsupported(self.kind)),
        }
        Ok(record)
    }

    fn record_kind(&self) -> Kind {
        match self.act {
            Act::Buy => Kind::Buy,
            Act::Sell | Act::Closure => Kind::Sell,
            Act::Split => Kind::Split,
            Act::ReturnOfCapital => Kind::ReturnOfCapital,
            Act::Merger if self.quantity.unwrap_or_default() < Decimal::ZERO => Kind::TransferOut,
            Act::Merger | Act::SpinOff => Kind::TransferIn,
            Act::Dividend | Act::DividendTax | Act::Move | Act::Cash | Act::Other => Kind::Dividend,
        }
    }

    fn blank(&self, ticker: &str, kind: Kind) -> Result<Record, Reason> {
        let isin = fields::isin("Ticker", ticker).ok();
        let ticker = match isin {
            Some(_) => None,
            None => Some(fields::symbol("Ticker", ticker)?),
        };
        if self.unit.is_none() && kind != Kind::Split {
            return Err(Reason::missing("Currency"));
        }
        let currency = self.unit.map(|unit| unit.currency).filter(|_| kind != Kind::Split);
        Ok(Record { time: self.time, ticker, isin, currency, ..Record::new(self.line, self.date, kind) })
    }

    fn split(&self, record: &mut Record, ticker: &str, held: &ShareCount) -> Result<(), Reason> {
        let added = self.quantity.ok_or_else(|| Reason::missing("Quantity"))?;
        let before = held.of_file(ticker);
        let inexact = || Reason::SplitRatioInexact { held: before.normalize().into(), added: added.into() };
        let after = before.checked_add(added).ok_or_else(inexact)?;
        record.ratio = Some(split_ratio::of_counts(before, after).ok_or_else(inexact)?);
        record.ratio_worked_out = true;
        record.note = Some(format!("Ratio worked out from {} shares becoming {}", before.normalize(), after.normalize()));
        Ok(())
    }
}
