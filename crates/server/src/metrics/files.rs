//! What is seen of the disk: the database, its copies and uploads. It may be a slow one.

use std::path::Path;
use std::sync::Arc;

use app::App;
use app::import::staged;
use app::operations::{backups, disk, job_limit};
use prometheus_client::registry::Registry;
use tokio::task::spawn_blocking;

use super::{counter, gauge, signed};

#[derive(Default)]
pub struct Files {
    /// Bytes of the database and of its log.
    database: Option<(u64, u64)>,
    /// Where the service is to make copies.
    backups: Option<backups::Vitals>,
    free: Option<u64>,
}

/// Beside the runtime, so that nobody's request waits for it.
pub async fn read(app: &Arc<App>) -> Files {
    let app = app.clone();
    let look = move || Files { database: app.store.file().map(sizes), backups: backups::vitals(&app), free: disk::vitals(&app) };
    spawn_blocking(look).await.unwrap_or_default()
}

fn sizes(file: &Path) -> (u64, u64) {
    let bytes = |file: &Path| std::fs::metadata(file).map_or(0, |about| about.len());
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    (bytes(file), bytes(Path::new(&log)))
}

/// Uploads on their way in, and those that wait to be imported.
pub async fn uploads(app: &App, registry: &mut Registry) {
    let staged::Vitals { receiving, spooled_bytes } = staged::vitals(app);
    gauge(registry, "uploads_receiving", "Uploads this node is receiving", signed(receiving as u64));
    gauge(registry, "uploads_spooled_bytes", "Bytes of uploads not stored yet", signed(spooled_bytes));
    let job_limit::Vitals { running, waiting } = job_limit::vitals(app);
    gauge(registry, "file_jobs_running", "File jobs that are running", signed(running as u64));
    gauge(registry, "file_jobs_waiting", "File jobs in the queue", signed(waiting as u64));
    if let Ok(total) = staged::total(app).await {
        gauge(registry, "uploads_waiting", "Stored uploads of all users", signed(total.files));
        gauge(registry, "uploads_waiting_bytes", "Bytes of stored uploads of all users", signed(total.bytes));
    }
}

impl Files {
    pub fn tell(self, registry: &mut Registry) {
        if let Some((file, log)) = self.database {
            gauge(registry, "database_bytes", "Size of the database file", signed(file));
            gauge(registry, "database_log_bytes", "Size of the write-ahead log", signed(log));
        }
        if let Some(free) = self.free {
            gauge(registry, "disk_free_bytes", "Free space on the disk of the database, or of temporary files", signed(free));
        }
        if let Some(vitals) = self.backups {
            let newest = vitals.newest.map_or(0, |at| at.as_second());
            gauge(registry, "backup_timestamp_seconds", "Time of the newest backup; 0 without one", newest);
            counter(registry, "backup_failures", "Failed backups since this process started", vitals.failures);
        }
    }
}
