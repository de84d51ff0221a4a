//! What became of a file, row by row.

use std::collections::{BTreeMap, HashMap};

use importers::{Kind, Record};
use jiff::civil::Date;
use ledger::{Currency, Decimal, Money};
use uuid::Uuid;

use super::instruments::Question;
use super::opening::MissingShares;
use super::reason::{Problem, Reason};
use super::source::Source;
use super::table::Table;
use crate::Refusal;

/// rows = new + joined + existing + skips + errors of rows.
#[derive(Debug, Default)]
pub struct Report {
    pub format: &'static str,
    /// The import's id, when it stored anything.
    pub id: Option<Uuid>,
    /// Data rows of the file.
    pub rows: u64,
    /// Rows that became an entry of their own, or several.
    pub new: u64,
    /// Rows that are part of a new entry: its tax, its fee.
    pub joined: u64,
    /// Rows that are there already, in the ledger or in the file itself.
    pub existing: u64,
    /// Those of them that stand in the file itself before.
    pub repeated: u64,
    pub skips: Vec<Problem>,
    /// When there are any, nothing was stored. One of the file as a whole comes on top of those of its rows.
    pub errors: Vec<Problem>,
    /// Why the file could not even be tried.
    pub refusal: Option<Refusal>,
    /// New entries.
    pub entries: u64,
    /// Payments to come that the file states, when it states them.
    pub payments: Option<u64>,
    /// Every row, in the order of the file.
    pub plan: Vec<Row>,
    /// Instruments that are not known, each once.
    pub questions: Vec<Question>,
    /// Symbols whose currency neither the file nor market data tells.
    pub no_currency: Vec<String>,
    /// By the line of its row: what is missing where more shares leave than are held.
    pub missing: BTreeMap<u64, MissingShares>,
    /// Opening positions among the new entries, each with the line of the row that needs it.
    pub openings: Vec<(u64, Becomes)>,
    /// Which column was taken for which, where the file is in no broker's format.
    pub columns: Option<String>,
    /// What its columns are called, where the file is a table in no broker's format.
    pub columns_found: Option<Table>,
    /// The lines that errors and skips name, as they stand in the file; of very many the first.
    pub quotes: HashMap<u64, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub line: u64,
    pub fate: Fate,
    /// What it is as entries, in a dry run; more than one where a row is a dividend and a buy at once.
    pub what: Vec<Becomes>,
}

impl Row {
    pub(super) fn new(line: u64, fate: Fate) -> Row {
        Row { line, fate, what: Vec::new() }
    }
}

/// An entry in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Becomes {
    pub date: Date,
    pub kind: Kind,
    pub symbol: String,
    pub shares: Option<Decimal>,
    /// Gross; of a dividend whose gross is not known the net.
    pub amount: Option<Money>,
    pub currency: Currency,
    pub portfolio: String,
}

impl Becomes {
    pub(super) fn of(record: &Record, symbol: &str, currency: Currency, portfolio: &str) -> Becomes {
        let product = || record.shares.zip(record.price).and_then(|(shares, price)| shares.checked_mul(price));
        let net = record.net.filter(|_| record.kind == Kind::Dividend);
        let amount = record.amount.or(net).or_else(product);
        Becomes {
            date: record.date,
            kind: record.kind,
            symbol: symbol.to_owned(),
            shares: record.shares,
            amount: amount.map(|amount| Money::new(amount, currency)),
            currency,
            portfolio: portfolio.to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Became the new entry of this number.
    New(u64),
    /// Is part of the new entry of this number.
    Part(u64),
    /// In the ledger already.
    Existing,
    /// The very row stands in the file before, on this line.
    Repeated(u64),
    Skipped(Reason),
    Error(Reason),
}

impl Report {
    /// Of a file that cannot be read as it stands.
    pub(super) fn refused(source: Source) -> Report {
        let mut rows = skipped(&source);
        rows.extend(source.parsed.errors.iter().map(|one| Row::new(one.line, Fate::Error(one.reason.clone().into()))));
        for record in &source.parsed.records {
            rows.extend(lines(record).map(|line| Row::new(line, Fate::Skipped(Reason::LeftOut))));
        }
        Report::of(source, rows)
    }

    /// Counts the rows. When one of them has an error, the sound ones are left out with it.
    pub(super) fn of(source: Source, mut plan: Vec<Row>) -> Report {
        plan.sort_by_key(|row| row.line);
        let faulty = source.parsed.refusal.is_some() || plan.iter().any(|row| matches!(row.fate, Fate::Error(_)));
        let mut report = Report {
            format: source.format,
            rows: source.parsed.rows,
            payments: source.parsed.accruals.as_ref().map(|accruals| accruals.len() as u64),
            columns: source.columns.as_ref().map(|columns| columns.text.clone()),
            columns_found: source.table.clone(),
            errors: source.parsed.refusal.clone().map(Problem::from).into_iter().collect(),
            ..Report::default()
        };
        for row in &mut plan {
            if faulty && matches!(row.fate, Fate::New(_) | Fate::Part(_)) {
                row.fate = Fate::Skipped(Reason::LeftOut);
            }
            match &row.fate {
                Fate::New(_) => report.new += 1,
                Fate::Part(_) => report.joined += 1,
                Fate::Existing => report.existing += 1,
                Fate::Repeated(_) => {
                    report.existing += 1;
                    report.repeated += 1;
                }
                Fate::Skipped(reason) => report.skips.push(Problem::new(row.line, reason.clone())),
                Fate::Error(reason) => report.errors.push(Problem::new(row.line, reason.clone())),
            }
        }
        report.plan = plan;
        if let Some(file) = &source.file {
            report.quotes = file.quotes(report.errors.iter().chain(&report.skips).map(|problem| problem.line));
        }
        report
    }

    /// Rows that can be skipped: those with an error, if no other row is on the same line.
    pub fn skippable(&self) -> impl Iterator<Item = (u64, &Reason)> {
        let shares_line = |at: usize, line: u64| self.plan.get(at).is_some_and(|other| other.line == line);
        self.plan.iter().enumerate().filter_map(move |(at, row)| match &row.fate {
            Fate::Error(reason) if !shares_line(at + 1, row.line) && !shares_line(at.wrapping_sub(1), row.line) => {
                Some((row.line, reason))
            }
            _ => None,
        })
    }

    pub fn skipped_by_user(&self) -> usize {
        self.skips.iter().filter(|skip| skip.reason == Reason::SkippedByUser).count()
    }
}

/// The rows that the format itself leaves aside, and those that the user skips.
pub(super) fn skipped(source: &Source) -> Vec<Row> {
    let skips = source.parsed.skips.iter();
    let by_user = source.skipped.iter().map(|one| Row::new(one.line, Fate::Skipped(one.reason.clone())));
    skips.map(|one| Row::new(one.line, Fate::Skipped(one.reason.clone().into()))).chain(by_user).collect()
}

/// The rows that a record stands for; none for the second record of a row.
pub(super) fn lines(record: &Record) -> impl Iterator<Item = u64> + '_ {
    (!record.second).then_some(record.line).into_iter().chain(record.joined.iter().copied())
}
