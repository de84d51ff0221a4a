//! Cookies. All use the `__Host-` prefix, so no other host can set them, and no script can read them.

use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue};

/// The session: signed in, or still waiting for the second factor.
pub const SESSION: &str = "__Host-s";
/// Marks a browser that has signed in before.
pub const DEVICE: &str = "__Host-d";
/// Binds the forms of a visitor who is not signed in.
pub const FORM: &str = "__Host-f";
/// A message for the next page.
pub const NOTICE: &str = "__Host-n";
/// Light or dark theme.
pub const THEME: &str = "__Host-t";
/// Turns off single-key shortcuts.
pub const SHORTCUTS: &str = "__Host-k";
pub const OFF: &str = "off";

pub const DAY: u32 = 24 * 60 * 60;

/// The value of a cookie, if it was sent exactly once.
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut values = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(found, _)| *found == name)
        .map(|(_, value)| value);
    values.next().filter(|value| values.next().is_none() && plain(value))
}

/// Adds a cookie. Without `seconds` it lasts until the browser is closed.
pub fn set(headers: &mut HeaderMap, name: &str, value: &str, seconds: Option<u32>) {
    debug_assert!(plain(value), "a cookie's value has letters and digits");
    let age = seconds.map_or(String::new(), |seconds| format!("; Max-Age={seconds}"));
    let line = format!("{name}={value}; Path=/; Secure; HttpOnly; SameSite=Lax{age}");
    if let Ok(line) = HeaderValue::try_from(line) {
        headers.append(SET_COOKIE, line);
    }
}

pub fn clear(headers: &mut HeaderMap, name: &str) {
    set(headers, name, "", Some(0));
}

fn plain(value: &str) -> bool {
    value.len() <= 1300 && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| (COOKIE, HeaderValue::from_str(line).unwrap())).collect()
    }

    #[test]
    fn a_cookie_counts_only_if_sent_once_with_plain_characters() {
        let both = sent(&["__Host-s=aB-_9; __Host-d=x"]);
        assert_eq!((read(&both, SESSION), read(&both, DEVICE), read(&both, FORM)), (Some("aB-_9"), Some("x"), None));
        assert_eq!(read(&sent(&["a=b", "__Host-s=c"]), SESSION), Some("c"));
        let (longest, long) = (format!("__Host-s={}", "a".repeat(1_300)), format!("__Host-s={}", "a".repeat(1_301)));
        assert_eq!(read(&sent(&[&longest]), SESSION).map(str::len), Some(1_300));
        for bad in [
            &["__Host-s=a; __Host-s=a"][..],
            &["__Host-s=a", "__Host-s=b"],
            &["__Host-s=a.b"],
            &["__Host-s=\"a\""],
            &["x__Host-s=a"],
            &["__host-s=a"],
            &[&long],
        ] {
            assert_eq!(read(&sent(bad), SESSION), None, "{bad:?}");
        }
    }

    #[test]
    fn a_cookie_is_hidden_from_scripts_and_other_sites() {
        let mut headers = HeaderMap::new();
        set(&mut headers, SESSION, "abc", None);
        set(&mut headers, DEVICE, "def", Some(DAY));
        clear(&mut headers, NOTICE);
        let lines: Vec<_> = headers.get_all(SET_COOKIE).iter().map(|line| line.to_str().unwrap()).collect();
        assert_eq!(
            lines,
            [
                "__Host-s=abc; Path=/; Secure; HttpOnly; SameSite=Lax",
                "__Host-d=def; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=86400",
                "__Host-n=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0",
            ]
        );
    }
}
