//! `/portfolios`: create, rename, reorder, share and delete portfolios.

pub mod reinvestment;

use app::automatic::{self, Automatic};
use app::portfolios::{self, Portfolio, Shift, holdings};
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use messages::web::Portfolios;
use serving::Query;

use self::reinvestment::{Choice, Reinvestment};
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "portfolios.html")]
struct Page {
    shell: Shell,
    rows: Vec<Row>,
    problem: Option<String>,
    /// The values of a form that was refused.
    typed: Typed,
    /// The portfolio whose reinvestment is shown at once.
    open: Option<String>,
}

#[derive(Default)]
struct Typed {
    action: String,
    name: String,
    text: String,
}

struct Row {
    name: String,
    default: bool,
    entries: String,
    goes: String,
    ledger: String,
    slug: Option<String>,
    address: String,
    suggestion: String,
    show_amounts: bool,
    /// Choices of what happens with missing dividends.
    modes: [Choice; 3],
    mode: &'static str,
    reinvestment: Reinvestment,
    /// Whether it can be moved up or down.
    up: bool,
    down: bool,
}

impl Page {
    fn is_open(&self, action: &str, name: &str) -> bool {
        self.typed.action == action && self.typed.name == name
    }

    fn typed<'a>(&'a self, action: &str, name: &str, otherwise: &'a str) -> &'a str {
        if self.is_open(action, name) { &self.typed.text } else { otherwise }
    }

    fn is_reinvestment_open(&self, name: &str) -> bool {
        self.open.as_deref() == Some(name) || self.is_open("reinvest-stock", name)
    }
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let query = Query::parse(parts.uri.query()).ok();
    let open = query.and_then(|query| Some(query.text(OPEN).ok()??.to_owned()));
    show(&web, &who, StatusCode::OK, None, Typed::default(), open).await
}

/// The parameter that names the portfolio whose reinvestment is shown at once.
const OPEN: &str = "reinvest";

/// The page with the reinvestment of a portfolio.
pub fn reinvestment_of(portfolio: &str) -> String {
    links::with_query("/portfolios", [(OPEN, portfolio)])
}

/// `/portfolios/{action}`
pub async fn post(State(web): State<Web>, who: SignedIn, Path(action): Path<String>, form: Form) -> Reply {
    let reason = match act(&web, &who, &action, &form).await {
        Ok(notice) => return Ok(links::to_with(&next_page(&action, &form), &Notice::ok(notice))),
        Err(Failure::NotItsName) => who.visitor.texts.portfolios.not_the_name(form.text("name")),
        Err(Failure::Use(app::Error::Refused(refusal))) => who.visitor.refusal(&refusal),
        Err(Failure::NoSuchAction) => return Err(PageError::not_found()),
        Err(Failure::Use(error)) => return Err(error.into()),
    };
    let text = ["new_name", "slug", "typed"].iter().find_map(|field| form.non_empty(field)).unwrap_or_default().to_owned();
    let typed = Typed { action, name: form.text("name").to_owned(), text };
    show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Some(reason), typed, None).await
}

/// After a change.
fn next_page(action: &str, form: &Form) -> String {
    match action {
        "reinvest-stock" => {
            form.non_empty("next").map_or_else(|| reinvestment_of(form.text("name")), |next| links::own_path(next).to_owned())
        }
        _ => "/portfolios".to_owned(),
    }
}

enum Failure {
    NoSuchAction,
    /// The typed name is not the name of the portfolio to delete.
    NotItsName,
    Use(app::Error),
}

impl From<app::Error> for Failure {
    fn from(error: app::Error) -> Failure {
        Failure::Use(error)
    }
}

