//! Results to stdout, messages to stderr, progress to a terminal only.

use std::fmt::Display;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use app::operations::progress::Stage;
use indicatif::{ProgressBar, ProgressStyle};
use messages::command::{self, Command, Setting};
use messages::{Language, Plain, errors};
use serde_json::Value;

/// Writes a result. A reader that went away (`dripline … | head`) is not an error.
pub fn result(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// The same for many lines, buffered into few writes.
pub fn results(lines: impl Iterator<Item = impl Display>) {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
    let _ = out.flush();
}

/// Writes bytes to the file, if one is given, else to stdout.
pub fn bytes(bytes: &[u8], path: Option<&Path>) -> anyhow::Result<()> {
    match path {
        Some(path) => std::fs::write(path, bytes).with_context(|| refusal().unwritable(path.display().to_string())),
        None => std::io::stdout().write_all(bytes).context(refusal().stdout_unwritable),
    }
}

/// Prints a message, with control characters escaped: text from files and arguments must not control the terminal.
pub fn message(text: &str) {
    let mut harmless = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() && letter != '\n' {
            true => harmless.extend(letter.escape_default()),
            false => harmless.push(letter),
        }
    }
    let _ = writeln!(std::io::stderr(), "{harmless}");
}

pub fn in_words(error: &app::Error) -> String {
    errors::text(language(), &Plain, error)
}

/// What is wrong with a setting.
pub fn setting() -> Setting {
    Setting::load(language())
}

/// Why a command cannot do what it was asked.
pub fn refusal() -> Command {
    Command::load(language())
}

pub fn progress() -> command::Progress {
    command::Progress::load(language())
}

pub fn stage(stage: Stage) -> &'static str {
    command::stage(language(), stage)
}

/// The only language so far.
pub fn language() -> &'static Language {
    messages::by_preference("")
}

/// A listing: JSON for scripts, columns for people.
pub fn listing(json: bool, header: &[&str], rows: &[(Value, Vec<String>)]) {
    if json {
        let values: Vec<&Value> = rows.iter().map(|(value, _)| value).collect();
        return result(&serde_json::to_string_pretty(&values).unwrap_or_default());
    }
    let cells: Vec<&Vec<String>> = rows.iter().map(|(_, cells)| cells).collect();
    let width = |column: usize| {
        let widest = cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        widest.max(header[column].len())
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        result(padded.join("  ").trim_end());
    };
    line(header.to_vec());
    cells.iter().for_each(|row| line(row.iter().map(String::as_str).collect()));
}

/// Shows the current step and its progress, on a terminal only.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    pub fn start() -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress(None);
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress(Some(bar))
    }

    pub fn stage(&self, text: fn(&command::Progress) -> &'static str) {
        self.part(text(&progress()), 0, 0);
    }

    /// Shows a bar if the total is known, else a spinner.
    pub fn part(&self, what: &str, done: usize, total: usize) {
        let Some(bar) = &self.0 else { return };
        let template = if total > 0 { "{bar:30} {pos}/{len} {msg} ({elapsed})" } else { "{spinner} {msg} ({elapsed})" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(what.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A timestamp of the database, for people and for JSON.
pub fn instant(micros: i64) -> String {
    jiff::Timestamp::from_microsecond(micros).map(|instant| instant.to_string()).unwrap_or_default()
}
