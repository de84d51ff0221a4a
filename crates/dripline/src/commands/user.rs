//! `dripline user …`

use std::io::Read;

use anyhow::{Context, bail};
use app::authentication::resets;
use app::{App, accounts};
use serde_json::json;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Add an account
    Add {
        email: String,
        /// Display name
        #[arg(long)]
        name: Option<String>,
        /// Currency for totals
        #[arg(long, default_value = "EUR")]
        currency: String,
        /// Country of tax residence, such as ES
        #[arg(long)]
        residence: Option<String>,
        /// Read the password from standard input
        #[arg(long)]
        password_stdin: bool,
    },
    /// List all accounts
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a password reset link that works once, within 30 minutes
    Reset { email: String },
    /// Set a password, sign the account out everywhere, and revoke its tokens, feeds and apps
    Password {
        email: String,
        /// Read the password from standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Turn off two-factor authentication and sign the account out
    Factor {
        email: String,
        /// Confirm the change
        #[arg(long, required = true)]
        off: bool,
    },
    /// Unlock an account after too many failed sign-ins
    Unlock { email: String },
    /// Disable an account, so that nobody can sign in and its sessions and tokens stop working
    Disable { email: String },
    /// Enable a disabled account
    Enable { email: String },
    /// Make an account the owner, who chooses the market-data providers
    Owner { email: String },
    /// Delete an account and all its data
    Delete {
        email: String,
        /// Confirm the deletion
        #[arg(long)]
        yes: bool,
    },
}

pub async fn run(app: &App, base_url: &str, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Add { email, name, currency, residence, password_stdin } => {
            let password = if password_stdin { Some(read_password()?) } else { None };
            let account = accounts::NewAccount {
                email: &email,
                name: name.as_deref(),
                currency: &currency,
                residence: residence.as_deref(),
                password: password.as_deref(),
            };
            let id = accounts::add(app, &account).await?;
            output::result(&id.to_string());
        }
        Command::List { json } => list(app, json).await?,
        Command::Reset { email } => output::result(&resets::create(app, &email, base_url).await?),
        Command::Password { email, password_stdin: _ } => {
            accounts::set_password(app, &email, &read_password()?).await?;
            output::message(&format!(
                "Password changed for {email}. The account’s sessions have ended, and its tokens, feeds and connected apps no longer have access."
            ));
        }
        Command::Factor { email, off: _ } => {
            let state = match accounts::turn_factor_off(app, &email).await? {
                true => "is now off. All sessions of the account have ended.",
                false => "was already off.",
            };
            output::message(&format!("Two-factor authentication for {email} {state}"));
        }
        Command::Unlock { email } => {
            accounts::unlock(app, &email).await?;
            output::message(&format!("{email} can sign in again."));
        }
        Command::Disable { email } => accounts::set_disabled(app, &email, true).await?,
        Command::Enable { email } => accounts::set_disabled(app, &email, false).await?,
        Command::Owner { email } => {
            accounts::set_owner(app, &email).await?;
            output::message(&format!("{email} is now the owner."));
        }
        Command::Delete { email, yes } => {
            if !yes {
                bail!(output::refusal().delete_account(email));
            }
            accounts::delete(app, &email).await?;
            output::message(&format!("{email} deleted."));
        }
    }
    Ok(())
}

async fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let rows: Vec<_> = accounts::list(app)
        .await?
        .into_iter()
        .map(|user| {
            let state = if user.disabled { "disabled" } else { "enabled" };
            let value = json!({
                "id": user.id.to_string(), "email": user.email, "name": user.name, "currency": user.preferred_currency.to_string(),
                "residence": user.residence, "disabled": user.disabled, "owner": user.owner,
                "verified": user.email_verified_at.map(output::instant), "created": output::instant(user.created_at)
            });
            let text = |field: Option<String>| field.unwrap_or_default();
            (value, vec![user.email, text(user.name), user.preferred_currency.to_string(), text(user.residence), state.to_owned()])
        })
        .collect();
    output::listing(json, &["EMAIL", "NAME", "CURRENCY", "RESIDENCE", "STATE"], &rows);
    Ok(())
}

fn read_password() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context(output::refusal().password_unreadable)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
