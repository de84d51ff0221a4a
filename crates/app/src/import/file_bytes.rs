//! The bytes of a file to import: given by the caller, or compressed as an upload stores them.

use std::io::Read;
use std::sync::Arc;

use super::source::off_the_runtime;
use super::stored_file::{self, Packed};
use crate::operations::job_limit;
use crate::{Error, refusal};

#[derive(Clone, Copy)]
pub enum FileBytes<'a> {
    Plain(&'a [u8]),
    Packed(&'a Arc<Vec<u8>>),
}

impl Default for FileBytes<'_> {
    fn default() -> Self {
        FileBytes::Plain(&[])
    }
}

impl FileBytes<'_> {
    /// On disk, at most.
    pub(super) fn stored_size(&self) -> u64 {
        match self {
            FileBytes::Plain(bytes) => bytes.len() as u64,
            FileBytes::Packed(packed) => packed.len() as u64,
        }
    }

    /// Whether reading it takes much memory. What a workbook unpacks to is unknown, so it counts as large.
    pub(super) fn is_large(&self) -> bool {
        let is_large = |bytes: &[u8]| bytes.len() as u64 > job_limit::LARGE_BYTES || bytes.starts_with(b"PK");
        match self {
            FileBytes::Plain(bytes) => is_large(bytes),
            FileBytes::Packed(packed) => {
                let mut begin = Vec::new();
                let read = stored_file::reader(packed).take(job_limit::LARGE_BYTES + 1).read_to_end(&mut begin);
                read.is_ok() && is_large(&begin)
            }
        }
    }

    pub(super) async fn read(&self) -> Result<Vec<u8>, Error> {
        match self {
            FileBytes::Plain(bytes) => Ok(bytes.to_vec()),
            FileBytes::Packed(packed) => {
                let packed = Arc::clone(packed);
                let bytes = off_the_runtime(move || stored_file::unpacked(&packed)).await;
                Ok(bytes.ok_or(refusal::Import::Unreadable)?)
            }
        }
    }

    /// Compressed. Starts at once on a blocking thread, so that a large file delays no other task.
    pub(super) fn pack(&self) -> impl Future<Output = Result<Packed, Error>> + use<> {
        let (given, is_packed) = match self {
            FileBytes::Plain(bytes) => (Arc::new(bytes.to_vec()), false),
            FileBytes::Packed(packed) => (Arc::clone(packed), true),
        };
        let packing = off_the_runtime(move || match is_packed {
            true => stored_file::digest(&given).map(|digest| Packed { bytes: given, digest }),
            false => stored_file::pack(&mut given.as_slice()).ok(),
        });
        async { Ok(packing.await.ok_or(refusal::Import::Unreadable)?) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_large(bytes: &[u8]) -> bool {
        let packed = stored_file::pack(&mut &*bytes).unwrap().bytes;
        let both = [FileBytes::Plain(bytes), FileBytes::Packed(&packed)].map(|bytes| bytes.is_large());
        assert_eq!(both[0], both[1]);
        both[0]
    }

    #[test]
    fn a_file_is_large_by_its_size_or_as_a_workbook() {
        let largest = vec![b'a'; job_limit::LARGE_BYTES as usize];
        assert!(!is_large(b"") && !is_large(&largest));
        assert!(is_large(&[largest.as_slice(), b"a"].concat()));
        assert!(is_large(b"PK\x03\x04"));
    }
}
