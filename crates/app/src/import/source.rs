//! The file of an import: opens it, detects its format, reads its rows.

use std::collections::HashSet;

use importers::generic::Mapping;
use importers::{Format, Opened, Parsed, Problem, Record};
use jiff::civil::Date;
use store::column_maps;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::Request;
use super::reason::{self, Reason};
use super::table::Table;
use crate::operations::job_limit;
use crate::{App, Error, TimeWaited, refusal};

const GENERIC: &str = "generic";
/// Used instead of a format's name.
const UNKNOWN: &str = "unknown";

pub(super) struct Source {
    pub format: &'static str,
    /// The formats that share row ids with it.
    pub family: &'static str,
    pub parsed: Parsed,
    /// To quote its lines; `None` if it cannot even be opened.
    pub file: Option<Opened>,
    /// Which column is which, if the file is in an unknown format.
    pub columns: Option<Columns>,
    pub table: Option<Table>,
    /// Rows that the user skips, and those that belong to them.
    pub skipped: Vec<reason::Problem>,
}

pub(super) struct Columns {
    /// What files with the same header have in common.
    pub header: String,
    pub text: String,
    /// Chosen by the user just now, and to be remembered.
    pub chosen_now: bool,
}

impl Source {
    pub fn refused(&self) -> bool {
        self.parsed.refusal.is_some() || !self.parsed.errors.is_empty()
    }

    /// Skips the rows on these lines, whether or not they could be read.
    pub fn skip(&mut self, skipped: &[u64]) {
        let chosen: HashSet<u64> = skipped.iter().copied().collect();
        let Parsed { records, accruals, skips, errors, .. } = &mut self.parsed;
        let mut gone: Vec<reason::Problem> = Vec::new();
        let mut skip = |line: u64, problem: Option<&importers::Reason>| {
            let skipped = chosen.contains(&line);
            let problems = || problem.map(|reason| reason.clone().into()).into_iter().collect();
            gone.extend(skipped.then(|| reason::Problem::new(line, Reason::SkippedByUser { problems: problems() })));
            skipped
        };
        errors.retain(|problem| !skip(problem.line, Some(&problem.reason)));
        let payments: HashSet<u64> = accruals.iter().flatten().map(|payment| payment.line).collect();
        skips.retain(|problem| !payments.contains(&problem.line) || !skip(problem.line, None));
        if let Some(accruals) = accruals {
            accruals.retain(|payment| !chosen.contains(&payment.line));
        }
        records.retain(|record| {
            let skipped = chosen.contains(&record.line);
            for line in lines(record).filter(|_| skipped) {
                let part = || importers::Reason::PartOf { line: record.line }.into();
                let reason = if line == record.line { Reason::SkippedByUser { problems: Vec::new() } } else { part() };
                gone.push(reason::Problem { line, reason });
            }
            !skipped
        });
        self.skipped = gone;
        self.part_of_skipped(|line| chosen.contains(&line));
    }

    /// Skips all rows that could not be read.
    pub fn skip_errors(&mut self) {
        let unread = self.parsed.errors.drain(..).map(reason::Problem::from);
        let skipped = unread.map(|problem| problem.skipped()).collect::<Vec<_>>();
        self.skipped.extend(skipped);
        self.part_of_skipped(|_| true);
    }

    fn part_of_skipped(&mut self, skipped: impl Fn(u64) -> bool) {
        for problem in &mut self.parsed.skips {
            if let importers::Reason::PartOfError { line } = problem.reason
                && skipped(line)
            {
                problem.reason = importers::Reason::PartOf { line };
            }
        }
    }
}

/// The rows that a record was made from; none for the second record of a row.
pub(super) fn lines(record: &Record) -> impl Iterator<Item = u64> + '_ {
    (!record.second).then_some(record.line).into_iter().chain(record.joined.iter().copied())
}

