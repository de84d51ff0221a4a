//! `dripline doctor`

mod certificate;

use std::process::ExitCode;

use app::App;
use app::doctor::{Check, Verdict, examine};
use serde_json::json;
use server::http::tls::Files;

use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Exits with 1 if a check fails.
pub async fn run(app: &App, tls: Option<&Files>, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut checks = examine(app).await?;
    checks.extend(tls.map(|files| certificate::checks(files, app.clock.now_micros())).unwrap_or_default());
    Ok(print_report(checks, arguments.json))
}

/// Lists what was found.
pub fn print_report(checks: Vec<Check>, json: bool) -> ExitCode {
    let ill = checks.iter().any(|check| check.verdict == Verdict::Ill);
    let rows: Vec<_> = checks
        .into_iter()
        .map(|check| {
            let verdict = match check.verdict {
                Verdict::Well => "ok",
                Verdict::Warning => "warning",
                Verdict::Ill => "error",
            };
            let value = json!({"check": check.name, "verdict": verdict, "finding": check.finding});
            (value, vec![verdict.to_owned(), check.name.to_owned(), check.finding])
        })
        .collect();
    output::listing(json, &["STATUS", "CHECK", "FINDING"], &rows);
    if ill { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
