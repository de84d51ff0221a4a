//! `dripline import FILE…`, and what belongs to it: the list of imports, undoing one, saying what an instrument is.

mod report;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use app::refusal::Import;
use app::{App, Refusal, accounts, import};
use serde_json::json;

use super::{hinted, open, open_asking};
use crate::config::Flags;
use crate::output::{self, Progress};

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    files: Files,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Undo an import
    Undo {
        /// ID, as shown by `import list`
        id: String,
    },
    /// Save the original file of an import
    File {
        /// ID, as shown by `import list`
        id: String,
        /// Output file [default: standard output]
        #[arg(long)]
        output: Option<PathBuf>,
    },
    /// List a user's imports
    List {
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Match imported securities to symbols, now and in later imports
    Map {
        #[arg(required = true, value_name = "ISIN=SYMBOL", value_parser = mapping)]
        map: Vec<(String, String)>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
}

#[derive(clap::Args)]
struct Files {
    /// Files to import
    #[arg(required_unless_present = "list_formats")]
    files: Vec<PathBuf>,
    /// Account, by e-mail address
    #[arg(long, required_unless_present = "list_formats")]
    user: Option<String>,
    /// Portfolio for rows that don't name one; created if needed [default: the default portfolio]
    #[arg(long)]
    portfolio: Option<String>,
    /// File format, see --list-formats [default: detected automatically]
    #[arg(long)]
    format: Option<String>,
    /// Match a security (its ISIN, or its ticker or name in the file) to a symbol, now and in later imports
    #[arg(long, value_name = "ISIN=SYMBOL", value_parser = mapping)]
    map: Vec<(String, String)>,
    /// Assign columns in a file of unknown format, now and in later files with the same header
    #[arg(long, value_name = "FIELD=COLUMN;…")]
    columns: Option<String>,
    /// What to do with securities that could not be identified
    #[arg(long, value_enum, default_value = "ask")]
    unresolved: Unresolved,
    /// Skip the row on this line; can be given several times
    #[arg(long, value_name = "LINE")]
    skip_line: Vec<u64>,
    /// Skip all rows with errors, and list them
    #[arg(long)]
    skip_errors: bool,
    /// Take the recommended answer to every question: --unresolved keep, --opening auto, --skip-errors
    #[arg(long)]
    yes: bool,
    /// What to do about sales of shares that are not in the history
    #[arg(long, value_enum, default_value = "ask")]
    opening: MissingHistory,
    /// Show what would happen to every row, without importing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    /// List the supported formats
    #[arg(long)]
    list_formats: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Unresolved {
    /// List them and stop
    Ask,
    /// Import them under their ISIN, ticker or name
    Keep,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum MissingHistory {
    /// List them and stop
    Ask,
    /// Add opening positions the day before the first transaction, at the price of the sale
    Auto,
    /// Stop
    Refuse,
}

pub async fn run(flags: Flags, arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Some(Command::Undo { id }) => undo(&open(&flags.settings()?).await?, &id).await?,
        Some(Command::File { id, output }) => {
            let file = import::file(&open(&flags.settings()?).await?, &id).await;
            let (_, bytes) = file.map_err(|error| hinted(error, output::refusal().list_imports))?;
            output::bytes(&bytes, output.as_deref())?;
        }
        Some(Command::List { user, json }) => list(&open(&flags.settings()?).await?, &user, json).await?,
        Some(Command::Map { map, user }) => {
            let app = open(&flags.settings()?).await?;
            let changed = import::map(&app, accounts::id_of(&app, &user).await?, &map).await?;
            output::result(&texts().matched(map.len(), changed));
        }
        None if arguments.files.list_formats => list_formats(arguments.files.json),
        None => return files(&open_asking(&flags.settings()?).await?, &arguments.files).await,
    }
    Ok(ExitCode::SUCCESS)
}

fn texts() -> messages::command::Import {
    messages::command::Import::load(output::language())
}

fn list_formats(json: bool) {
    let row = |name: &'static str| {
        let about = messages::import::format(output::language(), name);
        (json!({"name": name, "about": about}), vec![name.to_owned(), about.to_owned()])
    };
    output::listing(json, &["FORMAT", "DESCRIPTION"], &import::formats().map(row).collect::<Vec<_>>());
}

async fn undo(app: &App, id: &str) -> anyhow::Result<()> {
    let undone = import::undo(app, id).await.map_err(|error| {
        match matches!(error, app::Error::Refused(Refusal::Import(Import::Unknown { .. }))) {
            true => hinted(error, output::refusal().list_imports),
            false => error.into(),
        }
    })?;
    output::result(&texts().undone(undone.file_name, undone.email, undone.entries));
    if undone.reopened > 0 {
        output::result(&texts().openings_back(undone.reopened));
    }
    Ok(())
}

async fn list(app: &App, email: &str, as_json: bool) -> anyhow::Result<()> {
    let row = |one: import::Import| {
        let at = output::instant(one.created_at);
        let value = json!({
            "id": one.id.to_string(), "at": at, "file": one.file_name, "format": one.format, "rows": one.rows,
            "entries": one.added, "existing": one.existing, "skipped": one.skipped
        });
        (value, vec![one.id.to_string(), at, one.format, one.rows.to_string(), one.added.to_string(), one.file_name])
    };
    let rows: Vec<_> = import::list(app, accounts::id_of(app, email).await?).await?.into_iter().map(row).collect();
    output::listing(as_json, &["ID", "AT", "FORMAT", "ROWS", "ADDED", "FILE"], &rows);
    Ok(())
}

async fn files(app: &App, arguments: &Files) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(arguments.skip_line.is_empty() || arguments.files.len() == 1, output::refusal().skip_line_of_one);
    let mut all_well = true;
    for path in &arguments.files {
        all_well &= one(app, arguments, path).await?;
    }
    Ok(if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// True when the file was taken.
async fn one(app: &App, arguments: &Files, path: &Path) -> anyhow::Result<bool> {
    let bytes = read(path).with_context(|| output::refusal().unreadable(path.display().to_string()))?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let request = import::Request {
        user_id: accounts::id_of(app, arguments.user.as_deref().unwrap_or_default()).await?,
        file_name: &file_name,
        bytes: import::FileBytes::Plain(&bytes),
        format: arguments.format.as_deref(),
        portfolio: arguments.portfolio.as_deref(),
        map: &arguments.map,
        columns: arguments.columns.as_deref(),
        keep_unresolved: arguments.yes || arguments.unresolved == Unresolved::Keep,
        currency: None,
        skip: &arguments.skip_line,
        skip_errors: arguments.yes || arguments.skip_errors,
        openings: &[],
        open_missing: arguments.opening == MissingHistory::Auto || (arguments.yes && arguments.opening == MissingHistory::Ask),
        rates: &[],
        dry_run: arguments.dry_run,
        upload: None,
    };
    let progress = Progress::start();
    let tell = |stage, done, total| progress.part(&format!("{file_name}: {}", output::stage(stage)), done, total);
    let outcome = import::import(app, &request, &tell).await.map_err(with_hint)?;
    drop(progress);
    match arguments.json {
        true => output::result(&report::to_json(path, &outcome, arguments.dry_run).to_string()),
        false => report::print(path, &outcome, arguments.dry_run, arguments.opening == MissingHistory::Ask),
    }
    Ok(outcome.errors.is_empty())
}

fn with_hint(error: app::Error) -> anyhow::Error {
    let hint = match &error {
        app::Error::Refused(Refusal::Import(Import::UnknownFormat { .. })) => Some(output::refusal().list_formats.to_owned()),
        app::Error::Refused(Refusal::Import(Import::ColumnsMalformed { reason })) => report::settings(reason),
        _ => None,
    };
    match hint {
        Some(hint) => hinted(error, &hint),
        None => error.into(),
    }
}

/// Of a file that is too large no more than shows it.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(import::BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn mapping(text: &str) -> anyhow::Result<(String, String)> {
    let (key, symbol) = text.rsplit_once('=').map(|(key, symbol)| (key.trim(), symbol.trim())).unwrap_or_default();
    let odd = |letter: char| letter == '=' || letter.is_whitespace() || letter.is_control();
    let sound = |text: &str, letters_max: usize| (1..=letters_max).contains(&text.chars().count());
    let is_isin = |text: &str| {
        let country = text.bytes().take(2).all(|byte| byte.is_ascii_alphabetic());
        text.len() == 12 && country && text.ends_with(|last: char| last.is_ascii_digit())
    };
    let turned_round = is_isin(symbol) && !is_isin(key);
    let key_is_sound = sound(key, 200) && !key.contains(|letter: char| letter == '=' || letter.is_control());
    match key_is_sound && sound(symbol, 32) && !symbol.contains(odd) && !turned_round {
        true => Ok((key.to_uppercase(), symbol.to_uppercase())),
        false => anyhow::bail!(output::refusal().mapping),
    }
}
