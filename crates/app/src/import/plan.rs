//! Plans and checks an import before anything is written.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use importers::Record;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Ratio};
use store::Tx;
use store::entries::{self, Entry};
use tokio::task::yield_now;
use uuid::Uuid;

use super::Request;
use super::check::{self, Conflict};
use super::identity::{Identities, Identity, Reinvestments};
use super::instruments::{Instruments, Question, Resolved};
use super::misfits::{RowOf, blame, blamed, leave_out, misfits};
use super::named::Named;
use super::opening::reopen::{self, Reopened};
use super::opening::{MissingShares, Opening};
use super::portfolio_resolver::{PortfolioResolver, ResolvedPortfolio};
use super::reason::Reason;
use super::report::{Becomes, Fate, Row};
use super::symbol_remap::SymbolRemap;
use crate::book::lots::lot_of;
use crate::operations::progress::{Progress, Stage};
use crate::{App, Error};

/// Rows between two progress reports.
const REPORT_EVERY: usize = 2_000;
/// Rows after which other tasks get a turn.
const YIELD_EVERY: usize = 200;

pub(super) struct Plan {
    pub entries: Vec<Entry>,
    /// All rows that records were made from.
    pub rows: Vec<Row>,
    /// Symbols without a stock, with the currency of their listing or else of their earliest entry.
    pub unseen: BTreeMap<String, Currency>,
    /// By the line of its row.
    pub missing: BTreeMap<u64, MissingShares>,
    /// With the line of the row that needs it.
    pub openings: Vec<(u64, Becomes)>,
    /// Earlier opening positions that the new entries change.
    pub reopened: Vec<Reopened>,
}

/// What all rows of the import have in common.
pub(super) struct Import<'a> {
    pub app: &'a App,
    pub id: Uuid,
    pub user_id: Uuid,
    pub request: &'a Request<'a>,
    /// For rows that name none.
    pub source: String,
    /// The namespace of the rows' ids, if they name no source.
    pub family: String,
    /// What the answers change in existing entries.
    pub renamed: SymbolRemap,
}

impl Import<'_> {
    /// The namespace of the row's id.
    fn namespace<'r>(&'r self, record: &'r Record) -> &'r str {
        record.source.as_deref().unwrap_or(&self.family)
    }
}

pub(super) struct Planner<'a> {
    pub import: &'a Import<'a>,
    pub portfolios: PortfolioResolver,
    pub instruments: Instruments,
    identities: Identities,
    /// The new entries.
    entries: Vec<Entry>,
    reinvestments: Reinvestments,
    questions: BTreeMap<String, Question>,
    /// Symbols without a known currency.
    pub no_currency: BTreeSet<String>,
}

enum Outcome {
    New(Option<Becomes>),
    Existing(Option<Becomes>),
    /// The same row as on that line.
    Repeated(u64, Option<Becomes>),
    Wrong(Reason),
}

