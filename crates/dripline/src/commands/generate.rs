//! `dripline generate DIR`: completions for shells, and manual pages, made of the command line itself.

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
    let failed = || format!("{} cannot be written to", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut crate::Cli::command(), "dripline", folder).with_context(failed)?;
    }
    clap_mangen::generate_to(crate::Cli::command(), folder).with_context(failed)?;
    output::message(&format!("completions and manual pages are in {}", folder.display()));
    Ok(())
}
