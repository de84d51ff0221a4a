//! `dripline export`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use app::App;

#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long)]
    user: String,
    /// File to write [default: standard output]
    #[arg(long)]
    output: Option<PathBuf>,
}

pub async fn run(app: &App, arguments: &Arguments) -> anyhow::Result<()> {
    let bytes = app::export::ledger_file(app, &arguments.user).await?;
    match &arguments.output {
        Some(path) => std::fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display())),
        None => std::io::stdout().write_all(&bytes).context("standard output cannot be written"),
    }
}
