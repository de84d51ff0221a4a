//! The exported table of transactions.

use jiff::civil::Time;
use ledger::{Decimal, QuoteUnit};

use super::money::unit;
use super::pairs::{Sides, Tax, join};
use crate::joining::sum;
use crate::reading::fields::{self, one_line};
use crate::reading::{Line, Order, Table, Words, day, moment};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

static COLUMNS: Words = Words::new(include_str!("columns.txt"));
static TYPES: Words = Words::new(include_str!("types.txt"));

/// What a user is told if they are missing.
pub const SHOWN: &[&str] = &["Date", "Type", "Value", "Transaction Currency", "Shares", "ISIN"];

/// A combination of columns that no other broker has, in any language.
pub fn find(file: &Opened) -> Option<Table<'_>> {
    const NEEDED: [&str; 6] = ["date", "type", "value", "currency", "shares", "isin"];
    // Early exports of accounts had no gross amounts.
    const OLDER: [&str; 2] = ["wkn", "name"];
    let sheet = file.sheets.first()?;
    let table = Table::at(sheet, 0)?;
    let has_all = |columns: &[&str]| columns.iter().all(|column| has(&table, column));
    (has_all(&NEEDED) && (has(&table, "gross") || has_all(&OLDER))).then_some(table)
}

fn has(table: &Table<'_>, column: &str) -> bool {
    COLUMNS.words_for(column).iter().any(|name| table.has(name))
}

pub fn parse(table: &Table<'_>) -> Parsed {
    let (mut records, mut taxes) = (Vec::new(), Vec::new());
    let mut parsed = rows::parse(table, |line| read(&line, &mut records, &mut taxes));
    let mut sides = Sides::default();
    for (below_zero, record) in records {
        sides.add(below_zero, record, &mut parsed);
    }
    join(taxes, &mut parsed);
    parsed
}

fn is_below_zero(line: &Line<'_, '_>) -> bool {
    figure(line, "value").ok().flatten().is_some_and(|value| value.is_sign_negative())
}

fn text<'a>(line: &Line<'_, 'a>, column: &str) -> Option<&'a str> {
    line.any(COLUMNS.words_for(column))
}

fn figure(line: &Line<'_, '_>, column: &str) -> Result<Option<Decimal>, Reason> {
    line.any_figure(COLUMNS.words_for(column))
}

