//! Disnat's transactions (Desjardins): `Date de transaction, Date de règlement, Type de transaction, …, Montant de l'opération, …`.

use std::collections::HashMap;

use ledger::{Currency, Decimal, Kind};

use crate::joining::{negative_purchase, payments};
use crate::reading::fields::short;
use crate::reading::{Line, Order, Table, day, fields};
use crate::rows::{self, Read};
use crate::{Parsed, Reason, Record};

pub const COLUMNS: &[&str] =
    &["date de règlement", "type de transaction", "symbole", "quantité", "prix", "montant de l'opération"];

pub fn parse(table: &Table<'_>) -> Parsed {
    // Trades have the country of a listing, dividends do not.
    let traded = table.lines().filter_map(|line| {
        let (ticker, suffix) = listed(line.text("symbole")?, line.text("marché"));
        Some((ticker, suffix?))
    });
    let traded: HashMap<String, &'static str> = traded.collect();
    let mut parsed = rows::parse(table, |line| read(&line, &traded));
    payments::before_tax(&mut parsed.records);
    parsed
}

/// What a tax and its dividend have in common.
fn key(record: &Record) -> String {
    format!("{} {} {:?}", record.ticker.as_deref().unwrap_or_default(), record.date, record.currency)
}

fn read(line: &Line<'_, '_>, traded: &HashMap<String, &'static str>) -> Result<Read, Reason> {
    let text = |name: &str| line.text(name).filter(|text| *text != "-");
    let kind = line.need("type de transaction")?;
    let upper = kind.to_uppercase();
    let Some(symbol) = text("symbole") else { return Ok(Read::Skip(Reason::Cash)) };
    let record_kind = match upper.as_str() {
        "ACHAT" => Kind::Buy,
        "VENTE" => Kind::Sell,
        _ if upper.starts_with("DIVIDENDE") || is_tax(&upper) => Kind::Dividend,
        _ => {
            return Err(Reason::unsupported(kind));
        }
    };
    let (ticker, suffix) = listed(symbol, text("marché"));
    let date = text("date de transaction").or(text("date de règlement")).ok_or_else(|| Reason::missing("Date de règlement"))?;
    let paid = line.figure_needed("montant de l'opération")?;
    let record = Record {
        suffix: suffix.or_else(|| traded.get(&ticker).copied()),
        ticker: Some(ticker),
        name: text("description").and_then(short),
        shares: line.figure("quantité")?.map(|shares| negative_purchase::shares_moved(record_kind, shares)).transpose()?,
        currency: Some(currency(text("devise du compte").unwrap_or("CAN"))?),
        ..Record::new(line.number(), day("Date de transaction", date, Order::DayFirst)?, record_kind)
    };
    if is_tax(&upper) {
        return Ok(Read::tax(key(&record), -paid, Record { shares: None, ..record }));
    }
    if record_kind == Kind::Dividend {
        // The amount received: the file does not say whether tax was deducted from it.
        return Ok(Read::dividend(key(&record), Record { net: Some(paid), ..record }));
    }
    let fees = line.figure("commission payée")?.unwrap_or_default().abs();
    let amount = match record_kind {
        Kind::Sell => paid.abs().checked_add(fees),
        _ => paid.abs().checked_sub(fees),
    };
    Ok(Record { amount: amount.filter(|amount| *amount >= Decimal::ZERO), fees: Some(fees), ..record }.into())
}

/// Withheld from a foreign company's dividend, in a separate row.
fn is_tax(kind: &str) -> bool {
    kind.starts_with("IMPÔT") || kind.starts_with("RETENUE") || kind.contains("NON-RÉSIDENT")
}

/// `VEQT-C` in trades, `VEQT` in dividends: the letter is the country.
fn listed(symbol: &str, market: Option<&str>) -> (String, Option<&'static str>) {
    let symbol = symbol.to_uppercase();
    match (symbol.rsplit_once('-'), market) {
        (Some((ticker, "C")), _) => (ticker.to_owned(), Some(".TO")),
        (Some((ticker, "U")), _) => (ticker.to_owned(), Some("")),
        (_, Some("CAN")) => (symbol, Some(".TO")),
        (_, Some("É-U" | "USA" | "US")) => (symbol, Some("")),
        _ => (symbol, None),
    }
}

fn currency(code: &str) -> Result<Currency, Reason> {
    let code = match code {
        "CAN" => "CAD",
        "É-U" | "USA" | "US" => "USD",
        code => code,
    };
    fields::currency("Devise du compte", code)
}
