//! The files that the importers are tested with, good and bad, of every format.

use std::path::{Path, PathBuf};

/// Name and bytes of every file below the importers' fixtures.
pub fn fixtures() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../importers/tests/fixtures");
    let files = below(&root).into_iter().filter(|path| path.extension().is_none_or(|extension| extension != "txt"));
    files.map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// Name and bytes of real exports, if their folder is next to the repository.
pub fn real() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/broker-samples");
    let files = below(&root).into_iter().filter(|path| path.extension().is_some_and(|extension| extension != "md"));
    files.map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// Every file below a folder; none if it does not exist.
fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => found.extend(below(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}
