//! Is the installation well? Each check says what it found and, where something is wrong, what to do.

mod secret_key;
mod snapshots;
mod space;

use jiff::{SignedDuration, ToSpan};
use store::fx_rates;
use store::providers::ProviderState;
use store::refreshes::{Overview, Topic};
use store::{Condition, ServerCondition};

use crate::market::Status;
use crate::{App, Error};

pub struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    pub finding: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Well,
    Warning,
    Ill,
}

/// What is stored, and nothing around it.
pub async fn examine_data(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = vec![database(app).await?, records(app).await?, secret_key::check(app).await?];
    checks.extend(snapshots::compared(app).await?);
    Ok(checks)
}

pub async fn examine(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = vec![database(app).await?];
    if let [Check { verdict: Verdict::Ill, .. }] = checks.as_slice() {
        // What else a damaged database says means nothing.
        return Ok(checks);
    }
    checks.extend(permissions(app).await?);
    checks.push(clock(app));
    checks.push(rates(app).await?);
    let status = crate::market::status(app).await?;
    checks.push(unknown_symbols(app, &status));
    checks.extend(providers(app, &status));
    checks.extend(refreshes(app, &status));
    checks.extend(held_back(&status));
    checks.push(records(app).await?);
    checks.extend(snapshots::compared(app).await?);
    checks.extend(space::checks(app).await?);
    checks.extend(backed_up(app));
    checks.push(secret_key::check(app).await?);
    checks.extend(secret_key::old_copies(app));
    Ok(checks)
}

async fn database(app: &App) -> Result<Check, Error> {
    let file = match app.store.condition().await? {
        Condition::File(file) => file,
        Condition::Server(server) => return Ok(database_server(&server)),
    };
    let faults = app.store.integrity_check().await?;
    let path = file.path.display();
    Ok(match faults.as_slice() {
        [] => {
            let finding = format!("{path} is sound, schema {}, SQLite {}", file.schema_version, file.sqlite_version);
            check("database", Verdict::Well, finding)
        }
        [first, ..] => {
            let finding = format!("{} fault(s) in {path}, the first: {first}; restore the last good backup", faults.len());
            check("database", Verdict::Ill, finding)
        }
    })
}

fn database_server(server: &ServerCondition) -> Check {
    let found = format!(
        "PostgreSQL {} answers, schema {}, {} MB",
        server.postgres_version,
        server.schema_version,
        server.bytes / 1_000_000
    );
    match server.replica_answers {
        Some(false) => {
            let finding = format!("{found}; the replica does not answer: look at it, or unset DRIPLINE_DATABASE_REPLICA_URL");
            check("database", Verdict::Warning, finding)
        }
        Some(true) => check("database", Verdict::Well, format!("{found}; so does the replica")),
        None => check("database", Verdict::Well, found),
    }
}

/// Of the database file; who may read a server's is that server's to say.
async fn permissions(app: &App) -> Result<Option<Check>, Error> {
    Ok(match app.store.condition().await? {
        Condition::Server(_) => None,
        Condition::File(file) if file.file_open_to_others => {
            let finding = format!("others may read {}; run chmod 600 on it", file.path.display());
            Some(check("permissions", Verdict::Warning, finding))
        }
        Condition::File(_) => Some(check("permissions", Verdict::Well, "only the owner reads the database".to_owned())),
    })
}

/// Where the service is to make copies.
fn backed_up(app: &App) -> Option<Check> {
    let (plan, vitals) = (app.backups.plan.as_ref()?, crate::backups::vitals(app)?);
    let folder = plan.folder.display();
    let Some(newest) = vitals.newest else {
        // Where it tried and could not, there is a folder.
        let verdict = if plan.folder.exists() { Verdict::Warning } else { Verdict::Well };
        let finding = format!("there is none in {folder} yet; the service makes the first a minute after it starts");
        return Some(check("backups", verdict, finding));
    };
    let late = SignedDuration::try_from(plan.every * 2).unwrap_or(SignedDuration::MAX);
    Some(match app.clock.now().duration_since(newest) > late {
        true => {
            let finding = format!("the newest in {folder} is of {newest}; see in the service's log why there is none since");
            check("backups", Verdict::Warning, finding)
        }
        false => check("backups", Verdict::Well, format!("the newest in {folder} is of {newest}")),
    })
}

