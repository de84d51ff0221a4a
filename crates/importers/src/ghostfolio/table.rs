//! The table (CSV), whose columns have several names.

use ledger::Decimal;

use super::activity::{Activity, read};
use crate::reading::{Line, Table};
use crate::{Opened, Parsed, Reason, rows};

const DATE: &[&str] = &["date"];
const SYMBOL: &[&str] = &["code", "symbol", "ticker"];
const CURRENCY: &[&str] = &["ccy", "currency"];
const QUANTITY: &[&str] = &["qty", "quantity", "shares", "units"];
const TYPE: &[&str] = &["action", "type", "buy/sell"];
const PRICE: &[&str] = &["unitprice", "unit price", "price", "value"];
const FEE: &[&str] = &["fee", "commission"];
const SOURCE: &[&str] = &["datasource", "data source"];
const ACCOUNT: &[&str] = &["account", "accountid", "account id"];
const COMMENT: &[&str] = &["comment", "note"];
const OTHERS: &[&str] = &["id", "tags", "name", ""];

pub fn detect(file: &Opened) -> bool {
    find(file).is_some()
}

/// Everything an activity needs, under Ghostfolio's own names: its data source, else names that others do not use, and no unknown
/// columns.
fn find(file: &Opened) -> Option<Table<'_>> {
    let table = Table::at(file.sheets.first()?, 0)?;
    let has = |names: &[&str]| names.iter().any(|name| table.has(name));
    let needed = [DATE, SYMBOL, CURRENCY, QUANTITY, TYPE, PRICE, FEE];
    let known = [DATE, SYMBOL, CURRENCY, QUANTITY, TYPE, PRICE, FEE, SOURCE, ACCOUNT, COMMENT, OTHERS];
    let is_known = |name: &str| known.iter().any(|names| names.contains(&name.to_lowercase().as_str()));
    let own_words = has(&["unitprice", "unit price"]) || table.has_all(&["code", "action"]);
    let fits = needed.iter().all(|names| has(names)) && (has(SOURCE) || (own_words && table.names().all(is_known)));
    fits.then_some(table)
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = find(file) else {
        return Parsed::refused(1, Reason::header_missing(&["date", "code", "currency", "price", "quantity", "action", "fee"]));
    };
    rows::parse(&table, |line| read(&activity(&line)?))
}

fn activity<'a>(line: &Line<'_, 'a>) -> Result<Activity<'a>, Reason> {
    let text = |names: &[&str]| line.any(names).map(Into::into);
    let kind = line.any(TYPE);
    // Ghostfolio ignores the sign; a negative dividend was reversed.
    let is_dividend = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("dividend"));
    let price = figure(line, PRICE)?.map(|price| if is_dividend { price } else { price.abs() });
    Ok(Activity {
        line: line.number(),
        kind: kind.map(Into::into),
        date: text(DATE),
        symbol: text(SYMBOL),
        source: text(SOURCE),
        currency: text(CURRENCY),
        quantity: figure(line, QUANTITY)?.map(|quantity| quantity.abs()),
        price,
        fee: figure(line, FEE)?.map(|fee| fee.abs()),
        account: line.any(ACCOUNT).map(str::to_owned),
        comment: text(COMMENT),
        id: line.text("id").map(Into::into),
        name: line.text("name").map(str::to_owned),
        in_table: true,
        ..Activity::default()
    })
}

fn figure(line: &Line<'_, '_>, names: &[&str]) -> Result<Option<Decimal>, Reason> {
    match names.iter().find(|name| line.text(name).is_some()) {
        Some(name) => line.figure(name),
        None => Ok(None),
    }
}
