//! `dripline doctor`

mod certificate;

use std::process::ExitCode;

use app::App;
use app::operations::doctor::{Check, Verdict, examine};
use serde_json::json;
use serving::tls::Files;

use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One line of the report.
pub struct Line {
    check: &'static str,
    verdict: Verdict,
    finding: String,
}

/// Exit code 1 when a check finds an error.
pub async fn run(app: &App, tls: Option<&Files>, arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut lines = lines(examine(app).await?);
    lines.extend(tls.map(|files| certificate::check(files, app.clock.now_micros())).unwrap_or_default());
    Ok(print_report(lines, arguments.json))
}

pub fn lines(checks: Vec<Check>) -> Vec<Line> {
    let line = |check: Check| Line {
        check: check.name,
        verdict: check.verdict,
        finding: messages::doctor::finding(output::language(), &check.finding),
    };
    checks.into_iter().map(line).collect()
}

pub fn print_report(lines: Vec<Line>, json: bool) -> ExitCode {
    let failed = lines.iter().any(|line| line.verdict == Verdict::Error);
    let rows: Vec<_> = lines
        .into_iter()
        .map(|line| {
            let verdict = match line.verdict {
                Verdict::Ok => "ok",
                Verdict::Warning => "warning",
                Verdict::Error => "error",
            };
            let value = json!({"check": line.check, "verdict": verdict, "finding": line.finding});
            (value, vec![verdict.to_owned(), line.check.to_owned(), line.finding])
        })
        .collect();
    output::listing(json, &["STATUS", "CHECK", "FINDING"], &rows);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
