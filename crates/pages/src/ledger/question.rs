//! The question which security is meant by what was typed.

use app::entries::Doubt;
use app::stocks::stock::{self, Hit};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;

use crate::search::query_text;
use crate::visit::{PageError, SignedIn, links};
use crate::{Reply, Web};

pub struct Question {
    pub text: String,
    pub symbol: String,
    pub hits: Vec<Hit>,
    /// For the button that adds it anyway; `None` if it cannot be a symbol.
    pub key: Option<String>,
}

#[derive(Template)]
#[template(path = "suggestions.html")]
struct Suggestions {
    hits: Vec<Hit>,
}

impl Question {
    pub async fn of(web: &Web, who: &SignedIn, typed: &str, doubts: &[Doubt]) -> Result<Option<Question>, PageError> {
        let unknown = doubts.iter().find_map(|doubt| match doubt {
            Doubt::SymbolUnknown { symbol } => Some((symbol, doubt.key())),
            _ => None,
        });
        let Some((symbol, key)) = unknown else { return Ok(None) };
        Ok(Some(Question {
            text: typed.to_owned(),
            hits: stock::meant(&web.app, typed, who.user_id(), true).await?,
            key: Some(key).filter(|_| app::entries::is_symbol(symbol)),
            symbol: symbol.clone(),
        }))
    }
}

/// `/ledger/suggest`: list items for the script.
pub async fn get_suggest(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let q = query_text(&parts);
    let hits = if q.is_empty() { Vec::new() } else { stock::meant(&web.app, &q, who.user_id(), false).await? };
    who.visitor.page(&Suggestions { hits })
}
