//! `dripline backup FILE` and `dripline restore FILE`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use app::{App, Store, backups, doctor, encryption};

use crate::config::Settings;
use crate::output::{self, Progress};

#[derive(clap::Args)]
pub struct Arguments {
    /// File to write
    file: PathBuf,
}

/// A consistent, checked copy, also while another process serves.
pub async fn write(app: &App, arguments: &Arguments) -> anyhow::Result<()> {
    let progress = Progress::start();
    progress.stage("copying and checking the database");
    backups::write(app, &arguments.file).await?;
    drop(progress);
    output::message(&format!("{} is a checked copy of the database", arguments.file.display()));
    if let Some(id) = encryption::key_id(&app.store).await? {
        output::message(&format!("the key {id}, which its second factors need, is not in it; keep a copy of the key elsewhere"));
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct Restore {
    /// Backup file [default with --drill: the newest automatic backup]
    #[arg(required_unless_present = "drill")]
    file: Option<PathBuf>,

    /// Restore into a temporary folder and check it, without changing the database
    #[arg(long)]
    drill: bool,

    /// With --drill: print the results as JSON
    #[arg(long, requires = "drill")]
    json: bool,
}

/// All of the backup in place of the database, or nothing of it.
pub async fn restore(settings: &Settings, arguments: &Restore) -> anyhow::Result<ExitCode> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => newest(settings)?,
    };
    if arguments.drill {
        return drill(settings, &file, arguments.json).await;
    }
    if settings.database.is_some() {
        anyhow::bail!(
            "a backup is put in place of the embedded database, but DRIPLINE_DATABASE_URL is set; copy it into an empty database with \
             `dripline copy --from {}`, or use PostgreSQL's own tools",
            file.display()
        );
    }
    let progress = Progress::start();
    progress.stage("checking and restoring the backup");
    Store::restore(&file, &settings.data_dir).await?;
    drop(progress);
    output::message(&format!(
        "{} is restored to {}; tokens that were revoked since it was made are live again: look at `dripline token list`",
        file.display(),
        settings.data_dir.display()
    ));
    if let Err(error) = encryption::prepare(&super::open(settings).await?).await {
        output::message(&format!("before it can be served: {}", output::in_words(&error)));
    }
    Ok(ExitCode::SUCCESS)
}

fn newest(settings: &Settings) -> anyhow::Result<PathBuf> {
    let Some(plan) = &settings.backups else { anyhow::bail!("the service makes no backups here; name a file") };
    match backups::newest(&plan.folder)? {
        Some((file, at)) => {
            output::message(&format!("the newest backup is of {at}"));
            Ok(file)
        }
        None => {
            anyhow::bail!("there is no backup in {}; the service makes the first a minute after it starts", plan.folder.display())
        }
    }
}

/// Beside the backup, where there was room for it.
async fn drill(settings: &Settings, file: &Path, json: bool) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new()
        .prefix("drill-")
        .tempdir_in(beside)
        .with_context(|| format!("a backup is tried in a folder beside it, and none can be made in {}", beside.display()))?;
    let progress = Progress::start();
    progress.stage("checking and restoring the backup");
    Store::restore(file, folder.path()).await?;
    progress.stage("checking what it gave");
    let app = App::open(folder.path(), settings.clock).await?.with_secret_key(settings.secret_key.clone());
    let checks = doctor::examine_data(&app).await?;
    drop(progress);
    let code = super::doctor::print_report(super::doctor::lines(checks), json);
    output::message(&format!(
        "{} was restored and checked in {:.1} s, and thrown away",
        file.display(),
        began.elapsed().as_secs_f64()
    ));
    Ok(code)
}
