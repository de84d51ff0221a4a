//! `/search`, and the suggestions below the search box.

use app::stocks::stock::{self, Hit};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use messages::web::Texts;

use crate::http::Query;
use crate::web::page::{Section, Shell};
use crate::web::stock::instrument_type;
use crate::web::visit::{Visitor, links};
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "search.html")]
struct Page {
    shell: Shell,
    q: String,
    heading: String,
    hits: Vec<Found>,
}

#[derive(Template)]
#[template(path = "suggestions.html")]
struct Suggestions {
    hits: Vec<Found>,
}

struct Found {
    symbol: String,
    link: String,
    name: Option<String>,
    exchange: Option<String>,
    kind: Option<String>,
    tracked: bool,
    watched: bool,
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
    let is_watched = |hit: &Hit| watched.iter().any(|one| one.symbol == hit.symbol);
    let t = &visitor.texts.stocks;
    let heading = match (q.is_empty(), hits.is_empty()) {
        (true, _) => t.type_something.to_owned(),
        (false, true) => t.nothing_found(&q),
        (false, false) => t.results(&q),
    };
    let shell = visitor.shell(t.search_title, Section::None);
    let hits = hits.into_iter().map(|hit| Found { watched: is_watched(&hit), ..result(visitor.texts, hit) }).collect();
    visitor.page(&Page { shell, q, heading, hits })
}

/// List items only, for the script. Typing never causes a request to a provider.
pub async fn suggest(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let q = query_text(&parts);
    let own = match &visitor.me {
        Some(me) => Some(stock::own(&web.app, me.user_id).await?),
        None => None,
    };
    let hits = if q.is_empty() { Vec::new() } else { stock::catalogue(&web.app).await?.search(&q, own.as_deref()) };
    visitor.page(&Suggestions { hits: hits.into_iter().map(|hit| result(visitor.texts, hit)).collect() })
}

fn query_text(parts: &Parts) -> String {
    let query = Query::parse(parts.uri.query()).ok();
    let text = query.as_ref().and_then(|query| query.text("q").ok().flatten()).unwrap_or_default();
    text.chars().take(CHARACTERS_MAX).collect()
}

fn result(t: &'static Texts, hit: Hit) -> Found {
    Found {
        link: format!("/stocks/{}", links::escaped(&hit.symbol)),
        symbol: hit.symbol,
        name: hit.name,
        exchange: hit.exchange,
        kind: hit.kind.map(|kind| instrument_type(t, kind)),
        tracked: hit.tracked,
        watched: false,
    }
}
