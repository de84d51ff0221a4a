//! A row of Schwab's history, from the table (CSV) or JSON: both have the same fields.

use super::action::action_of;
use crate::reading::{Decimals, Order, Table, day, figure, json, us_security};
use crate::us_history::Entry;
use crate::{Opened, Parsed, Reason};
use jiff::civil::Date;

const COLUMNS: [&str; 8] = ["date", "action", "symbol", "description", "quantity", "price", "fees & comm", "amount"];
/// No action is longer.
const WORDS_MAX: usize = 60;
const JSON_LIST: &str = "BrokerageTransactions";

pub fn detect(file: &Opened) -> bool {
    Table::find(file, &COLUMNS).is_some() || (file.sheets.is_empty() && file.text.contains(&format!("\"{JSON_LIST}\"")))
}

/// The readable rows; the others become skips and errors.
pub fn entries(file: &Opened, parsed: &mut Parsed) -> Vec<Entry> {
    match Table::find(file, &COLUMNS) {
        Some(table) => of_table(&table, parsed),
        None => of_json(&file.text, parsed),
    }
}

fn of_table(table: &Table<'_>, parsed: &mut Parsed) -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in table.lines() {
        parsed.rows += 1;
        if line.row.cell(0).to_lowercase().starts_with("transactions total") {
            parsed.skip(line.number(), Reason::Total);
            continue;
        }
        match read(line.number(), line.decimals(), |name| line.text(name)) {
            Ok(entry) => entries.push(entry),
            Err(reason) => parsed.error(line.number(), reason),
        }
    }
    entries
}

fn of_json(text: &str, parsed: &mut Parsed) -> Vec<Entry> {
    let rows = json::members(text, JSON_LIST, "Action").unwrap_or_else(|problem| {
        parsed.refusal = Some(problem);
        Vec::new()
    });
    let mut entries = Vec::new();
    for (line, row) in &rows {
        parsed.rows += 1;
        let cell = |name: &str| {
            let fields = row.as_object()?;
            let value = fields.iter().find(|(key, _)| key.to_lowercase() == name)?.1;
            value.as_str().map(str::trim).filter(|text| !text.is_empty())
        };
        match read(*line, Decimals::Point, cell) {
            Ok(entry) => entries.push(entry),
            Err(reason) => parsed.error(*line, reason),
        }
    }
    entries
}

fn read<'a>(line: u64, decimals: Decimals, cell: impl Fn(&str) -> Option<&'a str>) -> Result<Entry, Reason> {
    let words = cell("action").ok_or_else(|| Reason::missing("Action"))?;
    let number = |name: &str| {
        let written = cell(name).filter(|text| !["-", "--", "n/a"].contains(&text.to_lowercase().as_str()));
        written.map(|text| figure(name, text, decimals)).transpose()
    };
    let (date, booked) = days(cell("date").ok_or_else(|| Reason::missing("Date"))?, words)?;
    let description = cell("description").unwrap_or_default();
    let symbol = cell("symbol").filter(|symbol| !symbol.eq_ignore_ascii_case("no number"));
    Ok(Entry {
        line,
        date,
        booked,
        account: String::new(),
        words: words.chars().filter(|letter| !letter.is_control()).take(WORDS_MAX).collect(),
        action: action_of(words),
        symbol: symbol.or_else(|| in_brackets(description)).map(str::to_owned),
        description: if description.starts_with("TDA TRAN") { String::new() } else { description.to_owned() },
        quantity: number("quantity")?,
        price: number("price")?,
        fees: number("fees & comm")?.map(|fees| fees.abs()),
        amount: number("amount")?,
        currency: us_security::dollars(),
    })
}

/// The first date is when Schwab booked the row; `as of` is when it took effect: when the shares were traded or the dividend was
/// payable. Only for last year's dividends (`Pr Yr`) it is the tax year they count for, and the money came when booked.
fn days(written: &str, words: &str) -> Result<(Date, Date), Reason> {
    let (booked, as_of) = written.split_once(" as of ").unwrap_or((written, written));
    let last_year = words.to_lowercase().starts_with("pr yr");
    let booked = day("Date", booked, Order::MonthFirst)?;
    Ok((if last_year { booked } else { day("Date", as_of, Order::MonthFirst)? }, booked))
}

/// Rows migrated from TD Ameritrade only name the security in their text: `TDA TRAN - QUALIFIED DIVIDEND (KO)`.
fn in_brackets(description: &str) -> Option<&str> {
    let (_, rest) = description.strip_prefix("TDA TRAN")?.rsplit_once('(')?;
    let (symbol, _) = rest.split_once(')')?;
    Some(symbol.trim()).filter(|symbol| !symbol.is_empty() && symbol.len() <= 12 && !symbol.contains(' '))
}
