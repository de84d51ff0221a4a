//! `dripline backup FILE` and `dripline restore FILE`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use app::operations::{backups, doctor, encryption};
use app::{App, Store};

use crate::config::Settings;
use crate::output::{self, Progress, refusal};

#[derive(clap::Args)]
pub struct Arguments {
    /// File to write
    file: PathBuf,
}

/// A consistent, checked copy, even while a server is running.
pub async fn write(app: &App, arguments: &Arguments) -> anyhow::Result<()> {
    let progress = Progress::start();
    progress.stage(|texts| texts.backup);
    backups::write(app, &arguments.file).await?;
    drop(progress);
    output::message(&format!("Backup written and checked: {}", arguments.file.display()));
    if let Some(id) = encryption::key_id(&app.store).await? {
        output::message(&format!(
            "The backup does not contain the secret key {id}, which two-factor authentication needs. Keep a copy of the key elsewhere."
        ));
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct Restore {
    /// Backup file [default with --drill: the newest automatic backup]
    #[arg(required_unless_present = "drill")]
    file: Option<PathBuf>,

    /// Restore the backup into a temporary folder and check it there, without changing the database
    #[arg(long)]
    drill: bool,

    /// With --drill: print the results as JSON
    #[arg(long, requires = "drill")]
    json: bool,
}

/// Replaces the database with the backup, completely or not at all.
pub async fn restore(settings: &Settings, arguments: &Restore) -> anyhow::Result<ExitCode> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => newest(settings)?,
    };
    if arguments.drill {
        return drill(settings, &file, arguments.json).await;
    }
    if settings.database.is_some() {
        bail!(refusal().restore_of_server(file.display().to_string()));
    }
    let progress = Progress::start();
    progress.stage(|texts| texts.restore);
    Store::restore(&file, &settings.data_dir).await?;
    drop(progress);
    output::message(&format!(
        "Restored {} to {}. Tokens that were revoked after this backup are active again. Check each user’s tokens with `dripline token list --user EMAIL`.",
        file.display(),
        settings.data_dir.display()
    ));
    if let Err(error) = encryption::prepare(&super::open(settings).await?).await {
        output::message(&format!("Before you start the server: {}", output::in_words(&error)));
    }
    Ok(ExitCode::SUCCESS)
}

fn newest(settings: &Settings) -> anyhow::Result<PathBuf> {
    let Some(plan) = &settings.backups else { bail!(refusal().backups_off) };
    match backups::newest(&plan.folder)? {
        Some((file, at)) => {
            output::message(&format!("Newest backup: {at}"));
            Ok(file)
        }
        None => bail!(refusal().no_backup(plan.folder.display().to_string())),
    }
}

/// Next to the backup, on a disk that had room for it.
async fn drill(settings: &Settings, file: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new()
        .prefix("drill-")
        .tempdir_in(beside)
        .with_context(|| refusal().drill_folder(beside.display().to_string()))?;
    let progress = Progress::start();
    progress.stage(|texts| texts.restore);
    Store::restore(file, folder.path()).await?;
    progress.stage(|texts| texts.restored);
    let app = App::open(folder.path(), settings.clock).await?.with_secret_key(settings.secret_key.clone());
    let checks = doctor::examine_data(&app).await?;
    drop(progress);
    let code = super::doctor::print_report(super::doctor::lines(checks), json);
    output::message(&format!(
        "Drill finished: {} was restored to a temporary folder and checked in {:.1} s.",
        file.display(),
        began.elapsed().as_secs_f64()
    ));
    Ok(code)
}
