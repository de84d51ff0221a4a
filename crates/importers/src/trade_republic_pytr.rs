//! pytr's export of a Trade Republic account (CSV): eight columns in a fixed order, with titles in the user's language, and every
//! value as it changed the account, after fees and tax.

use ledger::{Currency, Decimal};

use crate::joining::holdings::Holdings;
use crate::joining::negative_purchase;
use crate::joining::split_ratio;
use crate::reading::{Decimals, Line, Order, Table, Words, fields, figure, moment};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

const DATE: usize = 0;
const TYPE: usize = 1;
const VALUE: usize = 2;
const NOTE: usize = 3;
const ISIN: usize = 4;
const SHARES: usize = 5;
const FEES: usize = 6;
const TAXES: usize = 7;

static WORDS: Words = Words::new(include_str!("trade_republic_pytr.txt"));

pub const COLUMNS: &[&str] = &["Date", "Type", "Value", "Note", "ISIN", "Shares", "Fees", "Taxes"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    let sheet = file.sheets.first()?;
    let header = sheet.row(0)?;
    let is = |column: usize, name: &str| WORDS.words_for(name).contains(&header.cell(column).to_lowercase().as_str());
    let fits = is(DATE, "date") && is(VALUE, "value") && header.cell(ISIN).eq_ignore_ascii_case("isin");
    (header.len() >= 8 && fits).then(|| Table::at(sheet, 0)).flatten()
}

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = rows::parse(table, read);
    let mut holdings = Holdings::default();
    for record in &parsed.records {
        let shares = record.shares.unwrap_or_default();
        let isin = record.isin.as_deref().unwrap_or_default();
        let at = record.date.to_datetime(record.time.unwrap_or_default());
        match record.kind {
            Kind::Buy | Kind::Split => holdings.add(isin, at, shares),
            Kind::Sell => holdings.add(isin, at, -shares),
            _ => {}
        }
    }
    holdings.sum_up();
    let splits: Vec<Record> = parsed.records.extract_if(.., |record| record.kind == Kind::Split).collect();
    for split in splits {
        work_out_ratio(split, &holdings, &mut parsed);
    }
    parsed
}

/// The shares of a split are those it added.
fn work_out_ratio(split: Record, holdings: &Holdings, parsed: &mut Parsed) {
    let at = split.date.to_datetime(split.time.unwrap_or_default());
    let held = holdings.before(split.isin.as_deref().unwrap_or_default(), at);
    let added = split.shares.unwrap_or_default();
    match split_ratio::of_counts(held, held.saturating_add(added)) {
        Some(ratio) => {
            let note = Some(format!("{} shares held in this file, {} added", held.normalize(), added.normalize()));
            parsed.records.push(Record { ratio: Some(ratio), ratio_worked_out: true, shares: None, note, ..split });
        }
        None => parsed.error(split.line, Reason::SplitRatioUnknown),
    }
}

fn read(line: Line<'_, '_>) -> Result<Read, Reason> {
    let word = line.row.cell(TYPE);
    let isin = line.row.cell(ISIN);
    let kind = match WORDS.meaning(&word.to_lowercase()) {
        _ if isin.to_uppercase().starts_with("XF000") => return Ok(Read::Skip(Reason::unsupported_asset("crypto"))),
        Some("buy") => Kind::Buy,
        Some("sell") => Kind::Sell,
        Some("dividend") => Kind::Dividend,
        Some("split") => Kind::Split,
        Some("cash") => return Ok(Read::Skip(Reason::Cash)),
        _ if isin.is_empty() && line.row.cell(SHARES).is_empty() => return Ok(Read::Skip(Reason::Cash)),
        _ => return Err(Reason::unsupported(word)),
    };
    let record = match kind {
        Kind::Dividend => dividend(line)?,
        Kind::Split => Record { shares: Some(needed(line, "shares", SHARES)?), ..base(line, kind)? },
        _ => trade(line, kind)?,
    };
    Ok(record.into())
}

/// The value of a buy includes its costs; that of a sale is what was left after them.
fn trade(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let value = needed(line, "value", VALUE)?.abs();
    let (fees, tax) = (deducted(line, "fees", FEES)?, deducted(line, "taxes", TAXES)?);
    let costs = fees.unwrap_or_default().saturating_add(tax.unwrap_or_default());
    let (amount, fees, tax) = match kind {
        // Tax on a buy is a transaction tax, part of its cost.
        Kind::Buy => (value.saturating_sub(costs), (fees.is_some() || tax.is_some()).then_some(costs), None),
        _ => (value.saturating_add(costs), fees, tax),
    };
    Ok(Record {
        shares: Some(negative_purchase::shares_moved(kind, needed(line, "shares", SHARES)?)?),
        amount: Some(amount),
        fees,
        tax,
        ..base(line, kind)?
    })
}

/// The value is the net; if the tax is given, the gross is their sum.
fn dividend(line: Line<'_, '_>) -> Result<Record, Reason> {
    let net = needed(line, "value", VALUE)?;
    let tax = deducted(line, "taxes", TAXES)?.map(|tax| if net.is_sign_negative() { -tax } else { tax });
    Ok(Record {
        shares: cell(line, "shares", SHARES)?.map(|shares| shares.abs()),
        amount: tax.map(|tax| net.saturating_add(tax)),
        tax,
        net: Some(net),
        ..base(line, Kind::Dividend)?
    })
}

fn base(line: Line<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let (date, time) = moment("date", line.row.cell(DATE), Order::DayFirst)?;
    let name = line.row.cell(NOTE);
    Ok(Record {
        time,
        isin: fields::isin("isin", line.row.cell(ISIN)).ok(),
        name: fields::short(name),
        // pytr gives no currency; Trade Republic's accounts are in euros.
        currency: Some(Currency::EUR),
        ..Record::new(line.number(), date, kind)
    })
}

/// Positive: older versions write deductions as negative numbers, newer ones as positive.
fn deducted(line: Line<'_, '_>, name: &str, column: usize) -> Result<Option<Decimal>, Reason> {
    Ok(cell(line, name, column)?.map(|figure| figure.abs()))
}

fn needed(line: Line<'_, '_>, name: &str, column: usize) -> Result<Decimal, Reason> {
    cell(line, name, column)?.ok_or_else(|| Reason::missing(name))
}

/// Rows of one file may come from runs of pytr in two languages, so each row is read in the style of its own numbers.
fn cell(line: Line<'_, '_>, name: &str, column: usize) -> Result<Option<Decimal>, Reason> {
    let text = line.row.cell(column);
    let own = Decimals::sniff([VALUE, SHARES, FEES, TAXES].into_iter().map(|column| line.row.cell(column)));
    (!text.is_empty()).then(|| figure(name, text, own.unwrap_or(line.decimals()))).transpose()
}