fn read(line: &Line<'_, '_>, records: &mut Vec<(bool, Record)>, taxes: &mut Vec<Tax>) -> Result<Read, Reason> {
    let word = text(line, "type").ok_or_else(|| Reason::missing("type"))?;
    let shares = figure(line, "shares")?.map(|shares| shares.abs()).filter(|shares| !shares.is_zero());
    let named = ["isin", "wkn", "ticker", "name"].iter().any(|column| text(line, column).is_some());
    let (kind, with_costs) = match TYPES.meaning(&word.to_lowercase()) {
        // The program only has them in the depot.
        Some(side @ ("buy" | "sell")) if shares.is_none() && is_below_zero(line) == (side == "buy") => {
            return Ok(Read::Skip(Reason::CashSide));
        }
        Some("buy") => (Kind::Buy, true),
        Some("sell") => (Kind::Sell, false),
        Some("dividend") => (Kind::Dividend, false),
        Some("transfer in" | "transfer out") if shares.is_none() => return Ok(Read::Skip(Reason::Cash)),
        Some("delivery in" | "transfer in") => (Kind::TransferIn, true),
        Some("delivery out" | "transfer out") => (Kind::TransferOut, false),
        Some("tax") => return tax(line, false, taxes),
        Some("tax refund") => return tax(line, true, taxes),
        Some("cash") => return Ok(Read::Skip(Reason::Cash)),
        Some("interest") => return Ok(Read::Skip(Reason::Interest)),
        Some("fee") => return Ok(Read::Skip(Reason::AccountFee)),
        Some("fee refund") => return Ok(Read::Skip(Reason::FeeRefunded)),
        _ if shares.is_none() && !named => return Ok(Read::Skip(Reason::NoShares)),
        _ => return Err(Reason::unsupported(word)),
    };
    let (date, time) = moment("date", text(line, "date").ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
    let mut record = Record {
        time: time.filter(|time| *time != Time::midnight()),
        shares,
        ex_date: text(line, "ex date").map(|text| day("ex-date", text, Order::DayFirst)).transpose()?,
        isin: text(line, "isin").and_then(|isin| fields::isin("isin", isin).ok()),
        ticker: text(line, "ticker").and_then(|ticker| fields::symbol("ticker", ticker).ok()),
        name: text(line, "name").map(|name| one_line(name, 200)),
        note: text(line, "note").map(|note| one_line(note, 200)),
        ..Record::new(line.number(), date, kind)
    };
    add_money(line, &mut record, with_costs)?;
    records.push((is_below_zero(line), record));
    Ok(Read::Kept)
}

fn tax(line: &Line<'_, '_>, given_back: bool, taxes: &mut Vec<Tax>) -> Result<Read, Reason> {
    let isin = text(line, "isin").and_then(|isin| fields::isin("isin", isin).ok());
    let named = isin.or_else(|| text(line, "name").map(|name| one_line(name, 200)));
    if named.is_none() {
        return Ok(Read::Skip(Reason::TaxWithoutDividend));
    }
    let date = day("date", text(line, "date").ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
    let own = currency(line, "currency")?.ok_or_else(|| Reason::missing("transaction currency"))?;
    let booked = own.normalise(figure(line, "value")?.ok_or_else(|| Reason::missing("value"))?.abs());
    let withheld = if given_back { booked.saturating_mul(Decimal::NEGATIVE_ONE) } else { booked };
    taxes.push(Tax { line: line.number(), named, date, currency: own.currency, withheld });
    Ok(Read::Kept)
}

fn currency(line: &Line<'_, '_>, column: &str) -> Result<Option<QuoteUnit>, Reason> {
    text(line, column).map(unit).transpose()
}

fn add_money(line: &Line<'_, '_>, record: &mut Record, with_costs: bool) -> Result<(), Reason> {
    let own = currency(line, "currency")?.ok_or_else(|| Reason::missing("transaction currency"))?;
    let booked = own.normalise(figure(line, "value")?.ok_or_else(|| Reason::missing("value"))?);
    let cost = |column: &str| figure(line, column).map(|cost| cost.map(|cost| own.normalise(cost)));
    let (mut tax, mut fees) = (cost("taxes")?, cost("fees")?);
    let theirs = currency(line, "gross currency")?.unwrap_or(own);
    let gross = figure(line, "gross")?.filter(|gross| !gross.is_zero()).map(|gross| theirs.normalise(gross));
    let rate = figure(line, "rate")?.filter(|rate| *rate > Decimal::ZERO);
    let rate = rate.and_then(|rate| own.normalise(rate).checked_div(theirs.normalise(Decimal::ONE)));
    record.currency = Some(own.currency);
    record.amount = match (gross, rate) {
        (Some(gross), _) if theirs.currency == own.currency => Some(gross),
        // The rate is units of the booking's currency per unit of the gross amount's.
        (Some(gross), Some(rate)) => {
            let converted = |figure: Decimal| figure.checked_div(rate).map(|figure| figure.round_dp(10).normalize());
            (tax, fees) = (tax.and_then(converted), fees.and_then(converted));
            record.currency = Some(theirs.currency);
            Some(gross)
        }
        // The amount received, from which tax may have been deducted that the file does not show.
        _ if record.kind == Kind::Dividend && !has(line.table, "taxes") => {
            record.net = Some(booked);
            None
        }
        _ => {
            let costs = tax.unwrap_or_default().saturating_add(fees.unwrap_or_default());
            // A negative dividend was reversed; for trades the sign shows which account's export it is.
            let booked = if record.kind == Kind::Dividend { booked } else { booked.abs() };
            Some(if with_costs { booked.saturating_sub(costs) } else { booked.saturating_add(costs) })
        }
    };
    match with_costs {
        // Stamp duty and transaction tax are part of a purchase's cost.
        true => record.fees = sum(fees, tax),
        false => (record.fees, record.tax) = (fees, tax),
    }
    if record.kind == Kind::Dividend
        && let (Some(fees), Some(gross)) = (record.fees.filter(|fees| !fees.is_zero()), record.amount)
    {
        record.net = Some(gross.saturating_sub(fees.saturating_add(record.tax.unwrap_or_default())));
    }
    Ok(())
}
