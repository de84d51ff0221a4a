//! The outcome of a file, row by row.

use std::collections::{BTreeMap, HashMap};

use importers::{Kind, Record};
use jiff::civil::Date;
use ledger::{Currency, Decimal, Money};
use uuid::Uuid;

use super::instruments::Question;
use super::opening::MissingShares;
use super::opening::reopen::OpeningChange;
use super::reason::{Problem, Reason};
use super::source::{Source, lines};
use super::table::Table;
use crate::Refusal;

/// rows = new + joined + existing + skips + errors of rows.
#[derive(Debug, Default)]
pub struct Report {
    pub format: &'static str,
    /// The import's id, if anything was stored.
    pub id: Option<Uuid>,
    /// Data rows of the file.
    pub rows: u64,
    /// Rows that became one or more entries of their own.
    pub new: u64,
    /// Rows that are part of a new entry, such as its tax or fee.
    pub joined: u64,
    /// Duplicates of rows in the ledger or in the file itself.
    pub existing: u64,
    /// Those of them that appear earlier in the file.
    pub repeated: u64,
    pub skips: Vec<Problem>,
    /// If there are any, nothing was stored. An error of the whole file is in addition to those of its rows.
    pub errors: Vec<Problem>,
    /// Why the file could not even be tried.
    pub refusal: Option<Refusal>,
    /// New entries.
    pub entries: u64,
    /// The number of announced payments, if the file has a statement of them.
    pub payments: Option<u64>,
    /// Every row, in the order of the file.
    pub plan: Vec<Row>,
    /// Unknown instruments, each once.
    pub questions: Vec<Question>,
    /// Symbols for which neither the file nor market data has a currency.
    pub no_currency: Vec<String>,
    /// By line: what is missing if more shares are sold than held.
    pub missing: BTreeMap<u64, MissingShares>,
    /// Opening positions among the new entries, each with the line of the row that needs it.
    pub openings: Vec<(u64, Becomes)>,
    /// Earlier opening positions that the file makes smaller or unnecessary.
    pub reopened: Vec<OpeningChange>,
    /// The column mapping used, if the file is in an unknown format.
    pub columns: Option<String>,
    /// The titles of its columns, if the file is a table in an unknown format.
    pub columns_found: Option<Table>,
    /// The lines mentioned by errors and skips, as in the file; only the first if there are very many.
    pub quotes: HashMap<u64, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub line: u64,
    pub fate: Fate,
    /// Its entries, in a dry run; more than one if a row is both a dividend and a buy.
    pub what: Vec<Becomes>,
}

impl Row {
    pub(super) fn new(line: u64, fate: Fate) -> Row {
        Row { line, fate, what: Vec::new() }
    }
}

/// Summary of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Becomes {
    pub date: Date,
    pub kind: Kind,
    pub symbol: String,
    pub shares: Option<Decimal>,
    /// Gross; for a dividend with an unknown gross amount, the net amount.
    pub amount: Option<Money>,
    pub currency: Currency,
    pub portfolio: String,
    /// False for an opening position with an estimated cost.
    pub cost_known: bool,
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
            cost_known: true,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Became the new entry with this number.
    New(u64),
    /// Is part of the new entry with this number.
    Part(u64),
    /// Already in the ledger.
    Existing,
    /// The same row appears earlier in the file, on this line.
    Repeated(u64),
    Skipped(Reason),
    Error(Reason),
}

impl Report {
    /// For a file that cannot be read.
    pub(super) fn refused(source: Source) -> Report {
        let mut rows = skipped(&source);
        rows.extend(source.parsed.errors.iter().map(|one| Row::new(one.line, Fate::Error(one.reason.clone().into()))));
        for record in &source.parsed.records {
            rows.extend(lines(record).map(|line| Row::new(line, Fate::Skipped(Reason::LeftOut))));
        }
        Report::of(source, rows)
    }

    /// Counts the rows. If one of them has an error, the good ones are left out too.
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

    /// How many new entries there are of each kind, besides opening positions. Only known in a dry run.
    pub fn kinds(&self) -> Vec<(Kind, usize)> {
        let new = self.plan.iter().filter(|row| matches!(row.fate, Fate::New(_))).flat_map(|row| &row.what);
        let mut kinds: Vec<(Kind, usize)> = Kind::ALL.into_iter().map(|kind| (kind, 0)).collect();
        for what in new {
            kinds.iter_mut().filter(|(kind, _)| *kind == what.kind).for_each(|(_, count)| *count += 1);
        }
        for (kind, count) in &mut kinds {
            *count -= if *kind == Kind::TransferIn { self.openings.len().min(*count) } else { 0 };
        }
        kinds.retain(|(_, count)| *count > 0);
        kinds
    }

    pub fn skipped_by_user(&self) -> usize {
        self.skips.iter().filter(|skip| matches!(skip.reason, Reason::SkippedByUser { .. })).count()
    }
}

/// The rows that the format itself skips, and those that the user skips.
pub(super) fn skipped(source: &Source) -> Vec<Row> {
    let skips = source.parsed.skips.iter();
    let by_user = source.skipped.iter().map(|one| Row::new(one.line, Fate::Skipped(one.reason.clone())));
    skips.map(|one| Row::new(one.line, Fate::Skipped(one.reason.clone().into()))).chain(by_user).collect()
}
