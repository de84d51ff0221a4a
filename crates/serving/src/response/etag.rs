//! Entity tags. Weak, because one body is sent in several encodings under one tag.

use axum::http::HeaderValue;

/// The tag of a body before compression: the same bytes give the same tag on every node and after a restart.
pub fn tag(body: &[u8]) -> HeaderValue {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut text = *b"W/\"0123456789abcdef0123456789abcdef\"";
    for (pair, byte) in text[3..35].chunks_exact_mut(2).zip(blake3::hash(body).as_bytes()) {
        pair[0] = HEX[usize::from(byte >> 4)];
        pair[1] = HEX[usize::from(byte & 15)];
    }
    HeaderValue::from_bytes(&text).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether If-None-Match contains the tag (lists, several lines, `*`), compared weakly. Anything else is ignored.
pub fn names<'a>(mut lines: impl Iterator<Item = &'a [u8]>, tag: &HeaderValue) -> bool {
    let wanted = opaque(tag.as_bytes());
    lines.any(|line| line.trim_ascii() == b"*" || lists(line, wanted))
}

/// A tag can contain a comma, so the line is read tag by tag and not split.
fn lists(mut line: &[u8], wanted: &[u8]) -> bool {
    while let Some(start) = line.iter().position(|&byte| byte == b'"') {
        let Some(length) = line[start + 1..].iter().position(|&byte| byte == b'"') else { return false };
        if &line[start..start + length + 2] == wanted {
            return true;
        }
        line = &line[start + length + 2..];
    }
    false
}

fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(lines: &[&str]) -> bool {
        names(lines.iter().map(|line| line.as_bytes()), &HeaderValue::from_static("W/\"abc\""))
    }

    #[test]
    fn the_etag_is_the_first_half_of_the_digest() {
        // printf '' | b3sum = af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262
        assert_eq!(tag(b""), "W/\"af1349b9f5f9a1a6a0404dea36dcc949\"");
    }

    #[test]
    fn weak_and_strong_tags_lists_stars_and_several_headers_match() {
        assert!(asks(&["W/\"abc\""]));
        assert!(asks(&["\"abc\""]));
        assert!(asks(&["  *  "]));
        assert!(asks(&["\"x\" ,W/\"y\",\t\"abc\" , \"z\""]));
        assert!(asks(&["\"a,b\",\"abc\""]));
        assert!(asks(&["\"x\"", "\"abc\""]));
        let fifty = (0..49).map(|n| format!("\"t{n}\", ")).collect::<String>() + "W/\"abc\"";
        assert!(asks(&[&fifty]));
    }

    #[test]
    fn other_tags_and_junk_do_not_match() {
        assert!(!asks(&[]));
        assert!(!asks(&["abc"]));
        assert!(!asks(&["\"abc"]));
        assert!(!asks(&["\"ABC\""]));
        assert!(!asks(&["\"ab\", \"c\""]));
        assert!(!asks(&["\"*\""]));
        assert!(!asks(&["\"abcd\""]));
        assert!(!asks(&[&"x".repeat(10_000)]));
    }

    #[test]
    fn junk_before_a_tag_does_not_hide_it() {
        assert!(asks(&["junk, , ;;, \"abc\""]));
    }
}
