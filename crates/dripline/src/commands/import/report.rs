//! What became of a file, for a person and for a script.

use std::fmt::{self, Display};
use std::path::Path;

use app::import::{Becomes, Describe, Fate, FileReason, OpeningChange, Problem, Question, Reason, Report, Row};
use messages::{Notation, Plain, command, import};
use serde_json::{Value, json};

use crate::output;

/// Errors and skips that a person is shown at once; JSON has all of them.
const SHOWN_MAX: usize = 50;

const OTHER_FORMATS: &str = "`dripline import --list-formats` lists the supported formats. For a table in another format, assign its columns with --columns.";

pub fn to_json(path: &Path, report: &Report, dry_run: bool) -> Value {
    let skip = |one: &Problem| json!({"line": one.line, "code": one.reason.code(), "reason": explained(report, &one.reason)});
    let problem = |one: &Problem| {
        let mut value = skip(one);
        if let Some(text) = report.quotes.get(&one.line) {
            value["text"] = json!(text);
        }
        value
    };
    let mut value = json!({
        "file": path.display().to_string(), "format": report.format, "id": report.id.map(|id| id.to_string()), "rows": report.rows,
        "new": report.new, "joined": report.joined, "existing": report.existing, "skipped": report.skips.len(),
        "entries": report.entries,
        "errors": report.errors.iter().map(problem).collect::<Vec<_>>(),
        "skips": report.skips.iter().map(skip).collect::<Vec<_>>()
    });
    if report.repeated > 0 {
        value["repeated"] = json!(report.repeated);
    }
    if let Some(columns) = &report.columns {
        value["columns"] = json!(columns);
    }
    if !report.openings.is_empty() {
        value["openings"] = report.openings.iter().map(opening).collect();
    }
    if !report.reopened.is_empty() {
        value["reopened"] = report.reopened.iter().map(reopened).collect();
    }
    if let Some(payments) = report.payments {
        value["upcoming"] = json!(payments);
    }
    if !report.questions.is_empty() {
        value["unresolved"] = report.questions.iter().map(question).collect();
    }
    if dry_run {
        value["plan"] = report.plan.iter().map(|one| row(report, one)).collect();
    }
    value
}

fn question(one: &Question) -> Value {
    json!({"key": one.key, "name": one.name, "candidates": one.candidates, "line": one.line, "rows": one.rows})
}

fn opening((line, one): &(u64, Becomes)) -> Value {
    let cost = one.amount.map(|amount| amount.recorded_text());
    json!({
        "line": line, "symbol": one.symbol, "date": one.date.to_string(), "shares": one.shares.map(|shares| Plain.decimal(shares)), "cost": cost,
        "currency": one.currency.code(), "portfolio": one.portfolio, "cost_known": one.cost_known
    })
}

fn reopened(one: &OpeningChange) -> Value {
    json!({"symbol": one.symbol, "before": Plain.decimal(one.before), "after": Plain.decimal(one.after)})
}

fn row(report: &Report, row: &Row) -> Value {
    match &row.fate {
        Fate::New(entry) => json!({"line": row.line, "fate": "new", "entry": entry}),
        Fate::Part(entry) => json!({"line": row.line, "fate": "part", "entry": entry}),
        Fate::Existing => json!({"line": row.line, "fate": "existing"}),
        Fate::Repeated(first) => json!({"line": row.line, "fate": "existing", "repeats": first}),
        Fate::Skipped(reason) => {
            json!({"line": row.line, "fate": "skipped", "code": reason.code(), "reason": explained(report, reason)})
        }
        Fate::Error(reason) => {
            json!({"line": row.line, "fate": "error", "code": reason.code(), "reason": explained(report, reason)})
        }
    }
}

pub fn print(path: &Path, report: &Report, dry_run: bool, asks_for_openings: bool) {
    if let Some(columns) = &report.columns {
        output::message(&format!("Columns used: --columns \"{columns}\""));
    }
    if dry_run {
        output::results(report.plan.iter().map(|row| planned(report, row)));
    }
    if !report.errors.is_empty() {
        return refused(path, report, asks_for_openings);
    }
    let texts = command::Import::load(output::language());
    output::result(&format!("{} ({}): {}", path.display(), report.format, summary(&texts, report, dry_run)));
    if !dry_run {
        shown(&report.skips, |problem| format!("  line {}: skipped: {}", problem.line, explained(report, &problem.reason)));
    }
    for (line, one) in &report.openings {
        let shares = one.shares.map(|shares| Plain.decimal(shares)).unwrap_or_default();
        output::result(&texts.opening(*line, shares, one.symbol.as_str(), one.date.to_string()));
    }
    for one in &report.reopened {
        output::result(&import::opening_change(output::language(), &Plain, one));
    }
    if let Some(payments) = report.payments {
        output::result(&texts.announced(payments));
    }
    if let Some(id) = report.id {
        output::result(&format!("import {id}"));
    }
}

