//! A transaction of the Equity Award Center with its details: rows without a date below it (CSV), or a list inside it (JSON).

use std::collections::HashMap;

use ledger::Decimal;
use serde_json::Value;

use crate::reading::{Decimals, Line, Table, figure, json};
use crate::{Opened, Parsed, Reason};

const COLUMNS: [&str; 8] =
    ["date", "action", "symbol", "description", "quantity", "feesandcommissions", "disbursementelection", "amount"];

pub struct Award {
    pub line: u64,
    /// Lines of its details.
    pub joined: Vec<u64>,
    fields: Fields,
    details: Vec<Fields>,
    decimals: Decimals,
}

/// By the column title in lowercase.
type Fields = HashMap<String, String>;

pub fn detect(file: &Opened) -> bool {
    let is_json = || ["\"DisbursementElection\"", "\"TransactionDetails\""].iter().all(|name| file.text.contains(name));
    Table::find(file, &COLUMNS).is_some() || (file.sheets.is_empty() && is_json())
}

pub fn awards(file: &Opened, parsed: &mut Parsed) -> Vec<Award> {
    match Table::find(file, &COLUMNS) {
        Some(table) => of_table(&table, parsed),
        None => of_json(&file.text, parsed),
    }
}

fn of_table(table: &Table<'_>, parsed: &mut Parsed) -> Vec<Award> {
    let mut awards: Vec<Award> = Vec::new();
    for line in table.lines() {
        parsed.rows += 1;
        let fields = cells(table, &line);
        match (line.text("date").is_some() || line.text("action").is_some(), awards.last_mut()) {
            (true, _) => {
                let (line, decimals) = (line.number(), line.decimals());
                awards.push(Award { line, joined: Vec::new(), fields, details: Vec::new(), decimals });
            }
            (false, Some(award)) => {
                award.joined.push(line.number());
                award.details.push(fields);
            }
            (false, None) => parsed.error(line.number(), Reason::CounterpartMissing),
        }
    }
    awards
}

fn cells(table: &Table<'_>, line: &Line<'_, '_>) -> Fields {
    let names = table.names().map(str::to_lowercase).enumerate();
    let filled = names.map(|(place, name)| (name, line.row.cell(place).to_owned())).filter(|(_, cell)| !cell.is_empty());
    filled.collect()
}

fn of_json(text: &str, parsed: &mut Parsed) -> Vec<Award> {
    let rows = json::members(text, "Transactions", "Action").unwrap_or_else(|problem| {
        parsed.refusal = Some(problem);
        Vec::new()
    });
    parsed.rows = rows.len() as u64;
    let award = |(line, row): &(u64, Value)| {
        let details = row.get("TransactionDetails").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let details = details.iter().map(|detail| members(detail.get("Details").unwrap_or(detail))).collect();
        Award { line: *line, joined: Vec::new(), fields: members(row), details, decimals: Decimals::Point }
    };
    rows.iter().map(award).collect()
}

fn members(value: &Value) -> Fields {
    let all = value.as_object().into_iter().flatten();
    let texts = all.filter_map(|(name, value)| Some((name.to_lowercase(), value.as_str()?.trim().to_owned())));
    texts.filter(|(_, text)| !text.is_empty()).collect()
}

impl Award {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    pub fn figure(&self, name: &str) -> Result<Option<Decimal>, Reason> {
        self.number(&self.fields, name)
    }

    /// The number in each of the details that have it.
    pub fn in_details(&self, name: &str) -> Result<Vec<Decimal>, Reason> {
        self.details.iter().filter_map(|fields| self.number(fields, name).transpose()).collect()
    }

    /// The days on which its shares vested or were purchased, each with the value or cost of a share.
    pub fn origins(&self) -> impl Iterator<Item = ([&str; 2], Decimal)> {
        const COLUMNS: [(&str, &str); 2] = [("vestdate", "vestfairmarketvalue"), ("purchasedate", "purchaseprice")];
        self.details.iter().flat_map(move |fields| {
            COLUMNS.into_iter().filter_map(move |(day, value)| {
                Some(([day, fields.get(day)?.as_str()], self.number(fields, value).ok().flatten()?))
            })
        })
    }

    fn number(&self, fields: &Fields, name: &str) -> Result<Option<Decimal>, Reason> {
        let written = fields.get(name).filter(|text| !["-", "--", "N/A"].contains(&text.as_str()));
        written.map(|text| figure(name, text, self.decimals)).transpose()
    }
}
