//! Bytes → text, whatever program saved them.

use std::string::FromUtf8Error;

use crate::{Problem, Reason};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// By its byte order mark, else UTF-8 if it is valid, else UTF-16 by its zero bytes, else Windows-1252.
pub fn decode(bytes: &[u8]) -> Result<String, Problem> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return decode_all(encoding, &bytes[mark..]);
    }
    if let Some(encoding) = without_mark(bytes) {
        return decode_all(encoding, bytes);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(broken) if mixed(bytes) => {
            let line = 1 + bytes[..broken.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            return Err(Problem::new(line as u64, Reason::NotUtf8));
        }
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    };
    without_zeros(text)
}

/// UTF-8 without a byte order mark, without copying; else the bytes again.
pub fn plain(bytes: Vec<u8>) -> Result<String, Vec<u8>> {
    if Encoding::for_bom(&bytes).is_some() || without_mark(&bytes).is_some() || bytes.contains(&0) {
        return Err(bytes);
    }
    String::from_utf8(bytes).map_err(FromUtf8Error::into_bytes)
}

fn decode_all(encoding: &'static Encoding, bytes: &[u8]) -> Result<String, Problem> {
    let (text, broken) = encoding.decode_without_bom_handling(bytes);
    match broken {
        true => Err(Problem::new(1, Reason::WrongEncoding { encoding: encoding.name() })),
        false => without_zeros(text.into_owned()),
    }
}

fn without_zeros(text: String) -> Result<String, Problem> {
    match text.find('\0') {
        Some(at) => {
            let line = 1 + text[..at].matches('\n').count();
            Err(Problem::new(line as u64, Reason::ZeroByte))
        }
        None => Ok(text),
    }
}

/// Files in UTF-16 are mostly Western text: every other byte is zero.
fn without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(1_000)];
    let zeros = |odd: usize| start.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let many = start.len() / 4;
    match (zeros(0), zeros(1)) {
        (even, 0) if even > many => Some(UTF_16BE),
        (0, odd) if odd > many => Some(UTF_16LE),
        _ => None,
    }
}

/// Multi-byte UTF-8 characters next to bytes that are not UTF-8: two encodings in one file.
fn mixed(bytes: &[u8]) -> bool {
    bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_reads_the_same_in_every_encoding() {
        let text = "Datum;Größe;€\n2024-01-02;Müller;1,5\n";
        let utf16 = |little: bool, mark: bool| -> Vec<u8> {
            let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
            units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
        };
        let windows = WINDOWS_1252.encode(text).0.into_owned();
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            utf16(true, true),
            utf16(false, true),
            utf16(true, false),
            utf16(false, false),
            windows,
        ] {
            assert_eq!(decode(&bytes).as_deref(), Ok(text), "{bytes:?}");
        }
    }

    #[test]
    fn two_encodings_in_one_file_are_refused_with_the_line() {
        let problem = decode(b"a\nM\xc3\xbcller\nM\xfcller\n").unwrap_err();
        assert_eq!(problem, Problem::new(3, Reason::NotUtf8));
        assert!(decode(b"a,b\n1,\0\n").is_err());
        assert!(decode(b"\xff\xfe\x00\xd8").is_err(), "half a pair in UTF-16");
    }
}
