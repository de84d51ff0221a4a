//! The same activities from the API: `{"activities": [{"tradeDate": …}]}`.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::reading::json;
use crate::{Opened, Parsed, Problem, Reason};

/// A field name, and the corresponding column of the table.
const FIELDS: &[(&str, &str)] = &[
    ("tradeDate", "Transaction Date"),
    ("settlementDate", "Settlement Date"),
    ("action", "Action"),
    ("symbol", "Symbol"),
    ("description", "Description"),
    ("quantity", "Quantity"),
    ("price", "Price"),
    ("grossAmount", "Gross Amount"),
    ("commission", "Commission"),
    ("netAmount", "Net Amount"),
    ("currency", "Currency"),
    ("type", "Activity Type"),
];

#[derive(Deserialize)]
struct Activities<'a> {
    #[serde(borrow)]
    activities: Vec<&'a RawValue>,
}

pub fn detect(file: &Opened) -> bool {
    let text = file.text.trim_start();
    text.starts_with('{') && ["\"activities\"", "\"tradeDate\"", "\"netAmount\""].iter().all(|name| text.contains(name))
}

/// Converts the activities to a table and reads it; line numbers are those of this file.
pub fn parse(file: &Opened, read: fn(&Opened) -> Parsed) -> Parsed {
    let (table, lines) = match table(&file.text) {
        Ok(table) => table,
        Err(reason) => return Parsed::refused(1, reason),
    };
    let opened = match Opened::open(&table) {
        Ok(opened) => opened,
        Err(problem) => return Parsed { refusal: Some(problem), ..Parsed::default() },
    };
    let line_of = |row: u64| usize::try_from(row).ok().and_then(|row| lines.get(row.checked_sub(2)?).copied()).unwrap_or(row);
    let mut parsed = read(&opened);
    for record in &mut parsed.records {
        record.line = line_of(record.line);
        record.joined.iter_mut().for_each(|line| *line = line_of(*line));
    }
    let problems = parsed.skips.iter_mut().chain(&mut parsed.errors).chain(&mut parsed.refusal);
    problems.for_each(|problem: &mut Problem| problem.line = line_of(problem.line));
    parsed
}

/// Bytes of a CSV file, and the line of each of its rows in the text.
fn table(text: &str) -> Result<(Vec<u8>, Vec<u64>), Reason> {
    let unreadable = |_: serde_json::Error| Reason::JsonMalformed;
    let unwritable = |error: csv::Error| Reason::CsvMalformed { cause: error.to_string().into() };
    let file: Activities<'_> = serde_json::from_str(text).map_err(unreadable)?;
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(FIELDS.iter().map(|(_, column)| column)).map_err(unwritable)?;
    let lines = json::lines_of(text, &file.activities);
    for activity in file.activities {
        let fields: HashMap<String, &RawValue> = serde_json::from_str(activity.get()).map_err(unreadable)?;
        let cells = FIELDS.iter().map(|(name, _)| fields.get(*name).map_or(String::new(), |value| plain(value)));
        writer.write_record(cells).map_err(unwritable)?;
    }
    let bytes = writer.into_inner().map_err(|error| unwritable(error.into_error().into()))?;
    Ok((bytes, lines))
}

/// Numbers exactly as written; texts on one line, so that a row is a line.
fn plain(value: &RawValue) -> String {
    let text = serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text == "null" { String::new() } else { text }
}