impl<'a> Planner<'a> {
    /// For a file with this many rows.
    pub fn new(import: &'a Import<'a>, instruments: Instruments, rows: usize) -> Planner<'a> {
        Planner {
            import,
            portfolios: PortfolioResolver::new(import.user_id, rows),
            instruments,
            identities: Identities::default(),
            entries: Vec::with_capacity(rows),
            reinvestments: Reinvestments::default(),
            questions: BTreeMap::new(),
            no_currency: BTreeSet::new(),
        }
    }

    pub async fn plan(&mut self, tx: &mut Tx, mut records: Vec<Record>, progress: Progress<'_>) -> Result<Plan, Error> {
        let request = self.import.request;
        self.look_for(tx, &records).await?;
        let first = entries::next_sequence(tx, self.import.user_id).await?;
        let total = records.len();
        let mut rows = Vec::with_capacity(total);
        let mut row_of = RowOf { first, rows: Vec::with_capacity(total) };
        let wanted: HashMap<u64, &Opening> = request.openings.iter().map(|(line, one)| (*line, one)).collect();
        let (mut openings, mut opening_sequences) = (Vec::new(), HashMap::new());
        // Popped from the end, so that memory shrinks as work is done.
        records.reverse();
        while let Some(mut record) = records.pop() {
            let done = total - records.len() - 1;
            if done.is_multiple_of(REPORT_EVERY) {
                progress(Stage::Checking, done, total);
            }
            if done.is_multiple_of(YIELD_EVERY) {
                records.shrink_to_fit();
                yield_now().await;
            }
            let (line, second) = (record.line, record.second);
            let joined = std::mem::take(&mut record.joined);
            let sequence = first + self.entries.len() as i64;
            let (fates, what) = match self.outcome(tx, &mut record, sequence).await? {
                Outcome::New(what) => {
                    let row = rows.len().saturating_sub(usize::from(second));
                    row_of.rows.push(row);
                    let mut all = Vec::from_iter(what);
                    // Only for a new row: if the file is imported again, the opening position is already there.
                    if let Some(opening) = wanted.get(&line).filter(|_| !second) {
                        let opened = self.open_position(tx, opening).await?;
                        row_of.rows.push(row);
                        opening_sequences.insert(line, sequence);
                        if request.dry_run {
                            all.insert(0, opened.clone());
                        }
                        openings.push((line, opened));
                    }
                    let number = self.entries.len() as u64;
                    ((Fate::New(number), Fate::Part(number)), all)
                }
                Outcome::Existing(what) => ((Fate::Existing, Fate::Existing), Vec::from_iter(what)),
                Outcome::Repeated(first, what) => ((Fate::Repeated(first), Fate::Repeated(first)), Vec::from_iter(what)),
                Outcome::Wrong(reason) => {
                    ((Fate::Error(reason), Fate::Skipped(importers::Reason::PartOfError { line }.into())), Vec::new())
                }
            };
            match second {
                false => rows.push(Row { line, fate: fates.0, what }),
                true => merge(&mut rows, line, fates.0, what),
            }
            rows.extend(joined.into_iter().map(|line| Row::new(line, fates.1.clone())));
        }
        self.reinvestments.link(&mut self.entries);
        if request.skip_errors {
            let wrong = rows.iter().enumerate().filter_map(|(at, row)| match &row.fate {
                Fate::Error(reason) => Some((at, reason.clone())),
                _ => None,
            });
            let wrong = wrong.collect();
            leave_out(&mut rows, &mut self.entries, &row_of, &wrong);
        }
        let (mut missing, mut reopened) = (BTreeMap::new(), Vec::new());
        // Without the rows with errors, others might seem to lack shares.
        if !rows.iter().any(|row| matches!(row.fate, Fate::Error(_))) {
            // Deduplicated before sorting.
            let symbols: HashSet<&str> = self.entries.iter().map(|entry| entry.symbol.as_str()).collect();
            let old = self.import.renamed.entries(tx, self.import.user_id, &BTreeSet::from_iter(symbols)).await?;
            let unseen = unseen(&self.entries, &self.instruments);
            let mut conflicts = check::with_new(self.import.app, tx, &old, &Vec::from_iter(&self.entries), &unseen).await?;
            if self.use_rates(&conflicts) {
                conflicts = self.check_again(tx, &old, &conflicts, &unseen).await?;
            }
            if request.open_missing && !conflicts.is_empty() {
                openings.extend(self.open_missing(tx, &conflicts, &mut rows, &mut row_of).await?);
                conflicts = self.check_again(tx, &old, &conflicts, &unseen).await?;
            }
            while request.skip_errors && !conflicts.is_empty() {
                let misfits = misfits(&conflicts, &row_of);
                leave_out(&mut rows, &mut self.entries, &row_of, &misfits);
                conflicts = self.check_again(tx, &old, &conflicts, &unseen).await?;
            }
            if conflicts.is_empty() {
                reopened = reopen::shrunk(self.import.app, tx, &old, &self.entries).await?;
            }
            for conflict in conflicts {
                let Some(line) = blame(&mut rows, &row_of, &conflict) else { continue };
                missing.extend(MissingShares::of(&conflict, opening_sequences.get(&line).copied()).map(|lacks| (line, lacks)));
            }
        }
        let gone = |row: &&Row| matches!(row.fate, Fate::Skipped(Reason::SkippedByUser { .. }));
        let gone: HashSet<u64> = rows.iter().filter(gone).map(|row| row.line).collect();
        openings.retain(|(line, _)| !gone.contains(line));
        let entries = std::mem::take(&mut self.entries);
        let unseen = unseen(&entries, &self.instruments);
        Ok(Plan { entries, rows, unseen, missing, openings, reopened })
    }

    /// Adds the opening positions that these lots lack.
    async fn open_missing(
        &mut self,
        tx: &mut Tx,
        conflicts: &[Conflict],
        rows: &mut [Row],
        row_of: &mut RowOf,
    ) -> Result<Vec<(u64, Becomes)>, Error> {
        let mut openings = Vec::new();
        for conflict in conflicts {
            let needed_by = self.entries.iter().find(|entry| Some(entry.sequence) == conflict.first_new);
            let (Some(missing), Some(needed_by)) = (MissingShares::of(conflict, None), needed_by.cloned()) else { continue };
            let Some(at) = blamed(row_of, conflict) else { continue };
            let (entry, opened) = self.opening(tx, &missing.opening(), &needed_by).await?;
            self.entries.push(Entry { sequence: row_of.next(), ..entry });
            row_of.rows.push(at);
            if self.import.request.dry_run {
                rows[at].what.insert(0, opened.clone());
            }
            openings.push((rows[at].line, opened));
        }
        Ok(openings)
    }

    /// Gives new entries of these lots the user's rate, if there is none for their day. Whether any got one.
    fn use_rates(&mut self, conflicts: &[Conflict]) -> bool {
        let rates = self.import.request.rates;
        let mut used = false;
        for Conflict { lot, currency, fx, .. } in conflicts.iter().filter(|_| !rates.is_empty()) {
            let own = |entry: &&mut Entry| lot_of(entry) == (lot.portfolio_id, lot.symbol.as_str());
            for entry in self.entries.iter_mut().filter(own).filter(|entry| entry.fx_rate.is_none()) {
                let pair = (entry.currency, *currency);
                let given = rates.iter().find(|(from, to, _)| (*from, *to) == pair).map(|(.., rate)| *rate);
                let known = || fx.convert(Decimal::ONE, pair.0, pair.1, entry.date).is_some();
                if given.is_some() && !known() {
                    entry.fx_rate = given;
                    used = true;
                }
            }
        }
        used
    }

    /// Checks the lots of these conflicts after a change.
    async fn check_again(
        &self,
        tx: &mut Tx,
        old: &[Entry],
        conflicts: &[Conflict],
        unseen: &BTreeMap<String, Currency>,
    ) -> Result<Vec<Conflict>, Error> {
        let lots: HashSet<(Uuid, &str)> =
            conflicts.iter().map(|conflict| (conflict.lot.portfolio_id, conflict.lot.symbol.as_str())).collect();
        let new: Vec<&Entry> = self.entries.iter().filter(|entry| lots.contains(&lot_of(entry))).collect();
        check::with_new(self.import.app, tx, old, &new, unseen).await
    }

    /// Each unknown instrument once.
    pub fn questions(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.questions).into_values().collect()
    }

    /// Moves the record's data into the entry, which is kept if it is new.
    async fn outcome(&mut self, tx: &mut Tx, record: &mut Record, sequence: i64) -> Result<Outcome, Error> {
        let symbol = match self.symbol(tx, Named::by(record), record.line).await? {
            Ok(symbol) => symbol,
            Err(reason) => return Ok(Outcome::Wrong(reason)),
        };
        let ResolvedPortfolio { id: portfolio_id, name: portfolio } = match self.portfolio_of(tx, &symbol, record).await? {
            Ok(portfolio) => portfolio,
            Err(reason) => return Ok(Outcome::Wrong(reason)),
        };
        let source = record.source.clone().unwrap_or_else(|| self.import.source.clone());
        let namespace = self.import.namespace(record);
        let Some(currency) = record.currency else { return Ok(Outcome::Wrong(Reason::CurrencyMissing)) };
        let what = self.import.request.dry_run.then(|| Becomes::of(record, &symbol, currency, &portfolio));
        let identity = match self.identities.identify(portfolio_id, record, &symbol, namespace) {
            Identity::Of(identity) => identity,
            Identity::Repeated(first) => return Ok(Outcome::Repeated(first, what)),
            Identity::Contradicted(reason) => return Ok(Outcome::Wrong(reason)),
        };
        self.reinvestments.add(record, portfolio_id, &symbol, &source, &identity);
        if self.portfolios.has(tx, &self.import.renamed, portfolio_id, &identity).await? {
            return Ok(Outcome::Existing(what));
        }
        let gross_known = record.is_gross_known();
        self.entries.push(Entry {
            sequence,
            portfolio_id,
            date: record.date,
            kind: record.kind,
            symbol,
            isin: record.isin.take(),
            name: record.name.take(),
            shares: record.shares,
            price: record.price,
            amount: record.amount,
            fees: record.fees,
            tax: record.tax,
            net: record.net,
            currency,
            fx_rate: record.fx_rate,
            ratio: record.ratio,
            ex_date: record.ex_date,
            source,
            source_id: record.id.take(),
            note: record.note.take(),
            identity,
            import_id: Some(self.import.id),
            gross_known,
            reinvests: None,
        });
        Ok(Outcome::New(what))
    }

    /// Adds an opening position just before the latest entry, which needs it.
    async fn open_position(&mut self, tx: &mut Tx, opening: &Opening) -> Result<Becomes, Error> {
        let at = self.entries.len() - 1;
        let needed_by = self.entries[at].clone();
        let (entry, opened) = self.opening(tx, opening, &needed_by).await?;
        self.entries.insert(at, entry);
        self.entries[at + 1].sequence += 1;
        Ok(opened)
    }

    async fn opening(&mut self, tx: &mut Tx, opening: &Opening, needed_by: &Entry) -> Result<(Entry, Becomes), Error> {
        let Entry { portfolio_id, symbol, .. } = needed_by;
        let portfolio_id = *portfolio_id;
        let record = opening.record(symbol);
        // There may be an equal one for another file.
        let identity = loop {
            if let Identity::Of(identity) = self.identities.identify(portfolio_id, &record, symbol, "")
                && !self.portfolios.has(tx, &self.import.renamed, portfolio_id, &identity).await?
            {
                break identity;
            }
        };
        let opened = Becomes::of(&record, symbol, opening.currency, self.portfolios.name(portfolio_id));
        Ok((opening.entry(needed_by, identity), Becomes { cost_known: opening.cost_known, ..opened }))
    }

    /// The portfolio of a row, and its currency; the inner error is a reason for the user.
    async fn portfolio_of(
        &mut self,
        tx: &mut Tx,
        symbol: &str,
        record: &mut Record,
    ) -> Result<Result<ResolvedPortfolio, Reason>, Error> {
        if !self.instruments.put_in_currency(tx, symbol, record).await? {
            self.no_currency.insert(symbol.to_owned());
            return Ok(Err(Reason::CurrencyUnknown { symbol: symbol.into() }));
        }
        if let Some(reason) = doubted_split(tx, &mut self.instruments, symbol, record).await? {
            return Ok(Err(reason));
        }
        let wanted = record.portfolio.as_deref().or(self.import.request.portfolio);
        self.portfolios.portfolio(tx, wanted).await.map(Ok)
    }

    /// Checks for all rows of a small file at once whether they are duplicates.
    async fn look_for(&mut self, tx: &mut Tx, records: &[Record]) -> Result<(), Error> {
        if !self.portfolios.looks_up_each(&self.import.renamed) {
            return Ok(());
        }
        let (mut identities, mut wanted) = (Identities::default(), Vec::new());
        for record in records {
            let mut record = record.clone();
            let Resolved::Symbol(symbol) = self.instruments.resolve(tx, Named::by(&record)).await? else { continue };
            let Ok(portfolio) = self.portfolio_of(tx, &symbol, &mut record).await? else { continue };
            if let Identity::Of(identity) = identities.identify(portfolio.id, &record, &symbol, self.import.namespace(&record)) {
                wanted.push((portfolio.id, identity));
            }
        }
        self.portfolios.look_for(tx, wanted).await
    }

    /// The inner error is a reason for the user; its question is kept once for all rows that raise it.
    pub async fn symbol(&mut self, tx: &mut Tx, named: Named<'_>, line: u64) -> Result<Result<String, Reason>, Error> {
        match self.instruments.resolve(tx, named).await? {
            Resolved::Symbol(symbol) => Ok(Ok(symbol)),
            Resolved::Open { candidates, reason } => {
                let key = named.key();
                let name = named.name.map(str::to_owned);
                let fresh = Question { key: key.clone(), name, candidates, reason, line, rows: 0 };
                let question = self.questions.entry(key).or_insert(fresh);
                question.rows += 1;
                Ok(Err(question.reason.clone()))
            }
        }
    }
}

