//! The rows of the sheet Account Activity, each with the position it belongs to.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind};

use super::instrument::{self, Instrument};
use super::kind::{Act, Asset, act, asset};
use crate::reading::{Line, Order, moment};
use crate::{Parsed, Reason, Record};

/// A dividend of one position: net, until the sheet Dividends adds the tax.
pub struct Payment {
    pub record: Record,
    pub position: Option<String>,
}

pub struct Activity {
    currency: Currency,
    parsed: Parsed,
    payments: Vec<Payment>,
    /// Indexes of a position's trades among the records, the opening one first.
    trades: HashMap<String, Vec<usize>>,
    /// The instrument of each position.
    positions: HashMap<String, Instrument>,
    fees: Vec<Fee>,
    splits: HashMap<(Option<String>, Date, String), usize>,
    ids: HashMap<String, u32>,
}

struct Fee {
    line: u64,
    date: Date,
    position: Option<String>,
    amount: Decimal,
}

impl Activity {
    pub fn new(currency: Currency) -> Activity {
        Activity {
            currency,
            parsed: Parsed::default(),
            payments: Vec::new(),
            trades: HashMap::new(),
            positions: HashMap::new(),
            fees: Vec::new(),
            splits: HashMap::new(),
            ids: HashMap::new(),
        }
    }

    pub fn row(&mut self, line: &Line<'_, '_>) {
        self.parsed.rows += 1;
        match self.place(line) {
            Ok(None) => {}
            Ok(Some(reason)) => self.parsed.skip(line.number(), reason),
            Err(reason) => self.parsed.error(line.number(), reason),
        }
    }

    pub fn finish(mut self) -> (Parsed, Vec<Payment>) {
        for fee in std::mem::take(&mut self.fees) {
            self.join_fee(fee);
        }
        (self.parsed, self.payments)
    }

    /// Returns the reason if the row is skipped.
    fn place(&mut self, line: &Line<'_, '_>) -> Result<Option<Reason>, Reason> {
        let kind = line.need("type")?;
        let details = line.text("details").unwrap_or_default();
        let act = act(kind, details);
        let position = line.text("position id").filter(|position| *position != "-").map(str::to_owned);
        match (act, asset(line.text("asset type"))) {
            (Act::Cash, _) => return Ok(Some(Reason::Cash)),
            (_, Asset::NotKept(asset)) => {
                return Ok(Some(Reason::unsupported_asset(asset.to_owned())));
            }
            (Act::Open | Act::Close, Asset::Unknown) => {
                return Err(Reason::missing("Asset type"));
            }
            (Act::Other, asset) if matches!(asset, Asset::Kept) || units(line)?.is_some() => {
                return Err(Reason::unsupported(kind));
            }
            (Act::Other, _) => return Ok(Some(Reason::NoShares)),
            _ => {}
        }
        let (date, time) = moment("Date", line.need("date")?, Order::DayFirst)?;
        let blank = Record { time, ..Record::new(line.number(), date, Kind::Buy) };
        match act {
            Act::Open | Act::Close => self.trade(line, act, position, details, blank)?,
            Act::Dividend => self.dividend(line, position, details, blank)?,
            Act::Split => self.split(details, blank)?,
            _ => {
                let amount = line.figure_needed("amount")?;
                self.fees.push(Fee { line: line.number(), date, position, amount });
            }
        }
        Ok(None)
    }

    fn trade(
        &mut self,
        line: &Line<'_, '_>,
        act: Act,
        position: Option<String>,
        details: &str,
        blank: Record,
    ) -> Result<(), Reason> {
        let (kind, word) = if act == Act::Open { (Kind::Buy, "open") } else { (Kind::Sell, "close") };
        let shares = units(line)?.ok_or_else(|| Reason::missing("Units"))?;
        let amount = line.figure_needed("amount")?;
        let id = self.id(position.as_deref(), word, &blank);
        let currency = Some(self.currency);
        let mut record = Record { kind, shares: Some(shares), amount: Some(amount), currency, id, ..blank };
        let instrument = instrument::read(details);
        if let Some(position) = position {
            self.trades.entry(position.clone()).or_default().push(self.parsed.records.len());
            self.positions.insert(position, instrument.clone());
        }
        instrument.put(&mut record);
        self.parsed.records.push(record);
        Ok(())
    }

    fn dividend(&mut self, line: &Line<'_, '_>, position: Option<String>, details: &str, blank: Record) -> Result<(), Reason> {
        let named_by_position = details.to_lowercase().contains("dividend");
        let instrument = match named_by_position {
            false => instrument::read(details),
            true => {
                position.as_ref().and_then(|position| self.positions.get(position)).cloned().ok_or(Reason::PositionUnknown)?
            }
        };
        let net = Some(line.figure_needed("amount")?);
        let id = self.id(position.as_deref(), "dividend", &blank);
        let mut record = Record { kind: Kind::Dividend, net, currency: Some(self.currency), id, ..blank };
        instrument.put(&mut record);
        self.payments.push(Payment { record, position });
        Ok(())
    }

    /// Every position of the instrument has a row about the same split.
    fn split(&mut self, details: &str, blank: Record) -> Result<(), Reason> {
        let instrument = instrument::read(details);
        let ratio = instrument.ratio.ok_or(Reason::SplitRatioUnknown)?;
        let key = (instrument.ticker.clone(), blank.date, ratio.to_string());
        match self.splits.get(&key).and_then(|at| self.parsed.records.get_mut(*at)) {
            Some(record) => record.joined.push(blank.line),
            None => {
                self.splits.insert(key, self.parsed.records.len());
                let mut record = Record { kind: Kind::Split, ratio: Some(ratio), ..blank };
                instrument.put(&mut record);
                self.parsed.records.push(record);
            }
        }
        Ok(())
    }

    /// Adds it to the trade of its day, else to the one that opened the position.
    fn join_fee(&mut self, fee: Fee) {
        let trades = fee.position.as_ref().and_then(|position| self.trades.get(position)).map(Vec::as_slice).unwrap_or_default();
        let records = &mut self.parsed.records;
        let of_day = trades.iter().rev().take(8).find(|at| records.get(**at).is_some_and(|record| record.date == fee.date));
        match of_day.or_else(|| trades.first()).and_then(|at| records.get_mut(*at)) {
            Some(record) => {
                record.fees = Some(record.fees.unwrap_or_default().saturating_sub(fee.amount));
                record.joined.push(fee.line);
            }
            None => self.parsed.skip(fee.line, Reason::FeeWithoutTrade),
        }
    }

    fn id(&mut self, position: Option<&str>, word: &str, row: &Record) -> Option<String> {
        let time = row.time.map(|time| time.to_string()).unwrap_or_default();
        let id = format!("{} {word} {} {time}", position?, row.date);
        let count = self.ids.entry(id.clone()).or_default();
        *count += 1;
        Some(if *count == 1 { id } else { format!("{id} #{count}") })
    }
}

fn units(line: &Line<'_, '_>) -> Result<Option<Decimal>, Reason> {
    Ok(line.figure("units")?.or(line.figure("units / contracts")?).filter(|units| !units.is_zero()))
}
