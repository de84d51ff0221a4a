//! The offline folder: `stocks.csv`, `dividends.csv`, `splits.csv`, `prices.csv`, `fx.csv`, any of them.

mod fields;
mod problem;
mod table;

use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit, Ratio};

use crate::provider::{Profile, Rate};
pub use problem::{Problem, Reason, Subject};
use table::{Line, Table};

/// The contents of the folder. Dividends and closes are still in the unit their stock is quoted in, which another file may have.
#[derive(Debug, Default)]
pub struct Files {
    pub stocks: Vec<Stock>,
    pub dividends: Vec<Dividend>,
    pub splits: Vec<Split>,
    pub prices: Vec<Price>,
    pub fx: Vec<Rate>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Stock {
    pub symbol: String,
    pub unit: QuoteUnit,
    pub profile: Profile,
    /// In whole units, like the amounts of the profile.
    pub price: Option<Decimal>,
    pub price_as_of: Option<Timestamp>,
    pub tracked: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Dividend {
    pub symbol: String,
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub declared_date: Option<Date>,
    pub amount: Decimal,
    /// `None`: the unit the stock is quoted in.
    pub unit: Option<QuoteUnit>,
    pub special: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    pub symbol: String,
    pub date: Date,
    pub ratio: Ratio,
}

/// A close in the unit the stock is quoted in.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    pub symbol: String,
    pub date: Date,
    pub close: Decimal,
}

pub const NAMES: [&str; 5] = ["stocks.csv", "dividends.csv", "splits.csv", "prices.csv", "fx.csv"];

/// Reads the folder, or returns everything that is wrong with it.
pub fn read(folder: &Path) -> Result<Files, Vec<Problem>> {
    let mut texts = Vec::new();
    for name in NAMES {
        match std::fs::read(folder.join(name)) {
            Ok(bytes) => texts.push((name, bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(vec![Problem::new(name, 0, Reason::Unreadable { cause: error.to_string() })]),
        }
    }
    if texts.is_empty() {
        return Err(vec![Problem::new(&folder.display().to_string(), 0, Reason::EmptyFolder)]);
    }
    parse(texts.iter().map(|(name, bytes)| (*name, bytes.as_slice())))
}

/// The same from bytes in memory.
pub fn parse<'a>(texts: impl Iterator<Item = (&'a str, &'a [u8])>) -> Result<Files, Vec<Problem>> {
    let mut files = Files::default();
    let mut problems = Vec::new();
    for (name, bytes) in texts {
        let table = Table { name, bytes };
        let found = &mut problems;
        match name {
            "stocks.csv" => {
                let rows = table.read(STOCKS, found, stock);
                files.stocks = table.without_duplicates(
                    rows,
                    found,
                    |row| row.symbol.clone(),
                    |row| Subject::Stock { symbol: row.symbol.clone() },
                );
            }
            "dividends.csv" => {
                let rows = table.read(DIVIDENDS, found, dividend);
                let key = |row: &Dividend| (row.symbol.clone(), row.ex_date, row.unit.map(|unit| unit.currency), row.special);
                let subject = |row: &Dividend| Subject::Dividend { symbol: row.symbol.clone(), date: row.ex_date };
                files.dividends = table.without_duplicates(rows, found, key, subject);
            }
            "splits.csv" => {
                let rows = table.read(&["symbol", "date", "ratio"], found, split);
                let subject = |row: &Split| Subject::Split { symbol: row.symbol.clone(), date: row.date };
                files.splits = table.without_duplicates(rows, found, |row| (row.symbol.clone(), row.date), subject);
            }
            "prices.csv" => {
                let rows = table.read(&["symbol", "date", "close"], found, price);
                let subject = |row: &Price| Subject::Close { symbol: row.symbol.clone(), date: row.date };
                files.prices = table.without_duplicates(rows, found, |row| (row.symbol.clone(), row.date), subject);
            }
            _ => {
                let rows = table.read(&["date", "currency", "rate"], found, rate);
                let subject = |row: &Rate| Subject::Rate { currency: row.currency, date: row.date };
                files.fx = table.without_duplicates(rows, found, |row| (row.currency, row.date), subject);
            }
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}

const STOCKS: &[&str] = &[
    "symbol",
    "name",
    "currency",
    "exchange",
    "type",
    "isin",
    "country",
    "sector",
    "industry",
    "instrument_type",
    "price",
    "price_as_of",
    "forward_rate",
    "payout_ratio",
    "fcf_cover",
    "pe",
    "ma50",
    "ma200",
    "low52",
    "high52",
    "yield_avg_5y_pct",
    "tracked",
];

const DIVIDENDS: &[&str] = &["symbol", "ex_date", "pay_date", "declared_date", "amount", "currency", "kind"];

fn stock(line: &Line<'_>) -> Result<Stock, Reason> {
    let symbol = line.symbol()?;
    let unit = line.unit("currency")?.ok_or(Reason::Missing { column: "currency" })?;
    let price = |column| Ok(line.positive(column)?.map(|price| unit.normalise(price)));
    Ok(Stock {
        symbol,
        unit,
        price: price("price")?,
        price_as_of: line.instant("price_as_of")?,
        profile: Profile {
            unit: Some(unit),
            name: line.text("name"),
            exchange: line.text("exchange"),
            kind: line.text("type"),
            isin: line.text("isin").map(|isin| isin.to_uppercase()),
            country: line.text("country"),
            sector: line.text("sector"),
            industry: line.text("industry"),
            instrument_type: line.text("instrument_type"),
            forward_rate: line.decimal("forward_rate")?.map(|rate| unit.normalise(rate)),
            payout_ratio: payout_ratio(line)?,
            fcf_cover: line.decimal("fcf_cover")?,
            pe: line.decimal("pe")?,
            ma50: price("ma50")?,
            ma200: price("ma200")?,
            low52: price("low52")?,
            high52: price("high52")?,
            yield_avg_5y_pct: line.decimal("yield_avg_5y_pct")?,
            next: None,
        },
        tracked: line.boolean("tracked")?.unwrap_or(true),
    })
}

/// Above this, somebody has entered a percentage.
const PAYOUT_MAX: Decimal = Decimal::from_parts(5, 0, 0, false, 0);

fn payout_ratio(line: &Line<'_>) -> Result<Option<Decimal>, Reason> {
    match line.decimal("payout_ratio")? {
        Some(figure) if figure > PAYOUT_MAX => Err(Reason::PayoutNotFraction { figure }),
        figure => Ok(figure),
    }
}

fn dividend(line: &Line<'_>) -> Result<Dividend, Reason> {
    let special = match line.text("kind").as_deref() {
        None | Some("regular") => false,
        Some("special") => true,
        Some(other) => return Err(Reason::UnknownKind { text: other.to_owned() }),
    };
    Ok(Dividend {
        symbol: line.symbol()?,
        ex_date: line.required_date("ex_date")?,
        pay_date: line.date("pay_date")?,
        declared_date: line.date("declared_date")?,
        amount: line.positive("amount")?.ok_or(Reason::Missing { column: "amount" })?,
        unit: line.unit("currency")?,
        special,
    })
}

fn split(line: &Line<'_>) -> Result<Split, Reason> {
    let text = line.text("ratio").ok_or(Reason::Missing { column: "ratio" })?;
    let ratio = Ratio::parse(&text).ok_or(Reason::MalformedRatio { text })?;
    Ok(Split { symbol: line.symbol()?, date: line.required_date("date")?, ratio })
}

fn price(line: &Line<'_>) -> Result<Price, Reason> {
    let close = line.positive("close")?.ok_or(Reason::Missing { column: "close" })?;
    Ok(Price { symbol: line.symbol()?, date: line.required_date("date")?, close })
}

fn rate(line: &Line<'_>) -> Result<Rate, Reason> {
    let unit = line.unit("currency")?.ok_or(Reason::Missing { column: "currency" })?;
    let rate = line.positive("rate")?.ok_or(Reason::Missing { column: "rate" })?;
    if unit != QuoteUnit::from(unit.currency) {
        return Err(Reason::RatePerHundredth { currency: unit.currency });
    }
    Ok(Rate { currency: unit.currency, date: line.required_date("date")?, rate })
}
