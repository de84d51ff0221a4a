//! Is the installation well? Each check says what it found and, where something is wrong, what to do.

use jiff::ToSpan;
use store::fx_rates;

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

pub async fn examine(app: &App) -> Result<Vec<Check>, Error> {
    let mut checks = vec![database(app).await?, permissions(app).await?, clock(app)];
    checks.push(rates(app).await?);
    checks.push(unknown_symbols(app).await?);
    Ok(checks)
}

async fn database(app: &App) -> Result<Check, Error> {
    let condition = app.store.condition().await?;
    let faults = app.store.integrity_check().await?;
    Ok(match faults.as_slice() {
        [] => check(
            "database",
            Verdict::Well,
            format!(
                "{} is sound, schema {}, SQLite {}",
                condition.path.display(),
                condition.schema_version,
                condition.sqlite_version
            ),
        ),
        [first, ..] => check(
            "database",
            Verdict::Ill,
            format!(
                "{} fault(s) in {}, the first: {first}; restore the last good backup",
                faults.len(),
                condition.path.display()
            ),
        ),
    })
}

async fn permissions(app: &App) -> Result<Check, Error> {
    let condition = app.store.condition().await?;
    Ok(match condition.file_open_to_others {
        true => {
            check("permissions", Verdict::Warning, format!("others may read {}; run chmod 600 on it", condition.path.display()))
        }
        false => check("permissions", Verdict::Well, "only the owner reads the database".to_owned()),
    })
}

fn clock(app: &App) -> Check {
    let today = app.clock.today();
    match (2025..2100).contains(&today.year()) {
        true => check("clock", Verdict::Well, format!("today is {today} (UTC)")),
        false => check("clock", Verdict::Ill, format!("today is said to be {today}; set the system's clock")),
    }
}

async fn rates(app: &App) -> Result<Check, Error> {
    let today = app.clock.today();
    let rates = fx_rates::latest(&mut app.store.read().await?, today).await?;
    let newest = rates.iter().map(|(_, date, _)| *date).max();
    Ok(match newest {
        None => check("exchange rates", Verdict::Warning, "there are none; load fx.csv with `dripline market load`".to_owned()),
        Some(date) if date < today.saturating_sub(7.days()) => check(
            "exchange rates",
            Verdict::Warning,
            format!("the newest are of {date}; load fresh ones with `dripline market load`"),
        ),
        Some(date) => check("exchange rates", Verdict::Well, format!("{} currencies, the newest of {date}", rates.len())),
    })
}

async fn unknown_symbols(app: &App) -> Result<Check, Error> {
    let unknown = crate::market::status(app).await?.unknown;
    Ok(match unknown.as_slice() {
        [] => check("symbols", Verdict::Well, "market data knows every symbol in use".to_owned()),
        some => {
            check("symbols", Verdict::Warning, format!("market data does not know {}; add them to stocks.csv", some.join(", ")))
        }
    })
}

fn check(name: &'static str, verdict: Verdict, finding: String) -> Check {
    Check { name, verdict, finding }
}
