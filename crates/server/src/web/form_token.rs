//! The token in every form: it shows that the form came from a page of ours, to this very browser.
//!
//! It is salted anew in each page, so that its bytes never repeat in what is compressed.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const SALT_CHARS: usize = 16;

/// `secret` is the session's, or that of the form cookie.
pub fn make(secret: &str) -> String {
    let salt = super::random_hex::<8>();
    format!("{salt}{}", digest(&salt, secret))
}

pub fn fits(token: &str, secret: &str) -> bool {
    let Some((salt, sum)) = token.split_at_checked(SALT_CHARS) else { return false };
    digest(salt, secret).as_bytes().ct_eq(sum.as_bytes()).into()
}

fn digest(salt: &str, secret: &str) -> String {
    let mut hash = Sha256::new();
    for part in ["form", salt, secret] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    super::hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_fits_its_own_secret_only_and_never_looks_the_same() {
        let token = make("abc");
        assert!(fits(&token, "abc"));
        assert!(!fits(&token, "abd"));
        assert_ne!(make("abc"), make("abc"));
        for broken in ["", "0", &token[1..], &token[..SALT_CHARS], &format!("{token}0"), &"é".repeat(40)] {
            assert!(!fits(broken, "abc"), "{broken}");
        }
    }
}
