//! `/feed/{secret}.ics`: upcoming payments for calendar programs. The secret address is the only credential.

use app::authentication::feeds;
use app::income::upcoming;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use jiff::tz::TimeZone;

use crate::visit::PageError;
use crate::{Reply, Web, calendar_file};

const DAYS: i32 = 120;

pub async fn get(State(web): State<Web>, Path(file): Path<String>, parts: Parts) -> Reply {
    let secret = file.strip_suffix(".ics").ok_or_else(PageError::not_found)?;
    let Some(user_id) = feeds::owner(&web.app, secret).await? else {
        web.admit_stranger(&parts).await?;
        return Err(PageError::not_found());
    };
    let seen = upcoming::list(&web.app, user_id, None, DAYS).await?;
    // Stamped with the day, not the second, so that the file stays the same until something changes.
    let day = seen.from.to_zoned(TimeZone::UTC).map_or_else(|_| web.app.clock.now(), |day| day.timestamp());
    let languages = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let text = calendar_file::ics(&seen.items, day, &host(web.base_url()), messages::web::texts(languages));
    Ok(([(CONTENT_TYPE, "text/calendar; charset=utf-8"), (CACHE_CONTROL, "private, no-cache")], text).into_response())
}

fn host(base_url: &str) -> String {
    base_url.parse::<Uri>().ok().and_then(|address| address.host().map(str::to_owned)).unwrap_or_else(|| "dripline".to_owned())
}
