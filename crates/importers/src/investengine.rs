//! InvestEngine: the trading statement as CSV. It does not include dividends.

use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["security / isin", "transaction type", "quantity", "share price", "trade date/time"];

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, |line| read(line).map(Read::from))
}

fn read(line: Line<'_, '_>) -> Result<Record, Reason> {
    let written = line.need("transaction type")?;
    let kind = match written.to_lowercase().as_str() {
        "buy" => Kind::Buy,
        "sell" => Kind::Sell,
        _ => {
            return Err(Reason::unsupported(written));
        }
    };
    let (date, time) = moment("trade date/time", line.need("trade date/time")?, Order::DayFirst)?;
    let security = line.need("security / isin")?;
    let (name, isin) = security.rsplit_once(" / ISIN ").unwrap_or((security, ""));
    let pounds = fields::currency("currency", "GBP")?;
    Ok(Record {
        time,
        name: fields::short(name),
        isin: fields::isin("isin", isin.trim()).ok(),
        shares: Some(line.figure_needed("quantity")?.abs()),
        price: line.figure("share price")?,
        amount: line.figure("total trade value")?.map(|value| value.abs()),
        currency: Some(pounds),
        ..Record::new(line.number(), date, kind)
    })
}
