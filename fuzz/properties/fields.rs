//! Contents of addresses, forms and headers.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use pages::notice::Notice;
use pages::{cookies, form_token};
use serving::params::{Query, last_segment};
use serving::{etag, fields};

/// A query as the API reads it: values are in their documented range.
pub fn query(text: &str) {
    if let Ok(segment) = last_segment(text) {
        assert!(!segment.trim().is_empty() && !segment.contains('\0'));
    }
    let Ok(query) = Query::parse(Some(text)) else {
        assert_eq!(fields::pairs(text), None, "what is broken in a query is so in a form");
        return;
    };
    for name in ["days", "a", ""] {
        assert!(query.integer(name, 1..=120, 45).map_or(true, |days| (1..=120).contains(&days)));
        if let Ok(Some(day)) = query.date(name) {
            assert_eq!(query.text(name).ok().flatten(), Some(day.to_string().as_str()));
        }
        if let Ok(text) = query.required_text(name, 7) {
            assert!(!text.is_empty() && text.chars().count() <= 7 && text == text.trim() && !text.contains('\0'));
        }
        let _ = query.boolean(name, false);
    }
}

/// Lists of ETags: a tag is found after anything that does not leave a quotation open.
pub fn tags(text: &[u8]) {
    let tag = etag::tag(text);
    let strong = &tag.as_bytes()[2..];
    assert!(etag::names([tag.as_bytes()].into_iter(), &tag) && etag::names([text, strong].into_iter(), &tag));
    let listed = [text, b", ", tag.as_bytes()].concat();
    let open = text.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    assert!(open || etag::names([listed.as_slice()].into_iter(), &tag));
    let other = etag::tag(b"another");
    let named = text.windows(strong.len()).any(|part| part == &other.as_bytes()[2..]);
    assert!(named || text.trim_ascii() == b"*" || !etag::names([text].into_iter(), &other));
}

/// Parses cookies from a header, and reads back one that was set.
pub fn cookie(line: &str) {
    let Ok(value) = HeaderValue::from_str(line) else { return };
    let headers = HeaderMap::from_iter([(COOKIE, value)]);
    let _ = cookies::read(&headers, cookies::SESSION).is_some_and(|secret| form_token::verify(line, secret));
    if let Some(notice) = Notice::read(line) {
        let mut headers = HeaderMap::new();
        notice.put(&mut headers);
        assert_eq!(headers.len(), 1);
    }
}
