//! `POST /import`: files come in, in a form of several parts whose token stands first. Nothing of a file is read before it is
//! known who sends it, and from where.

use app::import::{BYTES_MAX, staged};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::web::forms::{self, TOKEN};
use crate::web::ledger::words;
use crate::web::notice::Notice;
use crate::web::oops::Oops;
use crate::web::text::{self, count};
use crate::web::visitor::{SignedIn, form_secret};
use crate::web::{Reply, Web, links};

const TEXT_MAX: usize = 1_000;
const FILES_MAX: usize = 20;

#[derive(Default)]
struct Sent {
    key: Option<String>,
    portfolio: Option<String>,
    files: Vec<(String, Vec<u8>)>,
}

pub async fn post(State(web): State<Web>, who: SignedIn, headers: HeaderMap, request: Request) -> Reply {
    forms::check_origin(&headers, &web)?;
    let multipart = Multipart::from_request(request, &()).await;
    let multipart = multipart.map_err(|_| Oops::of(StatusCode::UNSUPPORTED_MEDIA_TYPE, text::of("").oops.refused))?;
    let mut sent = read(multipart, &headers).await?;
    let said = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    sent.key = said.or(sent.key).filter(|key| !key.trim().is_empty());
    put(&web, &who, sent).await
}

async fn read(mut multipart: Multipart, headers: &HeaderMap) -> Result<Sent, Oops> {
    let mut sent = Sent::default();
    let token = match multipart.next_field().await.map_err(broken)? {
        Some(first) if first.name() == Some(TOKEN) => words_of(first).await?,
        _ => String::new(),
    };
    forms::check_token(&token, form_secret(headers))?;
    while let Some(field) = multipart.next_field().await.map_err(broken)? {
        match field.name().unwrap_or_default() {
            "key" => sent.key = Some(words_of(field).await?),
            "portfolio" => sent.portfolio = Some(words_of(field).await?),
            "file" => {
                let name = field.file_name().unwrap_or_default().to_owned();
                let bytes = bytes_of(field, BYTES_MAX + 1).await?;
                // A browser sends a nameless empty part where nothing was chosen.
                if !(name.is_empty() && bytes.is_empty()) {
                    sent.files.push((name, bytes));
                }
            }
            _ => {}
        }
    }
    Ok(sent)
}

async fn put(web: &Web, who: &SignedIn, sent: Sent) -> Reply {
    let t = who.visitor.texts;
    let number = sent.files.len();
    if number == 0 {
        return refused(web, who, t.import.no_file.to_owned()).await;
    }
    if number > FILES_MAX {
        return refused(web, who, t.import.too_many.to_owned()).await;
    }
    let mut first = None;
    for (at, (name, bytes)) in sent.files.into_iter().enumerate() {
        let key = sent.key.as_deref().map_or_else(Uuid::now_v7, |key| key_of(key, at));
        match staged::put_once(&web.app, who.user_id(), key, &name, bytes, sent.portfolio.as_deref()).await {
            Ok(id) => first = first.or(Some(id)),
            Err(app::Error::Refused(reason)) => return refused(web, who, words::reason(t, &reason)).await,
            Err(error) => return Err(error.into()),
        }
    }
    match (number, first) {
        (1, Some(id)) => Ok(links::to(&format!("/import/{id}"))),
        _ => Ok(links::to_with("/import", &Notice::ok(count(t.import.waiting_now, number as u64)))),
    }
}

async fn refused(web: &Web, who: &SignedIn, reason: String) -> Reply {
    super::show(web, who, StatusCode::UNPROCESSABLE_ENTITY, Some(reason)).await
}

/// Of the file at this place in a form with that key.
fn key_of(key: &str, at: usize) -> Uuid {
    let digest: [u8; 32] = Sha256::digest(format!("{at} {}", key.trim()).as_bytes()).into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Builder::from_custom_bytes(bytes).into_uuid()
}

async fn words_of(field: Field<'_>) -> Result<String, Oops> {
    let text = String::from_utf8(bytes_of(field, TEXT_MAX).await?).ok().filter(|text| !text.contains('\0'));
    text.ok_or_else(|| Oops::of(StatusCode::UNPROCESSABLE_ENTITY, text::of("").oops.refused))
}

async fn bytes_of(mut field: Field<'_>, most: usize) -> Result<Vec<u8>, Oops> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > most {
            return Err(Oops::of(StatusCode::PAYLOAD_TOO_LARGE, text::of("").oops.too_large));
        }
    }
    Ok(bytes)
}

fn broken(error: MultipartError) -> Oops {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Oops::of(StatusCode::PAYLOAD_TOO_LARGE, text::of("").oops.too_large),
        _ => Oops::of(StatusCode::UNPROCESSABLE_ENTITY, text::of("").oops.refused),
    }
}
