//! A message for the next page, in a cookie that only we can set.

use axum::http::HeaderMap;

use crate::visit::cookies;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// `ok` or `warn`: the class in the stylesheet.
    pub tone: &'static str,
    pub text: String,
}

const BYTES_MAX: usize = 600;

impl Notice {
    pub fn ok(text: impl Into<String>) -> Notice {
        Notice { tone: "ok", text: text.into() }
    }

    pub fn warn(text: impl Into<String>) -> Notice {
        Notice { tone: "warn", text: text.into() }
    }

    pub fn put(&self, headers: &mut HeaderMap) {
        let mut end = self.text.len().min(BYTES_MAX);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let value = format!("{}-{}", self.tone, crate::hex(&self.text.as_bytes()[..end]));
        cookies::set(headers, cookies::NOTICE, &value, Some(60));
    }

    pub fn read(value: &str) -> Option<Notice> {
        let (tone, text) = value.split_once('-')?;
        let tone = ["ok", "warn"].into_iter().find(|known| *known == tone)?;
        let bytes: Option<Vec<u8>> =
            (0..text.len() / 2).map(|at| u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()).collect();
        Some(Notice { tone, text: String::from_utf8(bytes?).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_reads_back_as_it_was_set() {
        for text in ["", "Saved.", "«Größe» — \"ok\"; ñ", &"é".repeat(400)] {
            let mut headers = HeaderMap::new();
            Notice::warn(text).put(&mut headers);
            let line = headers["set-cookie"].to_str().unwrap();
            let value = line.strip_prefix("__Host-n=").unwrap().split(';').next().unwrap();
            let back = Notice::read(value).unwrap();
            assert_eq!(back.tone, "warn");
            assert!(text.starts_with(&back.text) && (text.len() <= BYTES_MAX) == (text == back.text));
        }
        assert_eq!(Notice::read("evil-00"), None);
        assert_eq!(Notice::read("ok-ff"), None);
    }
}
