//! Scheduled copies of the database, and how long they are kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::operations::disk;
use crate::{App, Error, refusal};

/// When, where, and for how long to keep them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub folder: PathBuf,
    pub every: Duration,
    /// Older copies are removed. All copies of the last day are kept, and the last copy of each earlier day.
    pub days: u16,
}

/// Results since the process started.
#[derive(Default)]
pub(crate) struct Backups {
    pub plan: Option<Plan>,
    failures: AtomicU64,
}

impl Backups {
    pub fn planned(plan: Option<Plan>) -> Backups {
        Backups { plan, failures: AtomicU64::default() }
    }
}

/// For monitoring.
pub struct Vitals {
    pub newest: Option<Timestamp>,
    pub failures: u64,
}

/// A new service soon gets its first copy, but not while it starts.
const FIRST: Duration = Duration::from_secs(60);
/// Retry after a failure.
const AGAIN: Duration = Duration::from_secs(300);

/// Makes copies as long as it runs; returns at once if none are scheduled.
pub async fn run(app: Arc<App>) {
    let Some(plan) = app.backups.plan.clone() else { return };
    let mut pause = FIRST.max(due_in(&plan, app.clock.now()));
    loop {
        tokio::time::sleep(pause).await;
        pause = match make(&app, &plan).await {
            Ok(_) => plan.every,
            Err(error) => {
                app.backups.failures.fetch_add(1, Ordering::Relaxed);
                tracing::error!(%error, folder = %plan.folder.display(), "the database could not be backed up");
                plan.every.min(AGAIN)
            }
        };
    }
}

/// `None` if no copies are scheduled. Reads the folder.
pub fn vitals(app: &App) -> Option<Vitals> {
    let plan = app.backups.plan.as_ref()?;
    let newest = all(&plan.folder).ok().and_then(|all| all.last().copied());
    Some(Vitals { newest, failures: app.backups.failures.load(Ordering::Relaxed) })
}

/// Writes a copy to a file chosen by the operator.
pub async fn write(app: &App, file: &Path) -> Result<(), Error> {
    disk::check_beside(app, file, database_bytes(app)).await?;
    Ok(app.store.backup_to(file).await?)
}

/// Size of the database file; the size of a server's copy is only known once it is made.
fn database_bytes(app: &App) -> u64 {
    app.store.file().and_then(|file| std::fs::metadata(file).ok()).map_or(0, |about| about.len())
}

/// Makes a copy and removes expired ones.
pub async fn make(app: &App, plan: &Plan) -> Result<PathBuf, Error> {
    private_folder(&plan.folder).map_err(|error| unusable(&plan.folder, &error))?;
    // Left over from a crash, with the files that SQLite keeps next to it. No later copy has the same name.
    for end in [".partial", ".partial-journal", ".partial-wal", ".partial-shm"] {
        for left in named(&plan.folder, end).map_err(|error| unusable(&plan.folder, &error))? {
            std::fs::remove_file(&left).map_err(|error| unusable(&left, &error))?;
        }
    }
    let now = app.clock.now();
    let file = plan.folder.join(name(now));
    disk::check_beside(app, &file, database_bytes(app)).await?;
    app.store.backup_file_to(&file).await?;
    let made = all(&plan.folder).map_err(|error| unusable(&plan.folder, &error))?;
    for old in superfluous(&made, now, plan.days) {
        let old = plan.folder.join(name(old));
        std::fs::remove_file(&old).map_err(|error| unusable(&old, &error))?;
    }
    Ok(file)
}

/// The newest copy in a folder, and when it was made.
pub fn newest(folder: &Path) -> Result<Option<(PathBuf, Timestamp)>, Error> {
    let made = all(folder).map_err(|error| unusable(folder, &error))?;
    Ok(made.last().map(|at| (folder.join(name(*at)), *at)))
}

fn due_in(plan: &Plan, now: Timestamp) -> Duration {
    let newest = all(&plan.folder).ok().and_then(|all| all.last().copied());
    let since = newest.map(|newest| Duration::try_from(now.duration_since(newest)).unwrap_or_default());
    since.map_or(Duration::ZERO, |since| plan.every.saturating_sub(since))
}

/// To the second, in UTC, so that names sort by time.
const NAME: &str = "dripline-%Y%m%dT%H%M%SZ.db";

fn name(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime(NAME).to_string()
}

fn at(name: &str) -> Option<Timestamp> {
    let at = jiff::civil::DateTime::strptime(NAME, name).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    // Other names are not ours, so we do not remove them.
    (self::name(at) == name).then_some(at)
}

