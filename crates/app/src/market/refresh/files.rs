//! The operator's folder of files, loaded whenever it changes.

use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::{Cause, Lease, Outcome};
use crate::market::load::load_watched_folder;
use crate::{App, Error};

/// The state of the folder when it was last loaded or refused.
pub(crate) type Seen = Vec<(&'static str, SystemTime, u64)>;

/// A file that has not changed for this long is complete.
const QUIET: Duration = Duration::from_secs(2);
const LOOKS_MAX: usize = 20;

/// Loads the folder if it has changed. If it is refused, the old data stays, and the reason is reported.
pub(crate) async fn refresh(app: &App, lease: Lease<'_>) -> Result<Outcome, Error> {
    let sources = app.sources();
    let Some(folder) = &sources.folder else { return lease.end_without_data(app, Outcome::Done).await };
    let now = look_when_written(folder).await;
    if now.is_none() || now == Some(app.jobs.folder_seen()) {
        // Nothing new, or not finished: an earlier refusal stays valid, and is not reported again.
        return lease.end_without_data(app, Outcome::Unchanged).await;
    }
    let now = now.unwrap_or_default();
    let outcome = match load_watched_folder(app, folder, written_at(&now)).await {
        Ok(_) => Outcome::Done,
        Err(Error::MarketFiles(problems)) => {
            let (file, line) = problems.first().map(|first| (first.file.clone(), first.line)).unwrap_or_default();
            Outcome::Failed(Cause::Files { file, line, problems: problems.len() })
        }
        Err(error) => return Err(error),
    };
    app.jobs.set_folder_seen(now);
    lease.end_without_data(app, outcome).await
}

/// `None` while files are still being written: half a file may look like a complete one.
async fn look_when_written(folder: &Path) -> Option<Seen> {
    for _ in 0..LOOKS_MAX {
        let seen = look(folder);
        if seen.iter().all(|(_, written, _)| written.elapsed().map_or(true, |age| age >= QUIET)) {
            return Some(seen);
        }
        tokio::time::sleep(QUIET / 4).await;
    }
    None
}

/// The time of the prices.
fn written_at(seen: &Seen) -> Option<Timestamp> {
    seen.iter().find(|(name, ..)| *name == "stocks.csv").and_then(|(_, written, _)| Timestamp::try_from(*written).ok())
}

fn look(folder: &Path) -> Seen {
    let one = |name: &&'static str| {
        let about = std::fs::metadata(folder.join(name)).ok()?;
        Some((*name, about.modified().ok()?, about.len()))
    };
    market::files::NAMES.iter().filter_map(one).collect()
}
