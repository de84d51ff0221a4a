//! Checks of the installation. Each has a verdict and a finding; `messages` has the texts about what was found and what to do.

mod finding;
mod secret_key;
mod snapshots;
mod space;

use jiff::{SignedDuration, ToSpan};
use store::providers::ProviderState;
use store::refreshes::{Overview, Topic};
use store::{Condition, ServerCondition, fx_rates, users};

use crate::market::Status;
use crate::portfolios::notices::unapplied_splits;
use crate::{App, Error};

pub use finding::{Finding, KeyPlace, Mismatch, Snapshot};

#[derive(Debug)]
pub struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    pub finding: Finding,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Ok,
    Warning,
    Error,
}

/// Checks the stored data only.
pub async fn examine_data(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = vec![database(app).await?, records(app).await?, secret_key::check(app).await?];
    checks.extend(snapshots::compared(app).await?);
    Ok(checks)
}

pub async fn examine(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = vec![database(app).await?];
    if let [Check { verdict: Verdict::Error, .. }] = checks.as_slice() {
        // Further findings in a damaged database mean nothing.
        return Ok(checks);
    }
    checks.extend(permissions(app).await?);
    checks.push(clock(app));
    checks.push(rates(app).await?);
    let status = crate::market::status(app).await?;
    checks.push(unknown_symbols(app, &status));
    checks.extend(providers(app, &status));
    checks.extend(refreshes(app, &status));
    checks.extend(rejected_values(&status));
    checks.push(records(app).await?);
    checks.extend(snapshots::compared(app).await?);
    checks.extend(splits(app).await?);
    checks.extend(space::checks(app).await?);
    checks.extend(backups(app));
    checks.push(secret_key::check(app).await?);
    checks.extend(secret_key::old_copies(app));
    Ok(checks)
}

async fn database(app: &App) -> Result<Check, Error> {
    let file = match app.store.condition().await? {
        Condition::File(file) => file,
        Condition::Server(server) => return Ok(database_server(server)),
    };
    let faults = app.store.integrity_check().await?;
    let count = faults.len();
    Ok(match faults.into_iter().next() {
        None => {
            let (schema, sqlite) = (file.schema_version, file.sqlite_version);
            check("database", Verdict::Ok, Finding::SoundFile { path: file.path, schema, sqlite })
        }
        Some(first) => check("database", Verdict::Error, Finding::Faults { path: file.path, count, first }),
    })
}

fn database_server(server: ServerCondition) -> Check {
    let verdict = if server.replica_answers == Some(false) { Verdict::Warning } else { Verdict::Ok };
    let finding = Finding::Server {
        version: server.postgres_version,
        schema: server.schema_version,
        megabytes: server.bytes / 1_000_000,
        replica_answers: server.replica_answers,
    };
    check("database", verdict, finding)
}

/// Permissions of the database file; a server manages its own.
async fn permissions(app: &App) -> Result<Option<Check>, Error> {
    Ok(match app.store.condition().await? {
        Condition::Server(_) => None,
        Condition::File(file) if file.file_open_to_others => {
            Some(check("permissions", Verdict::Warning, Finding::DatabaseOpenToOthers { path: file.path }))
        }
        Condition::File(_) => Some(check("permissions", Verdict::Ok, Finding::DatabasePrivate)),
    })
}

/// The configured backups.
fn backups(app: &App) -> Option<Check> {
    let (plan, vitals) = (app.backups.plan.as_ref()?, crate::operations::backups::vitals(app)?);
    let folder = plan.folder.clone();
    let Some(newest) = vitals.newest else {
        // If the service has tried and failed, the folder exists.
        let verdict = if folder.exists() { Verdict::Warning } else { Verdict::Ok };
        return Some(check("backups", verdict, Finding::NoBackup { folder }));
    };
    let late = SignedDuration::try_from(plan.every * 2).unwrap_or(SignedDuration::MAX);
    Some(match app.clock.now().duration_since(newest) > late {
        true => check("backups", Verdict::Warning, Finding::OldBackup { folder, newest }),
        false => check("backups", Verdict::Ok, Finding::RecentBackup { folder, newest }),
    })
}

/// The audit chains.
async fn records(app: &App) -> Result<Check, Error> {
    Ok(match crate::accounts::audit::verify_all(app).await? {
        (accounts, 0) => check("records", Verdict::Ok, Finding::AuditIntact { accounts }),
        (accounts, broken) => check("records", Verdict::Error, Finding::AuditChanged { accounts, broken }),
    })
}

