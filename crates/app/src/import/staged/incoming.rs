//! Receives uploads: a few at a time, each written to an unnamed file as it arrives, so that none is held in memory.

use std::fs::File;
use std::io::{Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

use super::BYTES_MAX;
use crate::import::source::off_the_runtime;
use crate::operations::disk;
use crate::{App, Error, WorkingFile};

/// How many uploads are received at a time, from one user and from all on this node.
pub const PER_USER: usize = 2;
pub const AT_ONCE: usize = 64;
/// How much of a file is buffered in memory before it is written.
const BUFFER_BYTES: usize = 128 << 10;
/// How often the disk is checked again.
const CHECKED_BYTES: u64 = 4 << 20;

#[derive(Default)]
pub(crate) struct Receiving {
    users: Mutex<Vec<Uuid>>,
    spooled: AtomicU64,
}

/// For monitoring.
pub struct Vitals {
    pub receiving: usize,
    pub spooled_bytes: u64,
}

pub fn vitals(app: &App) -> Vitals {
    let receiving = app.receiving.users.lock().unwrap_or_else(PoisonError::into_inner).len();
    Vitals { receiving, spooled_bytes: app.receiving.spooled.load(Ordering::Relaxed) }
}

/// Permission to send files, until it is dropped.
pub struct Incoming {
    receiving: Arc<Receiving>,
    user_id: Uuid,
    /// How much of the quota for all uploads was left when this one began.
    quota_left: u64,
}

/// Decided before anything of a file is read.
pub async fn begin(app: &App, user_id: Uuid) -> Result<Incoming, Error> {
    let mut incoming = Incoming::enter(app.receiving.clone(), user_id)?;
    disk::check(app, 0).await?;
    let stored = super::total(app).await?.bytes;
    incoming.quota_left = app.disk.upload_quota.saturating_sub(stored);
    if incoming.quota_left == 0 {
        return Err(super::quota::service_is_full(app));
    }
    Ok(incoming)
}

impl Incoming {
    fn enter(receiving: Arc<Receiving>, user_id: Uuid) -> Result<Incoming, Error> {
        let mut users = receiving.users.lock().unwrap_or_else(PoisonError::into_inner);
        if users.iter().filter(|user| **user == user_id).count() >= PER_USER {
            return Err(Error::TooManyUploads);
        }
        if users.len() >= AT_ONCE {
            return Err(Error::Crowded);
        }
        users.push(user_id);
        drop(users);
        Ok(Incoming { receiving, user_id, quota_left: 0 })
    }

    pub fn file<'a>(&'a self, app: &'a App) -> Result<Spool<'a>, Error> {
        let file = disk::unnamed_file(app).map_err(unwritten)?;
        let spooled = Spooled { receiving: self.receiving.clone(), bytes: 0, file };
        Ok(Spool { app, incoming: self, spooled, buffer: Vec::new(), checked: 0 })
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        let mut users = self.receiving.users.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = users.iter().position(|user| *user == self.user_id) {
            users.swap_remove(at);
        }
    }
}

/// A file being received.
pub struct Spool<'a> {
    app: &'a App,
    incoming: &'a Incoming,
    spooled: Spooled,
    buffer: Vec<u8>,
    checked: u64,
}

/// A received file. It is deleted when dropped.
pub struct Spooled {
    receiving: Arc<Receiving>,
    bytes: u64,
    file: File,
}

impl Spool<'_> {
    pub async fn write(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.buffer.extend_from_slice(piece);
        if self.spooled.bytes + self.buffer.len() as u64 > BYTES_MAX as u64 {
            return Err(super::too_large());
        }
        if self.buffer.len() < BUFFER_BYTES { Ok(()) } else { self.flush().await }
    }

    pub async fn finish(mut self) -> Result<Spooled, Error> {
        self.flush().await?;
        Ok(self.spooled)
    }

    async fn flush(&mut self) -> Result<(), Error> {
        let buffer = std::mem::take(&mut self.buffer);
        let bytes = buffer.len() as u64;
        self.spooled.bytes += bytes;
        if self.incoming.receiving.spooled.fetch_add(bytes, Ordering::Relaxed) + bytes > self.incoming.quota_left {
            return Err(super::quota::service_is_full(self.app));
        }
        if self.spooled.bytes - self.checked >= CHECKED_BYTES {
            self.checked = self.spooled.bytes;
            disk::check(self.app, 0).await?;
        }
        let mut file = self.spooled.file.try_clone().map_err(unwritten)?;
        off_the_runtime(move || file.write_all(&buffer)).await.map_err(unwritten)
    }
}

impl Spooled {
    /// For a file that is already in memory.
    pub fn of(app: &App, bytes: &[u8]) -> Result<Spooled, Error> {
        if bytes.len() > BYTES_MAX {
            return Err(super::too_large());
        }
        let receiving = app.receiving.clone();
        let file = disk::unnamed_file(app).map_err(unwritten)?;
        receiving.spooled.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let mut spooled = Spooled { receiving, bytes: bytes.len() as u64, file };
        spooled.file.write_all(bytes).map_err(unwritten)?;
        Ok(spooled)
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ready to be read from its start.
    pub(super) fn reader(&mut self) -> std::io::Result<&mut File> {
        self.file.rewind()?;
        Ok(&mut self.file)
    }
}

impl Drop for Spooled {
    fn drop(&mut self) {
        self.receiving.spooled.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

pub(super) fn unwritten(error: std::io::Error) -> Error {
    Error::WorkingFile { role: WorkingFile::Upload, cause: error }
}
