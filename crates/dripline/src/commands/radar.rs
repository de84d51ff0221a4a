//! `dripline radar …`

use app::stocks::radar;
use app::{App, accounts};
use serde_json::json;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Add stocks to the watchlist
    Add {
        /// Symbols, such as KO or IBE.MC
        #[arg(required = true)]
        symbols: Vec<String>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Remove stocks from the watchlist
    Remove {
        /// Symbols, such as KO or IBE.MC
        #[arg(required = true)]
        symbols: Vec<String>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// List the watchlist
    List {
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Print JSON
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
