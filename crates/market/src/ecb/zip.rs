//! A zip with one compressed file, read while it is unpacked.

use std::io::Read;

use flate2::CrcReader;
use flate2::bufread::DeflateDecoder;

use crate::fault::{Detail, Fault};

/// The history of 27 years has 2 MB.
pub const UNZIPPED_BYTES_MAX: usize = 16 << 20;

/// What `read` returns for the file inside; it must read to the end.
pub fn read<T>(bytes: &[u8], read: impl FnOnce(&mut dyn Read) -> Result<T, Fault>) -> Result<T, Fault> {
    let entry = Entry::first(bytes).ok_or(Fault::Malformed(Detail::DamagedZip))?;
    let unpacked = CrcReader::new(DeflateDecoder::new(entry.packed));
    let mut limited = unpacked.take(UNZIPPED_BYTES_MAX as u64 + 1);
    let answer = read(&mut limited);
    if limited.limit() == 0 {
        return Err(Fault::TooLarge(UNZIPPED_BYTES_MAX));
    }
    let answer = answer?;
    let unpacked = limited.into_inner();
    let sum = unpacked.crc().sum();
    match entry.sum.or_else(|| sum_behind(unpacked.into_inner().into_inner())) {
        Some(expected) if expected == sum => Ok(answer),
        _ => Err(Fault::Malformed(Detail::DamagedZip)),
    }
}

struct Entry<'a> {
    /// From its first byte to the end of the zip: the stream knows where it ends.
    packed: &'a [u8],
    /// `None` if the zip was streamed: the checksum then follows the data.
    sum: Option<u32>,
}

const HEADER_BYTES: usize = 30;
const ENCRYPTED: u16 = 1;
const SUM_BEHIND: u16 = 1 << 3;
const DEFLATE: u16 = 8;

impl Entry<'_> {
    fn first(bytes: &[u8]) -> Option<Entry<'_>> {
        let (flags, method) = (short(bytes, 6)?, short(bytes, 8)?);
        if !bytes.starts_with(b"PK\x03\x04") || flags & ENCRYPTED != 0 || method != DEFLATE {
            return None;
        }
        let names_bytes = usize::from(short(bytes, 26)?) + usize::from(short(bytes, 28)?);
        let packed = bytes.get(HEADER_BYTES + names_bytes..)?;
        let sum = if flags & SUM_BEHIND == 0 { Some(long(bytes, 14)?) } else { None };
        Some(Entry { packed, sum })
    }
}

/// The signature before the checksum is optional.
fn sum_behind(rest: &[u8]) -> Option<u32> {
    long(rest.strip_prefix(b"PK\x07\x08").unwrap_or(rest), 0)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
