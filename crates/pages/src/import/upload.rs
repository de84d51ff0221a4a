//! `POST /import`: uploads files in a multipart form whose first field is the token. A file is only read once we know who sends
//! it, from where, and that there is space for it. No file is held in memory.

use app::import::staged::{self, Incoming, Spooled};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::visit::{
    Notice, PageError, SignedIn,
    forms::{self, TOKEN},
    links,
    visitor::form_secret,
};
use crate::{Reply, Web};

const TEXT_MAX: usize = 1_000;
const FILES_MAX: usize = 20;

#[derive(Default)]
pub struct Sent {
    pub key: Option<String>,
    pub portfolio: Option<String>,
    pub files: Vec<(String, Spooled)>,
    /// The first error about the files.
    pub refusal: Option<app::Error>,
}

pub async fn post(State(web): State<Web>, who: SignedIn, headers: HeaderMap, request: Request) -> Reply {
    forms::check_origin(&headers, &web)?;
    let incoming = match staged::begin(&web.app, who.user_id()).await {
        Ok(incoming) => incoming,
        Err(error) => return refused(&web, &who, error).await,
    };
    let multipart = Multipart::from_request(request, &()).await;
    let multipart = multipart.map_err(|_| PageError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, |t| t.error_page.refused))?;
    let mut sent = read(&web, &incoming, multipart, &headers).await?;
    let header = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(str::to_owned);
    sent.key = header.or(sent.key).filter(|key| !key.trim().is_empty());
    put(&web, &who, sent).await
}

async fn read(web: &Web, incoming: &Incoming, mut multipart: Multipart, headers: &HeaderMap) -> Result<Sent, PageError> {
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
            "file" if sent.files.len() <= FILES_MAX => {
                let name = field.file_name().unwrap_or_default().to_owned();
                match spooled(web, incoming, field).await? {
                    // If no file was chosen, a browser sends an empty part without a name.
                    Ok(file) if name.is_empty() && file.bytes() == 0 => {}
                    Ok(file) => sent.files.push((name, file)),
                    Err(error) => {
                        sent.refusal = Some(error);
                        return Ok(sent);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(sent)
}

/// The inner error is about the file, or about the space for it.
async fn spooled(web: &Web, incoming: &Incoming, mut field: Field<'_>) -> Result<Result<Spooled, app::Error>, PageError> {
    let mut spool = match incoming.file(&web.app) {
        Ok(spool) => spool,
        Err(error) => return Ok(Err(error)),
    };
    while let Some(piece) = field.chunk().await.map_err(broken)? {
        if let Err(error) = spool.write(&piece).await {
            return Ok(Err(error));
        }
    }
    Ok(spool.finish().await)
}

/// One after the other, so that only one is processed at a time.
pub async fn put(web: &Web, who: &SignedIn, sent: Sent) -> Reply {
    let t = who.visitor.texts;
    if let Some(error) = sent.refusal {
        return refused(web, who, error).await;
    }
    let number = sent.files.len();
    if number == 0 {
        return show_problem(web, who, StatusCode::UNPROCESSABLE_ENTITY, t.import.no_file.to_owned()).await;
    }
    if number > FILES_MAX {
        return show_problem(web, who, StatusCode::UNPROCESSABLE_ENTITY, t.import.too_many.to_owned()).await;
    }
    let mut first = None;
    for (at, (name, file)) in sent.files.into_iter().enumerate() {
        let key = sent.key.as_deref().map_or_else(Uuid::now_v7, |key| key_of(key, at));
        match staged::put_once(&web.app, who.user_id(), key, &name, file, sent.portfolio.as_deref()).await {
            Ok(id) => first = first.or(Some(id)),
            Err(error) => return refused(web, who, error).await,
        }
    }
    match (number, first) {
        (1, Some(id)) => Ok(links::to(&format!("/import/{id}"))),
        _ => Ok(links::to_with("/import", &Notice::ok(t.import.waiting_now(number as u64)))),
    }
}

/// Shows an error on the page where the user can fix it, if there is one.
async fn refused(web: &Web, who: &SignedIn, error: app::Error) -> Reply {
    let status = match error {
        app::Error::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
        app::Error::NoSpace(_) => StatusCode::INSUFFICIENT_STORAGE,
        other => return Err(other.into()),
    };
    show_problem(web, who, status, who.visitor.error(&error)).await
}

async fn show_problem(web: &Web, who: &SignedIn, status: StatusCode, reason: String) -> Reply {
    super::show(web, who, status, Some(reason)).await
}

/// For the file at this position in a form with that key.
fn key_of(key: &str, at: usize) -> Uuid {
    let digest: [u8; 32] = Sha256::digest(format!("{at} {}", key.trim()).as_bytes()).into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    Builder::from_custom_bytes(bytes).into_uuid()
}

async fn words_of(mut field: Field<'_>) -> Result<String, PageError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > TEXT_MAX {
            return Err(PageError::new(StatusCode::PAYLOAD_TOO_LARGE, |t| t.error_page.too_large));
        }
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    text.ok_or_else(|| PageError::new(StatusCode::UNPROCESSABLE_ENTITY, |t| t.error_page.refused))
}

fn broken(error: MultipartError) -> PageError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => PageError::new(StatusCode::PAYLOAD_TOO_LARGE, |t| t.error_page.too_large),
        _ => PageError::new(StatusCode::UNPROCESSABLE_ENTITY, |t| t.error_page.refused),
    }
}
