//! `dripline`: one binary, every command of the operator and the service itself.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod allocator;
mod commands;
mod config;
mod failure;
mod output;
#[cfg(feature = "otel")]
mod traces;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

#[derive(Parser)]
#[command(
    name = "dripline",
    version,
    about = "Track what you hold, what dividends you were paid and what you will be paid, after tax, in your currency.",
    arg_required_else_help = true
)]
struct Cli {
    #[command(flatten)]
    flags: config::Flags,

    #[command(subcommand)]
    command: commands::Command,
}

const LEFT_BEHIND: Duration = Duration::from_millis(500);

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if matches!(cli.command, commands::Command::Serve) {
        allocator::return_large_blocks();
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failure::print(&anyhow::Error::new(error).context(output::refusal().threads)),
    };
    let ended = runtime.block_on(commands::run(cli.command, cli.flags));
    // Do not wait for work of requests that were cut off.
    runtime.shutdown_timeout(LEFT_BEHIND);
    match ended {
        Ok(code) => code,
        Err(error) => failure::print(&error),
    }
}
