//! `dripline generate DIR`: shell completions and manual pages, generated from the command line.

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// Output folder
    folder: PathBuf,
}

pub fn run(Arguments { folder }: &Arguments) -> anyhow::Result<()> {
    let failed = || output::refusal().unwritable(folder.display().to_string());
    std::fs::create_dir_all(folder).with_context(failed)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut crate::Cli::command(), "dripline", folder).with_context(failed)?;
    }
    clap_mangen::generate_to(crate::Cli::command(), folder).with_context(failed)?;
    output::message(&format!("Shell completions and manual pages written to {}", folder.display()));
    Ok(())
}
