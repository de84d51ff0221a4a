//! Connected apps: list them, revoke one or all.

use app::oauth::{Audience, grants};
use axum::extract::State;
use uuid::Uuid;

use super::ADDRESS;
use crate::web::format::Html;
use crate::web::visit::forms::Form;
use crate::web::visit::links;
use crate::web::visit::notice::Notice;
use crate::web::visit::page_error::PageError;
use crate::web::visit::visitor::SignedIn;
use crate::web::{Reply, Web};

pub(super) struct Row {
    pub id: Uuid,
    pub name: String,
    pub host: String,
    pub reads: &'static str,
    pub created: Html,
    pub last_used: Html,
    pub ends: Html,
}

pub(super) async fn rows(web: &Web, who: &SignedIn) -> Result<Vec<Row>, PageError> {
    let (f, t) = (who.visitor.format, &who.visitor.texts.access);
    let grants = grants::list(&web.app, who.user_id()).await?.into_iter();
    let rows = grants.map(|grant| Row {
        id: grant.id,
        name: who.visitor.texts.connect.app_name(&grant.client_name).to_owned(),
        host: grant.redirect_host,
        reads: match grant.audience {
            Audience::Api => t.apps_api,
            Audience::Mcp => t.apps_mcp,
        },
        created: f.instant(grant.created_at),
        last_used: f.instant(grant.used_at),
        ends: f.instant(grant.expires_at),
    });
    Ok(rows.collect())
}

pub async fn revoke(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = form.text("id").parse::<Uuid>().map_err(|_| PageError::not_found())?;
    match grants::revoke(&web.app, who.user_id(), id).await {
        Ok(()) => Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.app_revoked))),
        Err(app::Error::Refused(_)) => Err(PageError::not_found()),
        Err(error) => Err(error.into()),
    }
}

pub async fn revoke_all(State(web): State<Web>, who: SignedIn, _form: Form) -> Reply {
    let ended = grants::revoke_all(&web.app, who.user_id()).await?;
    Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.apps_revoked(ended as u64))))
}
