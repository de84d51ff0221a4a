//! One file per command.

mod backup;
mod client;
mod copy;
mod demo;
mod doctor;
mod export;
mod generate;
mod import;
mod invite;
mod market;
mod portfolio;
mod radar;
mod secret;
mod serve;
mod token;
mod user;

use std::process::ExitCode;

use app::market::choice;
use app::operations::encryption;
use app::{App, Store};
use reference::REFERENCE;

use crate::config::{self, Flags, Settings};
use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Start a demo with sample data on a temporary database
    Demo(demo::Arguments),
    /// Update the database if needed, then start the server (web app, API and connector for AI assistants)
    Serve,
    /// Manage accounts
    #[command(subcommand)]
    User(user::Command),
    /// Manage invitations to sign up
    #[command(subcommand)]
    Invite(invite::Command),
    /// Manage personal access tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Manage third-party apps
    #[command(subcommand)]
    Client(client::Command),
    /// Manage a user's portfolios
    #[command(subcommand)]
    Portfolio(portfolio::Command),
    /// Manage a user's watchlist
    #[command(subcommand)]
    Radar(radar::Command),
    /// Import broker files; each file is imported completely or not at all
    Import(import::Arguments),
    /// Export all transactions of a user
    Export(export::Arguments),
    /// Manage market data
    #[command(subcommand)]
    Market(market::Command),
    /// Back up the database, even while the server is running
    Backup(backup::Arguments),
    /// Restore a backup, or test one with --drill
    Restore(backup::Restore),
    /// Copy the database to another file or to PostgreSQL, and verify the copy
    Copy(copy::Arguments),
    /// Manage the key that encrypts secrets in the database
    #[command(subcommand)]
    Secret(secret::Command),
    /// Update the database to this version
    Migrate,
    /// Check the installation and suggest fixes
    Doctor(doctor::Arguments),
    /// Show the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the OpenAPI document
    Openapi(OpenapiArguments),
    /// Print the version
    Version,
    /// Write shell completions and manual pages to a folder
    Generate(generate::Arguments),
}

#[derive(clap::Subcommand)]
pub enum ConfigCommand {
    /// Print the current settings as a configuration file
    Print,
}

#[derive(clap::Args)]
pub struct OpenapiArguments {
    /// Print version 3.1 instead of 3.0.3
    #[arg(long = "3.1")]
    v3_1: bool,
}

pub async fn run(command: Command, flags: Flags) -> anyhow::Result<ExitCode> {
    match command {
        Command::Version => output::result(&format!("dripline {}", env!("CARGO_PKG_VERSION"))),
        Command::Generate(arguments) => generate::run(&arguments)?,
        Command::Openapi(arguments) => openapi(&arguments),
        Command::Config(ConfigCommand::Print) => output::result(&config::print(&flags.settings()?)),
        Command::Demo(arguments) => return demo::run(flags.settings()?, &arguments).await,
        Command::Serve => return serve::run(flags.settings()?).await,
        Command::Backup(arguments) => backup::write(&open(&flags.settings()?).await?, &arguments).await?,
        Command::Restore(arguments) => return backup::restore(&flags.settings()?, &arguments).await,
        Command::Copy(arguments) => copy::run(&flags.settings()?, &arguments).await?,
        Command::Secret(command) => secret::run(&open(&flags.settings()?).await?, command).await?,
        Command::Migrate => migrate(&flags.settings()?).await?,
        Command::Doctor(arguments) => {
            let settings = flags.settings()?;
            return doctor::run(&open_asking(&settings).await?, settings.tls.as_ref(), &arguments).await;
        }
        Command::User(command) => {
            let settings = flags.settings()?;
            user::run(&open(&settings).await?, &settings.public_url(), command).await?;
        }
        Command::Invite(command) => {
            let settings = flags.settings()?;
            invite::run(&open(&settings).await?, &settings.public_url(), command).await?;
        }
        Command::Token(command) => token::run(&open(&flags.settings()?).await?, command).await?,
        Command::Client(command) => client::run(&open(&flags.settings()?).await?, command).await?,
        Command::Portfolio(command) => portfolio::run(&open(&flags.settings()?).await?, command).await?,
        Command::Radar(command) => radar::run(&open_asking(&flags.settings()?).await?, command).await?,
        Command::Import(arguments) => return import::run(flags, arguments).await,
        Command::Export(arguments) => export::run(&open(&flags.settings()?).await?, &arguments).await?,
        Command::Market(command) => return market::run(&flags.settings()?, command).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn open(settings: &Settings) -> anyhow::Result<App> {
    let store = match &settings.database {
        Some(database) => Store::connect(&database.settings()).await?,
        None => Store::open(&settings.data_dir).await?,
    };
    Ok(App::new(store, settings.clock)
        .with_reference(&REFERENCE)
        .with_mail(settings.mail.clone())
        .with_secret_key(settings.secret_key.clone())
        .with_disk(settings.disk))
}

/// For the server: a request fails fast instead of waiting long for the database.
async fn open_serving(settings: &Settings) -> anyhow::Result<App> {
    let store = match &settings.database {
        Some(database) => Store::connect(&database.settings().for_service()).await?,
        None => Store::open(&settings.data_dir).await?,
    };
    if app::copy::is_unfinished(&mut store.read().await?).await? {
        anyhow::bail!(output::refusal().unfinished_copy);
    }
    let app = App::new(store, settings.clock).with_mail(settings.mail.clone()).with_backups(settings.backups.clone());
    let app = app.with_reference(&REFERENCE).with_secret_key(settings.secret_key.clone());
    encryption::prepare(&app).await?;
    let app = app
        .with_public_holders(settings.public_holders)
        .with_disk(settings.disk)
        .with_configured_sources(settings.market.clone())?;
    choice::load(&app).await?;
    Ok(app)
}

/// For commands that query or report on providers, whose settings must be complete.
async fn open_asking(settings: &Settings) -> anyhow::Result<App> {
    let app = open(settings).await?.with_configured_sources(settings.market.clone())?.with_backups(settings.backups.clone());
    choice::load(&app).await?;
    Ok(app)
}

/// Adds a hint to a refusal: the command that helps.
fn hinted(error: app::Error, hint: &str) -> anyhow::Error {
    match error {
        app::Error::Refused(_) => anyhow::anyhow!("{} {hint}", output::in_words(&error)),
        other => other.into(),
    }
}

async fn migrate(settings: &Settings) -> anyhow::Result<()> {
    let app = open(settings).await?;
    output::message(&format!("The database is at schema {}.", app.store.schema_version().await?));
    Ok(())
}

fn openapi(arguments: &OpenapiArguments) {
    use server::api::openapi::{DOCUMENT_3_0, DOCUMENT_3_1, text};
    let document = if arguments.v3_1 { &*DOCUMENT_3_1 } else { &*DOCUMENT_3_0 };
    output::result(text(document).trim_end());
}
