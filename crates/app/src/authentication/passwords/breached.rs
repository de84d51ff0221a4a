//! Long passwords that were leaked, and variants that differ only in case, punctuation or digits at the end. `breached.py`
//! creates the table and names its source.

use sha2::{Digest, Sha256};

/// The first eight bytes of SHA-256, sorted.
const TABLE: &[[u8; 8]] = include_bytes!("breached.bin").as_chunks().0;
const NORMAL_MIN: usize = 10;

pub fn contains(password: &str) -> bool {
    let hash: [u8; 32] = Sha256::digest(normal(password)).into();
    TABLE.binary_search_by(|entry| entry[..].cmp(&hash[..8])).is_ok()
}

fn normal(password: &str) -> String {
    let letters: String = password.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect();
    let bare = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if bare.chars().count() >= NORMAL_MIN { bare.to_owned() } else { letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_breached_passwords_are_sorted_and_few() {
        assert!(TABLE.len() > 3_000 && TABLE.len() * 8 < 100_000, "{}", TABLE.len());
        assert!(TABLE.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn case_and_trailing_punctuation_or_digits_do_not_count() {
        for leaked in ["trueloveneverdies", "TrueLoveNeverDies!", "true love never dies 2026", "somedaymyprincewillcome23"] {
            assert!(contains(leaked), "{leaked}");
        }
        for other in ["four quiet herons in march", "trueloveneverdiesofboredom", ""] {
            assert!(!contains(other), "{other}");
        }
    }
}