/// The chains of what happened to accounts.
async fn records(app: &App) -> Result<Check, Error> {
    Ok(match crate::audit::verify_all(app).await? {
        (count, 0) => check("records", Verdict::Well, format!("what happened to {count} account(s) is as it was written down")),
        (count, broken) => {
            let finding = format!(
                "of {broken} of {count} account(s), what is written down about them was changed outside of Dripline; look who \
                 writes to the database"
            );
            check("records", Verdict::Ill, finding)
        }
    })
}

fn clock(app: &App) -> Check {
    let today = app.clock.today();
    if !(2025..2100).contains(&today.year()) {
        return check("clock", Verdict::Ill, format!("today is said to be {today}; set the system's clock"));
    }
    match app.clock.fixed() {
        Some(finding) => check("clock", Verdict::Warning, finding),
        None => check("clock", Verdict::Well, format!("today is {today} (UTC)")),
    }
}

async fn rates(app: &App) -> Result<Check, Error> {
    let today = app.clock.today();
    let rates = fx_rates::latest(&mut app.store.read().await?, today).await?;
    let newest = rates.iter().map(|(_, date, _)| *date).max();
    Ok(match newest {
        None => check(
            "exchange rates",
            Verdict::Warning,
            "there are none; load fx.csv with `dripline market load`, or add ecb to DRIPLINE_PROVIDER".to_owned(),
        ),
        Some(date) if date < today.saturating_sub(7.days()) => check(
            "exchange rates",
            Verdict::Warning,
            format!("the newest are of {date}; load fresh ones with `dripline market load`"),
        ),
        Some(date) => check("exchange rates", Verdict::Well, format!("{} currencies, the newest of {date}", rates.len())),
    })
}

fn unknown_symbols(app: &App, status: &Status) -> Check {
    let remedy = match app.sources.market.is_empty() {
        true => "add them to stocks.csv, or set DRIPLINE_PROVIDER",
        false => "`dripline market status` says what the providers answer; stocks.csv can add them",
    };
    match status.unknown.as_slice() {
        [] => check("symbols", Verdict::Well, "market data knows every symbol in use".to_owned()),
        some => check("symbols", Verdict::Warning, format!("market data does not know {}; {remedy}", some.join(", "))),
    }
}

fn providers(app: &App, status: &Status) -> Vec<Check> {
    if app.sources.is_empty() {
        let finding = "none is set; data comes from `dripline market load` only. DRIPLINE_PROVIDER=yahoo,ecb keeps it current";
        return vec![check("providers", Verdict::Well, finding.to_owned())];
    }
    let asked = status.sources.iter().filter(|name| *name != "files");
    asked.map(|name| provider(name, status.providers.iter().find(|state| state.name == *name))).collect()
}

fn provider(name: &str, state: Option<&ProviderState>) -> Check {
    let Some(state) = state else {
        return check("providers", Verdict::Warning, format!("{name} was never asked; is `dripline serve` running?"));
    };
    let well = state.ok_at >= state.failed_at;
    let requests = format!("{} requests on {}", state.used, state.day);
    match (&state.last_error, well) {
        (Some(error), false) => {
            let finding = format!("{name} {error}; {requests}. What was known is kept; `dripline market status` says more");
            check("providers", Verdict::Warning, finding)
        }
        _ => check("providers", Verdict::Well, format!("{name} answers; {requests}")),
    }
}

/// Prices are an hour behind, everything else two days, when a refresh is late.
fn refreshes(app: &App, status: &Status) -> Vec<Check> {
    const HOUR_MICROS: i64 = 3_600_000_000;
    let late = |work: &&Overview| {
        let limit = if work.topic == Topic::Quote { HOUR_MICROS } else { 48 * HOUR_MICROS };
        let idle = work.newest_done_at.is_none_or(|at| app.clock.now_micros() - at > limit);
        !app.sources.is_empty() && work.overdue > 0 && idle
    };
    let finding = |work: &Overview| {
        let text = format!(
            "{}: {} due and none done lately; is `dripline serve` running, and within its providers' budgets?",
            work.topic.as_str(),
            work.overdue
        );
        check("refresh", Verdict::Warning, text)
    };
    status.work.iter().filter(late).map(finding).collect()
}

fn held_back(status: &Status) -> Option<Check> {
    let finding = format!("{} figure(s) of providers were not believed; see `dripline market status`", status.held_back_count);
    (status.held_back_count > 0).then(|| check("held back", Verdict::Warning, finding))
}

fn check(name: &'static str, verdict: Verdict, finding: String) -> Check {
    Check { name, verdict, finding }
}
