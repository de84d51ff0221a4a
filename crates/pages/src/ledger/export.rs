//! `/ledger/export`: the list of a page, or what is selected on it, as a file.

use app::entries::list_file;
use axum::extract::State;

use super::selected::{filter, list_of, selection};
use crate::page::download;
use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

/// By POST, because every export is recorded.
pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let list = if form.text("scope") == "list" {
        let filter = filter(&web, &who, &form).await?;
        list_file::of_filter(&web.app, who.user_id(), &filter).await
    } else {
        let selection = selection(&web, &who, &form).await?;
        list_file::of_selection(&web.app, who.user_id(), &selection).await
    };
    match list {
        Ok(list) => {
            let name = format!("filename=\"transactions-{}.csv\"", web.app.clock.today());
            Ok(download(list.file, list.bytes, "text/csv; charset=utf-8", &name))
        }
        Err(app::Error::Refused(refusal)) => Ok(links::to_with(list_of(&form), &Notice::warn(who.visitor.refusal(&refusal)))),
        Err(error) => Err(error.into()),
    }
}
