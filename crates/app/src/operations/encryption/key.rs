//! One key and its ciphertexts: a version, the key's id, a random nonce, and the ciphertext and tag of XChaCha20-Poly1305.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{alphabet, prelude::BASE64_STANDARD};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use sha2::{Digest, Sha256};

use super::key_error::KeyError;
use crate::Error;

const VERSION: u8 = 1;
const KEY_BYTES: usize = 32;
const ID_BYTES: usize = 8;
const NONCE_BYTES: usize = 24;
const HEAD_BYTES: usize = 1 + ID_BYTES;

/// What a ciphertext is for, and whose: moved to another row, it cannot be decrypted.
pub(crate) struct Context<'a> {
    pub purpose: &'static str,
    pub row: &'a [u8],
}

/// No `Debug`: it must not appear in a log.
#[derive(Clone)]
pub struct Key {
    pub(crate) id: [u8; ID_BYTES],
    bytes: [u8; KEY_BYTES],
}

impl Key {
    pub fn generate() -> Result<Key, Error> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Key::new(bytes))
    }

    /// 32 bytes in hexadecimal or in base 64 of either alphabet.
    pub fn parse(text: &str) -> Option<Key> {
        let bytes = match text.len() == 2 * KEY_BYTES {
            true => {
                (0..KEY_BYTES).map(|at| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()).collect::<Option<Vec<u8>>>()
            }
            false => base64(text),
        };
        Some(Key::new(bytes?.try_into().ok()?))
    }

    fn new(bytes: [u8; KEY_BYTES]) -> Key {
        let digest = Sha256::new().chain_update(b"dripline secret key id\0").chain_update(bytes).finalize();
        let mut id = [0; ID_BYTES];
        id.copy_from_slice(&digest[..ID_BYTES]);
        Key { id, bytes }
    }

    pub fn id(&self) -> String {
        hex(&self.id)
    }

    /// As written to a file.
    pub fn text(&self) -> String {
        BASE64_STANDARD.encode(self.bytes)
    }

    pub(crate) fn encrypt(&self, context: &Context<'_>, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce)?;
        let mut made = [&[VERSION], self.id.as_slice()].concat();
        let payload = Payload { msg: plain, aad: &bound(&made, context) };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| KeyError::Unusable)?;
        made.extend_from_slice(&nonce);
        made.extend_from_slice(&sealed);
        Ok(made)
    }

    /// `None` if it was encrypted with another key or for something else, or was changed.
    pub(crate) fn decrypt(&self, context: &Context<'_>, made: &[u8]) -> Option<Vec<u8>> {
        let (head, rest) = made.split_at_checked(HEAD_BYTES)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_BYTES)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
        self.cipher().decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: &bound(head, context) }).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.bytes.into())
    }
}

/// The id of the key it was encrypted with.
pub(crate) fn key_id_of(made: &[u8]) -> Option<&[u8]> {
    made.get(1..HEAD_BYTES).filter(|_| made.first() == Some(&VERSION) && made.len() > HEAD_BYTES + NONCE_BYTES)
}

fn bound(head: &[u8], context: &Context<'_>) -> Vec<u8> {
    [head, b"dripline ", context.purpose.as_bytes(), b"\0", context.row].concat()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let alphabets = [&alphabet::STANDARD, &alphabet::URL_SAFE];
    alphabets.into_iter().find_map(|alphabet| GeneralPurpose::new(alphabet, config).decode(text).ok())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &[u8] = b"twenty bytes of seed";

    fn context(row: &[u8]) -> Context<'_> {
        Context { purpose: "totp", row }
    }

    #[test]
    fn a_key_is_written_in_hexadecimal_or_in_base_64() {
        let hexadecimal = "fb".repeat(32);
        let key = Key::parse(&hexadecimal).unwrap();
        let text = key.text();
        for written in [text.as_str(), text.trim_end_matches('='), &text.replace('+', "-").replace('/', "_"), &"FB".repeat(32)] {
            assert_eq!(Key::parse(written).map(|key| key.id()), Some(key.id()), "{written}");
        }
        for wrong in ["", "a password", &"fb".repeat(31), &"fb".repeat(33), &"zz".repeat(32), &"é".repeat(32)] {
            assert!(Key::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn only_the_same_key_for_the_same_row_decrypts_it() {
        let (key, other) = (Key::generate().unwrap(), Key::generate().unwrap());
        let made = key.encrypt(&context(b"ana"), SEED).unwrap();
        assert_eq!(key.decrypt(&context(b"ana"), &made).as_deref(), Some(SEED));
        assert_eq!((key_id_of(&made), key_id_of(SEED)), (Some(key.id.as_slice()), None));
        assert!(key.decrypt(&context(b"ben"), &made).is_none(), "another row");
        assert!(key.decrypt(&Context { purpose: "webhook", row: b"ana" }, &made).is_none(), "another purpose");
        assert!(other.decrypt(&context(b"ana"), &made).is_none(), "another key");
        for at in 0..made.len() {
            let mut changed = made.clone();
            changed[at] ^= 1;
            assert!(key.decrypt(&context(b"ana"), &changed).is_none(), "byte {at}");
            assert!(key.decrypt(&context(b"ana"), &made[..at]).is_none(), "{at} bytes");
        }
        assert_ne!(key.encrypt(&context(b"ana"), SEED).unwrap(), made, "a nonce is used once");
    }
}
