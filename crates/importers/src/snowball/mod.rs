//! Snowball Analytics: `Event, Date, Symbol, Price, Quantity, Currency, FeeTax, Exchange, NKD, FeeCurrency, …`.

use jiff::civil::Time;
use ledger::{Decimal, Kind, QuoteUnit};

use crate::joining::split_ratio;
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, Words, fields, moment, suffix};
use crate::reason::Cell;
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));

pub const COLUMNS: &[&str] = &["event", "date", "symbol", "price", "quantity", "currency", "feetax"];

pub fn parse(table: &Table<'_>) -> Parsed {
    let order = Order::sniffed(table.lines().filter_map(|line| line.text("date")));
    rows::parse(table, |line| read(&line, order))
}

fn read(line: &Line<'_, '_>, order: Order) -> Result<Read, Reason> {
    let event = line.need("event")?.to_uppercase().replace([' ', '-'], "_");
    let kind = match event.as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        "DIVIDEND" => Kind::Dividend,
        "SPLIT" => Kind::Split,
        "STOCK_AS_DIVIDEND" | "SPINOFF" | "SPIN_OFF" => Kind::TransferIn,
        "FEE" | "TAX" => return Ok(Read::Skip(Reason::Cash)),
        _ if event.starts_with("CASH_") => return Ok(Read::Skip(Reason::Cash)),
        _ if event.starts_with("CUSTOM_HOLDING") => return Ok(Read::Skip(Reason::NotListed)),
        // Of a bond.
        "AMORTISATION" | "AMORTIZATION" | "REPAYMENT" => return Err(Reason::unsupported(event)),
        _ if line.text("symbol").is_none() => return Ok(Read::Skip(Reason::NoShares)),
        _ => {
            return Err(Reason::unsupported(event));
        }
    };
    let exchange = line.text("exchange").unwrap_or_default().to_uppercase();
    let suffix = match exchange.as_str() {
        "CUSTOM_HOLDING" | "CUSTOM" => return Ok(Read::Skip(Reason::NotListed)),
        "CRYPTO" | "CC" | "CRYPTOCURRENCY" => return Ok(Read::Skip(Reason::unsupported_asset("crypto"))),
        code => suffix(&EXCHANGES, code),
    };
    let mut record = blank(line, order, kind, suffix)?;
    match kind {
        Kind::Split => split(line, &mut record)?,
        Kind::Dividend => dividend(line, &mut record)?,
        _ => trade(line, &event, &mut record)?,
    }
    Ok(record.into())
}

fn blank(line: &Line<'_, '_>, order: Order, kind: Kind, suffix: Option<&'static str>) -> Result<Record, Reason> {
    let (date, time) = moment("Date", line.need("date")?, order)?;
    let symbol = line.need("symbol")?;
    let isin = fields::isin("Symbol", symbol).ok();
    let ticker = match isin {
        Some(_) => None,
        None => Some(fields::symbol("Symbol", symbol)?),
    };
    Ok(Record {
        // Midnight means that no time was entered.
        time: time.filter(|time| *time != Time::midnight()),
        suffix: suffix.filter(|_| ticker.is_some()),
        ticker,
        isin,
        note: line.text("note").and_then(short),
        ..Record::new(line.number(), date, kind)
    })
}

fn trade(line: &Line<'_, '_>, event: &str, record: &mut Record) -> Result<(), Reason> {
    let unit = unit(line)?;
    record.currency = Some(unit.currency);
    record.shares = Some(line.figure_needed("quantity")?.abs());
    if record.kind == Kind::TransferIn {
        record.amount = Some(Decimal::ZERO);
        let what = if event == "STOCK_AS_DIVIDEND" { "Received as a dividend in shares" } else { "Received in a spin-off" };
        record.note.get_or_insert(what.to_owned());
        return Ok(());
    }
    record.price = Some(unit.normalise(line.figure_needed("price")?));
    record.fees = fee_or_tax(line, unit, record)?;
    if let Some(accrued) = line.figure("nkd")?.filter(|accrued| !accrued.is_zero()) {
        add_note(record, &format!("Accrued interest of {accrued} is not counted"));
    }
    Ok(())
}

/// The price is per share, and the quantity is the whole payment.
fn dividend(line: &Line<'_, '_>, record: &mut Record) -> Result<(), Reason> {
    let unit = unit(line)?;
    record.currency = Some(unit.currency);
    let amount = unit.normalise(line.figure_needed("quantity")?);
    record.amount = Some(amount);
    record.price =
        line.figure("price")?.filter(|price| *price > Decimal::ZERO && amount > Decimal::ZERO).map(|price| unit.normalise(price));
    record.tax = fee_or_tax(line, unit, record)?;
    Ok(())
}

fn split(line: &Line<'_, '_>, record: &mut Record) -> Result<(), Reason> {
    let factor = line.figure_needed("price")?;
    let not_a_ratio = || Reason::NotARatio(Cell::new("Price", &factor.to_string()));
    let ratio = split_ratio::of_decimal(factor).ok_or_else(not_a_ratio)?;
    record.ratio = Some(ratio);
    Ok(())
}

fn unit(line: &Line<'_, '_>) -> Result<QuoteUnit, Reason> {
    fields::unit("Currency", line.need("currency")?)
}

/// `None`, with a note, if it is in a currency for which the file has no rate.
fn fee_or_tax(line: &Line<'_, '_>, unit: QuoteUnit, record: &mut Record) -> Result<Option<Decimal>, Reason> {
    let Some(figure) = line.figure("feetax")? else { return Ok(None) };
    let own = match line.text("feecurrency") {
        Some(code) => fields::unit("FeeCurrency", code)?,
        None => unit,
    };
    if own.currency == unit.currency || figure.is_zero() {
        return Ok(Some(own.normalise(figure)));
    }
    let word = if record.kind == Kind::Dividend { "tax" } else { "fee" };
    add_note(record, &format!("A {word} of {figure} {} is not counted, for want of a rate", own.name()));
    Ok(None)
}

fn add_note(record: &mut Record, more: &str) {
    let note = record.note.take().map_or(more.to_owned(), |note| format!("{more}; {note}"));
    record.note = short(&note);
}
