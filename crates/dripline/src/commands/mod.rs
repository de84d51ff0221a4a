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

use app::{App, Store, encryption};

use crate::config::{self, Flags, Settings};
use crate::output;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Serve a ready demo on a throw-away database: no set-up, no network
    Demo(demo::Arguments),
    /// Serve the API; migrates the database first
    Serve,
    /// Accounts: add, list, reset, password, factor, unlock, disable, enable, delete
    #[command(subcommand)]
    User(user::Command),
    /// Invitations to make an account: create, list, revoke
    #[command(subcommand)]
    Invite(invite::Command),
    /// Personal access tokens: create, list, revoke
    #[command(subcommand)]
    Token(token::Command),
    /// Apps that may ask users for access: add, list, remove, unblock
    #[command(subcommand)]
    Client(client::Command),
    /// Portfolios: add, list, rename, order, default, share, unshare, delete
    #[command(subcommand)]
    Portfolio(portfolio::Command),
    /// The radar of a user: add, remove, list
    #[command(subcommand)]
    Radar(radar::Command),
    /// Import files into a user's ledger, all or nothing per file
    Import(import::Arguments),
    /// Export a user's whole ledger in the ledger file format
    Export(export::Arguments),
    /// Market data: load, track, untrack, refresh, status
    #[command(subcommand)]
    Market(market::Command),
    /// Write a consistent, checked copy of the database, also while it is served
    Backup(backup::Arguments),
    /// Put a backup in place of the database, or try with --drill whether it would do
    Restore(backup::Restore),
    /// Copy a whole database into another, a file or a PostgreSQL, and compare the two
    Copy(copy::Arguments),
    /// The key that encrypts second factors in the database: rotate
    #[command(subcommand)]
    Secret(secret::Command),
    /// Bring the database to this version's schema
    Migrate,
    /// Check database, permissions, clock, certificate, providers and market data, and say what to do
    Doctor(doctor::Arguments),
    /// Configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the OpenAPI document
    Openapi(OpenapiArguments),
    /// Print the version
    Version,
    /// Write completions for shells and manual pages into a folder
    Generate(generate::Arguments),
}

#[derive(clap::Subcommand)]
pub enum ConfigCommand {
    /// Print the settings in force, as a configuration file
    Print,
}

#[derive(clap::Args)]
pub struct OpenapiArguments {
    /// The 3.1 form instead of 3.0.3
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
        Command::Market(command) => return market::run(&open_asking(&flags.settings()?).await?, command).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn open(settings: &Settings) -> anyhow::Result<App> {
    let store = match &settings.database {
        Some(database) => Store::connect(&database.settings()).await?,
        None => Store::open(&settings.data_dir).await?,
    };
    Ok(App::new(store, settings.clock)
        .with_mail(settings.mail.clone())
        .with_secret_key(settings.secret_key.clone())
        .with_disk(settings.disk))
}

/// For those who serve others, who are better told at once than left to wait.
async fn open_serving(settings: &Settings) -> anyhow::Result<App> {
    let store = match &settings.database {
        Some(database) => Store::connect(&database.settings().for_service()).await?,
        None => Store::open(&settings.data_dir).await?,
    };
    if app::copy::is_unfinished(&mut store.read().await?).await? {
        anyhow::bail!("the database is a copy that is not finished; run `dripline copy` again until it is");
    }
    let app = App::new(store, settings.clock).with_mail(settings.mail.clone()).with_backups(settings.backups.clone());
    let app = app.with_secret_key(settings.secret_key.clone());
    encryption::prepare(&app).await?;
    Ok(app.with_public_holders(settings.public_holders).with_disk(settings.disk).with_sources(settings.sources()?))
}

/// For commands that ask providers, or tell of them: all that these need has to be set.
async fn open_asking(settings: &Settings) -> anyhow::Result<App> {
    Ok(open(settings).await?.with_sources(settings.sources()?).with_backups(settings.backups.clone()))
}

/// What was refused, with what the command line offers to do about it.
fn hinted(error: app::Error, hint: &str) -> anyhow::Error {
    match error {
        app::Error::Refused(_) => anyhow::anyhow!("{} {hint}", output::in_words(&error)),
        other => other.into(),
    }
}

async fn migrate(settings: &Settings) -> anyhow::Result<()> {
    let app = open(settings).await?;
    output::message(&format!("the database is at schema {}", app.store.schema_version().await?));
    Ok(())
}

fn openapi(arguments: &OpenapiArguments) {
    use server::api::openapi::{DOCUMENT_3_0, DOCUMENT_3_1, text};
    let document = if arguments.v3_1 { &*DOCUMENT_3_1 } else { &*DOCUMENT_3_0 };
    output::result(text(document).trim_end());
}
