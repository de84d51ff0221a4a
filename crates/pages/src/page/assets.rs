//! The stylesheet, the script and the icon: compiled in, named by a hash of their content, cached by browsers for good.

use std::sync::LazyLock;

use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::visit::PageError;

pub struct Asset {
    pub path: String,
    kind: &'static str,
    bytes: &'static [u8],
}

pub static STYLE: LazyLock<Asset> =
    LazyLock::new(|| asset("css", "text/css; charset=utf-8", include_bytes!("../../assets/app.css")));
pub static SCRIPT: LazyLock<Asset> =
    LazyLock::new(|| asset("js", "text/javascript; charset=utf-8", include_bytes!("../../assets/app.js")));
pub static ICON: LazyLock<Asset> = LazyLock::new(|| asset("svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")));

fn asset(ending: &str, kind: &'static str, bytes: &'static [u8]) -> Asset {
    let name = crate::hex(&Sha256::digest(bytes)[..8]);
    Asset { path: format!("/assets/{name}.{ending}"), kind, bytes }
}

pub async fn get(uri: Uri) -> Response {
    let all = [&*STYLE, &*SCRIPT, &*ICON];
    match all.into_iter().find(|asset| asset.path == uri.path()) {
        Some(asset) => {
            ([(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")], asset.bytes).into_response()
        }
        None => PageError::not_found().into_response(),
    }
}

/// Browsers request it by this name, whatever the page links to.
pub async fn favicon() -> Response {
    ([(CONTENT_TYPE, ICON.kind), (CACHE_CONTROL, "public, max-age=86400")], ICON.bytes).into_response()
}

/// Crawlers may read the public pages only.
pub async fn robots() -> Response {
    (
        [(CONTENT_TYPE, "text/plain; charset=utf-8")],
        "User-agent: *\nAllow: /calendar\nAllow: /stocks/\nAllow: /developers\nDisallow: /\n",
    )
        .into_response()
}
