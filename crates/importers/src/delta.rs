//! Delta's transactions (CSV): trades of one asset (base) for another (quote).

use ledger::{Currency, Decimal};

use crate::reading::{Line, Order, Table, fields, moment, suffix_of_mic};
use crate::rows::{self, Read};
use crate::{Kind, Parsed, Reason, Record};

pub const COLUMNS: &[&str] = &["date", "way", "base amount", "base currency (name)", "base type", "quote amount"];

pub fn parse(table: &Table<'_>) -> Parsed {
    rows::parse(table, read)
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let class = line.text("base type").unwrap_or_default().to_uppercase();
    let way = line.need("way")?.to_uppercase();
    match class.as_str() {
        "CRYPTO" | "NFT" => return Ok(Read::Skip(Reason::unsupported_asset("crypto"))),
        "FIAT" => return Ok(Read::Skip(Reason::Cash)),
        "STOCK" | "FUND" | "ETF" | "MUTUAL_FUND" | "MUTUALFUND" => {}
        _ => return Ok(Read::Skip(Reason::unsupported_asset(class.to_owned()))),
    }
    let kind = match way.as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        "DIVIDEND" => Kind::Dividend,
        "DEPOSIT" | "RECEIVE" => Kind::TransferIn,
        "WITHDRAW" | "WITHDRAWAL" | "SEND" => Kind::TransferOut,
        _ => return Err(Reason::unsupported(way)),
    };
    record(line, kind).map(Read::from)
}

fn record(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = moment("date", line.need("date")?, Order::DayFirst)?;
    let code = line.text("quote currency").map(|text| text.split_whitespace().next().unwrap_or_default());
    let currency = code.map(|code| fields::currency("quote currency", code)).transpose()?;
    let (ticker, name) = asset(line.need("base currency (name)")?);
    let (fees, fee_note) = fee(line, currency)?;
    let amount = line.figure("quote amount")?.filter(|_| kind != Kind::TransferOut);
    let unpriced = kind == Kind::TransferIn && amount.is_none();
    let cost_note = unpriced.then(|| "what the shares cost is not in the file".to_owned());
    Ok(Record {
        time,
        ticker: Some(fields::symbol("base currency (name)", ticker)?),
        suffix: line.text("exchange").and_then(suffix),
        name: name.and_then(fields::short),
        shares: line.figure("base amount")?,
        amount,
        fees,
        currency,
        note: cost_note.or(fee_note),
        ..Record::new(line.number(), date, kind)
    })
}

/// `AAPL`, or with its name in brackets: `SOL (Solana)`.
fn asset(text: &str) -> (&str, Option<&str>) {
    match text.split_once('(') {
        Some((ticker, name)) => (ticker.trim(), Some(name.trim_end_matches(')').trim())),
        None => (text, None),
    }
}

/// In the currency of the trade; in any other it cannot be converted, and goes into a note.
fn fee(line: Line<'_, '_>, currency: Option<Currency>) -> Result<(Option<Decimal>, Option<String>), Reason> {
    let Some(fee) = line.figure("fee amount")?.filter(|fee| !fee.is_zero()) else { return Ok((None, None)) };
    let named = line.text("fee currency (name)").map(|text| asset(text).0);
    match named.is_none_or(|named| currency.is_some_and(|currency| currency.code() == named)) {
        true => Ok((Some(fee.abs()), None)),
        false => Ok((None, Some(format!("a fee of {fee} {} is not counted", named.unwrap_or_default())))),
    }
}

fn suffix(exchange: &str) -> Option<&'static str> {
    match exchange.to_uppercase().as_str() {
        "NASDAQ" | "NYSE" | "NYSE ARCA" | "AMEX" | "OTC" => Some(""),
        mic => suffix_of_mic(mic),
    }
}
