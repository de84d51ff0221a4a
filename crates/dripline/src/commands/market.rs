//! `dripline market …`

use std::path::PathBuf;

use app::{App, market};
use serde_json::json;

use crate::output::{self, Progress};

#[derive(clap::Subcommand)]
pub enum Command {
    /// Load stocks.csv, dividends.csv, splits.csv, prices.csv and fx.csv from a folder, all or nothing
    Load { folder: PathBuf },
    /// Track stocks, whether or not somebody holds them
    Track {
        #[arg(required = true)]
        symbols: Vec<String>,
    },
    /// Track them only while somebody holds them or has them on the radar
    Untrack {
        #[arg(required = true)]
        symbols: Vec<String>,
    },
    /// What market data there is
    Status {
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Load { folder } => load(app, folder).await?,
        Command::Track { symbols } => market::set_tracked(app, &symbols, true).await?,
        Command::Untrack { symbols } => market::set_tracked(app, &symbols, false).await?,
        Command::Status { json } => status(app, json).await?,
    }
    Ok(())
}

async fn load(app: &App, folder: PathBuf) -> anyhow::Result<()> {
    let progress = Progress::start();
    let loaded = market::load_folder(app, &folder, &|stage| progress.stage(stage)).await;
    drop(progress);
    if let Err(app::Error::MarketFiles(problems)) = &loaded {
        problems.iter().for_each(|problem| output::message(&format!("  {problem}")));
    }
    let loaded = loaded?;
    output::result(&format!(
        "loaded {} stocks, {} dividends, {} splits, {} prices, {} exchange rates",
        loaded.stocks, loaded.dividends, loaded.splits, loaded.prices, loaded.fx
    ));
    Ok(())
}

async fn status(app: &App, json: bool) -> anyhow::Result<()> {
    let status = market::status(app).await?;
    if json {
        let value = json!({
            "stocks": status.stocks, "tracked": status.tracked, "unknown": status.unknown, "currencies": status.currencies,
            "newest_rate": status.newest_rate.map(|date| date.to_string()), "version": status.market_version
        });
        output::result(&value.to_string());
        return Ok(());
    }
    output::result(&format!("stocks      {} known, {} tracked", status.stocks, status.tracked));
    let newest =
        status.newest_rate.map_or("none".to_owned(), |date| format!("{} currencies, newest of {date}", status.currencies));
    output::result(&format!("rates       {newest}"));
    if !status.unknown.is_empty() {
        output::result(&format!("not known   {} (held, but without market data)", status.unknown.join(", ")));
    }
    Ok(())
}
