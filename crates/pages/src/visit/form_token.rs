//! The token in every form: it proves that the form came from one of our pages, in this browser.
//!
//! Each page salts it anew, so that its bytes never repeat in a compressed response.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const SALT_CHARS: usize = 16;

/// `secret` is that of the session or of the form cookie.
pub fn make(secret: &str) -> String {
    let salt = crate::random_hex::<8>();
    format!("{salt}{}", digest(&salt, secret))
}

pub fn verify(token: &str, secret: &str) -> bool {
    let Some((salt, sum)) = token.split_at_checked(SALT_CHARS) else { return false };
    digest(salt, secret).as_bytes().ct_eq(sum.as_bytes()).into()
}

/// A single-use token for one purpose, valid until `expires_at`. The caller remembers which tokens were used.
pub fn make_once(secret: &str, purpose: &str, expires_at: i64) -> String {
    let head = format!("{expires_at:016x}{}", crate::random_hex::<8>());
    let sum = sum(&["once", &head, purpose, secret]);
    format!("{head}{sum}")
}

/// When the token expires; `None` if it has expired or does not match.
pub fn verify_once(token: &str, secret: &str, purpose: &str, now: i64) -> Option<i64> {
    let (head, given) = token.split_at_checked(2 * SALT_CHARS)?;
    let right: bool = sum(&["once", head, purpose, secret]).as_bytes().ct_eq(given.as_bytes()).into();
    let expires_at = i64::from_str_radix(head.get(..16)?, 16).ok()?;
    (right && now < expires_at).then_some(expires_at)
}

fn digest(salt: &str, secret: &str) -> String {
    sum(&["form", salt, secret])
}

fn sum(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    crate::hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_token_matches_its_own_secret_only_and_is_never_the_same() {
        let token = make("abc");
        assert!(verify(&token, "abc"));
        assert!(!verify(&token, "abd"));
        assert_ne!(make("abc"), make("abc"));
        let once = make_once("abc", "request", 100);
        assert_eq!(verify_once(&once, "abc", "request", 99), Some(100));
        assert_eq!(verify_once(&once, "abc", "request", 100), None, "past");
        assert_eq!(verify_once(&once, "abd", "request", 99), None);
        assert_eq!(verify_once(&once, "abc", "another", 99), None);
        assert_eq!(verify_once(&once.replacen('0', "1", 1), "abc", "request", 99), None, "for longer");
        assert_ne!(once, make_once("abc", "request", 100));
        for broken in ["", "0", &token[1..], &token[..SALT_CHARS], &format!("{token}0"), &"é".repeat(40)] {
            assert!(!verify(broken, "abc") && verify_once(broken, "abc", "request", 0).is_none(), "{broken}");
        }
    }
}