/// A ratio computed from the shares in the file is wrong if some of them are missing in the file; market data shows that.
async fn doubted_split(
    tx: &mut Tx,
    instruments: &mut Instruments,
    symbol: &str,
    record: &Record,
) -> Result<Option<Reason>, Error> {
    let Some(ratio) = record.ratio.filter(|_| record.ratio_worked_out) else { return Ok(None) };
    let near = |date: Date| (date.duration_since(record.date).as_hours() / 24).abs() <= 7;
    let known = instruments.stocks.splits(tx, symbol).await?.iter().find(|split| near(split.date));
    let differs = known.filter(|split| !same(split.ratio, ratio));
    Ok(differs.map(|split| Reason::SplitDiffers { ratio: ratio.into(), known: split.ratio.into(), date: split.date }))
}

fn same(one: Ratio, other: Ratio) -> bool {
    one.new.checked_mul(other.old).zip(one.old.checked_mul(other.new)).is_some_and(|(one, other)| one == other)
}

/// A row with two entries is new if one of them is new, and an error if one of them is.
fn merge(rows: &mut [Row], line: u64, fate: Fate, what: Vec<Becomes>) {
    let Some(row) = rows.iter_mut().rev().find(|row| row.line == line) else { return };
    row.what.extend(what);
    match (&row.fate, &fate) {
        (Fate::Error(_), _) => {}
        (_, Fate::Error(_)) | (Fate::Existing | Fate::Repeated(_), Fate::New(_)) => row.fate = fate,
        _ => {}
    }
}

/// By date, because only the order within a day matters.
fn unseen(entries: &[Entry], instruments: &Instruments) -> BTreeMap<String, Currency> {
    let mut by_date: Vec<&Entry> = entries.iter().filter(|entry| instruments.unseen(&entry.symbol)).collect();
    by_date.sort_by_key(|entry| entry.date);
    let mut currencies = BTreeMap::new();
    for entry in by_date {
        if !currencies.contains_key(&entry.symbol) {
            let currency = instruments.listed_currency(&entry.symbol).unwrap_or(entry.currency);
            currencies.insert(entry.symbol.clone(), currency);
        }
    }
    currencies
}
