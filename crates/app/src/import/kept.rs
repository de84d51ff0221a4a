//! The files that were imported, kept as they came: what was read of them can always be read again.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use store::imports;
use uuid::Uuid;

use super::{source, undo};
use crate::{App, Error};

/// Name and bytes of the file of an import; by its id alone, for the operator.
pub async fn file(app: &App, id: &str) -> Result<(String, Vec<u8>), Error> {
    let import_id = Uuid::try_parse(id.trim()).unwrap_or_default();
    let owner = imports::owner(&mut app.store.read().await?, import_id).await?;
    file_of(app, owner.ok_or_else(|| undo::unknown(id))?, import_id).await
}

/// The same for a user's own: another's import is none.
pub async fn file_of(app: &App, user_id: Uuid, import_id: Uuid) -> Result<(String, Vec<u8>), Error> {
    let mut tx = app.store.read().await?;
    let unknown = || undo::unknown(&import_id.to_string());
    let import = imports::one(&mut tx, user_id, import_id).await?.ok_or_else(unknown)?;
    let packed = imports::file(&mut tx, user_id, import_id).await?;
    drop(tx);
    let bytes = source::off_the_runtime(move || packed.as_deref().and_then(unpacked)).await;
    let lost = || Error::refused(format!("the file of import {import_id} was not kept"));
    Ok((import.file_name, bytes.ok_or_else(lost)?))
}

/// Begins at once, where packing a large file holds up no other task.
pub(super) fn pack(bytes: &[u8]) -> impl Future<Output = Vec<u8>> + use<> {
    let bytes = bytes.to_vec();
    source::off_the_runtime(move || packed(&bytes))
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // A vector takes every write.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

pub(super) fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    ZlibDecoder::new(bytes).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}