/// Splits that contradict a user's transactions.
async fn splits(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = Vec::new();
    for user in users::list(&mut app.store.read().await?).await? {
        let found = match unapplied_splits(&mut app.store.read().await?, user.id).await {
            // The check of positions says so.
            Err(Error::Ledger { .. }) => continue,
            other => other?,
        };
        let finding = |(_, symbol, split)| Finding::SplitNotApplied { symbol, user_id: user.id, split };
        checks.extend(found.into_iter().map(|one| check("splits", Verdict::Warning, finding(one))));
    }
    Ok(checks)
}

fn clock(app: &App) -> Check {
    let today = app.clock.today();
    if !(2025..2100).contains(&today.year()) {
        return check("clock", Verdict::Error, Finding::WrongDate { today });
    }
    match app.clock.fixed() {
        Some(instant) => check("clock", Verdict::Warning, Finding::FixedClock { instant }),
        None => check("clock", Verdict::Ok, Finding::Today { today }),
    }
}

async fn rates(app: &App) -> Result<Check, Error> {
    let today = app.clock.today();
    let rates = fx_rates::latest(&mut app.store.read().await?, today).await?;
    let (verdict, finding) = match rates.iter().map(|(_, date, _)| *date).max() {
        None => (Verdict::Warning, Finding::NoRates),
        Some(newest) if newest < today.saturating_sub(7.days()) => (Verdict::Warning, Finding::OldRates { newest }),
        Some(newest) => (Verdict::Ok, Finding::Rates { currencies: rates.len(), newest }),
    };
    Ok(check("exchange rates", verdict, finding))
}

fn unknown_symbols(app: &App, status: &Status) -> Check {
    match status.unknown.as_slice() {
        [] => check("symbols", Verdict::Ok, Finding::SymbolsKnown),
        symbols => {
            let has_provider = !app.sources().market.is_empty();
            check("symbols", Verdict::Warning, Finding::UnknownSymbols { symbols: symbols.to_vec(), has_provider })
        }
    }
}

fn providers(app: &App, status: &Status) -> Vec<Check> {
    let sources = app.sources();
    let unreadable = sources.without_key.iter().map(|name| Finding::ProviderKeyUnreadable { name: name.clone() });
    let mut checks: Vec<Check> = unreadable.map(|finding| check("providers", Verdict::Warning, finding)).collect();
    let found = match sources.order.as_slice() {
        [] => Finding::NoProvider,
        names => Finding::Providers { names: names.to_vec(), origin: sources.origin },
    };
    checks.push(check("providers", Verdict::Ok, found));
    let asked = status.sources.iter().filter(|name| *name != "files");
    checks.extend(asked.map(|name| provider(name, status.providers.iter().find(|state| state.name == *name))));
    checks
}

fn provider(name: &str, state: Option<&ProviderState>) -> Check {
    let name = name.to_owned();
    let Some(state) = state else {
        return check("providers", Verdict::Warning, Finding::ProviderNeverAsked { name });
    };
    let (requests, day) = (state.used, state.day);
    match &state.last_error {
        Some(error) if state.ok_at < state.failed_at => {
            let error = error.clone();
            check("providers", Verdict::Warning, Finding::ProviderFails { name, error, requests, day })
        }
        _ => check("providers", Verdict::Ok, Finding::ProviderAnswers { name, requests, day }),
    }
}

/// A refresh is late after an hour for prices, and after two days for everything else.
fn refreshes(app: &App, status: &Status) -> Vec<Check> {
    const HOUR_MICROS: i64 = 3_600_000_000;
    let late = |work: &&Overview| {
        let limit = if work.topic == Topic::Quote { HOUR_MICROS } else { 48 * HOUR_MICROS };
        let idle = work.newest_done_at.is_none_or(|at| app.clock.now_micros() - at > limit);
        !app.sources().is_empty() && work.overdue > 0 && idle
    };
    let finding = |work: &Overview| Finding::RefreshLate { topic: work.topic, due: work.overdue };
    status.work.iter().filter(late).map(|work| check("refresh", Verdict::Warning, finding(work))).collect()
}

fn rejected_values(status: &Status) -> Option<Check> {
    let count = status.held_back_count;
    (count > 0).then(|| check("held back", Verdict::Warning, Finding::RejectedValues { count }))
}

fn check(name: &'static str, verdict: Verdict, finding: Finding) -> Check {
    Check { name, verdict, finding }
}