/// When each copy in the folder was made, in order.
fn all(folder: &Path) -> std::io::Result<BTreeSet<Timestamp>> {
    let files = named(folder, "")?;
    Ok(files.iter().filter_map(|file| at(file.file_name()?.to_str()?)).collect())
}

/// Files whose name is that of a copy plus this ending.
fn named(folder: &Path, end: &str) -> std::io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(end));
        if name.and_then(at).is_some() {
            found.push(path);
        }
    }
    Ok(found)
}

/// Copies to remove. The newest is always kept.
fn superfluous(made: &BTreeSet<Timestamp>, now: Timestamp, days: u16) -> Vec<Timestamp> {
    let age = |at: &Timestamp| now.duration_since(*at);
    let is_last_of_day = |at: &Timestamp| {
        let day = |at: Timestamp| at.to_zoned(TimeZone::UTC).date();
        made.range(*at..).nth(1).is_none_or(|next| day(*next) != day(*at))
    };
    let kept = |at: &Timestamp| {
        age(at) < SignedDuration::from_hours(24)
            || (age(at) < SignedDuration::from_hours(24 * i64::from(days)) && is_last_of_day(at))
            || made.last() == Some(at)
    };
    made.iter().filter(|at| !kept(at)).copied().collect()
}

/// Only the owner can access it, like the database.
fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn unusable(path: &Path, error: &std::io::Error) -> Error {
    refusal::Backup::Path { path: path.to_owned(), cause: error.to_string() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_backup_file_name_holds_its_time_and_other_files_are_not_backups() {
        let now = instant("2026-11-15T12:34:56.789Z");
        assert_eq!(name(now), "dripline-20261115T123456Z.db");
        assert_eq!(at("dripline-20261115T123456Z.db"), Some(instant("2026-11-15T12:34:56Z")));
        for other in [
            "dripline.db",
            "dripline-20261115T123456Z.db.partial",
            "dripline-20261315T123456Z.db",
            "dripline-2026115T123456Z.db",
            "x",
        ] {
            assert_eq!(at(other), None, "{other}");
        }
    }

    #[test]
    fn backups_of_the_last_day_are_all_kept_then_one_per_day() {
        let now = instant("2026-11-15T12:00:00Z");
        let hours = |hours: i64| now - SignedDuration::from_hours(hours);
        // Every six hours for ten days: 06:00, 00:00, 18:00 and 12:00.
        let made: BTreeSet<Timestamp> = (0..40).map(|number| hours(6 * number)).collect();
        let gone = superfluous(&made, now, 4);
        let kept: Vec<String> = made.iter().filter(|at| !gone.contains(at)).map(|at| name(*at)[9..20].to_owned()).collect();
        // Less than four days old and the last of their day, then less than a day old.
        assert_eq!(
            kept,
            ["20261111T18", "20261112T18", "20261113T18", "20261114T18", "20261115T00", "20261115T06", "20261115T12"]
        );
        assert_eq!(superfluous(&BTreeSet::from([hours(9_000)]), now, 4), [], "the only one there is");
    }

    #[tokio::test]
    async fn a_backup_is_complete_and_private_and_replaces_expired_ones() {
        let data = tempfile::tempdir().unwrap();
        let app = App::open(data.path(), crate::Clock::Fixed(instant("2026-11-15T12:00:00Z"))).await.unwrap();
        let folder = data.path().join("backups");
        let plan = Plan { folder: folder.clone(), every: Duration::from_secs(3_600), days: 14 };
        assert_eq!(due_in(&plan, app.clock.now()), Duration::ZERO);
        std::fs::create_dir(&folder).unwrap();
        for left in [
            "dripline-20260101T000000Z.db",
            "dripline-20261115T110000Z.db.partial",
            "dripline-20261115T110000Z.db.partial-journal",
            "keep.db.partial",
        ] {
            std::fs::write(folder.join(left), "x").unwrap();
        }
        let made = make(&app, &plan).await.unwrap();
        assert_eq!(newest(&folder).unwrap(), Some((made.clone(), app.clock.now())));
        let mut names: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["dripline-20261115T120000Z.db", "keep.db.partial"]);
        assert_eq!(due_in(&plan, app.clock.now() + SignedDuration::from_mins(20)), Duration::from_secs(2_400));
        let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&made).unwrap());
        assert_eq!(mode & 0o777, 0o600);
        let restored = data.path().join("restored");
        store::Store::restore(&made, &restored).await.unwrap();
        assert_eq!(App::open(&restored, app.clock).await.unwrap().store.integrity_check().await.unwrap(), []);
    }
}
