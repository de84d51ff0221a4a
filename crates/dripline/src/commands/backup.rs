//! `dripline backup FILE` and `dripline restore FILE`

use std::path::PathBuf;

use app::{App, Store};

use crate::config::Settings;
use crate::output::{self, Progress};

#[derive(clap::Args)]
pub struct Arguments {
    file: PathBuf,
}

/// A consistent, checked copy, also while another process serves.
pub async fn write(app: &App, arguments: &Arguments) -> anyhow::Result<()> {
    let progress = Progress::start();
    progress.stage("copying and checking the database");
    app.store.backup_to(&arguments.file).await?;
    drop(progress);
    output::message(&format!("{} is a checked copy of the database", arguments.file.display()));
    Ok(())
}

/// All of the backup in place of the database, or nothing of it.
pub async fn restore(settings: &Settings, arguments: &Arguments) -> anyhow::Result<()> {
    if settings.database.is_some() {
        anyhow::bail!(
            "a backup is put in place of the embedded database, but DRIPLINE_DATABASE_URL is set; copy it into an empty database with \
             `dripline copy --from {}`, or use PostgreSQL's own tools",
            arguments.file.display()
        );
    }
    let progress = Progress::start();
    progress.stage("checking and restoring the backup");
    Store::restore(&arguments.file, &settings.data_dir).await?;
    drop(progress);
    output::message(&format!(
        "{} is restored to {}; tokens that were revoked since it was made are live again: look at `dripline token list`",
        arguments.file.display(),
        settings.data_dir.display()
    ));
    Ok(())
}
