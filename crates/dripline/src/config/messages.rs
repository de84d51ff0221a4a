//! One more language for the pages, from a file whose name is its tag: `fr.ftl`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use messages::{Problem, Unusable};

use super::file::File;
use crate::output::{message, setting};

const NAME: &str = "DRIPLINE_MESSAGES";
/// How many problems are listed; a file that was just begun lacks over a thousand messages.
const LISTED_MAX: usize = 20;

pub fn read(file: &File, variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    variable(NAME).filter(|text| !text.trim().is_empty()).map(PathBuf::from).or(file.messages.clone())
}

/// Before any message is asked for.
pub fn load(path: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| setting().messages_unreadable(shown.as_str()))?;
    let tag = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    match messages::add(tag, &text) {
        Ok(problems) if problems.is_empty() => {}
        Ok(problems) => message(&setting().messages_incomplete(shown, listed(&problems))),
        Err(Unusable::Tag) => bail!(setting().messages_tag(tag)),
        Err(Unusable::File(problems)) => bail!(setting().messages_file(shown, listed(&problems))),
    }
    Ok(())
}

fn listed(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().take(LISTED_MAX).map(|problem| format!("\n  {problem}")).collect();
    let more = problems.len().saturating_sub(LISTED_MAX);
    let more = if more == 0 { String::new() } else { format!("\n  {}", setting().more_problems(more)) };
    format!("{}{more}", lines.concat())
}

/// As a line of the file.
pub fn print(path: Option<&Path>) -> String {
    path.map_or(String::new(), |path| format!("messages = {}\n", toml::Value::String(path.display().to_string())))
}
