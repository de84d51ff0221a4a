//! `dripline market …`

mod backtest;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use app::market::{self, Choice};
use app::operations::jobs::{self, Refreshed};
use app::{App, Outcome};
use jiff::civil::Date;
use messages::errors::file_problem;
use serde_json::json;

use super::open_asking;
use crate::config::Settings;
use crate::output::{self, Progress};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Load market data from stocks.csv, dividends.csv, splits.csv, prices.csv or fx.csv; if a file has an error, nothing is stored
    Load {
        /// Folder with the files
        folder: PathBuf,
    },
    /// Remove a wrong dividend; providers only bring it back with another amount or ex-date
    Remove {
        /// Symbol, such as KO or IBE.MC
        symbol: String,
        /// Ex-dividend date, such as 2026-03-13
        ex_date: Date,
        /// Needed if there are both on that day
        #[arg(long)]
        kind: Option<Kind>,
        /// Needed if there are several on that day, such as USD
        #[arg(long)]
        currency: Option<String>,
    },
    /// Track stocks even if nobody holds them
    Track {
        /// Symbols, such as KO or IBE.MC
        #[arg(required = true)]
        symbols: Vec<String>,
    },
    /// Stop tracking stocks that nobody holds or watches
    Untrack {
        /// Symbols, such as KO or IBE.MC
        #[arg(required = true)]
        symbols: Vec<String>,
    },
    /// Fetch data from the providers now
    Refresh {
        /// Symbols [default: all tracked stocks, exchange rates and the watched folder]
        symbols: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the state of market data and providers, with failures and rejected values
    Status {
        /// Show where each value of this stock comes from
        symbol: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show how far past forecasts were from the payments that followed
    Backtest(backtest::Arguments),
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Kind {
    Regular,
    Special,
}

pub async fn run(settings: &Settings, command: Command) -> anyhow::Result<ExitCode> {
    let app = || open_asking(settings);
    match command {
        Command::Load { folder } => load(&app().await?, folder).await?,
        Command::Remove { symbol, ex_date, kind, currency } => {
            let special = kind.map(|kind| matches!(kind, Kind::Special));
            remove(&app().await?, &symbol, ex_date, Choice { special, currency }).await?;
        }
        Command::Track { symbols } => market::set_tracked(&app().await?, &symbols, true).await?,
        Command::Untrack { symbols } => market::set_tracked(&app().await?, &symbols, false).await?,
        Command::Refresh { symbols, json } => return refresh(&app().await?, &symbols, json).await,
        Command::Status { symbol: None, json } => status::all(&app().await?, json).await?,
        Command::Status { symbol: Some(symbol), json } => status::one(&app().await?, &symbol, json).await?,
        Command::Backtest(arguments) => backtest::run(settings, &arguments).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn load(app: &App, folder: PathBuf) -> anyhow::Result<()> {
    let progress = Progress::start();
    let loaded = market::load_folder(app, &folder, &|stage, done, total| progress.part(output::stage(stage), done, total)).await;
    drop(progress);
    let loaded = loaded.inspect_err(list_problems)?;
    output::result(&format!(
        "Loaded: stocks {}, dividends {}, splits {}, prices {}, exchange rates {}",
        loaded.stocks, loaded.dividends, loaded.splits, loaded.prices, loaded.fx
    ));
    Ok(())
}

/// Every problem of the market files, before the error that counts them.
fn list_problems(error: &app::Error) {
    if let app::Error::MarketFiles(problems) = error {
        problems.iter().for_each(|problem| output::message(&format!("  {}", file_problem(output::language(), problem))));
    }
}

async fn remove(app: &App, symbol: &str, ex_date: Date, choice: Choice) -> anyhow::Result<()> {
    let removed = market::remove_dividend(app, symbol, ex_date, &choice).await?;
    output::result(&format!(
        "Removed: {} {}, {} dividend, ex-date {}, from {}",
        removed.amount,
        removed.currency,
        removed.kind.word(),
        removed.ex_date,
        removed.provider.as_deref().unwrap_or("files")
    ));
    Ok(())
}

/// Exits with 1 if anything could not be refreshed.
async fn refresh(app: &App, symbols: &[String], json: bool) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let refreshed = jobs::refresh_now(app, symbols, &|done, total| progress.part(output::progress().fetching, done, total)).await;
    drop(progress);
    let refreshed = refreshed?;
    let failed = refreshed.iter().filter(|one| !is_well(&one.outcome)).count();
    if json {
        let rows: Vec<_> = refreshed.iter().map(row).collect();
        output::listing(true, &[], &rows);
    } else {
        for one in refreshed.iter().filter(|one| !is_well(&one.outcome)) {
            output::message(&format!("  {} {}: {}", one.topic.as_str(), one.symbol, words(&one.outcome)));
        }
        output::result(&format!("Refreshed: {}, failed: {failed}", refreshed.len() - failed));
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn words(outcome: &Outcome) -> String {
    messages::providers::outcome(output::language(), outcome)
}

/// Work that a running server has taken over counts as done.
fn is_well(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Done | Outcome::Unchanged | Outcome::Late | Outcome::Lost)
}

fn row(one: &Refreshed) -> (serde_json::Value, Vec<String>) {
    let value = json!({
        "topic": one.topic.as_str(), "symbol": one.symbol, "done": is_well(&one.outcome), "outcome": words(&one.outcome)
    });
    (value, Vec::new())
}
