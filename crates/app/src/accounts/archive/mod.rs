//! Everything the service stores about a user, as one file to download.

mod account;

use std::fs::File;
use std::io::{Seek, Write};

use uuid::Uuid;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::accounts::audit::{self, Event};
use crate::entries::export;
use crate::import::source::off_the_runtime;
use crate::operations::{disk, job_limit};
use crate::{App, Error, WorkingFile, import};

/// Creating one takes time and memory.
pub const A_DAY_MAX: usize = 5;

/// A zip, ready to be read from its start, in an unnamed file that disappears when it is closed.
pub struct Archive {
    pub file: File,
    pub bytes: u64,
}

/// Refused if there were too many within a day; each export is recorded in the account's activity. `readme` describes the files
/// to the user. Only one of the user's files at a time is in memory.
pub async fn everything(app: &App, user_id: Uuid, readme: &str) -> Result<Archive, Error> {
    job_limit::run(app, user_id, packed(app, user_id, readme)).await
}

async fn packed(app: &App, user_id: Uuid, readme: &str) -> Result<Archive, Error> {
    disk::check(app, 0).await?;
    audit::admit_export(app, user_id, Event::Exported, A_DAY_MAX).await?;
    // The size of the ledger is unknown before it is read.
    let _memory = job_limit::memory_for(app, true).await;
    let imports = import::list(app, user_id).await?;
    let mut archive = ZipWriter::new(disk::unnamed_file(app).map_err(unwritten)?);
    let mut files = Vec::new();
    for (index, import) in imports.iter().enumerate() {
        let path = format!("files/{}-{}", index + 1, plain(&import.file_name));
        let (archive_with, kept) = match import::file_of(app, user_id, import.id).await {
            Ok((_, bytes)) => (with(archive, path.clone(), bytes).await?, Some(path)),
            Err(Error::Refused(_)) => (archive, None),
            Err(error) => return Err(error),
        };
        archive = archive_with;
        files.push(kept);
    }
    let account = account::written(app, user_id, &imports, &files).await?;
    let ledger = export::ledger_file(app, user_id).await?;
    for (path, bytes) in [("account.json", account), ("ledger.csv", ledger), ("README.txt", readme.as_bytes().to_vec())] {
        archive = with(archive, path.to_owned(), bytes).await?;
    }
    let mut file = archive.finish().map_err(broken)?;
    let bytes = file.stream_position().map_err(unwritten)?;
    file.rewind().map_err(unwritten)?;
    Ok(Archive { file, bytes })
}

fn unwritten(error: std::io::Error) -> Error {
    Error::WorkingFile { role: WorkingFile::Export, cause: error }
}

type Writer = ZipWriter<File>;

/// Compressed on a blocking thread, so that a large file delays no other task.
async fn with(mut archive: Writer, path: String, bytes: Vec<u8>) -> Result<Writer, Error> {
    let written = off_the_runtime(move || {
        archive.start_file(path, SimpleFileOptions::default())?;
        archive.write_all(&bytes)?;
        Ok(archive)
    });
    written.await.map_err(broken)
}

fn broken(error: zip::result::ZipError) -> Error {
    Error::WorkingFile { role: WorkingFile::Export, cause: error.into() }
}

/// A name without folders, wherever the zip is unpacked.
fn plain(name: &str) -> String {
    let letter = |letter: char| if letter.is_alphanumeric() || "-_. ()".contains(letter) { letter } else { '_' };
    name.chars().take(100).map(letter).collect::<String>().replace("..", "_")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn no_file_name_escapes_its_folder_in_the_archive() {
        assert_eq!(plain("Umsätze 2026 (1).csv"), "Umsätze 2026 (1).csv");
        assert_eq!(plain("../../etc/passwd"), "____etc_passwd");
        assert_eq!(plain("C:\\a\r\n.csv"), "C__a__.csv");
    }
}
