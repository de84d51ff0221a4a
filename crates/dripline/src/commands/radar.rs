//! `dripline radar …`

use app::{App, accounts, radar};
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
        Command::Add { symbols, user } => radar::add(app, accounts::id_of(app, &user).await?, &symbols).await?,
        Command::Remove { symbols, user } => radar::remove(app, accounts::id_of(app, &user).await?, &symbols).await?,
        Command::List { user, json } => {
            let watched = radar::list(app, accounts::id_of(app, &user).await?).await?;
            let symbols = watched.into_iter().map(|one| one.symbol);
            let rows: Vec<_> = symbols.map(|symbol| (json!({"symbol": symbol}), vec![symbol])).collect();
            output::listing(json, &["SYMBOL"], &rows);
        }
    }
    Ok(())
}
