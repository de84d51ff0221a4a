//! The rows of Saxo's transactions, whose columns depend on the account's language.

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, QuoteUnit};

use crate::reading::{Line, Order, Table, Words, day, fields, folded, label, suffix_of_mic};
use crate::{Opened, Reason, Record};

pub struct Transaction {
    /// Its line, day, instrument and id.
    record: Record,
    pub event: String,
    /// The trading currency of the instrument.
    pub currency: Option<Currency>,
    /// The currency of the booked amount, if the file has it.
    pub account: Option<Currency>,
    pub booked: Option<Decimal>,
    pub costs: Option<Decimal>,
    /// From the currency of the trade or payment to that of the account.
    pub rate: Option<Decimal>,
    pub order: String,
    pub derivative: bool,
    pub bond: bool,
    /// The id of the row's parts on another sheet.
    pub booking: Option<String>,
}

pub static COLUMNS: Words = Words::new(include_str!("columns.txt"));

pub fn table(file: &Opened) -> Option<Table<'_>> {
    let known = |table: &Table<'_>| {
        let needed = ["date", "kind", "isin", "symbol", "event", "booked", "rate"];
        needed.iter().all(|column| COLUMNS.words_for(column).iter().any(|name| table.has(name)))
    };
    let header = |sheet| COLUMNS.words_for("date").iter().find_map(|name| Table::of(sheet, &[name]));
    file.sheets.iter().filter_map(header).find(known)
}

impl Transaction {
    pub fn read(line: &Line<'_, '_>) -> Result<Transaction, Reason> {
        let text = |column: &str| line.any(COLUMNS.words_for(column));
        let number = |column: &str| line.any_figure(COLUMNS.words_for(column));
        let code = |text: &str| QuoteUnit::parse(text).ok().map(|unit| unit.currency);
        let (ticker, suffix) = text("symbol").map_or((None, None), symbol);
        // A sub-account for each currency: `69900/1000000USD`.
        let part = |id: &str| {
            id.get(id.len().checked_sub(3)?..).filter(|_| id.contains(|letter: char| letter.is_ascii_digit())).and_then(code)
        };
        let of_account = text("account id").and_then(part);
        let nothing = |id: &&str| id.bytes().any(|byte| byte.is_ascii_digit() && byte != b'0');
        let yes = |text: &str| {
            !matches!(folded(text).as_str(), "no" | "nee" | "non" | "nein" | "nej" | "nei" | "-" | "none" | "0" | "false")
        };
        let date = day_of("trade date", text("date").ok_or_else(|| Reason::missing("trade date"))?)?;
        let record = Record {
            name: text("name").filter(|name| *name != "-").and_then(label),
            isin: text("isin").and_then(|isin| fields::isin("isin", isin).ok()),
            ticker,
            suffix,
            id: COLUMNS.words_for("id").iter().find_map(|name| line.text(name).filter(nothing)).and_then(label),
            ..Record::new(line.number(), date, Kind::Buy)
        };
        Ok(Transaction {
            record,
            event: text("event").unwrap_or_default().to_owned(),
            currency: text("currency").and_then(code),
            account: of_account.or_else(|| text("account").and_then(code)),
            booked: number("booked")?,
            costs: number("costs")?,
            rate: number("rate")?.filter(|rate| *rate > Decimal::ZERO),
            order: text("order").unwrap_or_default().to_owned(),
            bond: line.text("type").is_some_and(|kind| {
                let kind = folded(kind);
                ["bond", "obligati", "anleihe"].iter().any(|word| kind.contains(word))
            }),
            booking: line.text("bk record id").map(str::to_owned),
            derivative: COLUMNS.words_for("derivative").iter().any(|name| line.text(name).is_some_and(yes))
                || line.text("type").is_some_and(is_derivative),
        })
    }

    pub fn line(&self) -> u64 {
        self.record.line
    }

    pub fn named(&self) -> bool {
        self.name().is_some()
    }

    /// What a dividend and its tax have in common: instrument and day.
    pub fn key(&self) -> String {
        format!("{} {}", self.name().unwrap_or_default(), self.record.date)
    }

    fn name(&self) -> Option<&str> {
        [&self.record.isin, &self.record.ticker, &self.record.name].into_iter().flatten().next().map(String::as_str)
    }

    pub fn record(&self, kind: Kind) -> Record {
        Record { kind, ..self.record.clone() }
    }
}

/// A workbook may have a date as a number: the days since the end of 1899.
pub fn day_of(name: &str, text: &str) -> Result<Date, Reason> {
    let serial = text.parse::<i32>().ok().filter(|days| (10_000..100_000).contains(days));
    let counted = || jiff::civil::date(1899, 12, 30).checked_add(jiff::Span::new().try_days(serial?).ok()?).ok();
    counted().map_or_else(|| day(name, text, Order::DayFirst), Ok)
}

fn is_derivative(kind: &str) -> bool {
    let kind = folded(kind);
    ["cfd", "option", "future", "forex", "fxspot"].iter().any(|word| kind.contains(word))
}

/// `VWRL:xams` is a ticker and its market; a share class is in lowercase (`NOVOb:xcse`).
fn symbol(text: &str) -> (Option<String>, Option<&'static str>) {
    let (ticker, market) = text.split_once(':').unwrap_or((text, ""));
    let ticker = ticker.strip_suffix("_REGD").unwrap_or(ticker);
    let class = ticker.chars().last().filter(|last| last.is_ascii_lowercase());
    let before = ticker.get(..ticker.len().saturating_sub(1)).unwrap_or_default();
    let ticker = match class {
        Some(class) if !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) => {
            format!("{before} {}", class.to_ascii_uppercase())
        }
        _ => ticker.to_owned(),
    };
    (label(&ticker).filter(|ticker| ticker != "-"), suffix_of_mic(market))
}
