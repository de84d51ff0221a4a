//! A row of any report of Interactive Brokers, with one set of field names.

use jiff::civil::{Date, Time};
use ledger::{Decimal, QuoteUnit};

use crate::Reason;
use crate::reading::{Decimals, Order, fields, figure, moment};

/// The sections whose rows are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Trades,
    Cash,
    Corporate,
    Transfers,
    ChangeInAccruals,
    OpenAccruals,
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
        if let Ok(at) = FIELDS.binary_search(&canonical(name).as_str())
            && self.text(FIELDS[at]).is_none()
        {
            self.fields.push((FIELDS[at], value.into()));
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        debug_assert!(FIELDS.binary_search(&name).is_ok(), "{name} is not kept");
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

/// Without spaces, punctuation and case, and one name for several synonyms.
pub fn canonical(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    let one = match plain.as_str() {
        "currencyprimary" => "currency",
        "assetclass" => "assetcategory",
        "clientaccountid" => "accountid",
        "notescodes" => "notes",
        "codes" => "code",
        "originaltradeid" => "origtradeid",
        "originaltransactionid" => "origtransactionid",
        "transferaccount" => "account",
        "settlementdate" => "settledate",
        _ => return plain,
    };
    one.to_owned()
}

/// In alphabetical order.
pub const FIELDS: &[&str] = &[
    "account",
    "accountid",
    "actiondescription",
    "amount",
    "assetcategory",
    "buysell",
    "code",
    "conid",
    "cost",
    "currency",
    "cusip",
    "date",
    "datetime",
    "description",
    "direction",
    "exchange",
    "exdate",
    "fee",
    "fxratetobase",
    "grossamount",
    "grossrate",
    "ibcommission",
    "ibcommissioncurrency",
    "isin",
    "levelofdetail",
    "listingexchange",
    "multiplier",
    "netamount",
    "netcash",
    "notes",
    "origtradeid",
    "origtransactionid",
    "paydate",
    "positionamount",
    "proceeds",
    "quantity",
    "reportdate",
    "securityid",
    "settledate",
    "symbol",
    "tax",
    "taxes",
    "tradedate",
    "tradeid",
    "trademoney",
    "tradeprice",
    "tradetime",
    "transactionid",
    "transactiontype",
    "transferprice",
    "type",
    "value",
];
