//! `dripline secret`

use app::App;
use app::operations::encryption;

use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Re-encrypt all secrets with a new key, even while the server is running. The new key is the first one in DRIPLINE_SECRET_KEY or
    /// DRIPLINE_SECRET_KEY_FILE. If neither is set, a new key is written to secret.key in the data folder
    Rotate {
        /// Continue without the old key; secrets encrypted with it stay unreadable
        #[arg(long)]
        lost: bool,
    },
}

pub async fn run(app: &App, command: Command) -> anyhow::Result<()> {
    let Command::Rotate { lost } = command;
    let rotated = encryption::rotate(app, lost).await?;
    let (id, encrypted) = (&rotated.key_id, rotated.encrypted);
    output::message(&format!(
        "Secrets encrypted with the key {id}: {encrypted}. Keep a copy of this key apart from the backups. Keep the \
         old key as long as you keep older backups."
    ));
    if rotated.unreadable > 0 {
        output::message(&format!(
            "Secrets whose key is missing: {}. If these are second factors, their users can sign in with a recovery code, or you \
             can turn them off with `dripline user factor EMAIL --off`. If these are keys of providers, the owner enters them \
             again.",
            rotated.unreadable
        ));
    }
    Ok(())
}
