//! Disk space: how much has to stay free, and where temporary files are.

use std::fs::File;
use std::path::{Path, PathBuf};

use tokio::task::spawn_blocking;

use crate::{App, Error, NoSpace};

const MIB: u64 = 1 << 20;

/// The operator's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For uploads of all users together, compressed.
    pub upload_quota: u64,
    /// Bytes that uploads, imports and backups leave free.
    pub reserve: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { upload_quota: 1_024 * MIB, reserve: 256 * MIB }
    }
}

/// The folder of the database file, or the system's folder for temporary files if the database is a server.
pub(crate) fn folder(app: &App) -> PathBuf {
    match app.store.file() {
        Some(file) => folder_of(file),
        None => std::env::temp_dir(),
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Unnamed, so nobody else can open it, and it disappears when it is closed, even by a crash.
pub(crate) fn unnamed_file(app: &App) -> std::io::Result<File> {
    tempfile::tempfile_in(folder(app))
}

/// Bytes that this process may still write there.
pub(crate) fn free(folder: &Path) -> std::io::Result<u64> {
    let about = rustix::fs::statvfs(folder)?;
    Ok(about.f_bavail.saturating_mul(about.f_frsize))
}

/// Free bytes on the disk of the database; `None` if that cannot be measured.
pub fn vitals(app: &App) -> Option<u64> {
    free(&folder(app)).ok()
}

/// Whether writing this many bytes leaves enough free space next to the database.
pub(crate) async fn check(app: &App, bytes: u64) -> Result<(), Error> {
    check_in(app, folder(app), bytes).await
}

/// The same for a file that is written elsewhere.
pub(crate) async fn check_beside(app: &App, file: &Path, bytes: u64) -> Result<(), Error> {
    check_in(app, folder_of(file), bytes).await
}

/// If free space cannot be measured, writing is attempted.
async fn check_in(app: &App, folder: PathBuf, bytes: u64) -> Result<(), Error> {
    let reserve = app.disk.reserve;
    let Ok(Ok(free)) = spawn_blocking(move || free(&folder)).await else { return Ok(()) };
    match free < reserve.saturating_add(bytes) {
        true => Err(too_little(free, bytes, reserve)),
        false => Ok(()),
    }
}

fn too_little(free: u64, bytes: u64, reserve: u64) -> Error {
    let (free, needed, reserve) = (free / MIB, bytes.div_ceil(MIB), reserve / MIB);
    tracing::warn!(free_mib = free, needed_mib = needed, reserve_mib = reserve, "no space is left on the disk");
    Error::NoSpace(NoSpace::Disk { free_mib: free, needed_mib: needed, reserve_mib: reserve })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_folder_is_in_the_current_one() {
        assert_eq!(folder_of(Path::new("a.db")), Path::new("."));
        assert_eq!(folder_of(Path::new("data/a.db")), Path::new("data"));
        assert!(free(Path::new(".")).unwrap() > 0);
    }
}
