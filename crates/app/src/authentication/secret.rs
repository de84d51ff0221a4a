//! The format of tokens: a prefix that names the kind, 30 random characters, and a checksum that lets scanners and the server
//! tell a token from noise without a database.

use sha2::{Digest, Sha256};

use crate::Error;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;
/// 43 of 62 letters: 256.03 bits.
const SECRET_CHARS: usize = 43;

/// Prefix of personal access tokens.
pub const PERSONAL: &str = "drip_pat_";
/// Prefix of the secrets in the addresses of calendar feeds.
pub const CALENDAR: &str = "drip_cal_";
/// Prefix of the access tokens of apps.
pub const ACCESS: &str = "drip_oat_";
/// Prefix of refresh tokens.
pub const REFRESH: &str = "drip_ort_";
/// Prefix of client secrets.
pub const CLIENT: &str = "drip_ocs_";
/// All prefixes that can access the API.
const ACCEPTED: [&str; 2] = [PERSONAL, ACCESS];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

/// A new secret with the prefix. The only source is the operating system's random generator.
pub fn generate(prefix: &str) -> Result<String, getrandom::Error> {
    Ok(with_checksum(prefix, &random(RANDOM_CHARS)?))
}

/// The secret derived from another and a random salt: always the same, and unpredictable without either of them.
pub fn derived(prefix: &str, salt: &[u8; 32], from: &str) -> String {
    let mut stream = blake3::Hasher::new_keyed(salt).update(prefix.as_bytes()).update(from.as_bytes()).finalize_xof();
    let mut random = String::with_capacity(RANDOM_CHARS);
    let mut bytes = [0_u8; 64];
    while random.len() < RANDOM_CHARS {
        stream.fill(&mut bytes);
        extend(&mut random, RANDOM_CHARS, &bytes);
    }
    with_checksum(prefix, &random)
}

/// The secret with these random characters, followed by its checksum.
pub fn with_checksum(prefix: &str, random: &str) -> String {
    format!("{prefix}{random}{}", checksum(random))
}

/// A new secret of 256 bits without prefix or checksum, for cookies and links.
pub fn random_secret() -> Result<String, Error> {
    Ok(random(SECRET_CHARS)?)
}

/// 256 random bits.
pub fn salt() -> Result<[u8; 32], Error> {
    let mut salt = [0; 32];
    getrandom::fill(&mut salt)?;
    Ok(salt)
}

/// The stored form of any secret.
pub fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

fn random(chars: usize) -> Result<String, getrandom::Error> {
    let mut random = String::with_capacity(chars);
    let mut bytes = [0_u8; 64];
    while random.len() < chars {
        getrandom::fill(&mut bytes)?;
        extend(&mut random, chars, &bytes);
    }
    Ok(random)
}

/// Appends characters made from random bytes, up to a length.
fn extend(random: &mut String, chars: usize, bytes: &[u8]) {
    // 248 is the largest multiple of 62 in a byte: values above it would favour the first characters.
    let even = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
    random.extend(even.take(chars - random.len()));
}

/// The stored form of a well-formed token; `None` for anything else, without asking the database.
pub fn hash_of(token: &str) -> Option<SecretHash> {
    hash_with(&ACCEPTED, token)
}

/// The same for secrets with one of these prefixes.
pub fn hash_with(prefixes: &[&str], token: &str) -> Option<SecretHash> {
    is_made_with(prefixes, token).then(|| SecretHash(hash(token)))
}

/// Whether it can be a token at all.
pub fn is_well_formed(token: &str) -> bool {
    is_made_with(&ACCEPTED, token)
}

fn is_made_with(prefixes: &[&str], token: &str) -> bool {
    let Some(rest) = prefixes.iter().find_map(|prefix| token.strip_prefix(prefix)) else { return false };
    if rest.len() != RANDOM_CHARS + CHECKSUM_CHARS || !rest.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return false;
    }
    let (random, sum) = rest.split_at(RANDOM_CHARS);
    checksum(random) == sum
}

fn checksum(random: &str) -> String {
    let mut rest = crc32fast::hash(random.as_bytes());
    let mut digits = [b'0'; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_prefix_thirty_random_characters_and_a_checksum() {
        let token = generate(PERSONAL).unwrap();
        assert_eq!(token.len(), 9 + 36);
        assert!(token.starts_with("drip_pat_"));
        assert!(hash_of(&token).is_some());
    }

    #[test]
    fn a_derived_token_is_well_formed_and_depends_on_all_of_its_parts() {
        let token = derived(ACCESS, &[1; 32], "old");
        assert!(hash_of(&token).is_some(), "{token}");
        assert_eq!(derived(ACCESS, &[1; 32], "old"), token);
        for other in [derived(ACCESS, &[2; 32], "old"), derived(ACCESS, &[1; 32], "older"), derived(REFRESH, &[1; 32], "old")] {
            assert_ne!(other[9..], token[9..]);
        }
    }

    #[test]
    fn the_checksum_is_crc_32_in_base_62() {
        // CRC-32 of thirty "0" is 2,011,552,642 (Python: zlib.crc32); in base 62 its digits are 2 12 8 16 45 28.
        assert_eq!(checksum(&"0".repeat(30)), "2C8GjS");
    }

    #[test]
    fn every_single_character_edit_is_refused() {
        let token = generate(PERSONAL).unwrap();
        let own = hash_of(&token);
        for at in 0..token.len() {
            for replacement in ALPHABET.iter().copied().chain(*b"_- ") {
                let mut edited = token.clone().into_bytes();
                if edited[at] == replacement {
                    continue;
                }
                edited[at] = replacement;
                let edited = String::from_utf8(edited).unwrap();
                match at == "drip_".len() && edited.starts_with("drip_oat_") {
                    // Well formed, but a different token: the kind is part of the hash.
                    true => assert_ne!(hash_of(&edited), own),
                    false => assert_eq!(hash_of(&edited), None, "{edited}"),
                }
            }
        }
    }

    #[test]
    fn tokens_do_not_repeat_and_use_every_letter_evenly() {
        let tokens: std::collections::HashSet<String> = (0..20_000).map(|_| generate(PERSONAL).unwrap()).collect();
        assert_eq!(tokens.len(), 20_000);
        let mut counts = [0_u64; 62];
        for letter in tokens.iter().flat_map(|token| token[9..39].bytes()) {
            counts[ALPHABET.iter().position(|known| *known == letter).unwrap()] += 1;
        }
        // 600,000 characters over 62: 9,677 each; chi-square with 61 degrees of freedom exceeds 107 once in 10,000 runs.
        let expected = 600_000 / 62;
        let chi_square: u64 = counts.iter().map(|count| count.abs_diff(expected).pow(2)).sum::<u64>() / expected;
        assert!(chi_square < 120, "{chi_square}");
    }
}
