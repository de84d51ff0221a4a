//! Connected apps: revoke one or all.

use app::oauth::grants;
use axum::extract::State;
use uuid::Uuid;

use super::ADDRESS;
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

pub async fn revoke(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = form.text("id").parse::<Uuid>().map_err(|_| PageError::not_found())?;
    grants::revoke(&web.app, who.user_id(), id).await.map_err(PageError::concealed)?;
    Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.app_revoked)))
}

pub async fn revoke_all(State(web): State<Web>, who: SignedIn, _form: Form) -> Reply {
    let ended = grants::revoke_all(&web.app, who.user_id()).await?;
    Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.apps_revoked(ended as u64))))
}
