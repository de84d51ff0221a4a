//! `dripline radar …`

use app::{App, radar};
use serde_json::json;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Watch stocks
    Add {
        #[arg(required = true)]
        symbols: Vec<String>,
        #[arg(long)]
        user: String,
    },
    /// Stop watching stocks
    Remove {
        #[arg(required = true)]
        symbols: Vec<String>,
        #[arg(long)]
        user: String,
    },
    /// List what is watched
    List {
        #[arg(long)]
        user: String,
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Add { symbols, user } => radar::add(app, &user, &symbols).await?,
        Command::Remove { symbols, user } => radar::remove(app, &user, &symbols).await?,
        Command::List { user, json } => {
            let symbols = radar::list(app, &user).await?;
            let rows: Vec<_> = symbols.into_iter().map(|symbol| (json!({"symbol": symbol}), vec![symbol])).collect();
            output::listing(json, &["SYMBOL"], &rows);
        }
    }
    Ok(())
}
