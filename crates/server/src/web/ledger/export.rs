//! `/ledger/export`: the list of the address, or what is selected, as a file.

use app::entries::list_file::{self, ListFile};
use app::portfolios;
use axum::extract::State;
use axum::http::request::Parts;

use super::params::Params;
use super::selected::{list_of, selection};
use crate::web::page::download;
use crate::web::visit::{Form, Notice, SignedIn, links};
use crate::web::{Reply, Web};

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let names: Vec<String> = portfolios.into_iter().map(|one| one.name).collect();
    let filter = Params::parse(parts.uri.query(), &names).filter();
    let list = parts.uri.query().map_or("/ledger".to_owned(), |query| format!("/ledger?{query}"));
    answer(&web, &who, list_file::of_filter(&web.app, who.user_id(), &filter).await, &list)
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let selection = selection(&web, &who, &form).await?;
    answer(&web, &who, list_file::of_selection(&web.app, who.user_id(), &selection).await, list_of(&form))
}

fn answer(web: &Web, who: &SignedIn, list: Result<ListFile, app::Error>, back: &str) -> Reply {
    match list {
        Ok(list) => {
            let name = format!("filename=\"transactions-{}.csv\"", web.app.clock.today());
            Ok(download(list.file, list.bytes, "text/csv; charset=utf-8", &name))
        }
        Err(app::Error::Refused(refusal)) => Ok(links::to_with(back, &Notice::warn(who.visitor.refusal(&refusal)))),
        Err(error) => Err(error.into()),
    }
}
