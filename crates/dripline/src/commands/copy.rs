//! `dripline copy [--from ADDRESS] [--to ADDRESS]`

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use app::copy::{self, Copied, Doing, Step};
use app::operations::encryption;
use app::{Store, postgres};
use serde_json::{Value, json};

use crate::config::Settings;
use crate::output::{self, Progress, refusal};

#[derive(clap::Args)]
pub struct Arguments {
    /// Source: a database file, or postgres://user:password@host/database [default: the embedded database]
    #[arg(long, value_name = "ADDRESS")]
    from: Option<String>,
    /// Target: a file or address that is empty or holds an unfinished copy [default: DRIPLINE_DATABASE_URL]
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    /// Print the row count of each table as JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(settings: &Settings, arguments: &Arguments) -> anyhow::Result<()> {
    let from = match &arguments.from {
        Some(address) => parse_location(address).context("--from")?,
        None => Location::File(settings.data_dir.join("dripline.db")),
    };
    let to = match (&arguments.to, &settings.database) {
        (Some(address), _) => parse_location(address).context("--to")?,
        (None, Some(database)) => Location::Server(&database.url),
        (None, None) => bail!(refusal().copy_target_missing),
    };
    refuse_missing(&from).context("--from")?;
    let ca = std::env::var_os("DRIPLINE_DATABASE_CA").map(PathBuf::from);
    let ca = settings.database.as_ref().and_then(|database| database.ca.clone()).or(ca);
    let from = open(&from, ca.clone()).await.context(refusal().copy_source)?;
    let to = open(&to, ca).await.context(refusal().copy_target)?;
    let progress = Progress::start();
    let mut on_step = |step| {
        show(&progress, step);
        Ok(())
    };
    let copied = copy::run(&from, &to, &mut on_step).await;
    drop(progress);
    match copied {
        Ok(copied) => {
            tell(&copied, arguments.json);
            tell_key(&to).await?;
        }
        Err(error) if is_begun(&to).await => {
            return Err(error).context(refusal().copy_interrupted);
        }
        Err(error) => return Err(error).context(refusal().nothing_copied),
    }
    Ok(())
}

async fn is_begun(to: &Store) -> bool {
    match to.read().await {
        Ok(mut tx) => copy::is_unfinished(&mut tx).await.unwrap_or(false),
        Err(_) => true,
    }
}

enum Location<'a> {
    File(PathBuf),
    Server(&'a str),
}

/// The error leaves out the address, which may hold a password.
fn parse_location(address: &str) -> anyhow::Result<Location<'_>> {
    match address.split_once("://") {
        Some(("postgres" | "postgresql", _)) => Ok(Location::Server(address)),
        Some(("sqlite", path)) if !path.is_empty() => Ok(Location::File(path.into())),
        None if !address.is_empty() => Ok(Location::File(address.into())),
        _ => bail!(refusal().copy_address),
    }
}

/// Opening a mistyped file name would create an empty database and copy nothing.
fn refuse_missing(location: &Location<'_>) -> anyhow::Result<()> {
    match location {
        Location::File(path) if path.is_dir() => bail!(refusal().folder(path.display().to_string())),
        Location::File(path) if !path.is_file() => bail!(refusal().no_file(path.display().to_string())),
        _ => Ok(()),
    }
}

async fn open(location: &Location<'_>, ca: Option<PathBuf>) -> anyhow::Result<Store> {
    Ok(match location {
        Location::File(path) => Store::open_file(Path::new(path)).await?,
        Location::Server(url) => Store::connect(&postgres::Settings { ca, ..postgres::Settings::new(url) }).await?,
    })
}

fn show(progress: &Progress, step: Step) {
    let texts = output::progress();
    let doing = match step.doing {
        Doing::Clearing => texts.copy_preparing(step.table),
        Doing::Copying => texts.copy_copying(step.table),
        Doing::Checking => texts.copy_verifying(step.table),
    };
    let count = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
    progress.part(&doing, count(step.done), count(step.total.max(step.done)));
}

fn tell(copied: &Copied, as_json: bool) {
    let rows: Vec<(Value, Vec<String>)> = copied
        .tables
        .iter()
        .map(|(table, rows)| (json!({"table": table, "rows": rows}), vec![(*table).to_owned(), rows.to_string()]))
        .collect();
    output::listing(as_json, &["TABLE", "ROWS"], &rows);
    let total: u64 = copied.tables.iter().map(|(_, rows)| rows).sum();
    output::message(&format!(
        "{total} rows copied and verified. Changes made to the source since the copy started are not included."
    ));
}

/// The copy needs the same key as the source.
async fn tell_key(to: &Store) -> anyhow::Result<()> {
    if let Some(id) = encryption::key_id(to).await? {
        output::message(&format!(
            "The copy does not contain the secret key {id}, which it needs. On every node that uses the copy, set \
             DRIPLINE_SECRET_KEY_FILE to a file that contains this key, or copy {} into the node’s data folder.",
            encryption::FILE
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_address_is_a_file_or_a_server() {
        for address in ["sqlite:///a/b.db", "/a/b.db"] {
            assert!(matches!(parse_location(address), Ok(Location::File(path)) if path == Path::new("/a/b.db")), "{address}");
        }
        assert!(matches!(parse_location("sqlite://b.db"), Ok(Location::File(path)) if path == Path::new("b.db")));
        for address in ["postgres://u@h/d", "postgresql://u@h/d"] {
            assert!(matches!(parse_location(address), Ok(Location::Server(found)) if found == address), "{address}");
        }
    }

    #[test]
    fn an_invalid_address_is_not_repeated_in_the_error() {
        for address in ["", "sqlite://", "mysql://u:PASSWORD@h/d"] {
            let Err(error) = parse_location(address) else { panic!("{address}") };
            assert!(!error.to_string().contains("PASSWORD"), "{error}");
        }
    }
}
