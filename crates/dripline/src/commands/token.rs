//! `dripline token …`

use app::authentication::tokens;
use app::{App, accounts};
use serde_json::json;

use super::hinted;
use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Create a token; it is shown only once
    Create {
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Name, such as the script that will use it
        #[arg(long)]
        name: String,
    },
    /// List a user's tokens
    List {
        /// Account, by e-mail address
        #[arg(long)]
        user: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token immediately
    Revoke {
        /// ID, as shown by `token list`
        id: String,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create { user, name } => {
            let id = accounts::id_of(app, &user).await?;
            output::result(&tokens::create(app, id, &name).await?.token);
        }
        Command::List { user, json } => list(app, &user, json).await?,
        Command::Revoke { id } => {
            tokens::revoke(app, &id).await.map_err(|error| hinted(error, output::refusal().list_tokens))?;
            output::message(&format!("Token {id} revoked."));
        }
    }
    Ok(())
}

async fn list(app: &App, user: &str, json: bool) -> anyhow::Result<()> {
    let rows: Vec<_> = tokens::list(app, accounts::id_of(app, user).await?)
        .await?
        .into_iter()
        .map(|token| {
            let (created, used) = (output::instant(token.created_at), token.last_used_at.map(output::instant));
            let revoked = token.revoked_at.map(output::instant);
            let value = json!({"id": token.id.to_string(), "name": token.name, "created": created, "last_used": used, "revoked": revoked});
            let state = if revoked.is_some() { "revoked" } else { "active" };
            (value, vec![token.id.to_string(), token.name, created, used.unwrap_or_else(|| "never".to_owned()), state.to_owned()])
        })
        .collect();
    output::listing(json, &["ID", "NAME", "CREATED", "LAST USED", "STATE"], &rows);
    Ok(())
}
