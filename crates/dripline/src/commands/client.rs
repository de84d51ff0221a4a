//! `dripline client …`

use app::App;
use app::oauth::{Kind, clients};
use serde_json::json;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Register a third-party app or a resource server, and print its ID
    Add {
        /// Name shown to users
        #[arg(long)]
        name: String,
        /// Allowed redirect URI; can be repeated
        #[arg(long = "redirect-uri", required_unless_present = "resource_server", conflicts_with = "resource_server")]
        redirect_uris: Vec<String>,
        /// Create a secret for an app that runs on a server; the secret is shown only once
        #[arg(long, conflicts_with = "resource_server")]
        confidential: bool,
        /// Instead of an app, register a resource server, which may check tokens
        #[arg(long)]
        resource_server: bool,
    },
    /// List the apps you registered and the apps you blocked
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove and block an app, and end its access immediately
    Remove {
        /// Client ID; for some apps this is an https address
        id: String,
    },
    /// Unblock a removed app
    Unblock {
        /// Client ID
        id: String,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Add { name, redirect_uris, confidential, resource_server } => {
            let uris = (!resource_server).then_some(redirect_uris.as_slice());
            let entered = clients::enter(app, &name, uris, confidential).await?;
            output::result(&entered.client.id);
            if let Some(secret) = entered.secret {
                output::result(&secret);
                output::message("The second line is the client secret. You won't see it again.");
            }
        }
        Command::List { json } => list(app, json).await?,
        Command::Remove { id } => {
            let removed = clients::remove(app, &id).await?;
            let users = if removed.users == 1 { "1 user".to_owned() } else { format!("{} users", removed.users) };
            output::message(&format!(
                "Removed {}. {users} had given it access. `dripline client unblock` lets it ask for access again.",
                if removed.name.is_empty() { &id } else { &removed.name }
            ));
        }
        Command::Unblock { id } => {
            clients::unblock(app, &id).await?;
            output::message(&format!("Client {id} is no longer blocked."));
        }
    }
    Ok(())
}

async fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let entered = clients::entered(app).await?.into_iter().map(|client| {
        let kind = if client.kind == Kind::ResourceServer { "resource server" } else { "app" };
        let value = json!({
            "id": client.id, "kind": client.kind.word(), "name": client.name, "redirect_uris": client.redirect_uris,
            "auth_method": client.auth_method.word()
        });
        (value, vec![client.id, kind.to_owned(), client.name, client.redirect_uris.join(" ")])
    });
    let blocked = clients::blocked(app).await?.into_iter().map(|client| {
        let value = json!({"id": client.client_id, "kind": "blocked", "name": client.name});
        (value, vec![client.client_id, "blocked".to_owned(), client.name, String::new()])
    });
    let rows: Vec<_> = entered.chain(blocked).collect();
    output::listing(json, &["ID", "KIND", "NAME", "REDIRECTS"], &rows);
    Ok(())
}
