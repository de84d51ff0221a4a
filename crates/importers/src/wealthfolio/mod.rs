//! Wealthfolio: its activities (CSV), as it exports them and as it imports them.

mod figures;

use std::collections::HashSet;

use ledger::QuoteUnit;

use crate::joining::split_ratio;
use crate::reading::fields::{self, short};
use crate::reading::{Line, Order, Table, moment, suffix_of_mic};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};
use figures::{Figures, PRICE};

pub const COLUMNS: &[&str] = &["date", "activityType", "quantity", "unitPrice"];

const TYPE: [&str; 3] = ["activitytype", "activity_type", "type"];
const SYMBOL: [&str; 3] = ["assetsymbol", "symbol", "assetid"];

pub fn table(file: &Opened) -> Option<Table<'_>> {
    let table = Table::find(file, &["date", "quantity"])?;
    let has = |names: &[&str]| names.iter().any(|name| table.has(name));
    let own_words = has(&TYPE[..2]) || table.has("instrumenttype");
    (has(&TYPE) && has(&PRICE) && has(&SYMBOL) && own_words).then_some(table)
}

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut bought = Vec::new();
    let mut parsed = rows::parse(table, |line| read(&line, &mut bought));
    parsed.records.extend(bought);
    // A single account needs no name.
    let accounts: HashSet<_> = parsed.records.iter().filter_map(|record| record.portfolio.clone()).collect();
    if accounts.len() < 2 {
        parsed.records.iter_mut().for_each(|record| record.portfolio = None);
    }
    parsed
}

/// `bought` gets the shares of reinvested dividends.
fn read(line: &Line<'_, '_>, bought: &mut Vec<Record>) -> Result<Read, Reason> {
    let skip = |reason: Reason| Ok(Read::Skip(reason));
    let word = line.any(&TYPE).ok_or_else(|| Reason::missing("activityType"))?;
    let symbol = line.any(&SYMBOL).filter(|symbol| !symbol.to_uppercase().starts_with("$CASH"));
    let status = line.text("status").filter(|status| status.eq_ignore_ascii_case("draft") || status.eq_ignore_ascii_case("void"));
    let draft = line.text("isdraft").filter(|draft| draft.eq_ignore_ascii_case("true")).map(|_| "DRAFT");
    if let Some(status) = status.or(draft) {
        return skip(Reason::NotExecuted { status: status.into() });
    }
    if let Some(asset) = line.any(&["instrumenttype", "assettype"]).and_then(unsupported) {
        return skip(Reason::unsupported_asset(asset));
    }
    let subtype = line.text("subtype").unwrap_or_default().to_uppercase();
    let kind = match (word.to_uppercase().as_str(), symbol) {
        ("BUY", _) => Kind::Buy,
        ("SELL", _) => Kind::Sell,
        ("SPLIT", _) => Kind::Split,
        ("DIVIDEND", _) if subtype == "RETURN_OF_CAPITAL" => Kind::ReturnOfCapital,
        ("DIVIDEND", Some(_)) if subtype == "DIVIDEND_IN_KIND" => Kind::TransferIn,
        ("DIVIDEND", _) => Kind::Dividend,
        ("TRANSFER_IN" | "ADD_HOLDING", Some(_)) => Kind::TransferIn,
        ("TRANSFER_OUT" | "REMOVE_HOLDING", Some(_)) => Kind::TransferOut,
        ("TAX", Some(_)) => Kind::Dividend,
        ("TAX", None) => return skip(Reason::TaxWithoutDividend),
        ("FEE", _) => return skip(Reason::AccountFee),
        ("INTEREST", _) => return skip(Reason::Interest),
        ("DEPOSIT" | "WITHDRAWAL" | "CREDIT" | "TRANSFER_IN" | "TRANSFER_OUT" | "CONVERSION_IN" | "CONVERSION_OUT", _) => {
            return skip(Reason::Cash);
        }
        _ => return Err(Reason::unsupported(word)),
    };
    let figures = Figures::read(line)?;
    let record = record(line, kind, symbol, figures.unit)?;
    match kind {
        Kind::Dividend if word.eq_ignore_ascii_case("tax") => {
            let tax = figures.amount.or(figures.product).ok_or_else(|| Reason::missing("amount"))?;
            Ok(Read::tax(key(&record), tax.abs(), record))
        }
        Kind::Dividend => {
            let is_reinvested = subtype == "DRIP";
            let mut dividend = figures.dividend(record.clone(), is_reinvested)?;
            if is_reinvested {
                let (shares, price) = (figures.shares()?, figures.price.ok_or_else(|| Reason::missing("unitPrice"))?);
                let id = record.id.as_ref().map(|id| format!("{id} shares"));
                let (kind, shares, price) = (Kind::Buy, Some(shares), Some(price));
                dividend.reinvestment = Some(bought.len());
                let reinvestment = dividend.reinvestment;
                bought.push(Record { kind, second: true, shares, price, id, reinvestment, ..record });
            }
            Ok(Read::dividend(key(&dividend), dividend))
        }
        Kind::ReturnOfCapital => {
            let amount = Some(figures.amount.or(figures.product).ok_or_else(|| Reason::missing("amount"))?);
            Ok(Record { amount, ..record }.into())
        }
        Kind::Split => {
            let factor = figures.amount.or(figures.quantity).ok_or_else(|| Reason::missing("amount"))?;
            Ok(Record { ratio: split_ratio::of_decimal(factor), ..record }.into())
        }
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => figures.trade(record).map(Read::from),
    }
}

fn unsupported(asset: &str) -> Option<&'static str> {
    match asset.to_uppercase().as_str() {
        "CRYPTO" | "CRYPTOCURRENCY" => Some("crypto"),
        "OPTION" => Some("option"),
        "BOND" => Some("bond"),
        _ => None,
    }
}

fn record(line: &Line<'_, '_>, kind: Kind, symbol: Option<&str>, unit: Option<QuoteUnit>) -> Result<Record, Reason> {
    let (date, time) = moment("date", line.need("date")?, Order::DayFirst)?;
    let isin = line.isin("isin").or_else(|| symbol.and_then(|symbol| fields::isin("symbol", symbol).ok()));
    let symbol = symbol.filter(|symbol| isin.as_deref() != Some(*symbol));
    let symbol = symbol.map(|symbol| fields::symbol("symbol", symbol)).transpose()?;
    let suffix = line.any(&["exchangemic", "assetexchangemic"]).and_then(suffix_of_mic);
    let (symbol, ticker) = if suffix.is_some() { (None, symbol) } else { (symbol, None) };
    Ok(Record {
        // Midnight means that no time was entered.
        time: time.filter(|time| *time != jiff::civil::Time::midnight()),
        symbol,
        ticker,
        suffix,
        isin,
        name: line.text("assetname").and_then(short),
        currency: unit.map(|unit| unit.currency),
        portfolio: line.any(&["accountname", "account"]).map(|account| fields::one_line(account, 100)),
        id: line.text("id").and_then(short),
        note: line.any(&["comment", "notes"]).and_then(short),
        ..Record::new(line.number(), date, kind)
    })
}

fn key(record: &Record) -> String {
    format!("{:?} {:?} {:?} {} {:?}", record.symbol, record.ticker, record.isin, record.date, record.portfolio)
}
