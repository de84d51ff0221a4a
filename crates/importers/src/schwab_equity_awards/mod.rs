//! Charles Schwab Equity Award Center: shares from an employer, their dividends and their sales (CSV, JSON).

mod award;

use std::collections::HashMap;

use ledger::Decimal;

use crate::joining::payments::Payments;
use crate::reading::{Order, day, fields, us_security};
use crate::{Kind, Opened, Parsed, Reason, Record};
use award::Award;
pub use award::detect;

enum Event {
    Record(Box<Record>),
    Dividend(Box<Record>),
    /// Positive if it was withheld.
    Tax(Decimal, Box<Record>),
    Skip(Reason),
}

pub fn parse(file: &Opened) -> Parsed {
    let mut parsed = Parsed::default();
    let mut payments = Payments::default();
    let awards = award::awards(file, &mut parsed);
    let rewritten = rewritten(&awards);
    for award in awards {
        let joined = award.joined.clone();
        let read = match rewritten.get(&award.line) {
            Some(sale) => Err(Reason::CountedAfterSplit { sale: *sale }),
            None => event(&award),
        };
        match read {
            Ok(Event::Record(record)) => parsed.records.push(Record { joined, ..*record }),
            Ok(Event::Dividend(record)) => payments.dividend(key(&record), Record { joined, ..*record }),
            Ok(Event::Tax(tax, record)) => payments.tax(key(&record), tax, Record { joined, ..*record }),
            Ok(Event::Skip(reason)) => {
                parsed.skip(award.line, reason);
                skip_details(&award, &mut parsed);
            }
            Err(reason) => {
                parsed.error(award.line, reason);
                skip_details(&award, &mut parsed);
            }
        }
    }
    parsed.records.extend(payments.finish());
    parsed
}

/// Deposits whose counts were changed by a split after a sale of the same shares; for each line, the line of the sale.
fn rewritten(awards: &[Award]) -> HashMap<u64, u64> {
    let mut sold: HashMap<_, Vec<(Decimal, u64)>> = HashMap::new();
    for sale in awards.iter().filter(|award| !is_deposit(award)) {
        for (day, value) in sale.origins() {
            sold.entry((sale.text("symbol"), day)).or_default().push((value, sale.line));
        }
    }
    let contradicted = |deposit: &Award| {
        let found = deposit.origins().find_map(|(day, value)| {
            let sales = sold.get(&(deposit.text("symbol"), day))?;
            sales.iter().find(|(then, _)| is_apart(value, *then)).map(|(_, line)| *line)
        });
        Some((deposit.line, found?))
    };
    awards.iter().filter(|award| is_deposit(award)).filter_map(contradicted).collect()
}

fn is_deposit(award: &Award) -> bool {
    award.text("action").is_some_and(|action| action.eq_ignore_ascii_case("deposit"))
}

/// By more than rounding: no split is smaller than 5:4.
fn is_apart(one: Decimal, other: Decimal) -> bool {
    one.max(other) > one.min(other).saturating_mul(Decimal::new(12, 1))
}

fn key(record: &Record) -> String {
    format!("{}|{}", us_security::key(record), record.date)
}

fn skip_details(award: &Award, parsed: &mut Parsed) {
    for line in &award.joined {
        parsed.skip(*line, Reason::PartOf { line: award.line });
    }
}

fn event(award: &Award) -> Result<Event, Reason> {
    let action = award.text("action").ok_or_else(|| Reason::missing("Action"))?;
    let quantity = award.figure("quantity")?.filter(|quantity| !quantity.is_zero());
    let amount = award.figure("amount")?;
    let needed = || amount.ok_or_else(|| Reason::missing("Amount"));
    match action.to_lowercase().as_str() {
        "deposit" => deposit(award, quantity),
        "sale" | "sell" | "quick sale" | "forced quick sell" | "sell to cover" => sale(award, quantity, amount),
        "lapse" => Ok(Event::Skip(Reason::CountedElsewhere)),
        "exercise and sell" => Ok(Event::Skip(Reason::NoShares)),
        "dividend" | "cash dividend" | "qualified dividend" => {
            Ok(Event::Dividend(Box::new(Record { amount: Some(needed()?), ..record(award, Kind::Dividend)? })))
        }
        "dividend reinvested" => Ok(Event::Skip(Reason::Reinvested)),
        "tax withholding" | "tax reversal" | "nra tax adj" | "nra withholding" | "foreign tax paid" => {
            let tax = Decimal::ZERO.saturating_sub(needed()?);
            Ok(Event::Tax(tax, Box::new(record(award, Kind::Dividend)?)))
        }
        _ if quantity.is_none() => Ok(Event::Skip(Reason::Cash)),
        "journal" | "transfer" | "share transfer" => {
            let shares = quantity.map(|quantity| quantity.abs());
            let note = fields::short(&format!("{action} {}", award.text("description").unwrap_or_default()));
            Ok(Event::Record(Box::new(Record { shares, note, ..record(award, Kind::TransferOut)? })))
        }
        _ => Err(Reason::unsupported(action)),
    }
}

/// The cost is what the employee paid, or the value on the day the shares were given.
fn deposit(award: &Award, quantity: Option<Decimal>) -> Result<Event, Reason> {
    let mut price = None;
    for name in ["purchaseprice", "vestfairmarketvalue", "fairmarketvalueprice", "purchasefairmarketvalue"] {
        price = price.or(award.in_details(name)?.first().copied());
    }
    // Some may have been withheld for tax before they were deposited.
    let net = award.in_details("netsharesdeposited")?.first().copied().filter(|net| !net.is_zero());
    let note = fields::short(award.text("description").unwrap_or_default());
    let shares = net.or(quantity);
    Ok(Event::Record(Box::new(Record { shares, price, note, ..record(award, Kind::TransferIn)? })))
}

fn sale(award: &Award, quantity: Option<Decimal>, amount: Option<Decimal>) -> Result<Event, Reason> {
    let prices = award.in_details("saleprice")?;
    let price = prices.first().copied().filter(|first| prices.iter().all(|price| price == first));
    let fees = award.figure("feesandcommissions")?.map(|fees| fees.abs());
    let proceeds = award.in_details("grossproceeds")?.into_iter().reduce(Decimal::saturating_add);
    let gross = amount.map(|amount| amount.saturating_add(fees.unwrap_or_default())).or(proceeds);
    let shares = quantity.map(|quantity| quantity.abs());
    Ok(Event::Record(Box::new(Record { shares, price, amount: gross, fees, ..record(award, Kind::Sell)? })))
}

/// The description is the type of award, not the company.
fn record(award: &Award, kind: Kind) -> Result<Record, Reason> {
    let date = day("Date", award.text("date").ok_or_else(|| Reason::missing("Date"))?, Order::MonthFirst)?;
    let mut record = Record::new(award.line, date, kind);
    us_security::identify(&mut record, award.text("symbol"), "");
    Ok(record)
}
