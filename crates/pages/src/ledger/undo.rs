//! `/ledger/undo`: restores what was deleted last.

use app::entries;
use axum::extract::State;

use super::selected::list_of;
use super::words;
use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

/// The notice about the last deletion.
pub struct Undo {
    /// "2 transactions deleted."
    pub text: String,
    pub id: String,
}

impl Undo {
    pub async fn of(web: &Web, who: &SignedIn) -> Result<Option<Undo>, app::Error> {
        let last = entries::last_deletion(&web.app, who.user_id()).await?;
        Ok(last.map(|last| Undo {
            text: who.visitor.texts.ledger.deleted(u64::try_from(last.entries).unwrap_or_default()),
            id: last.deletion_id.to_string(),
        }))
    }
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let visitor = &who.visitor;
    let id = form.text("deletion").parse().unwrap_or_default();
    let notice = match entries::undo_deletion(&web.app, who.user_id(), id).await {
        Ok(count) => Notice::ok(visitor.texts.ledger.restored(count as u64)),
        Err(app::Error::Entry(problems)) => {
            let reasons: Vec<String> = words::problems(visitor, &problems).into_iter().map(|problem| problem.reason).collect();
            Notice::warn(visitor.texts.ledger.not_restored(reasons.join(" ")))
        }
        Err(app::Error::Refused(refusal)) => Notice::warn(visitor.refusal(&refusal)),
        Err(error) => return Err(error.into()),
    };
    Ok(links::to_with(list_of(&form), &notice))
}
