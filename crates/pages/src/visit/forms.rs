//! Submitted forms. A form that does not come from one of our pages in this browser is refused before it is read.

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use serving::Reason;

use crate::Web;
use crate::visit::{PageError, form_token, visitor::form_secret};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const BYTES_MAX: usize = 64 << 10;
const FIELDS_MAX: usize = 2_000;

/// The hidden field in every form.
pub const TOKEN: &str = "_token";

/// The fields of a form, in the order of the page.
pub struct Form {
    fields: Vec<(String, String)>,
}

impl Form {
    /// The value as typed; empty if there is none.
    pub fn raw(&self, name: &str) -> &str {
        self.fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// The value without surrounding spaces.
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// `None` if nothing was typed.
    pub fn non_empty(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// Whether a box is ticked.
    pub fn ticked(&self, name: &str) -> bool {
        !self.raw(name).is_empty()
    }

    /// Names and values of the fields with this prefix; the names come without it.
    pub fn starting<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.fields.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())))
    }
}

impl FromRequest<Web> for Form {
    type Rejection = PageError;

    async fn from_request(request: Request, web: &Web) -> Result<Form, PageError> {
        check_origin(request.headers(), web)?;
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/x-www-form-urlencoded") {
            return Err(PageError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, |t| t.error_page.refused));
        }
        let secret = form_secret(request.headers()).map(str::to_owned);
        let body = to_bytes(request.into_body(), BYTES_MAX).await.map_err(|_| too_large())?;
        let fields = fields(&body)?;
        let form = Form { fields };
        check_token(form.raw(TOKEN), secret.as_deref())?;
        Ok(form)
    }
}

/// Checks the fetch metadata, or else the origin: the form must come from one of our pages. Without either header it is refused.
pub fn check_origin(headers: &HeaderMap, web: &Web) -> Result<(), PageError> {
    let own = match (headers.get(SEC_FETCH_SITE), headers.get(ORIGIN)) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => origin.to_str().is_ok_and(|origin| is_own(origin, headers, web)),
        (None, None) => false,
    };
    if own { Ok(()) } else { Err(refused(Reason::Origin)) }
}

pub fn check_token(token: &str, secret: Option<&str>) -> Result<(), PageError> {
    match secret.is_some_and(|secret| form_token::verify(token, secret)) {
        true => Ok(()),
        false => Err(refused(Reason::FormToken)),
    }
}

fn is_own(origin: &str, headers: &HeaderMap, web: &Web) -> bool {
    let authority = |address: &str| address.parse::<Uri>().ok().and_then(|uri| uri.authority().map(Authority::to_string));
    let Some(from) = authority(origin) else { return false };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host == Some(from.as_str()) || authority(web.base_url()).as_deref() == Some(from.as_str())
}

fn refused(reason: Reason) -> PageError {
    PageError::new(StatusCode::FORBIDDEN, |t| t.shell.form_expired).because(reason)
}

fn too_large() -> PageError {
    PageError::new(StatusCode::PAYLOAD_TOO_LARGE, |t| t.error_page.too_large)
}

/// Refuses what no browser sends: broken escapes, NUL, thousands of fields.
fn fields(body: &[u8]) -> Result<Vec<(String, String)>, PageError> {
    let broken = || PageError::new(StatusCode::UNPROCESSABLE_ENTITY, |t| t.error_page.refused);
    let body = std::str::from_utf8(body).map_err(|_| broken())?;
    serving::fields::pairs(body).filter(|fields| fields.len() <= FIELDS_MAX).ok_or_else(broken)
}
