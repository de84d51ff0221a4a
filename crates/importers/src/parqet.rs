//! Parqet's activities (CSV): price per share, shares, gross amount, and separate tax and fee.

use jiff::civil::{Date, Time};
use ledger::Decimal;

use crate::joining::{negative_purchase, sum};
use crate::reading::{Line, Order, Table, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["type", "price", "shares", "tax", "fee"];
/// One of them distinguishes Parqet's file from others with the columns above.
const OWN: [&str; 3] = ["identifier", "holdingname", "realizedgains"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    let dated = |table: &Table<'_>| table.has("date") || table.has("datetime");
    Table::find(file, COLUMNS).filter(|table| dated(table) && OWN.iter().any(|name| table.has(name)))
}

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, read)
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let word = line.need("type")?;
    let class = line.any(&["assettype", "holdingassettype"]).unwrap_or("security").to_lowercase();
    let kind = match word.to_lowercase().replace([' ', '_', '-'], "").as_str() {
        "deposit" | "withdrawal" => return Ok(Read::Skip(Reason::Cash)),
        "interest" => return Ok(Read::Skip(Reason::Interest)),
        "fee" | "fees" | "cost" | "feerefund" => return Ok(Read::Skip(Reason::AccountFee)),
        "tax" | "taxes" | "taxrefund" => return Ok(Read::Skip(Reason::TaxWithoutDividend)),
        _ if class != "security" => return Ok(Read::Skip(Reason::unsupported_asset(class))),
        "buy" => Kind::Buy,
        "sell" => Kind::Sell,
        "dividend" | "distribution" => Kind::Dividend,
        "transferin" => Kind::TransferIn,
        "transferout" => Kind::TransferOut,
        _ => {
            return Err(Reason::unsupported(word));
        }
    };
    let record = base(line, kind)?;
    Ok(match kind {
        Kind::Dividend => dividend(record),
        _ => {
            record.shares.map(|shares| negative_purchase::shares_moved(kind, shares)).transpose()?;
            trade(record)
        }
    }
    .into())
}

fn trade(record: Record) -> Record {
    let (fees, tax) = match record.kind {
        // Tax on a buy is a transaction tax, part of its cost.
        Kind::Buy => (sum(record.fees, record.tax), None),
        Kind::Sell => (record.fees, record.tax),
        _ => (None, None),
    };
    let amount = record.amount.map(|amount| amount.abs()).filter(|_| record.kind != Kind::TransferOut);
    let price = record.price.filter(|price| !is_rounded_away(*price, record.shares, amount));
    let unpriced = record.kind == Kind::TransferIn && amount.is_none() && record.price.is_none();
    Record {
        shares: record.shares.map(|shares| shares.abs()),
        price,
        amount,
        fees,
        tax,
        note: unpriced.then(|| "what the shares cost is not in the file".to_owned()),
        ..record
    }
}

/// Parqet rounds the price to hundredths, which is far off for cheap shares.
fn is_rounded_away(price: Decimal, shares: Option<Decimal>, amount: Option<Decimal>) -> bool {
    let (Some(shares), Some(amount)) = (shares.map(|shares| shares.abs()), amount) else { return false };
    let apart = shares.checked_mul(price).map(|product| product.saturating_sub(amount).abs());
    let rounding = shares.saturating_mul(Decimal::new(5, 3));
    apart.is_some_and(|apart| apart > amount.saturating_mul(Decimal::new(1, 2)) && apart <= rounding)
}

/// Parqet rounds the price per share to hundredths: it is left out if it does not agree with the amount.
fn dividend(record: Record) -> Record {
    let product = record.price.zip(record.shares).and_then(|(price, shares)| price.checked_mul(shares));
    let exact = match (product, record.amount) {
        (Some(product), Some(amount)) => product.saturating_sub(amount).abs() < Decimal::new(5, 3),
        _ => true,
    };
    Record { price: record.price.filter(|_| exact), fees: record.fees.filter(|fee| !fee.is_zero()), ..record }
}

fn base(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = day(line)?;
    let unit = line.text("currency").map(|code| fields::unit("currency", code)).transpose()?;
    let money = |name: &str| -> Result<Option<Decimal>, Reason> {
        Ok(line.figure(name)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure))))
    };
    let identifier = line.any(&["identifier", "isin"]);
    let isin = identifier.and_then(|text| fields::isin("identifier", text).ok());
    let ticker = identifier.filter(|_| isin.is_none()).map(|text| fields::symbol("identifier", text)).transpose()?;
    Ok(Record {
        time,
        isin,
        ticker,
        name: line.any(&["holdingname", "holdingnickname", "name"]).and_then(fields::short),
        shares: line.figure("shares")?,
        price: money("price")?,
        amount: money("amount")?,
        fees: money("fee")?,
        tax: money("tax")?,
        currency: unit.map(|unit| unit.currency),
        ..Record::new(line.number(), date, kind)
    })
}

/// `date` and `time` are in the user's time zone; `datetime` is in UTC and may be a day earlier.
fn day(line: Line<'_, '_>) -> Result<(Date, Option<Time>), Reason> {
    match line.text("date") {
        Some(date) => moment("date", &format!("{date} {}", line.text("time").unwrap_or_default()), Order::DayFirst),
        None => moment("datetime", line.need("datetime")?, Order::DayFirst),
    }
}
