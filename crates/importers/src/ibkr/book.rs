//! The rows of a report with what they have in common.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::Currency;

use super::entry::{Entry, Part};

#[derive(Default)]
pub struct Book {
    pub statements: Vec<Statement>,
    pub entries: Vec<Entry>,
    /// Sections of the report, with or without rows.
    pub parts: Vec<Part>,
    /// The account's currency, if the report states it once for all its statements.
    pub base: Option<String>,
    /// For positions without a date.
    pub import_date: Option<Date>,
    /// Executions are parts of orders, and a report may have both: which ones to count.
    pub orders_first: bool,
    /// The trading currency of each share; `None` for several.
    pub trading: HashMap<String, Option<Currency>>,
}

/// One account over one period.
#[derive(Default)]
pub struct Statement {
    pub account: String,
    pub base: Option<String>,
    pub until: String,
    /// By day, from and to, as written.
    pub rates: HashMap<(String, String, String), String>,
}

impl Book {
    pub fn account_of<'b>(&'b self, entry: &'b Entry) -> &'b str {
        entry.text("accountid").unwrap_or_else(|| self.statements.get(entry.statement).map_or("", |of| of.account.as_str()))
    }
}

/// `2024-01-02;093000` and `20240102` are the same day.
pub fn day_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).take(8).collect()
}

pub fn later(day: Option<Date>, than: Date, days: i32) -> bool {
    day.is_some_and(|day| day.since(than).is_ok_and(|span| span.get_days() > days))
}
