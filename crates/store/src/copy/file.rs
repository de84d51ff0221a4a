//! A database of either engine as one file.

use std::path::Path;

use super::run;
use crate::sqlite::{backup, off_the_runtime};
use crate::{Error, Store};

impl Store {
    /// Writes a checked copy of the database to `path` while others read and write: always a file of the embedded engine.
    pub async fn backup_to(&self, path: &Path) -> Result<(), Error> {
        match self.file() {
            Some(_) => self.backup_file_to(path).await,
            None => write(self, path).await,
        }
    }
}

/// Has a temporary name until it is complete and checked.
async fn write(from: &Store, target: &Path) -> Result<(), Error> {
    let partial = backup::begin(target)?;
    let written = match fill(from, &partial).await {
        Ok(()) => {
            let (partial, target) = (partial.clone(), target.to_owned());
            off_the_runtime(move || backup::finish(&partial, &target)).await
        }
        failed => failed,
    };
    if written.is_err() {
        // Report the error that stopped the copy, not this one.
        backup::clear(&partial).ok();
    }
    written
}

async fn fill(from: &Store, partial: &Path) -> Result<(), Error> {
    let to = Store::open_file(partial).await?;
    run(from, &to, &mut |_| Ok(())).await.map(drop)
}
