//! `/search`, and the suggestions below the search box.

use app::stocks::stock::{self, Hit};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use serving::Query;

use crate::page::{Section, Shell};
use crate::stock as stock_page;
use crate::visit::{Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "search.html")]
struct Page {
    shell: Shell,
    q: String,
    heading: String,
    hits: Vec<Hit>,
    watched: Vec<String>,
}

#[derive(Template)]
#[template(path = "suggestions.html")]
struct Suggestions {
    hits: Vec<Hit>,
}

const CHARACTERS_MAX: usize = 100;

/// Visitors search the stocks followed here; users search all stocks, and the provider.
pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let q = query_text(&parts);
    let hits = match (q.is_empty(), &visitor.me) {
        (true, _) => Vec::new(),
        (false, Some(me)) => stock::wider_search(&web.app, &q, me.user_id).await?,
        (false, None) => stock::catalogue(&web.app).await?.search(&q, None),
    };
    let watched = match &visitor.me {
        Some(me) if !hits.is_empty() => app::stocks::radar::list(&web.app, me.user_id).await?,
        _ => Vec::new(),
    };
    let watched = watched.into_iter().map(|one| one.symbol).collect();
    let t = &visitor.texts.stocks;
    let heading = match (q.is_empty(), hits.is_empty()) {
        (true, _) => t.type_something.to_owned(),
        (false, true) => t.nothing_found(&q),
        (false, false) => t.results(&q),
    };
    let shell = visitor.shell(t.search_title, Section::None);
    visitor.page(&Page { shell, q, heading, hits, watched })
}

/// List items only, for the script. Typing never causes a request to a provider.
pub async fn suggest(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let q = query_text(&parts);
    let own = match &visitor.me {
        Some(me) => Some(stock::own(&web.app, me.user_id).await?),
        None => None,
    };
    let hits = if q.is_empty() { Vec::new() } else { stock::catalogue(&web.app).await?.search(&q, own.as_deref()) };
    visitor.page(&Suggestions { hits })
}

pub fn query_text(parts: &Parts) -> String {
    let query = Query::parse(parts.uri.query()).ok();
    let text = query.as_ref().and_then(|query| query.text("q").ok().flatten()).unwrap_or_default();
    text.chars().take(CHARACTERS_MAX).collect()
}
