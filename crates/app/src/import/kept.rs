//! The files that were imported, kept as they came: what was read of them can always be read again.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use store::imports;
use uuid::Uuid;

use crate::{App, Error};

/// Name and bytes of the file of an import.
pub async fn file(app: &App, id: &str) -> Result<(String, Vec<u8>), Error> {
    let mut tx = app.store.read().await?;
    let import_id = Uuid::try_parse(id.trim()).unwrap_or_default();
    let unknown = || Error::refused(format!("there is no import {id}; `dripline import list --user EMAIL` shows them"));
    let user_id = imports::owner(&mut tx, import_id).await?.ok_or_else(unknown)?;
    let import = imports::list(&mut tx, user_id).await?.into_iter().find(|one| one.id == import_id).ok_or_else(unknown)?;
    let packed = imports::file(&mut tx, user_id, import_id).await?;
    let bytes = packed.as_deref().and_then(unpacked);
    let lost = || Error::refused(format!("the file of import {id} was not kept"));
    Ok((import.file_name, bytes.ok_or_else(lost)?))
}

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // A vector takes every write.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    ZlibDecoder::new(bytes).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}
