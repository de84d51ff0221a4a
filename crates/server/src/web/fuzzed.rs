//! For `fuzz/` only: what must hold for anything people type or browsers send.

use axum::http::header::{COOKIE, LOCATION};
use axum::http::{HeaderMap, HeaderValue};
use reqwest::Url;

use crate::web::format::figures;
use crate::web::format::{CHOICES, Format};
use crate::web::visit::cookies;
use crate::web::visit::form_token;
use crate::web::visit::links;
use crate::web::visit::notice::Notice;

/// A number reads back as it is written, in every number format.
pub fn figure(typed: &str) {
    let t = messages::web::texts("");
    for (choice, _) in CHOICES {
        let format = Format::of(Some(choice), typed, t.shell.months_short);
        let Ok(figure) = figures::parse(typed, &format) else { continue };
        let written = figures::written(figure, &format);
        assert_eq!(figures::parse(&written, &format), Ok(figure), "{written}");
    }
}

/// A return address is always one of our pages, however it is parsed.
pub fn own_path(wanted: &str) {
    let path = links::own_path(wanted);
    let base = "https://dripline.example/sign-in";
    let there = Url::parse(base).and_then(|base| base.join(path));
    assert!(there.is_ok_and(|there| there.origin().ascii_serialization() == "https://dripline.example"), "{path}");
    assert!(links::to(path).headers().get(LOCATION).is_some_and(|location| location == path));
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