fn summary(texts: &command::Import, report: &Report, dry_run: bool) -> String {
    let mut added = if dry_run { texts.would_add(report.new, report.rows) } else { texts.added(report.new, report.rows) };
    if report.joined > 0 {
        added = format!("{added} {}", texts.merged(report.joined));
    }
    let mut parts = vec![added, texts.duplicates(report.existing.saturating_sub(report.repeated))];
    if report.repeated > 0 {
        parts.push(texts.repeated(report.repeated));
    }
    parts.push(texts.skipped(report.skips.len()));
    parts.join(", ")
}

fn refused(path: &Path, report: &Report, asks_for_openings: bool) {
    let texts = command::Import::load(output::language());
    let wrong = report.plan.iter().filter(|row| matches!(row.fate, Fate::Error(_))).count();
    let cause = match wrong {
        0 => String::new(),
        wrong => format!(" {}", texts.errors(wrong, report.rows)),
    };
    output::message(&format!("{}: nothing was imported.{cause}", path.display()));
    // An instrument that many rows mean is asked for once.
    let others = report.errors.iter().filter(|problem| {
        let question = question_of(report, &problem.reason);
        question.is_none_or(|question| question.line == problem.line)
    });
    shown(&others.collect::<Vec<_>>(), |problem| {
        let question = question_of(report, &problem.reason);
        let detail = match (question, report.quotes.get(&problem.line)) {
            (Some(question), _) if question.rows > 1 => format!(" ({}{} rows)", name_of(question), question.rows),
            (_, Some(text)) => format!("\n    {text}"),
            (_, None) => String::new(),
        };
        format!("  line {}: {}{detail}", problem.line, explained(report, &problem.reason))
    });
    if asks_for_openings && !report.missing.is_empty() {
        for missing in report.missing.values() {
            let shares = Plain.decimal(missing.shares);
            output::message(&texts.opening_needed(shares, missing.symbol.as_str(), missing.date.to_string()));
        }
        output::message(texts.opening_hint);
    }
    if report.skippable().next().is_some() {
        output::message(texts.skip_hint);
    }
}

fn question_of<'a>(report: &'a Report, reason: &Reason) -> Option<&'a Question> {
    report.questions.iter().find(|question| *reason == question.reason)
}

/// With what the command line offers to do about it.
fn explained(report: &Report, reason: &Reason) -> String {
    let text = import::reason(output::language(), &Plain, reason);
    match (question_of(report, reason), reason) {
        (Some(question), _) => format!("{text} {}", answer(question)),
        (None, Reason::File(FileReason::UnknownFormat { .. })) => format!("{text} {OTHER_FORMATS}"),
        (None, Reason::File(reason)) => settings(reason).map_or(text.clone(), |settings| format!("{text} {settings}")),
        (None, _) => text,
    }
}

/// What of --columns answers a question about a table, or mends an answer.
pub fn settings(reason: &FileReason) -> Option<String> {
    let settings = reason.settings();
    (!settings.is_empty()).then(|| format!("Possible settings for --columns: {}.", settings.join(", ")))
}

/// How to answer a question.
fn answer(question: &Question) -> String {
    let plain = question.key.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._:".contains(letter));
    let answer = if plain { format!("{}=SYMBOL", question.key) } else { format!("\"{}=SYMBOL\"", question.key) };
    match question.candidates.is_empty() {
        true => format!("Match it with --map {answer}, or import it as it is with --unresolved keep."),
        false => format!("Choose one of {} with --map {answer}.", question.candidates.join(", ")),
    }
}

fn name_of(question: &Question) -> String {
    question.name.as_deref().map(|name| format!("{name}, ")).unwrap_or_default()
}

fn shown<T>(problems: &[T], text: impl Fn(&T) -> String) {
    problems.iter().take(SHOWN_MAX).for_each(|problem| output::message(&text(problem)));
    if problems.len() > SHOWN_MAX {
        output::message(&format!("  … and {} more; --json lists all", problems.len() - SHOWN_MAX));
    }
}

fn planned(report: &Report, row: &Row) -> impl Display {
    let line = row.line;
    fmt::from_fn(move |out| match &row.fate {
        Fate::New(entry) => write!(out, "line {line}: new transaction {entry}"),
        Fate::Part(entry) => write!(out, "line {line}: part of transaction {entry}"),
        Fate::Existing => write!(out, "line {line}: duplicate"),
        Fate::Repeated(first) => write!(out, "line {line}: repeats line {first}"),
        Fate::Skipped(reason) => write!(out, "line {line}: skipped: {}", explained(report, reason)),
        Fate::Error(reason) => write!(out, "line {line}: error: {}", explained(report, reason)),
    })
}