pub(super) async fn read(app: &App, request: &Request<'_>) -> Result<Source, Error> {
    let named = request.format.map(by_name).transpose()?;
    if let (Some(format), Some(_)) = (named.filter(|format| format.name != GENERIC), request.columns) {
        return Err(refusal::Import::ColumnsOfBroker { format: format.name }.into());
    }
    let format = named.or(request.columns.and(importers::by_name(GENERIC)));
    let bytes = request.bytes.read().await?;
    let today = app.clock.today();
    let inspected = match off_the_runtime(move || inspect(bytes, format, today)).await {
        Ok(inspected) => inspected,
        Err(problem) => return Ok(unopened(named, problem)),
    };
    let remembered = match (&inspected.header, request.columns) {
        (Some(header), None) => column_maps::get(&mut app.store.read().await?, request.user_id, header).await?,
        _ => None,
    };
    let mapping = request.columns.map(str::to_owned).or(remembered);
    let mapping = mapping.map(|text| Mapping::parse(&text)).transpose();
    let mapping = mapping.map_err(|reason| refusal::Import::ColumnsMalformed { reason })?;
    let generic = || importers::by_name(GENERIC).filter(|_| mapping.is_some());
    let chosen_now = request.columns.is_some();
    match inspected.format.or_else(generic) {
        Some(format) if format.name == GENERIC => {
            Ok(off_the_runtime(move || by_columns(inspected, format, mapping, chosen_now)).await)
        }
        Some(format) => Ok(off_the_runtime(move || by_format(inspected.file, format)).await),
        None => Ok(off_the_runtime(move || unknown(inspected.file)).await),
    }
}

/// Reading a large file takes seconds, which no other task should wait for. Starts at once, and keeps its job's turn until it
/// ends.
pub(crate) fn off_the_runtime<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> impl Future<Output = T> {
    let held = job_limit::current_turn();
    let working = spawn_blocking(move || {
        // Even if nobody waits for it any more.
        let _turn = held;
        work()
    });
    async move { working.await.unwrap_or_else(|failed| std::panic::resume_unwind(failed.into_panic())) }
}

/// The same for asynchronous work. If dropped, it ends at its next await.
pub(super) async fn on_a_thread_of_its_own<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let (runtime, spent) = (Handle::current(), TimeWaited::so_far());
    let (_wanted, dropped) = oneshot::channel::<()>();
    let working = off_the_runtime(move || {
        runtime.block_on(async {
            tokio::select! {
                done = spent.counting(work) => done,
                _ = dropped => Err(Error::Crowded),
            }
        })
    });
    working.await
}

/// An opened file, and what it seems to be.
struct Inspected {
    file: Opened,
    format: Option<&'static Format>,
    /// Of a table in an unknown format.
    header: Option<String>,
}

fn inspect(bytes: Vec<u8>, named: Option<&'static Format>, today: Date) -> Result<Inspected, Problem> {
    let file = Opened { import_date: Some(today), ..Opened::open_owned(bytes)? };
    let format = named.or_else(|| importers::detect(&file));
    let is_table = format.is_none_or(|format| format.name == GENERIC);
    let header = is_table.then(|| importers::generic::fingerprint(&file)).flatten();
    Ok(Inspected { file, format, header })
}

fn by_name(name: &str) -> Result<&'static Format, Error> {
    Ok(importers::by_name(name).ok_or_else(|| refusal::Import::UnknownFormat { name: name.to_owned() })?)
}

fn unopened(named: Option<&'static Format>, problem: Problem) -> Source {
    let parsed = Parsed { refusal: Some(problem), ..Parsed::default() };
    let format = named.map_or(UNKNOWN, |format| format.name);
    Source { format, family: "", parsed, file: None, columns: None, table: None, skipped: Vec::new() }
}

fn unknown(file: Opened) -> Source {
    let first = file.quote(1).map(|line| line.chars().take(100).collect::<String>()).unwrap_or_default();
    let reason = importers::Reason::UnknownFormat { begin: first.into() };
    let table = Table::of(&file, None);
    Source {
        format: UNKNOWN,
        family: "",
        parsed: Parsed::refused(1, reason),
        file: Some(file),
        columns: None,
        table,
        skipped: Vec::new(),
    }
}

fn by_format(file: Opened, format: &'static Format) -> Source {
    let parsed = format.read(&file);
    Source {
        format: format.name,
        family: format.family,
        parsed,
        file: Some(file),
        columns: None,
        table: None,
        skipped: Vec::new(),
    }
}

/// With the columns that the user chose now, or earlier for files with the same header, else with those that the header suggests.
fn by_columns(inspected: Inspected, format: &'static Format, mapping: Option<Mapping>, chosen_now: bool) -> Source {
    let Inspected { file, header: Some(header), .. } = inspected else { return by_format(inspected.file, format) };
    let table = Table::of(&file, mapping.as_ref());
    let text = table.as_ref().map(|table| table.columns.clone()).unwrap_or_default();
    let parsed = match &mapping {
        Some(mapping) => importers::generic::read_with(&file, mapping),
        None => format.read(&file),
    };
    let columns = Some(Columns { header, text, chosen_now });
    Source { format: format.name, family: format.family, parsed, file: Some(file), columns, table, skipped: Vec::new() }
}
