//! The account as JSON: everything but the ledger and the files.

use jiff::Timestamp;
use serde_json::{Value, json};
use store::imports::Import;
use store::{audit, users};
use uuid::Uuid;

use crate::authentication::{feeds, sessions, tokens};
use crate::oauth::grants;
use crate::stocks::radar;
use crate::{App, Error, import, portfolios};

/// `files` are the paths of the imported files in the archive.
pub async fn written(app: &App, user_id: Uuid, imports: &[Import], files: &[Option<String>]) -> Result<Vec<u8>, Error> {
    let account = json!({
        "made_at": app.clock.now().to_string(),
        "user": user(app, user_id).await?,
        "portfolios": portfolios(app, user_id).await?,
        "radar": radar(app, user_id).await?,
        "tokens": tokens(app, user_id).await?,
        "connected_apps": apps(app, user_id).await?,
        "calendar_feeds": feeds(app, user_id).await?,
        "sessions": sessions(app, user_id).await?,
        "imports": imports.iter().zip(files).map(|(row, file)| import(row, file.as_deref())).collect::<Vec<_>>(),
        "uploads_not_imported_yet": uploads(app, user_id).await?,
        "activity": activity(app, user_id).await?,
    });
    Ok(format!("{account:#}\n").into_bytes())
}

async fn user(app: &App, user_id: Uuid) -> Result<Value, Error> {
    let mut tx = app.store.read().await?;
    let user = users::by_id(&mut tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))?;
    let second_factor = crate::authentication::codes::is_on(&mut tx, user_id).await?;
    Ok(json!({
        "id": user.id.to_string(),
        "email": user.email,
        "name": user.name,
        "preferred_currency": user.preferred_currency.code(),
        "residence": user.residence,
        "number_format": user.number_format,
        "session_idle_minutes": user.session_idle_minutes,
        "second_factor": second_factor,
        "created_at": instant(user.created_at),
    }))
}

async fn portfolios(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: portfolios::Portfolio| {
        json!({
            "name": row.name,
            "default": row.default,
            "slug": row.slug,
            "show_amounts": row.show_amounts,
            "automatic": row.automatic.word(),
            "entries": row.entries,
        })
    };
    Ok(portfolios::list(app, user_id).await?.into_iter().map(written).collect())
}

async fn radar(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: radar::Watched| {
        json!({
            "symbol": row.symbol,
            "target_yield_pct": row.target_yield_pct.map(|target| target.to_string()),
            "target_price": row.target_price.map(|target| target.to_string()),
        })
    };
    Ok(radar::list(app, user_id).await?.into_iter().map(written).collect())
}

async fn tokens(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: store::tokens::Token| {
        json!({
            "id": row.id.to_string(),
            "name": row.name,
            "created_at": instant(row.created_at),
            "last_used_at": row.last_used_at.map(instant),
            "expires_at": row.expires_at.map(instant),
            "revoked_at": row.revoked_at.map(instant),
        })
    };
    Ok(tokens::list(app, user_id).await?.into_iter().map(written).collect())
}

async fn apps(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: grants::Grant| {
        json!({
            "id": row.id.to_string(),
            "app": row.client_id,
            "name": row.client_name,
            "answers_went_to": row.redirect_host,
            "reads": row.audience.word(),
            "allowed_at": instant(row.created_at),
            "last_used_at": instant(row.used_at),
            "expires_at": instant(row.expires_at),
        })
    };
    Ok(grants::list(app, user_id).await?.into_iter().map(written).collect())
}

async fn feeds(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: store::feeds::Feed| {
        json!({
            "id": row.id.to_string(),
            "name": row.name,
            "created_at": instant(row.created_at),
            "last_used_at": row.last_used_at.map(instant),
        })
    };
    Ok(feeds::list(app, user_id).await?.into_iter().map(written).collect())
}

async fn sessions(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: store::sessions::Listed| {
        json!({
            "created_at": instant(row.created_at),
            "seen_at": instant(row.seen_at),
            "agent": row.agent,
            "network": row.address,
        })
    };
    Ok(sessions::list(app, user_id).await?.into_iter().map(written).collect())
}

fn import(row: &Import, file: Option<&str>) -> Value {
    json!({
        "id": row.id.to_string(),
        "file_name": row.file_name,
        "file": file,
        "format": row.format,
        "rows": row.rows,
        "added": row.added,
        "existing": row.existing,
        "skipped": row.skipped,
        "created_at": instant(row.created_at),
    })
}

async fn uploads(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: import::staged::Upload| json!({ "file_name": row.file_name, "created_at": instant(row.created_at) });
    Ok(import::staged::pending(app, user_id).await?.into_iter().map(written).collect())
}

/// Oldest first.
async fn activity(app: &App, user_id: Uuid) -> Result<Vec<Value>, Error> {
    let written = |row: audit::Record| json!({ "at": instant(row.at), "event": row.event, "detail": row.detail });
    Ok(audit::all(&mut app.store.read().await?, user_id).await?.into_iter().map(written).collect())
}

fn instant(micros: i64) -> String {
    Timestamp::from_microsecond(micros).unwrap_or_default().to_string()
}
