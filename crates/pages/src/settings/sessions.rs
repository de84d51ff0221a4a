//! The signed-in browsers, and how to sign them out remotely.

use app::authentication::sessions;
use axum::extract::State;
use uuid::Uuid;

use super::SECURITY_PAGE;
use super::agent;
use crate::format::Html;
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

pub struct Row {
    pub id: Uuid,
    pub agent: String,
    pub place: String,
    pub since: Html,
    pub seen: Html,
    pub this: bool,
    /// The button's label for screen readers, which do not see its row.
    pub label: String,
}

pub async fn rows(web: &Web, who: &SignedIn) -> Result<Vec<Row>, app::Error> {
    let (t, format) = (&who.visitor.texts.security, who.visitor.format);
    let all = sessions::list(&web.app, who.user_id()).await?.into_iter();
    let rows = all.map(|session| {
        let agent = agent::in_words(t, &session.agent);
        let label = t.session_end_label(&agent, &session.address);
        let (since, seen) = (format.instant(session.created_at), format.instant(session.seen_at));
        Row { id: session.id, agent, place: session.address, since, seen, this: session.id == who.me.session_id, label }
    });
    Ok(rows.collect())
}

pub async fn end(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = Uuid::try_parse(form.text("session")).map_err(|_| PageError::not_found())?;
    sessions::end(&web.app, who.user_id(), id).await.map_err(PageError::concealed)?;
    Ok(links::to_with(SECURITY_PAGE, &Notice::ok(who.visitor.texts.security.session_ended)))
}

pub async fn end_others(State(web): State<Web>, who: SignedIn, _form: Form) -> Reply {
    let ended = sessions::end_others(&web.app, who.user_id(), who.me.session_id).await?;
    Ok(links::to_with(SECURITY_PAGE, &Notice::ok(who.visitor.texts.security.sessions_ended(ended))))
}
