//! Directa's movements, below nine lines about the account: `Data operazione, …, Tipo operazione, Ticker, Isin, …`.

use std::collections::HashMap;

use ledger::{Currency, Decimal, Kind};

use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["data operazione", "tipo operazione", "ticker", "isin", "quantità", "importo euro", "divisa"];

/// What a trade and its commission have in common.
const ORDER: &str = "riferimento ordine";

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut commissions = Commissions::default();
    let mut parsed = rows::parse(table, |line| read(&line, &mut commissions));
    commissions.finish(&mut parsed);
    parsed
}

fn key(line: &Line<'_, '_>) -> String {
    ["data operazione", "isin", "ticker", "divisa"].map(|name| line.text(name).unwrap_or_default()).join(" ")
}

fn read(line: &Line<'_, '_>, commissions: &mut Commissions) -> Result<Read, Reason> {
    let kind = line.text("tipo operazione").unwrap_or_default();
    let lower = kind.to_lowercase();
    if let Some(order) = line.text(ORDER).filter(|_| lower.starts_with("commission")) {
        let (record, amount) = paid(line)?;
        commissions.add(Commission { line: record.line, order: order.to_owned(), amount, currency: record.currency });
        return Ok(Read::Kept);
    }
    if line.text("isin").is_none() && line.text("ticker").is_none() {
        let reason = if kind.is_empty() { Reason::Remark } else { Reason::Cash };
        return Ok(Read::Skip(reason));
    }
    let is_tax = lower.contains("rit.") || lower.starts_with("rit ") || lower.contains("ritenuta");
    let is_paid =
        |text: &str| text.contains("dividend") || text.contains("div.") || text.contains("provento") || text.ends_with(" etf");
    match lower.as_str() {
        _ if INTEREST.iter().any(|word| lower.contains(word)) => Ok(Read::Skip(Reason::Interest)),
        _ if MONEY.iter().any(|word| lower.contains(word)) => Ok(Read::Skip(Reason::AccountFee)),
        "acquisto" | "vendita" => {
            let record = trade(line, if lower == "acquisto" { Kind::Buy } else { Kind::Sell })?;
            commissions.trade(&record, line.text(ORDER));
            Ok(record.into())
        }
        _ if is_tax && is_paid(&lower) => {
            let (record, amount) = paid(line)?;
            Ok(Read::tax(key(line), -amount, record))
        }
        _ if is_paid(&lower) => {
            let (record, amount) = paid(line)?;
            Ok(Read::dividend(key(line), Record { amount: Some(amount), ..record }))
        }
        _ => Err(Reason::unsupported(kind)),
    }
}

const INTEREST: &[&str] = &["cedola", "coupon", "ratei", "disaggio", "rimborso obbl"];
const MONEY: &[&str] = &["commission", "tobin", "bollo", "plusvalenza", "prestito titoli", "prest.titoli", "interessi"];

fn trade(line: &Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (record, amount) = paid(line)?;
    let shares = Some(line.figure_needed("quantità")?.abs());
    Ok(Record { kind, shares, amount: Some(amount.abs()), ..record })
}

/// The row with the amount paid: in the instrument's currency if that is given next to the euros.
fn paid(line: &Line<'_, '_>) -> Result<(Record, Decimal), Reason> {
    let abroad = line.text("divisa").filter(|code| *code != "EUR").zip(line.figure("importo divisa")?);
    let (code, amount) = match abroad.filter(|(_, amount)| !amount.is_zero()) {
        Some(stated) => stated,
        None => ("EUR", line.figure_needed("importo euro")?),
    };
    let record = Record {
        ticker: line.text("ticker").map(|ticker| fields::symbol("Ticker", ticker)).transpose()?,
        isin: line.isin("isin"),
        name: line.text("descrizione").and_then(short),
        currency: Some(fields::currency("Divisa", code)?),
        ..Record::new(line.number(), day("Data operazione", line.need("data operazione")?, Order::DayFirst)?, Kind::Dividend)
    };
    Ok((record, amount))
}

/// Commissions are booked in separate rows next to their trades.
#[derive(Default)]
struct Commissions {
    /// The first trade of each order reference; `None` if one reference stands for several instruments.
    trades: HashMap<String, Option<(usize, Option<String>)>>,
    count: usize,
    rows: Vec<Commission>,
}

struct Commission {
    line: u64,
    order: String,
    /// Negative if it was charged.
    amount: Decimal,
    currency: Option<Currency>,
}

impl Commissions {
    /// Trades are the first records, in the order in which they are added.
    fn trade(&mut self, record: &Record, order: Option<&str>) {
        let place = self.count;
        self.count += 1;
        let Some(order) = order else { return };
        let known = self.trades.entry(order.to_owned()).or_insert_with(|| Some((place, record.isin.clone())));
        if known.as_ref().is_some_and(|(_, isin)| *isin != record.isin) {
            *known = None;
        }
    }

    fn add(&mut self, commission: Commission) {
        self.rows.push(commission);
    }

    fn finish(self, parsed: &mut Parsed) {
        for row in self.rows {
            let place = self.trades.get(&row.order).and_then(|known| known.as_ref()).map(|(place, _)| *place);
            let trade = place.and_then(|place| parsed.records.get_mut(place)).filter(|trade| trade.currency == row.currency);
            match trade {
                Some(trade) if row.amount < Decimal::ZERO => {
                    trade.fees = Some(trade.fees.unwrap_or_default().saturating_add(row.amount.abs()));
                    trade.joined.push(row.line);
                }
                Some(_) => parsed.skip(row.line, Reason::FeeRefunded),
                None => parsed.skip(row.line, Reason::FeeWithoutTrade),
            }
        }
    }
}
