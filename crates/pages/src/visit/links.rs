//! Redirects and links.

use axum::http::header::LOCATION;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::visit::Notice;

/// What is escaped in a query value or a path segment.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

pub fn escaped(value: &str) -> String {
    utf8_percent_encode(value, VALUE).to_string()
}

/// The address with these values, if there are any.
pub fn with_query<'a>(path: &str, values: impl IntoIterator<Item = (&'a str, impl AsRef<str>)>) -> String {
    let values: Vec<String> = values.into_iter().map(|(name, value)| format!("{name}={}", escaped(value.as_ref()))).collect();
    if values.is_empty() { path.to_owned() } else { format!("{path}?{}", values.join("&")) }
}

/// The page of a stock.
pub fn stock(symbol: &str) -> String {
    format!("/stocks/{}", escaped(symbol))
}

/// 303: the browser requests that page next, with GET.
pub fn to(path: &str) -> Response {
    let location = HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response()
}

pub fn to_with(path: &str, notice: &Notice) -> Response {
    let mut response = to(path);
    notice.put(response.headers_mut());
    response
}

/// A local path to return to, or the home page: never another host.
pub fn own_path(wanted: &str) -> &str {
    let sound = wanted.starts_with('/')
        && !wanted.starts_with("//")
        && !wanted.contains('\\')
        && wanted.len() <= 4_000
        && wanted.bytes().all(|byte| byte.is_ascii_graphic());
    if sound { wanted } else { "/" }
}

/// Redirects to the page that asks for the password again, and then to a local page.
pub fn to_confirm_for(page: &str) -> Response {
    to(&format!("/confirm?next={}", escaped(own_path(page))))
}

/// Path and query of a page. A form's address is its page's with one more segment.
pub fn page_of<'a>(method: &Method, uri: &'a Uri) -> &'a str {
    match method.is_safe() {
        true => uri.path_and_query().map_or("/", |address| address.as_str()),
        false => uri.path().rsplit_once('/').map_or("/", |(page, _)| page),
    }
}

#[cfg(test)]
mod tests {
    use super::own_path;

    #[test]
    fn a_return_link_is_a_local_path_only() {
        for good in ["/", "/upcoming?portfolio=My%20Fund", "/stocks/BRK-B"] {
            assert_eq!(own_path(good), good);
        }
        for bad in
            ["", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/a b", "/a\r\nX: y", "/é"]
        {
            assert_eq!(own_path(bad), "/", "{bad}");
        }
    }
}
