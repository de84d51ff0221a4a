//! `dripline portfolio …`

use anyhow::bail;
use app::accounts::id_of;
use app::{App, portfolios};
use serde_json::json;

use super::hinted;
use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Add a portfolio; a user's first one is the default
    Add {
        name: String,
        #[arg(long)]
        user: String,
        /// Make it the default one
        #[arg(long)]
        default: bool,
    },
    /// List a user's portfolios
    List {
        #[arg(long)]
        user: String,
        #[arg(long)]
        json: bool,
    },
    Rename {
        name: String,
        new_name: String,
        #[arg(long)]
        user: String,
    },
    /// Put the named portfolios first, in this order
    Order {
        #[arg(required = true)]
        names: Vec<String>,
        #[arg(long)]
        user: String,
    },
    /// Make it the default one
    Default {
        name: String,
        #[arg(long)]
        user: String,
    },
    /// Share it under a slug, a random one where none is given
    Share {
        name: String,
        #[arg(long)]
        slug: Option<String>,
        #[arg(long)]
        user: String,
    },
    Unshare {
        name: String,
        #[arg(long)]
        user: String,
    },
    /// Delete a portfolio with its entries
    Delete {
        name: String,
        #[arg(long)]
        user: String,
        /// Yes, delete it
        #[arg(long)]
        yes: bool,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Add { name, user, default } => portfolios::add(app, id_of(app, &user).await?, &name, default).await?,
        Command::List { user, json } => list(app, &user, json).await?,
        Command::Rename { name, new_name, user } => {
            portfolios::rename(app, id_of(app, &user).await?, &name, &new_name).await?;
        }
        Command::Order { names, user } => portfolios::order(app, id_of(app, &user).await?, &names).await?,
        Command::Default { name, user } => portfolios::set_default(app, id_of(app, &user).await?, &name).await?,
        Command::Share { name, slug, user } => {
            let shared = portfolios::share(app, id_of(app, &user).await?, &name, slug.as_deref()).await;
            output::result(&shared.map_err(|error| hinted(error, "Name it with --slug."))?);
        }
        Command::Unshare { name, user } => portfolios::unshare(app, id_of(app, &user).await?, &name).await?,
        Command::Delete { name, user, yes } => {
            if !yes {
                bail!("this deletes the portfolio \"{name}\" with all its entries; add --yes to do it");
            }
            portfolios::delete(app, id_of(app, &user).await?, &name).await?;
        }
    }
    Ok(())
}

async fn list(app: &App, user: &str, json: bool) -> anyhow::Result<()> {
    let id = id_of(app, user).await?;
    let rows: Vec<_> = portfolios::list(app, id)
        .await?
        .into_iter()
        .map(|row| {
            let value = json!({"name": row.name, "default": row.default, "slug": row.slug});
            let default = if row.default { "default" } else { "" };
            (value, vec![row.name, default.to_owned(), row.slug.unwrap_or_default()])
        })
        .collect();
    output::listing(json, &["NAME", "DEFAULT", "SHARED AS"], &rows);
    Ok(())
}