/// Does it, and returns the message to show.
async fn act(web: &Web, who: &SignedIn, action: &str, form: &Form) -> Result<String, Failure> {
    let (app, user_id, name) = (&web.app, who.user_id(), form.text("name"));
    let t = &who.visitor.texts.portfolios;
    let done = match action {
        "add" => portfolios::add(app, user_id, name, false).await.map(|()| t.added(name)),
        "rename" => {
            let new_name = form.text("new_name");
            portfolios::rename(app, user_id, name, new_name).await?;
            Ok(t.renamed(name, new_name))
        }
        "up" => portfolios::shift(app, user_id, name, Shift::Up).await.map(|()| t.moved.to_owned()),
        "down" => portfolios::shift(app, user_id, name, Shift::Down).await.map(|()| t.moved.to_owned()),
        "default" => portfolios::set_default(app, user_id, name).await.map(|()| t.made_default(name)),
        "share" => {
            // Before sharing, so that hidden amounts are never visible.
            portfolios::set_show_amounts(app, user_id, name, form.ticked("show_amounts")).await?;
            portfolios::share(app, user_id, name, form.non_empty("slug")).await?;
            Ok(t.shared(name))
        }
        "amounts" => {
            portfolios::set_show_amounts(app, user_id, name, form.ticked("show_amounts")).await.map(|()| t.amounts_changed(name))
        }
        "automatic" => {
            let Some(mode) = Automatic::of_word(form.text("mode")) else { return Err(Failure::NoSuchAction) };
            automatic::set_mode(app, user_id, name, mode).await.map(|()| match mode {
                Automatic::Off => t.set_off(name),
                Automatic::Suggest => t.set_suggest(name),
                Automatic::Record => t.set_record(name),
            })
        }
        "reinvest" => Ok(reinvestment::set(web, who, form).await?.ok_or(Failure::NoSuchAction)?),
        "reinvest-stock" => Ok(reinvestment::set_of_stock(web, who, form).await?.ok_or(Failure::NoSuchAction)?),
        "unshare" => portfolios::unshare(app, user_id, name).await.map(|()| t.unshared(name)),
        "delete" if form.text("typed") != name || name.is_empty() => return Err(Failure::NotItsName),
        "delete" => portfolios::delete(app, user_id, name).await.map(|()| t.deleted(name)),
        _ => return Err(Failure::NoSuchAction),
    };
    Ok(done?)
}

async fn show(
    web: &Web,
    who: &SignedIn,
    status: StatusCode,
    problem: Option<String>,
    typed: Typed,
    open: Option<String>,
) -> Reply {
    let visitor = &who.visitor;
    let all = portfolios::list(&web.app, who.user_id()).await?;
    let held = holdings::list(&web.app, who.user_id(), None).await?;
    let many = all.len();
    // The default portfolio always comes first.
    let movable = usize::from(all.first().is_some_and(|one| one.default));
    let t = &visitor.texts.portfolios;
    let row = |(at, one): (usize, Portfolio)| Row {
        entries: t.entries(one.entries.unsigned_abs()),
        goes: t.delete_lead(one.entries.unsigned_abs()),
        ledger: format!("/ledger?portfolio={}", links::escaped(&one.name)),
        address: one.slug.as_deref().map(|slug| format!("{}/p/{}", web.base_url(), links::escaped(slug))).unwrap_or_default(),
        suggestion: portfolios::suggested_slug().unwrap_or_default(),
        up: at > movable,
        down: at >= movable && at + 1 < many,
        modes: modes(t, one.automatic),
        mode: mode_name(t, one.automatic),
        reinvestment: Reinvestment::of(t, &one, &held),
        name: one.name,
        default: one.default,
        slug: one.slug,
        show_amounts: one.show_amounts,
    };
    let page = Page {
        shell: visitor.shell(t.title, Section::Portfolios),
        rows: all.into_iter().enumerate().map(row).collect(),
        problem,
        typed,
        open,
    };
    visitor.page_with(status, &page)
}

fn modes(t: &'static Portfolios, chosen: Automatic) -> [Choice; 3] {
    [(Automatic::Off, t.off_hint), (Automatic::Suggest, t.suggest_hint), (Automatic::Record, t.record_hint)]
        .map(|(mode, hint)| Choice { word: mode.word(), name: mode_name(t, mode), hint, chosen: mode == chosen })
}

fn mode_name(t: &'static Portfolios, mode: Automatic) -> &'static str {
    match mode {
        Automatic::Off => t.off,
        Automatic::Suggest => t.suggest,
        Automatic::Record => t.record,
    }
}
