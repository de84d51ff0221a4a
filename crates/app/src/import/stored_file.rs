//! Imported files, kept in their original form, so that they can be read again.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sha2::{Digest, Sha256};
use store::imports;
use uuid::Uuid;

use super::{source, undo};
use crate::operations::{disk, job_limit};
use crate::{App, Error, WorkingFile, refusal};

/// Name and bytes of the file of an import; by its id alone, for the operator.
pub async fn file(app: &App, id: &str) -> Result<(String, Vec<u8>), Error> {
    let import_id = Uuid::try_parse(id.trim()).unwrap_or_default();
    let owner = imports::owner(&mut app.store.read().await?, import_id).await?;
    file_of(app, owner.ok_or_else(|| undo::unknown(id))?, import_id).await
}

/// The same for the user's own imports; another user's import is not found.
pub async fn file_of(app: &App, user_id: Uuid, import_id: Uuid) -> Result<(String, Vec<u8>), Error> {
    let (file_name, packed) = packed_of(app, user_id, import_id).await?;
    let bytes = source::off_the_runtime(move || unpacked(&packed)).await;
    Ok((file_name, bytes.ok_or_else(|| lost(import_id))?))
}

/// Ready to be read from its start, in an unnamed file that disappears when it is closed.
pub struct Download {
    pub file_name: String,
    pub file: File,
    pub bytes: u64,
}

/// The file of one of the user's imports, of any size, without holding it in memory.
pub async fn download(app: &App, user_id: Uuid, import_id: Uuid) -> Result<Download, Error> {
    job_limit::run(app, user_id, unpacked_to_file(app, user_id, import_id)).await
}

async fn unpacked_to_file(app: &App, user_id: Uuid, import_id: Uuid) -> Result<Download, Error> {
    let (file_name, packed) = packed_of(app, user_id, import_id).await?;
    let mut file = disk::unnamed_file(app).map_err(unwritten)?;
    let unpack = move || -> io::Result<Download> {
        let bytes = io::copy(&mut reader(&packed), &mut file)?;
        file.rewind()?;
        Ok(Download { file_name, file, bytes })
    };
    source::off_the_runtime(unpack).await.map_err(unwritten)
}

async fn packed_of(app: &App, user_id: Uuid, import_id: Uuid) -> Result<(String, Vec<u8>), Error> {
    let mut tx = app.store.read().await?;
    let unknown = || undo::unknown(&import_id.to_string());
    let import = imports::one(&mut tx, user_id, import_id).await?.ok_or_else(unknown)?;
    let packed = imports::file(&mut tx, user_id, import_id).await?;
    Ok((import.file_name, packed.ok_or_else(|| lost(import_id))?))
}

fn lost(import_id: Uuid) -> Error {
    refusal::Import::FileLost { id: import_id }.into()
}

fn unwritten(error: io::Error) -> Error {
    Error::WorkingFile { role: WorkingFile::ImportedFile, cause: error }
}

/// A compressed file, and the SHA-256 of the original.
pub(super) struct Packed {
    pub bytes: Arc<Vec<u8>>,
    pub digest: [u8; 32],
}

/// For a file that may be large: only a piece of it and the compressed result are in memory.
pub(super) fn pack(file: &mut impl Read) -> io::Result<Packed> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut hash = Sha256::new();
    pieces(file, |piece| {
        hash.update(piece);
        encoder.write_all(piece)
    })?;
    Ok(Packed { bytes: Arc::new(encoder.finish()?), digest: hash.finalize().into() })
}

/// Of the original file.
pub(super) fn digest(packed: &[u8]) -> Option<[u8; 32]> {
    let mut hash = Sha256::new();
    let each = |piece: &[u8]| {
        hash.update(piece);
        Ok(())
    };
    pieces(&mut reader(packed), each).ok()?;
    Some(hash.finalize().into())
}

fn pieces(from: &mut impl Read, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut piece = vec![0; 64 << 10];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(()),
            bytes => each(&piece[..bytes])?,
        }
    }
}

pub(super) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    reader(bytes).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

/// Reads the original file.
pub(super) fn reader(packed: &[u8]) -> impl Read {
    ZlibDecoder::new(packed)
}
