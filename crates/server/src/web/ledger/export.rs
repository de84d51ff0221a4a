//! `/ledger/export`: the list of the address, or what is selected, as a file.

use app::entries::list_file::{self, ListFile};
use app::portfolios;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;

use super::params::Params;
use super::selected::{list_of, selection};
use crate::web::page::download;
use crate::web::visit::{Form, Notice, SignedIn, links};
use crate::web::{Reply, Web};

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let names: Vec<String> = portfolios.into_iter().map(|one| one.name).collect();
    let filter = Params::parse(parts.uri.query(), &names).filter();
    Ok(sent(&web, list_file::of_filter(&web.app, who.user_id(), &filter).await?))
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let selection = selection(&web, &who, &form).await?;
    match list_file::of_selection(&web.app, who.user_id(), &selection).await {
        Ok(file) => Ok(sent(&web, file)),
        Err(app::Error::Refused(refusal)) => Ok(links::to_with(list_of(&form), &Notice::warn(who.visitor.refusal(&refusal)))),
        Err(error) => Err(error.into()),
    }
}

fn sent(web: &Web, list: ListFile) -> Response {
    let name = format!("filename=\"transactions-{}.csv\"", web.app.clock.today());
    download(list.file, list.bytes, "text/csv; charset=utf-8", &name)
}
