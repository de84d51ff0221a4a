//! `dripline import FILE…`

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use app::{App, import};
use serde_json::{Value, json};

use super::open;
use crate::config::Flags;
use crate::output::{self, Progress};

#[derive(clap::Args)]
pub struct Arguments {
    #[arg(required_unless_present = "list_formats")]
    files: Vec<PathBuf>,
    #[arg(long, required_unless_present = "list_formats")]
    user: Option<String>,
    /// Portfolio for rows that name none; made where it does not exist [default: the user's default one]
    #[arg(long)]
    portfolio: Option<String>,
    /// Format of the files [default: detected by content]
    #[arg(long)]
    format: Option<String>,
    /// Which symbol an ISIN is
    #[arg(long, value_name = "ISIN=SYMBOL", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// What to do with instruments that cannot be resolved
    #[arg(long, value_enum, default_value = "ask")]
    unresolved: Unresolved,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// One JSON object per file
    #[arg(long)]
    json: bool,
    /// List the formats
    #[arg(long)]
    list_formats: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Unresolved {
    /// List them and refuse the file
    Ask,
    /// Keep them under their ISIN
    Keep,
}

pub async fn run(flags: Flags, arguments: Arguments) -> anyhow::Result<ExitCode> {
    if arguments.list_formats {
        let rows: Vec<_> = import::formats()
            .map(|(name, about)| (json!({"name": name, "about": about}), vec![name.to_owned(), about.to_owned()]))
            .collect();
        output::listing(arguments.json, &["FORMAT", "WHAT IT IS"], &rows);
        return Ok(ExitCode::SUCCESS);
    }
    let map: HashMap<String, String> = arguments.map.iter().cloned().collect();
    let app = open(&flags.settings()?).await?;
    let mut all_well = true;
    for path in &arguments.files {
        all_well &= one(&app, &arguments, &map, path).await?;
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// True when the file was taken.
async fn one(app: &App, arguments: &Arguments, map: &HashMap<String, String>, path: &Path) -> anyhow::Result<bool> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let request = import::Request {
        email: arguments.user.as_deref().unwrap_or_default(),
        file_name: &file_name,
        bytes: &bytes,
        format: arguments.format.as_deref(),
        portfolio: arguments.portfolio.as_deref(),
        map,
        keep_unresolved: arguments.unresolved == Unresolved::Keep,
        dry_run: arguments.dry_run,
    };
    let progress = Progress::start();
    let report = import::import(app, &request, &|stage| progress.stage(&format!("{stage} {file_name}"))).await?;
    drop(progress);
    if arguments.json {
        output::result(&as_json(path, &report).to_string());
    } else {
        explain(path, &report, arguments.dry_run);
    }
    Ok(report.errors.is_empty())
}

fn as_json(path: &Path, report: &import::Report) -> Value {
    let problems = |list: &[import::Problem]| -> Vec<Value> {
        list.iter().map(|problem| json!({"line": problem.line, "reason": problem.reason})).collect()
    };
    json!({
        "file": path.display().to_string(), "format": report.format, "id": report.id.map(|id| id.to_string()), "rows": report.rows,
        "new": report.new, "existing": report.existing, "skipped": report.skips.len(),
        "errors": problems(&report.errors), "skips": problems(&report.skips)
    })
}

fn explain(path: &Path, report: &import::Report, dry_run: bool) {
    let path = path.display();
    if !report.errors.is_empty() {
        output::message(&format!(
            "{path}: nothing was stored, because {} of {} rows cannot be taken:",
            report.errors.len(),
            report.rows
        ));
        for problem in &report.errors {
            output::message(&format!("  line {}: {}", problem.line, problem.reason));
        }
        return;
    }
    let verb = if dry_run { "would add" } else { "added" };
    output::result(&format!(
        "{path} ({}): {verb} {} of {} rows, {} there already, {} skipped",
        report.format,
        report.new,
        report.rows,
        report.existing,
        report.skips.len()
    ));
    for problem in &report.skips {
        output::message(&format!("  line {}: skipped, {}", problem.line, problem.reason));
    }
    if let Some(id) = report.id {
        output::result(&format!("import {id}"));
    }
}

fn mapping(text: &str) -> Result<(String, String), String> {
    let (isin, symbol) = text.split_once('=').map(|(isin, symbol)| (isin.trim(), symbol.trim())).unwrap_or_default();
    let of_an_isin = isin.len() == 12 && isin.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let odd = |letter: char| letter == '=' || letter.is_whitespace() || letter.is_control();
    match of_an_isin && (1..=32).contains(&symbol.chars().count()) && !symbol.contains(odd) {
        true => Ok((isin.to_uppercase(), symbol.to_uppercase())),
        false => Err("not written ISIN=SYMBOL, such as US1912161007=KO".to_owned()),
    }
}
