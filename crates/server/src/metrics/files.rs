//! What is seen of the database and its copies in their folders, which may lie on a slow disk.

use std::path::Path;
use std::sync::Arc;

use app::{App, backups};
use prometheus_client::registry::Registry;
use tokio::task::spawn_blocking;

use super::{counter, gauge, signed};

#[derive(Default)]
pub struct Files {
    /// Bytes of the database and of its log.
    database: Option<(u64, u64)>,
    /// Where the service is to make copies.
    backups: Option<backups::Vitals>,
}

/// Beside the runtime, so that nobody's request waits for it.
pub async fn read(app: &Arc<App>) -> Files {
    let app = app.clone();
    let look = move || Files { database: app.store.file().map(sizes), backups: backups::vitals(&app) };
    spawn_blocking(look).await.unwrap_or_default()
}

fn sizes(file: &Path) -> (u64, u64) {
    let bytes = |file: &Path| std::fs::metadata(file).map_or(0, |about| about.len());
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    (bytes(file), bytes(Path::new(&log)))
}

impl Files {
    pub fn tell(self, registry: &mut Registry) {
        if let Some((file, log)) = self.database {
            gauge(registry, "database_bytes", "Size of the database file", signed(file));
            gauge(registry, "database_log_bytes", "Size of its write-ahead log", signed(log));
        }
        if let Some(vitals) = self.backups {
            let newest = vitals.newest.map_or(0, |at| at.as_second());
            gauge(registry, "backup_timestamp_seconds", "When the newest backup was made; 0 without one", newest);
            counter(registry, "backup_failures", "Backups that could not be made since this process started", vitals.failures);
        }
    }
}
