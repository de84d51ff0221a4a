//! `dripline portfolio …`

use anyhow::bail;
use app::accounts::id_of;
use app::automatic::{self, Automatic, Reinvest};
use app::refusal::Portfolio;
use app::{App, Error, Refusal, portfolios};
use serde_json::{Value, json};

use super::hinted;
use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Add a portfolio; the first one becomes the default
    Add {
        name: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Make it the default portfolio
        #[arg(long)]
        default: bool,
    },
    /// List a user's portfolios
    List {
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Rename a portfolio
    Rename {
        /// Current name
        name: String,
        /// New name
        new_name: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Set the order of portfolios; those not named come last
    Order {
        #[arg(required = true)]
        names: Vec<String>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Choose the default portfolio
    Default {
        name: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Choose what happens with dividends that market data knows and nobody recorded
    Automatic {
        name: String,
        /// Nothing; suggest them on the page Missing dividends; or record them as estimates
        #[arg(value_parser = ["off", "suggest", "record"])]
        mode: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Choose whether dividends recorded from market data buy more shares of their stock
    Reinvest {
        name: String,
        /// Buy nothing, fractional shares for the whole net amount, or only whole shares; `default` removes the exception of a stock
        #[arg(value_parser = ["off", "fractional", "whole", "default"])]
        rule: String,
        /// Make an exception for this stock
        #[arg(long)]
        symbol: Option<String>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Share a portfolio by link
    Share {
        name: String,
        /// Last part of the link [default: random]
        #[arg(long)]
        slug: Option<String>,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Stop sharing a portfolio
    Unshare {
        name: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
    },
    /// Delete a portfolio and all its transactions
    Delete {
        name: String,
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Confirm the deletion
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
        Command::Automatic { name, mode, user } => {
            automatic::set_mode(app, id_of(app, &user).await?, &name, Automatic::of_word(&mode).unwrap_or_default()).await?;
        }
        Command::Reinvest { name, rule, symbol, user } => {
            let rule = Reinvest::of_word(&rule);
            if rule.is_none() && symbol.is_none() {
                bail!(output::refusal().rule_of_stock);
            }
            automatic::set_reinvest(app, id_of(app, &user).await?, &name, symbol.as_deref(), rule).await?;
        }
        Command::Share { name, slug, user } => {
            let shared = portfolios::share(app, id_of(app, &user).await?, &name, slug.as_deref()).await;
            output::result(&shared.map_err(|error| match error {
                Error::Refused(Refusal::Portfolio(Portfolio::SlugTaken { .. } | Portfolio::SlugMalformed { .. })) => {
                    hinted(error, output::refusal().name_slug)
                }
                other => other.into(),
            })?);
        }
        Command::Unshare { name, user } => portfolios::unshare(app, id_of(app, &user).await?, &name).await?,
        Command::Delete { name, user, yes } => {
            if !yes {
                bail!(output::refusal().delete_portfolio(name));
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
            let (mode, reinvest) = (row.automatic.word(), row.reinvest.word());
            let exception = |(symbol, rule): &(String, Reinvest)| json!({"symbol": symbol, "reinvest": rule.word()});
            let exceptions: Vec<Value> = row.reinvest_of.iter().map(exception).collect();
            let rules: Vec<String> = row.reinvest_of.iter().map(|(symbol, rule)| format!("{symbol} {}", rule.word())).collect();
            let rules = [&[reinvest.to_owned()][..], &rules].concat().join(", ");
            let value = json!({
                "name": row.name,
                "default": row.default,
                "slug": row.slug,
                "automatic": mode,
                "reinvest": reinvest,
                "reinvest_exceptions": exceptions,
            });
            let default = if row.default { "default" } else { "" };
            (value, vec![row.name, default.to_owned(), mode.to_owned(), rules, row.slug.unwrap_or_default()])
        })
        .collect();
    output::listing(json, &["NAME", "DEFAULT", "MISSING DIVIDENDS", "REINVEST", "SHARED AS"], &rows);
    Ok(())
}
