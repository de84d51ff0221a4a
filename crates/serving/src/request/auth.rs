//! Reads the bearer token of a request, without checking it.

use app::Session;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;

use crate::response::error::ApiError;

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Bearer<'a> {
    Missing,
    /// There is an Authorization, but not exactly one well-formed bearer token.
    Malformed,
    Token(&'a str),
}

/// Marks an in-process request of a user whose token was already checked. It cannot come from outside.
#[derive(Debug, Clone, Copy)]
pub struct Known(pub Session);

/// Marks an in-process request of a visitor whom the rate limit already counted. It cannot come from outside.
#[derive(Debug, Clone, Copy)]
pub struct Counted;

/// Marks a request whose token was looked up without finding a session, or whose look-up failed.
#[derive(Debug, Clone)]
pub struct NotKnown(pub Option<ApiError>);

pub fn bearer(headers: &HeaderMap) -> Bearer<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Bearer::Missing };
    if values.next().is_some() {
        return Bearer::Malformed;
    }
    value.to_str().ok().and_then(token).map_or(Bearer::Malformed, Bearer::Token)
}

/// The token of an Authorization header.
pub fn token(value: &str) -> Option<&str> {
    let (scheme, rest) = value.split_once(' ')?;
    let token = rest.trim_start_matches(' ');
    (scheme.eq_ignore_ascii_case("bearer") && is_token68(token)).then_some(token)
}

/// RFC 9110 §11.2: letters, digits and `-._~+/`, at least one, then any number of `=`.
fn is_token68(text: &str) -> bool {
    let stem = text.trim_end_matches('=');
    !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(lines: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(AUTHORIZATION, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        match bearer(&headers) {
            Bearer::Missing => "missing".into(),
            Bearer::Malformed => "malformed".into(),
            Bearer::Token(token) => format!("token {token}"),
        }
    }

    #[test]
    fn the_scheme_is_case_insensitive() {
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            assert_eq!(read(&[&format!("{scheme} drip_pat_Ab1")]), "token drip_pat_Ab1");
        }
    }

    #[test]
    fn spaces_before_the_token_and_padding_after_it_are_accepted() {
        assert_eq!(read(&["Bearer   a.b-c_d~e+f/g=="]), "token a.b-c_d~e+f/g==");
    }

    #[test]
    fn no_authorization_header_means_a_missing_token() {
        assert_eq!(read(&[]), "missing");
    }

    #[test]
    fn any_other_authorization_header_is_malformed() {
        let bad =
            ["", "Bearer", "Bearer ", "Bearer =", "Bearer a b", "Bearer a,b", "Basic YTpi", "Bearera", "Bearer\ta", "Bearer é"];
        for value in bad {
            assert_eq!(read(&[value]), "malformed", "{value:?}");
        }
        assert_eq!(read(&["Bearer a", "Bearer a"]), "malformed");
    }
}
