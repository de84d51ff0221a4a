//! `/radar`: the user's watchlist, and how far each stock is from its target.

mod row;

use app::stocks::{radar, radar_view};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;

use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "radar.html")]
struct Page {
    shell: Shell,
    rows: Vec<row::Row>,
    adding: Adding,
    /// Data is missing and no provider is set up.
    needs_provider: bool,
}

/// The form that adds a stock to the watchlist, with its values if it was refused.
#[derive(Default)]
struct Adding {
    typed: String,
    problem: Option<String>,
}

const CHARACTERS_MAX: usize = 32;

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    who.visitor.page(&page(&web, &who, Adding::default()).await?)
}

async fn page(web: &Web, who: &SignedIn, adding: Adding) -> Result<Page, app::Error> {
    let rows = radar_view::rows(&web.app, who.user_id()).await?;
    let shell = who.visitor.shell(who.visitor.texts.radar.title, Section::Radar);
    let rows: Vec<row::Row> = rows.iter().enumerate().map(|(at, row)| row::row(&who.visitor, at, row)).collect();
    let is_missing = adding.problem.is_some() || rows.iter().any(|row| !row.known);
    Ok(Page { shell, rows, adding, needs_provider: is_missing && web.app.sources().is_empty() })
}

pub async fn add(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = &who.visitor.texts.radar;
    let typed = form.text("symbol").to_owned();
    let problem = match typed.chars().count() {
        0 => Some(t.add_nothing.to_owned()),
        some if some > CHARACTERS_MAX => Some(t.add_long.to_owned()),
        _ => app::Error::or_refusal(radar::add(&web.app, who.user_id(), std::slice::from_ref(&typed)).await)?
            .err()
            .map(|refusal| who.visitor.refusal(&refusal)),
    };
    match problem {
        None => Ok(back(&form, &t.added(typed.to_uppercase()))),
        problem => {
            let page = page(&web, &who, Adding { typed, problem }).await?;
            who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

pub async fn remove(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let symbol = form.text("symbol").to_uppercase();
    match app::Error::or_refusal(radar::remove(&web.app, who.user_id(), std::slice::from_ref(&symbol)).await)? {
        Ok(()) => Ok(back(&form, &who.visitor.texts.radar.removed(&symbol))),
        Err(refusal) => Ok(links::to_with("/radar", &Notice::warn(who.visitor.refusal(&refusal)))),
    }
}

pub async fn targets(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = &who.visitor.texts.radar;
    let symbol = form.text("symbol").to_uppercase();
    let (yield_pct, price) = (row::figure(&who.visitor, &form, "yield"), row::figure(&who.visitor, &form, "price"));
    let problem = match (&yield_pct, &price) {
        (Ok(yield_pct), Ok(price)) => {
            app::Error::or_refusal(radar::set_target(&web.app, who.user_id(), &symbol, *yield_pct, *price).await)?
                .err()
                .map(|refusal| who.visitor.refusal(&refusal))
        }
        _ => None,
    };
    if yield_pct.is_ok() && price.is_ok() && problem.is_none() {
        return Ok(links::to_with("/radar", &Notice::ok(t.saved(&symbol))));
    }
    let mut page = page(&web, &who, Adding::default()).await?;
    match page.rows.iter_mut().find(|row| row.symbol == symbol) {
        Some(row) => row.form.refused(&who.visitor, &form, problem),
        None => return Ok(links::to_with("/radar", &Notice::warn(problem.unwrap_or_default()))),
    }
    who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// Redirects to the page that the form was on.
fn back(form: &Form, text: &str) -> axum::response::Response {
    links::to_with(form.non_empty("next").map_or("/radar", links::own_path), &Notice::ok(text))
}
