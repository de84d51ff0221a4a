//! The exported table of transactions.

use jiff::civil::Time;
use ledger::{Decimal, QuoteUnit};

use super::columns::{Column, names};
use super::money::{sum, unit};
use super::pairs::{Sides, Tax, join};
use super::types::{Type, type_of};
use crate::reading::fields::{self, one_line};
use crate::reading::{Line, Order, Table, day, moment};
use crate::{Kind, Opened, Parsed, Reason, Record};

pub fn detect(file: &Opened) -> bool {
    find(file).is_some()
}

/// A combination of columns that no other broker has, in any language.
fn find(file: &Opened) -> Option<Table<'_>> {
    const NEEDED: [Column; 6] = [Column::Date, Column::Type, Column::Value, Column::Currency, Column::Shares, Column::Isin];
    // Early exports of accounts had no gross amounts.
    const OLDER: [Column; 2] = [Column::Wkn, Column::Name];
    let sheet = file.sheets.first()?;
    let table = Table::at(sheet, 0)?;
    let has_all = |columns: &[Column]| columns.iter().all(|column| has(&table, *column));
    (has_all(&NEEDED) && (has(&table, Column::Gross) || has_all(&OLDER))).then_some(table)
}

fn has(table: &Table<'_>, column: Column) -> bool {
    names(column).iter().any(|name| table.has(name))
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = find(file) else {
        return Parsed::refused(1, Reason::header_missing(&["Date", "Type", "Value", "Transaction Currency", "Shares", "ISIN"]));
    };
    let mut parsed = Parsed::default();
    let (mut sides, mut taxes) = (Sides::default(), Vec::new());
    for line in table.lines() {
        parsed.rows += 1;
        match read(&line) {
            Ok(Row::Record(record)) => sides.add(is_below_zero(&line), *record, &mut parsed),
            Ok(Row::Tax(tax)) => taxes.push(tax),
            Ok(Row::Skip(reason)) => parsed.skip(line.number(), reason),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    join(taxes, &mut parsed);
    parsed
}

enum Row {
    Record(Box<Record>),
    Tax(Tax),
    Skip(Reason),
}

fn is_below_zero(line: &Line<'_, '_>) -> bool {
    figure(line, Column::Value).ok().flatten().is_some_and(|value| value.is_sign_negative())
}

fn text<'a>(line: &Line<'_, 'a>, column: Column) -> Option<&'a str> {
    line.any(names(column))
}

fn figure(line: &Line<'_, '_>, column: Column) -> Result<Option<Decimal>, Reason> {
    match names(column).iter().find(|name| line.text(name).is_some()) {
        Some(name) => line.figure(name),
        None => Ok(None),
    }
}

fn read(line: &Line<'_, '_>) -> Result<Row, Reason> {
    let word = text(line, Column::Type).ok_or_else(|| Reason::missing("type"))?;
    let shares = figure(line, Column::Shares)?.map(|shares| shares.abs()).filter(|shares| !shares.is_zero());
    let named = [Column::Isin, Column::Wkn, Column::Ticker, Column::Name].iter().any(|column| text(line, *column).is_some());
    let (kind, with_costs) = match type_of(word) {
        // The program only has them in the depot.
        Some(side @ (Type::Buy | Type::Sell)) if shares.is_none() && is_below_zero(line) == (side == Type::Buy) => {
            return Ok(Row::Skip(Reason::CashSide));
        }
        Some(Type::Buy) => (Kind::Buy, true),
        Some(Type::Sell) => (Kind::Sell, false),
        Some(Type::Dividend) => (Kind::Dividend, false),
        Some(Type::TransferIn | Type::TransferOut) if shares.is_none() => return Ok(Row::Skip(Reason::Cash)),
        Some(Type::DeliveryIn | Type::TransferIn) => (Kind::TransferIn, true),
        Some(Type::DeliveryOut | Type::TransferOut) => (Kind::TransferOut, false),
        Some(Type::Tax) => return tax(line, false),
        Some(Type::TaxRefund) => return tax(line, true),
        Some(Type::Cash) => return Ok(Row::Skip(Reason::Cash)),
        Some(Type::Interest) => return Ok(Row::Skip(Reason::Interest)),
        Some(Type::Fee) => return Ok(Row::Skip(Reason::AccountFee)),
        Some(Type::FeeRefund) => return Ok(Row::Skip(Reason::FeeRefunded)),
        None if shares.is_none() && !named => return Ok(Row::Skip(Reason::NoShares)),
        None => {
            return Err(Reason::unsupported(word));
        }
    };
    let (date, time) = moment("date", text(line, Column::Date).ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
    let mut record = Record {
        time: time.filter(|time| *time != Time::midnight()),
        shares,
        ex_date: text(line, Column::ExDate).map(|text| day("ex-date", text, Order::DayFirst)).transpose()?,
        isin: text(line, Column::Isin).and_then(|isin| fields::isin("isin", isin).ok()),
        ticker: text(line, Column::Ticker).and_then(|ticker| fields::symbol("ticker", ticker).ok()),
        name: text(line, Column::Name).map(|name| one_line(name, 200)),
        note: text(line, Column::Note).map(|note| one_line(note, 200)),
        ..Record::new(line.number(), date, kind)
    };
    add_money(line, &mut record, with_costs)?;
    Ok(Row::Record(Box::new(record)))
}

fn tax(line: &Line<'_, '_>, given_back: bool) -> Result<Row, Reason> {
    let isin = text(line, Column::Isin).and_then(|isin| fields::isin("isin", isin).ok());
    let named = isin.or_else(|| text(line, Column::Name).map(|name| one_line(name, 200)));
    if named.is_none() {
        return Ok(Row::Skip(Reason::TaxWithoutDividend));
    }
    let date = day("date", text(line, Column::Date).ok_or_else(|| Reason::missing("date"))?, Order::DayFirst)?;
    let own = currency(line, Column::Currency)?.ok_or_else(|| Reason::missing("transaction currency"))?;
    let booked = own.normalise(figure(line, Column::Value)?.ok_or_else(|| Reason::missing("value"))?.abs());
    let withheld = if given_back { booked.saturating_mul(Decimal::NEGATIVE_ONE) } else { booked };
    Ok(Row::Tax(Tax { line: line.number(), named, date, currency: own.currency, withheld }))
}

fn currency(line: &Line<'_, '_>, column: Column) -> Result<Option<QuoteUnit>, Reason> {
    text(line, column).map(unit).transpose()
}

fn add_money(line: &Line<'_, '_>, record: &mut Record, with_costs: bool) -> Result<(), Reason> {
    let own = currency(line, Column::Currency)?.ok_or_else(|| Reason::missing("transaction currency"))?;
    let booked = own.normalise(figure(line, Column::Value)?.ok_or_else(|| Reason::missing("value"))?);
    let cost = |column: Column| figure(line, column).map(|cost| cost.map(|cost| own.normalise(cost)));
    let (mut tax, mut fees) = (cost(Column::Taxes)?, cost(Column::Fees)?);
    let theirs = currency(line, Column::GrossCurrency)?.unwrap_or(own);
    let gross = figure(line, Column::Gross)?.filter(|gross| !gross.is_zero()).map(|gross| theirs.normalise(gross));
    let rate = figure(line, Column::Rate)?.filter(|rate| *rate > Decimal::ZERO);
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
        _ if record.kind == Kind::Dividend && !has(line.table, Column::Taxes) => {
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
