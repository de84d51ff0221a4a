use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use market::ecb::{csv, zip};
use market::{Detail, Fault};

use super::{detail, in_words};

/// A zip with one file; `streamed` as written by programs that only know the checksum at the end.
fn zipped(text: &[u8], streamed: bool) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    let packed = encoder.finish().unwrap();
    let mut crc = Crc::new();
    crc.update(text);
    let sums = [crc.sum().to_le_bytes(), (packed.len() as u32).to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
    let (flags, before, behind) = match streamed {
        false => (0, sums, Vec::new()),
        true => (8, vec![0; 12], [b"PK\x07\x08".as_slice(), &sums].concat()),
    };
    let start = [b'P', b'K', 3, 4, 20, 0, flags, 0, 8, 0, 0, 0, 0x21, 0];
    [start.as_slice(), &before, &[5, 0, 2, 0], b"a.csv", b"xx", &packed, &behind, b"PK\x01\x02"].concat()
}

const TABLE: &[u8] = b"Date,USD,\n2026-03-03,1.25,\n2026-03-02,1.2,\n";

fn from_zip(bytes: &[u8]) -> Result<Vec<String>, Fault> {
    zip::read(bytes, csv::read).map(|rates| in_words(&rates))
}

#[test]
fn a_zip_is_read_with_its_checksum_before_or_after_the_data() {
    for streamed in [false, true] {
        assert_eq!(from_zip(&zipped(TABLE, streamed)).unwrap().len(), 2, "{streamed}");
    }
}

#[test]
fn a_damaged_or_unexpected_zip_is_refused() {
    let good = zipped(TABLE, false);
    for (at, what) in [(0, "mark"), (6, "encrypted"), (8, "method"), (14, "checksum")] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        assert!(matches!(from_zip(&bad), Err(Fault::Malformed(_))), "{what}");
    }
    for length in 0..good.len() - 8 {
        assert!(matches!(from_zip(&good[..length]), Err(Fault::Malformed(_))), "the first {length} bytes");
    }
    let mut streamed = zipped(TABLE, true);
    let sum = streamed.len() - 4 - 12;
    streamed[sum] ^= 1;
    assert_eq!(detail(from_zip(&streamed)), Detail::DamagedZip);
}

#[test]
fn a_zip_that_unpacks_to_too_much_is_refused() {
    let padded = |length: usize| {
        let mut text = TABLE.to_vec();
        text.resize(length, b'\n');
        zipped(&text, false)
    };
    let most = padded(zip::UNZIPPED_BYTES_MAX);
    assert!(most.len() < 1 << 20, "a small answer of {} bytes", most.len());
    assert_eq!(from_zip(&most).unwrap().len(), 2);
    assert_eq!(from_zip(&padded(zip::UNZIPPED_BYTES_MAX + 1)), Err(Fault::TooLarge(zip::UNZIPPED_BYTES_MAX)));
}
