//! Morgan Stanley at Work: shares released to employees, and their sales.

use jiff::civil::{Date, date};
use ledger::Decimal;

use crate::reading::{Line, Order, Table, day, fields};
use crate::reason::Cell;
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

const RELEASES: &[&str] = &["vest date", "order number", "plan", "type", "price", "net share proceeds"];
const WITHDRAWALS: &[&str] = &["execution date", "order number", "plan", "type", "order status", "price", "net amount"];

/// Releases of Alphabet shares are adjusted for its split, sales are not.
const ALPHABET: &str = "GSU Class C";
const SPLIT: Date = date(2022, 7, 15);
const SPLIT_BY: i64 = 20;

pub fn detect(file: &Opened) -> bool {
    Table::find(file, RELEASES).or_else(|| Table::find(file, WITHDRAWALS)).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let releases = Table::find(file, RELEASES);
    let is_release = releases.is_some();
    let Some(table) = releases.or_else(|| Table::find(file, WITHDRAWALS)) else {
        return Parsed::refused(1, Reason::header_missing(RELEASES));
    };
    let read = if is_release { release } else { sale };
    rows::parse(&table, |line| skip(line).map_or_else(|| read(line).map(Read::from), |reason| Ok(Read::Skip(reason))))
}

fn skip(line: Line<'_, '_>) -> Option<Reason> {
    let status = line.any(&["order status", "status"]).unwrap_or_default().to_lowercase();
    match line.text("plan") {
        _ if line.row.cell(0).to_lowercase().starts_with("please note") => Some(Reason::Remark),
        None => None,
        Some("Cash") => Some(Reason::Cash),
        Some(_) => ["cancelled", "canceled", "pending", "rejected", "expired"]
            .contains(&status.as_str())
            .then(|| Reason::NotExecuted { status: status.as_str().into() }),
    }
}

fn record(line: Line<'_, '_>, name: &str, kind: Kind) -> Result<Record, Reason> {
    let date = day(name, line.need(name)?, Order::DayFirst)?;
    let plan = line.need("plan")?;
    let price = line.need("price")?;
    if !price.starts_with('$') {
        return Err(Reason::UnknownCurrency(Cell::new("price", price)));
    }
    let currency = fields::currency("currency", "USD")?;
    let ticker = (plan == ALPHABET).then(|| "GOOG".to_owned());
    let suffix = ticker.as_ref().map(|_| "");
    Ok(Record { ticker, suffix, name: fields::short(plan), currency: Some(currency), ..Record::new(line.number(), date, kind) })
}

fn release(line: Line<'_, '_>) -> Result<Record, Reason> {
    let written = line.need("type")?;
    if !written.eq_ignore_ascii_case("release") {
        return Err(Reason::unsupported(written));
    }
    let shares = line.figure_needed("net share proceeds")?;
    let price = line.figure_needed("price")?;
    let record = record(line, "vest date", Kind::TransferIn)?;
    if record.ticker.is_none() || record.date > SPLIT {
        return Ok(Record { shares: Some(shares), price: Some(price), ..record });
    }
    let by = Decimal::from(SPLIT_BY);
    let note = Some(format!("as it was before the split of 2022; the report has {shares} shares at {price}"));
    let shares = shares.checked_div(by).map(|shares| shares.normalize());
    Ok(Record { shares, price: price.checked_mul(by), note, ..record })
}

fn sale(line: Line<'_, '_>) -> Result<Record, Reason> {
    let written = line.need("type")?;
    if !written.eq_ignore_ascii_case("sale") {
        return Err(Reason::unsupported(written));
    }
    let shares = line.figure_needed("quantity")?.abs();
    let price = line.figure_needed("price")?;
    let net = line.figure_needed("net amount")?;
    let fees = shares.checked_mul(price).and_then(|gross| gross.checked_sub(net)).ok_or(Reason::FiguresTooLarge)?;
    let fees = Some(fees.round_dp(10)).filter(|fees| *fees >= Decimal::ZERO);
    Ok(Record { shares: Some(shares), price: Some(price), fees, ..record(line, "execution date", Kind::Sell)? })
}
