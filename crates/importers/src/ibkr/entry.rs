//! A row of any report of Interactive Brokers, with one set of field names.

use jiff::civil::{Date, Time};
use ledger::{Decimal, QuoteUnit};

use crate::Reason;
use crate::reading::{Decimals, Order, Words, fields, figure, moment};

static FIELDS: Words = Words::new(include_str!("fields.txt"));

/// The sections whose rows are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Trades,
    Cash,
    Corporate,
    Transfers,
    ChangeInAccruals,
    OpenAccruals,
    OpenPositions,
}

pub struct Entry {
    pub line: u64,
    pub part: Part,
    /// Its index among the book's statements.
    pub statement: usize,
    pub decimals: Decimals,
    pub order: Order,
    fields: Vec<(&'static str, Box<str>)>,
}

impl Entry {
    pub fn new(line: u64, part: Part, statement: usize, decimals: Decimals) -> Entry {
        Entry { line, part, statement, decimals, order: Order::MonthFirst, fields: Vec::new() }
    }

    /// Keeps the fields that are used, under any spelling, and drops the others.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if matches!(value, "" | "-" | "--" | "---" | "N/A") {
            return;
        }
        if let Some(field) = field(name).filter(|field| self.text(field).is_none()) {
            self.fields.push((field, value.into()));
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert_eq!(FIELDS.meaning(name), Some(name), "the field is not kept");
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| &**value)
    }

    pub fn lower(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_lowercase()
    }

    pub fn figure(&self, name: &str) -> Result<Option<Decimal>, Reason> {
        self.text(name).map(|text| figure(name, text, self.decimals)).transpose()
    }

    pub fn figure_needed(&self, name: &str) -> Result<Decimal, Reason> {
        self.figure(name)?.ok_or_else(|| Reason::flex_field_missing(name))
    }

    pub fn day(&self, name: &str) -> Result<Option<Date>, Reason> {
        Ok(self.moment(name)?.map(|(day, _)| day))
    }

    pub fn moment(&self, name: &str) -> Result<Option<(Date, Option<Time>)>, Reason> {
        self.text(name).map(|text| moment(name, text, self.order)).transpose()
    }

    /// The first of the dates that is present.
    pub fn first_moment(&self, names: &[&str]) -> Result<(Date, Option<Time>), Reason> {
        for name in names {
            if let Some(found) = self.moment(name)? {
                return Ok(found);
            }
        }
        Err(Reason::flex_field_missing(names.first().copied().unwrap_or("date")))
    }

    pub fn unit(&self) -> Result<QuoteUnit, Reason> {
        let code = self.text("currency").ok_or_else(|| Reason::flex_field_missing("currency"))?;
        fields::unit("currency", code)
    }

    pub fn is_level(&self, level: &str) -> bool {
        self.text("levelofdetail").is_some_and(|own| own.eq_ignore_ascii_case(level))
    }

    /// Notes and codes are separated by semicolons.
    pub fn has_code(&self, code: &str) -> bool {
        ["notes", "code"]
            .iter()
            .filter_map(|name| self.text(name))
            .any(|codes| codes.split([';', ',']).any(|one| one.trim() == code))
    }

    /// Date texts, to learn in which order they are written.
    pub fn days(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|(name, _)| name.contains("date")).map(|(_, value)| &**value)
    }
}

/// The field with that name, under any spelling; `None` if it is not read.
pub fn field(name: &str) -> Option<&'static str> {
    FIELDS.meaning(&plain(name))
}

/// One name for several synonyms; an unknown name without spaces, punctuation and case.
pub fn canonical(name: &str) -> String {
    let plain = plain(name);
    FIELDS.meaning(&plain).map_or(plain, str::to_owned)
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}
