//! What is held: a broker's list of positions, or a list that the user typed. Each row becomes an opening position.

mod dates;
mod grid;
mod list;
mod titled;

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind};

use crate::reading::fields::{self, one_line};
use crate::reading::{Words, listing};
use crate::rows::{Read, Rows};
use crate::{Opened, Parsed, Reason, Record, generic};
use grid::{Cells, Grid};
use list::List;
use titled::Titled;

static TITLES: Words = Words::new(include_str!("titles.txt"));

/// The source of opening positions.
const OPENING: &str = "opening";
/// Rows that are examined to recognise a list.
const LOOKED_AT: usize = 240;

/// A row of the list.
struct Position {
    line: u64,
    /// If the row has one.
    date: Option<Date>,
    symbol: Option<String>,
    ticker: Option<String>,
    suffix: Option<&'static str>,
    isin: Option<String>,
    cusip: Option<String>,
    name: Option<String>,
    portfolio: Option<String>,
    shares: Decimal,
    /// The average cost of a share.
    price: Option<Decimal>,
    /// The cost of all shares.
    amount: Option<Decimal>,
    currency: Option<Currency>,
    quoted: bool,
    note: Option<String>,
}

pub fn detect(file: &Opened) -> bool {
    with_list(file, LOOKED_AT, |found| found.is_some())
}

pub fn parse(file: &Opened) -> Parsed {
    with_list(file, usize::MAX, |found| match found {
        Some(Found::Titled(titled)) => {
            let mut parsed = read(titled.rows(), |row| titled.read(row), titled.date().or(file.import_date));
            leave_out_earlier(&mut parsed);
            mark_openings(&mut parsed.records);
            parsed
        }
        Some(Found::List(list)) => {
            let mut parsed = read(list.grid.rows.iter(), |row| list.read(row), file.import_date);
            mark_openings(&mut parsed.records);
            parsed
        }
        None => Parsed::refused(1, Reason::header_missing(&["symbol", "shares"])),
    })
}

enum Found<'g, 'a> {
    Titled(Titled<'g, 'a>),
    List(List<'g, 'a>),
}

fn with_list<T>(file: &Opened, rows_max: usize, then: impl FnOnce(Option<Found<'_, '_>>) -> T) -> T {
    let sheets = file.sheets.iter().map(|sheet| Grid::of_sheet(sheet, rows_max));
    let words = std::iter::once_with(|| Grid::of_words(file, rows_max)).filter(|_| !file.sheets.is_empty());
    let grids: Vec<Grid<'_>> = sheets.chain(words).collect();
    // A table of transactions may follow that of the positions.
    let transactions = generic::table_line(file);
    let is_alone = |titled: &Titled<'_, '_>| transactions.is_none_or(|line| line == titled.line());
    let titled = || grids.iter().find_map(Titled::find).filter(is_alone).map(Found::Titled);
    let list = || grids.iter().filter(|_| transactions.is_none()).find_map(List::find).map(Found::List);
    then(titled().or_else(list))
}

fn read<'g, 'a: 'g>(
    rows: impl Iterator<Item = &'g Cells<'a>>,
    position: impl Fn(&Cells<'a>) -> Result<Result<Position, Reason>, Reason>,
    date: Option<Date>,
) -> Parsed {
    let mut read = Rows::default();
    for row in rows {
        let record = position(row).and_then(|position| match position {
            Ok(position) => position.record(date).map(Into::into),
            Err(reason) => Ok(Read::Skip(reason)),
        });
        read.add(row.line, record);
    }
    read.finish()
}

/// A list may contain several dates: only the last one says what is held.
fn leave_out_earlier(parsed: &mut Parsed) {
    let Some(last) = parsed.records.iter().map(|record| record.date).max() else { return };
    for record in std::mem::take(&mut parsed.records) {
        match record.date == last {
            true => parsed.records.push(record),
            false => parsed.skip(record.line, Reason::EarlierPosition { date: last }),
        }
    }
}

/// The same list adds nothing a second time: each row is known by its security.
pub fn mark_openings<'r>(records: impl IntoIterator<Item = &'r mut Record>) {
    let mut seen: HashMap<(Option<String>, String), u32> = HashMap::new();
    for record in records {
        let names = [&record.isin, &record.symbol, &record.ticker, &record.cusip, &record.name];
        let key = names.into_iter().flatten().next().map(|name| name.to_uppercase()).unwrap_or_default();
        let count = seen.entry((record.portfolio.clone(), key.clone())).or_default();
        *count += 1;
        record.source = Some(OPENING.to_owned());
        record.id = Some(if *count == 1 { format!("positions {key}") } else { format!("positions {key} {count}") });
    }
}

impl Position {
    fn of(line: u64, shares: Decimal) -> Position {
        Position {
            line,
            date: None,
            symbol: None,
            ticker: None,
            suffix: None,
            isin: None,
            cusip: None,
            name: None,
            portfolio: None,
            shares,
            price: None,
            amount: None,
            currency: None,
            quoted: false,
            note: None,
        }
    }

    /// Our own symbols are those of the United States if they have no exchange; another currency contradicts that.
    fn by_own_symbol(&mut self, symbol: &str) {
        let is_american = self.currency.is_none_or(|currency| currency.code() == "USD");
        match is_american || symbol.contains('.') {
            true => self.symbol = Some(symbol.to_uppercase()),
            false => self.ticker = Some(symbol.to_owned()),
        }
    }

    fn is_called(&self, text: &str) -> bool {
        self.ticker.as_deref().is_some_and(|ticker| listing(ticker, "") == listing(text, ""))
    }

    fn record(self, date: Option<Date>) -> Result<Record, Reason> {
        let date = self.date.or(date).ok_or_else(|| Reason::missing("date"))?;
        let money = |figure: Decimal| figure.round_dp(fields::DECIMALS_MAX);
        let named = |name: Option<String>, chars_max| name.map(|name| one_line(&name, chars_max)).filter(|name| !name.is_empty());
        Ok(Record {
            symbol: self.symbol.map(|symbol| fields::symbol("symbol", &symbol)).transpose()?,
            ticker: self.ticker.map(|ticker| fields::text("symbol", &ticker, 32)).transpose()?,
            suffix: self.suffix,
            isin: self.isin,
            cusip: self.cusip,
            name: named(self.name, 200),
            portfolio: named(self.portfolio, 100),
            shares: Some(self.shares),
            price: self.price.map(money),
            amount: self.amount.map(money),
            currency: self.currency,
            quoted: self.quoted,
            note: named(self.note, 200),
            ..Record::new(self.line, date, Kind::TransferIn)
        })
    }
}
