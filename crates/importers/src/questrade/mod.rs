//! Questrade's account activities, as a table or as JSON: `Transaction Date, …, Action, Symbol, Description, Quantity, …, Net Amount, Currency, …`.

mod description;
mod json;
mod listing;

use ledger::{Decimal, Kind};

use crate::joining::{payments, split_ratio};
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Opened, Parsed, Reason, Record};
use listing::Listings;

const COLUMNS: &[&str] =
    &["transaction date", "action", "symbol", "description", "quantity", "price", "net amount", "currency", "activity type"];

pub fn detect(file: &Opened) -> bool {
    Table::find(file, COLUMNS).is_some() || json::detect(file)
}

pub fn parse(file: &Opened) -> Parsed {
    if json::detect(file) { json::parse(file, parse_table) } else { parse_table(file) }
}

fn parse_table(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, COLUMNS) else {
        return Parsed::refused(1, Reason::header_missing(COLUMNS));
    };
    let listings = Listings::of(&table);
    let mut parsed = rows::parse(&table, |line| read(&line, &listings));
    payments::before_tax(&mut parsed.records);
    parsed
}

fn read(line: &Line<'_, '_>, listings: &Listings) -> Result<Read, Reason> {
    let action = line.text("action").unwrap_or_default().to_uppercase();
    let activity = line.text("activity type").unwrap_or_default().to_lowercase();
    let text = line.text("description").unwrap_or_default();
    let shares = line.figure("quantity")?.unwrap_or_default();
    if description::is("option", text) {
        return Ok(Read::Skip(Reason::unsupported_asset("option")));
    }
    let is_cash = ["deposits", "withdrawals", "interest", "fees and rebates", "fx conversion"].contains(&activity.as_str());
    if is_cash || (shares.is_zero() && (line.text("symbol").is_none() || action == "CIL")) {
        return Ok(Read::Skip(Reason::Cash));
    }
    match action.as_str() {
        "BUY" | "SELL" => trade(line, listings, if action == "BUY" { Kind::Buy } else { Kind::Sell }),
        "REI" | "DRIP" => trade(line, listings, Kind::Buy),
        "DIV" | "DIS" | "NRT" if shares.is_zero() => dividend(line, listings, &action, text),
        // Older rows leave the action empty.
        _ if activity == "dividends" && shares.is_zero() => dividend(line, listings, &action, text),
        "DIV" | "DIS" => shares_given(line, listings, shares, text),
        "TF6" | "TFI" | "TFO" | "BRW" | "TSF" => moved(line, listings, shares),
        _ if activity == "transfers" => moved(line, listings, shares),
        _ => Err(Reason::unsupported(action)),
    }
}

fn blank(line: &Line<'_, '_>, listings: &Listings, kind: Kind) -> Result<Record, Reason> {
    let date = day("Transaction Date", line.need("transaction date")?, Order::MonthFirst)?;
    let unit = fields::unit("Currency", line.need("currency")?)?;
    let mut record = Record { currency: Some(unit.currency), ..Record::new(line.number(), date, kind) };
    listings.put(line, &mut record);
    Ok(record)
}

fn trade(line: &Line<'_, '_>, listings: &Listings, kind: Kind) -> Result<Read, Reason> {
    let mut record = blank(line, listings, kind)?;
    record.shares = Some(line.figure_needed("quantity")?.abs());
    let sum = |name: &str| Ok::<_, Reason>(line.figure(name)?.map(|sum| sum.abs()).filter(|sum| !sum.is_zero()));
    record.amount = sum("gross amount")?;
    // A reinvestment has no gross and no commission.
    if record.amount.is_none() && line.figure("commission")?.unwrap_or_default().is_zero() {
        record.amount = sum("net amount")?;
    }
    if record.amount.is_none() {
        record.price = line.figure("price")?;
    }
    record.fees = line.figure("commission")?.map(|commission| commission.abs());
    Ok(record.into())
}

/// The net; only the description says that tax was withheld, without its amount.
fn dividend(line: &Line<'_, '_>, listings: &Listings, action: &str, text: &str) -> Result<Read, Reason> {
    let net = line.figure_needed("net amount")?;
    let mut record = blank(line, listings, Kind::Dividend)?;
    let account = line.text("account #").unwrap_or_default();
    let named = record.ticker.as_deref().or(record.name.as_deref()).unwrap_or_default();
    let key = format!("{named} {} {:?} {account}", record.date, record.currency);
    record.shares = description::on_shares(text);
    let taxed = description::is("taxed", text);
    if action == "NRT" || (taxed && net < Decimal::ZERO) {
        record.shares = None;
        return Ok(Read::tax(key, -net, record));
    }
    if description::is("capital", text) {
        return Ok(Record { kind: Kind::ReturnOfCapital, amount: Some(net), ..record }.into());
    }
    let gross = line.figure("gross amount")?.filter(|gross| !gross.is_zero());
    let canadian = line.text("currency") == Some("CAD");
    match gross {
        Some(gross) => record.amount = Some(gross),
        None if !taxed && (canadian || description::is_whole(text)) => record.amount = Some(net),
        None => record.net = Some(net),
    }
    Ok(Read::dividend(key, record))
}

/// Splits and spin-offs: shares added, or removed if negative.
fn shares_given(line: &Line<'_, '_>, listings: &Listings, shares: Decimal, text: &str) -> Result<Read, Reason> {
    let record = blank(line, listings, Kind::Split)?;
    if text.to_uppercase().contains("SPINOFF") {
        let kind = if shares > Decimal::ZERO { Kind::TransferIn } else { Kind::TransferOut };
        let amount = (shares > Decimal::ZERO).then_some(Decimal::ZERO);
        let note = Some("Received in a spin-off".to_owned());
        return Ok(Record { kind, shares: Some(shares.abs()), amount, note, ..record }.into());
    }
    let before = description::on_shares(text);
    let ratio = before.and_then(|before| split_ratio::of_counts(before, before.checked_add(shares)?));
    let ratio = ratio.ok_or(Reason::SplitRatioUnknown)?;
    Ok(Record { ratio: Some(ratio), currency: None, ..record }.into())
}

fn moved(line: &Line<'_, '_>, listings: &Listings, shares: Decimal) -> Result<Read, Reason> {
    if shares.is_zero() {
        return Ok(Read::Skip(Reason::NoShares));
    }
    let kind = if shares > Decimal::ZERO { Kind::TransferIn } else { Kind::TransferOut };
    let mut record = blank(line, listings, kind)?;
    record.shares = Some(shares.abs());
    record.price = line.figure("price")?.filter(|price| !price.is_zero());
    if kind == Kind::TransferIn && record.price.is_none() {
        record.note = Some("Transferred in; its cost is not in the file".to_owned());
    }
    Ok(record.into())
}
