//! `dripline secret`

use app::{App, encryption};

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Encrypt everything anew with a new key, also while serving. The first key of DRIPLINE_SECRET_KEY is the new one; without that
    /// setting one is made in the data folder's secret.key
    Rotate {
        /// Go on without the old key: second factors that need it stay unreadable until it is found
        #[arg(long)]
        lost: bool,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    let Command::Rotate { lost } = command;
    let rotated = encryption::rotate(app, lost).await?;
    let (id, encrypted) = (&rotated.key_id, rotated.encrypted);
    output::message(&format!(
        "{encrypted} second factor(s) are encrypted with the key {id}; keep a copy of it apart from the backups, and the old key for \
         as long as backups from before"
    ));
    if rotated.unreadable > 0 {
        output::message(&format!(
            "{} second factor(s) need a key that is not here; their owners sign in with a recovery code, or \
             `dripline user factor EMAIL --off` turns it off",
            rotated.unreadable
        ));
    }
    Ok(())
}
