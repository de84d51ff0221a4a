//! eToro's account statement: the sheet `Account Activity`, alone or in its workbook with `Dividends` and others.

mod activity;
mod dividends;
mod instrument;
mod kind;

use std::collections::HashMap;

use ledger::Currency;

use crate::reading::Table;
use crate::reading::fields;
use crate::{Opened, Parsed, Reason};
use activity::Activity;

const COLUMNS: &[&str] = &["date", "type", "details", "amount", "realized equity change", "position id"];

pub fn detect(file: &Opened) -> bool {
    Table::find(file, COLUMNS).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = Table::find(file, COLUMNS) else {
        return Parsed::refused(1, Reason::header_missing(COLUMNS));
    };
    let currency = match account_currency(file) {
        Ok(currency) => currency,
        Err(reason) => return Parsed::refused(1, reason),
    };
    let mut activity = Activity::new(currency);
    for line in table.lines() {
        activity.row(&line);
    }
    let (mut parsed, mut payments) = activity.finish();
    if let Some(details) = dividends::table(file) {
        dividends::join(&details, currency, &mut payments, &mut parsed);
    }
    parsed.records.extend(payments.into_iter().map(|payment| payment.record));
    name(&mut parsed, &isins(file), &table);
    parsed
}

/// Accounts are in dollars unless the sheet Account Summary says otherwise.
fn account_currency(file: &Opened) -> Result<Currency, Reason> {
    let summary = file.sheets.iter().find(|sheet| sheet.name.as_deref() == Some("Account Summary"));
    let row =
        summary.and_then(|sheet| sheet.rows().find(|row| row.cell(0).trim_end_matches(':').eq_ignore_ascii_case("currency")));
    let code = row.map(|row| row.cell(1)).filter(|code| !code.is_empty()).unwrap_or("USD");
    fields::currency("Account Summary: Currency", code)
}

/// The ISIN of each position, from any sheet that has both.
fn isins(file: &Opened) -> HashMap<&str, String> {
    let tables = file.sheets.iter().filter_map(|sheet| Table::of(sheet, &["position id", "isin"]));
    let mut found = HashMap::new();
    for table in tables {
        for line in table.lines() {
            let isin = line.isin("isin");
            if let (Some(position), Some(isin)) = (line.text("position id"), isin) {
                found.entry(position).or_insert(isin);
            }
        }
    }
    found
}

/// All positions with the same ticker have the same ISIN, so one that has it names them all.
fn name(parsed: &mut Parsed, isins: &HashMap<&str, String>, table: &Table<'_>) {
    if isins.is_empty() {
        return;
    }
    let mut of_ticker: HashMap<String, Option<&String>> = HashMap::new();
    for line in table.lines() {
        let isin = line.text("position id").and_then(|position| isins.get(position));
        let ticker = line.text("details").and_then(|details| instrument::read(details).ticker);
        if let (Some(isin), Some(ticker)) = (isin, ticker) {
            let known = of_ticker.entry(ticker).or_insert(Some(isin));
            if *known != Some(isin) {
                *known = None;
            }
        }
    }
    for record in parsed.records.iter_mut().filter(|record| record.isin.is_none()) {
        let isin = record.ticker.as_ref().and_then(|ticker| of_ticker.get(ticker).copied().flatten());
        record.isin = isin.cloned();
    }
}
