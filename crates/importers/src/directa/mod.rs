//! Directa's movements, below nine lines about the account: `Data operazione, …, Tipo operazione, Ticker, Isin, …`.

mod commissions;

use commissions::{Commission, Commissions};
use ledger::{Currency, Decimal, Kind};

use crate::joining::payments::Payments;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::{Opened, Parsed, Reason, Record};

const COLUMNS: &[&str] = &["data operazione", "tipo operazione", "ticker", "isin", "quantità", "importo euro", "divisa"];

/// What a trade and its commission have in common.
const ORDER: &str = "riferimento ordine";

pub fn detect(file: &Opened) -> bool {
    Table::find(file, COLUMNS).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, COLUMNS) else {
        return Parsed::refused(1, Reason::header_missing(COLUMNS));
    };
    let mut parsed = Parsed::default();
    let (mut payments, mut commissions) = (Payments::default(), Commissions::default());
    for line in table.lines() {
        parsed.rows += 1;
        match read(&line) {
            Ok(Read::Trade(record)) => {
                commissions.trade(&record, line.text(ORDER), parsed.records.len());
                parsed.records.push(*record);
            }
            Ok(Read::Commission(commission)) => commissions.add(commission),
            Ok(Read::Dividend(record)) => payments.dividend(key(&line), *record),
            Ok(Read::Tax(tax, record)) => payments.tax(key(&line), tax, *record),
            Ok(Read::Skip(reason)) => parsed.skip(line.number(), reason),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    commissions.finish(&mut parsed);
    parsed.records.extend(payments.finish());
    parsed
}

enum Read {
    Trade(Box<Record>),
    Commission(Commission),
    Dividend(Box<Record>),
    Tax(Decimal, Box<Record>),
    Skip(Reason),
}

fn key(line: &Line<'_, '_>) -> String {
    ["data operazione", "isin", "ticker", "divisa"].map(|name| line.text(name).unwrap_or_default()).join(" ")
}

fn read(line: &Line<'_, '_>) -> Result<Read, Reason> {
    let kind = line.text("tipo operazione").unwrap_or_default();
    let lower = kind.to_lowercase();
    if let Some(order) = line.text(ORDER).filter(|_| lower.starts_with("commission")) {
        let (record, amount) = paid(line)?;
        return Ok(Read::Commission(Commission {
            line: record.line,
            order: order.to_owned(),
            amount,
            currency: record.currency,
        }));
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
        "acquisto" | "vendita" => trade(line, if lower == "acquisto" { Kind::Buy } else { Kind::Sell }),
        _ if is_tax && is_paid(&lower) => {
            let (record, amount) = paid(line)?;
            Ok(Read::Tax(-amount, Box::new(record)))
        }
        _ if is_paid(&lower) => {
            let (record, amount) = paid(line)?;
            Ok(Read::Dividend(Box::new(Record { amount: Some(amount), ..record })))
        }
        _ => Err(Reason::unsupported(kind)),
    }
}

const INTEREST: &[&str] = &["cedola", "coupon", "ratei", "disaggio", "rimborso obbl"];
const MONEY: &[&str] = &["commission", "tobin", "bollo", "plusvalenza", "prestito titoli", "prest.titoli", "interessi"];

fn trade(line: &Line<'_, '_>, kind: Kind) -> Result<Read, Reason> {
    let (record, amount) = paid(line)?;
    let shares = Some(line.figure_needed("quantità")?.abs());
    Ok(Read::Trade(Box::new(Record { kind, shares, amount: Some(amount.abs()), ..record })))
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
        currency: Some(Currency::parse(code).map_err(|unknown| Reason::unknown_currency("Divisa", unknown))?),
        ..Record::new(line.number(), day("Data operazione", line.need("data operazione")?, Order::DayFirst)?, Kind::Dividend)
    };
    Ok((record, amount))
}
