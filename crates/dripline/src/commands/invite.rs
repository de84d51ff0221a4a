//! `dripline invite …`

use app::App;
use app::accounts::invitations;
use serde_json::json;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Create an invitation link for one account; the link is shown only once
    Create {
        /// Days until the link expires
        #[arg(long, default_value_t = 7)]
        days: i64,
    },
    /// List all invitations, including used and expired ones
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke an invitation
    Revoke {
        /// ID, as shown by `invite list`
        id: String,
    },
}

pub async fn run(app: &App, base_url: &str, command: Command) -> anyhow::Result<()> {
    match command {
        Command::Create { days } => {
            let created = invitations::create(app, days).await?;
            output::result(&format!("{base_url}/sign-up?invite={}", created.secret));
            output::message(&format!("The link works for one account, until {}", output::instant(created.expires_at)));
        }
        Command::List { json } => list(app, json).await?,
        Command::Revoke { id } => {
            invitations::revoke(app, &id).await?;
            output::message(&format!("Invitation {id} revoked."));
        }
    }
    Ok(())
}

async fn list(app: &App, json: bool) -> anyhow::Result<()> {
    let now = app.clock.now_micros();
    let rows: Vec<_> = invitations::list(app)
        .await?
        .into_iter()
        .map(|invitation| {
            let state = match invitation.used_at {
                Some(_) => "used",
                None if invitation.expires_at <= now => "expired",
                None => "good",
            };
            let (id, created, expires) =
                (invitation.id.to_string(), output::instant(invitation.created_at), output::instant(invitation.expires_at));
            let value = json!({
                "id": id, "created": created, "expires": expires, "used": invitation.used_at.map(output::instant), "state": state
            });
            (value, vec![id, created, expires, state.to_owned()])
        })
        .collect();
    output::listing(json, &["ID", "CREATED", "EXPIRES", "STATE"], &rows);
    Ok(())
}
