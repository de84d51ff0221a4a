//! `/securities`: which stock a security is that files name by ISIN or name only, and what other pages say about these.

use app::matching::{self, LeftOut, Matched, Security};
use app::stocks::stock::{self, Hit};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serving::Query;

use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

/// What the figures of a page leave out.
pub struct Gaps {
    pub linked: Option<String>,
    pub unmatched: Option<String>,
    pub without_data: Option<String>,
    pub has_provider: bool,
}

impl Gaps {
    /// For figures without data about these symbols.
    pub async fn load(web: &Web, who: &SignedIn, without_data: &[String]) -> Result<Gaps, app::Error> {
        let LeftOut { unmatched, without_data, linked } = matching::left_out(&web.app, who.user_id(), without_data).await?;
        let t = &who.visitor.texts.securities;
        let linked: Vec<String> = linked.iter().map(|(key, symbol)| t.linked_one(key, symbol)).collect();
        let said = |names: &[String], text: &dyn Fn(u64, String) -> String| {
            (!names.is_empty()).then(|| text(names.len() as u64, names.join(", ")))
        };
        Ok(Gaps {
            linked: said(&linked, &|n, names| t.linked(n, names)),
            unmatched: said(&unmatched, &|n, names| t.unmatched(n, names)),
            without_data: said(&without_data, &|n, names| t.without_data(n, names)),
            has_provider: !web.app.sources().is_empty(),
        })
    }
}

#[derive(Template)]
#[template(path = "securities.html")]
struct Page {
    shell: Shell,
    open: Vec<Row>,
    automatic: Vec<Automatic>,
    unlisted: Vec<Row>,
    /// The security that is searched for among those that need no match.
    changing: Option<Row>,
    problem: Option<String>,
}

struct Row {
    key: String,
    name: String,
    isin: Option<String>,
    shares: Option<Html>,
    currency: Option<String>,
    count: String,
    suggestions: Vec<Suggestion>,
    search: Option<Search>,
    /// Link to the search for it.
    link: String,
}

struct Automatic {
    key: String,
    name: String,
    symbol: String,
    change: String,
}

struct Suggestion {
    symbol: String,
    about: String,
    label: String,
}

/// What the user typed for one security, and what was found.
struct Search {
    q: String,
    hits: Vec<Hit>,
    nothing: Option<String>,
    /// A ticker that is not among the hits.
    typed: Option<String>,
}

const CHARACTERS_MAX: usize = 100;

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let query = Query::parse(parts.uri.query()).ok();
    let text = |name| query.as_ref().and_then(|query| query.text(name).ok().flatten()).map(str::to_owned);
    let asked = text("key").map(|key| (key, text("q").unwrap_or_default().chars().take(CHARACTERS_MAX).collect()));
    show(&web, &who, StatusCode::OK, asked, None).await
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(action): Path<String>, form: Form) -> Reply {
    let (app, user_id, t) = (&web.app, who.user_id(), &who.visitor.texts.securities);
    let (key, name) = (form.text("key"), form.non_empty("name").unwrap_or(form.text("key")));
    let symbol = form.text("symbol").to_uppercase();
    let done = match action.as_str() {
        "match" => matching::choose(app, user_id, key, &symbol).await.map(|()| t.chosen(name, &symbol)),
        "unlisted" => matching::set_unlisted(app, user_id, key).await.map(|()| t.set_unlisted(name)),
        "undo" => matching::undo(app, user_id, key).await.map(|()| t.undone(name)),
        "seen" => {
            matching::set_seen(app, user_id).await?;
            return Ok(links::to(form.non_empty("next").map_or("/securities", links::own_path)));
        }
        _ => return Err(PageError::not_found()),
    };
    match app::Error::or_refusal(done)? {
        Ok(notice) => Ok(links::to_with("/securities", &Notice::ok(notice))),
        Err(refusal) => {
            let problem = Some(who.visitor.refusal(&refusal));
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Some((key.to_owned(), symbol)), problem).await
        }
    }
}

async fn show(web: &Web, who: &SignedIn, status: StatusCode, asked: Option<(String, String)>, problem: Option<String>) -> Reply {
    let seen = matching::list(&web.app, who.user_id()).await?;
    let shell = who.visitor.shell(who.visitor.texts.securities.title, Section::None);
    let mut open: Vec<Row> = seen.open.into_iter().map(|one| row(who, one)).collect();
    let mut unlisted: Vec<Row> = seen.unlisted.into_iter().map(|one| row(who, one)).collect();
    let mut changing = None;
    if let Some((key, q)) = asked {
        let search = search(web, who, &key, q).await?;
        if let Some(row) = open.iter_mut().find(|row| row.key == key) {
            row.search = Some(search);
        } else if let Some(at) = unlisted.iter().position(|row| row.key == key) {
            changing = Some(Row { search: Some(search), ..unlisted.remove(at) });
        } else if let Some(matched) = seen.automatic.iter().find(|one| one.key == key) {
            changing = Some(of_matched(matched, search));
        }
    }
    let automatic = seen.automatic.into_iter().map(automatic).collect();
    who.visitor.page_with(status, &Page { shell, open, automatic, unlisted, changing, problem })
}

fn automatic(matched: Matched) -> Automatic {
    let Matched { key, name, symbol } = matched;
    Automatic { name: name.unwrap_or_else(|| key.clone()), change: search_for(&key), key, symbol }
}

fn search_for(key: &str) -> String {
    links::with_query("/securities", [("key", key)])
}

fn row(who: &SignedIn, security: Security) -> Row {
    let t = &who.visitor.texts.securities;
    let suggestion = |stock: app::matching::Stock| {
        let name = stock.name.unwrap_or_else(|| stock.symbol.clone());
        let parts = [Some(name.clone()), stock.exchange, Some(stock.currency.code().to_owned())];
        let about = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        Suggestion { label: t.accept_label(stock.symbol.as_str(), name), about, symbol: stock.symbol }
    };
    Row {
        name: security.name.unwrap_or_else(|| security.key.clone()),
        isin: security.isin,
        shares: Some(who.visitor.format.shares(security.shares)),
        currency: security.currency.map(|currency| currency.code().to_owned()),
        count: t.count(security.entries as u64),
        suggestions: security.suggestions.into_iter().map(suggestion).collect(),
        search: None,
        link: search_for(&security.key),
        key: security.key,
    }
}

fn of_matched(matched: &Matched, search: Search) -> Row {
    Row {
        key: matched.key.clone(),
        name: matched.name.clone().unwrap_or_else(|| matched.key.clone()),
        isin: None,
        shares: None,
        currency: None,
        count: String::new(),
        suggestions: Vec::new(),
        search: Some(search),
        link: String::new(),
    }
}

async fn search(web: &Web, who: &SignedIn, key: &str, q: String) -> Result<Search, app::Error> {
    let mut hits = if q.is_empty() { Vec::new() } else { stock::wider_search(&web.app, &q, who.user_id()).await? };
    let own = stock::own(&web.app, who.user_id()).await?;
    hits.retain(|hit| hit.symbol != key && !own.contains(&hit.symbol));
    let nothing = (!q.is_empty() && hits.is_empty()).then(|| who.visitor.texts.securities.nothing_found(&q));
    let symbol = q.trim().to_uppercase();
    let is_ticker = !symbol.is_empty() && symbol.len() <= 12 && symbol.bytes().all(|byte| byte.is_ascii_graphic());
    let typed = (is_ticker && symbol != key && hits.iter().all(|hit| hit.symbol != symbol)).then_some(symbol);
    Ok(Search { q, hits, nothing, typed })
}
