//! `/ledger/move` and `/ledger/delete`: several entries at once. Likely mistakes are shown before anything is stored.

use app::entries::{self, Changed, Doubt, Filter, Selection};
use app::portfolios;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;

use super::doubts::{self, Doubts};
use super::params::Params;
use super::words;
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

/// A page asks about at most this many likely mistakes.
const DOUBTS_MAX: usize = 100;

#[derive(Template)]
#[template(path = "selected.html")]
struct Page {
    shell: Shell,
    action: &'static str,
    /// What was sent, to send again.
    fields: Vec<(String, String)>,
    problems: Vec<String>,
    doubts: Doubts,
    button: &'static str,
    back: String,
}

/// Which fields say what is selected.
const SCOPE: &str = "scope";
const PAGE: &str = "page";
const ALL: &str = "all";
const TICKED: &str = "sequence.";
const SHOWN: &str = "shown.";

pub async fn post_move(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = who.visitor.texts;
    let (selection, to) = (selection(&web, &who, &form).await?, form.text("to"));
    let moved = entries::move_all(&web.app, who.user_id(), &selection, to, |doubts| is_meant(&form, doubts)).await;
    let done = |count| Some(Notice::ok(t.ledger.moved(count, to)));
    answer(&who, &form, moved, done, ("/ledger/move", t.ledger.move_title, t.ledger.move_anyway))
}

pub async fn post_delete(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = who.visitor.texts;
    let selection = selection(&web, &who, &form).await?;
    let removed = entries::remove_all(&web.app, who.user_id(), &selection, |doubts| is_meant(&form, doubts)).await;
    // The list itself says so, and offers to undo it.
    answer(&who, &form, removed, |_| None, ("/ledger/delete", t.ledger.delete_several, t.ledger.delete_anyway))
}

fn is_meant(form: &Form, doubts: &[Doubt]) -> bool {
    doubts.len() <= DOUBTS_MAX && doubts::are_known(form, doubts)
}

/// What the form selects: the ticked rows, the whole page, or everything that its filter lists.
pub async fn selection(web: &Web, who: &SignedIn, form: &Form) -> Result<Selection, PageError> {
    let sequences = |prefix| form.starting(prefix).filter_map(|(_, sequence)| sequence.parse().ok()).collect();
    Ok(match form.text(SCOPE) {
        ALL => {
            let filter = Box::new(filter(web, who, form).await?);
            Selection::Matching { filter, count: form.text("matching").parse().unwrap_or_default() }
        }
        PAGE => Selection::These(sequences(SHOWN)),
        _ => Selection::These(sequences(TICKED)),
    })
}

/// That of the list that the form is on.
pub async fn filter(web: &Web, who: &SignedIn, form: &Form) -> Result<Filter, PageError> {
    let names: Vec<String> = portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| one.name).collect();
    let query = list_of(form).split_once('?').map(|(_, query)| query);
    Ok(Params::parse(query, &names).filter())
}

/// The address of the list that the form is on.
pub fn list_of(form: &Form) -> &str {
    form.non_empty("next").map_or("/ledger", links::own_path)
}

fn answer(
    who: &SignedIn,
    form: &Form,
    changed: Result<Changed, app::Error>,
    done: impl FnOnce(u64) -> Option<Notice>,
    (action, title, button): (&'static str, &'static str, &'static str),
) -> Reply {
    let (visitor, back) = (&who.visitor, list_of(form).to_owned());
    let (problems, doubts) = match changed {
        Ok(Changed::Done(count)) => {
            return Ok(done(count as u64).map_or_else(|| links::to(&back), |notice| links::to_with(&back, &notice)));
        }
        Ok(Changed::Doubted(doubts)) if doubts.len() > DOUBTS_MAX => {
            (vec![visitor.texts.ledger.many_doubts(doubts.len() as u64)], Vec::new())
        }
        Ok(Changed::Doubted(doubts)) => (Vec::new(), doubts),
        Err(app::Error::Entry(problems)) => {
            (words::problems(visitor, &problems).into_iter().map(|problem| problem.reason).collect(), Vec::new())
        }
        Err(app::Error::Refused(refusal)) => return Ok(links::to_with(&back, &Notice::warn(visitor.refusal(&refusal)))),
        Err(error) => return Err(error.into()),
    };
    let sent = [SCOPE, "matching", "next", "to"].into_iter().map(|name| (name.to_owned(), form.text(name).to_owned()));
    let rows = [TICKED, SHOWN]
        .into_iter()
        .flat_map(|prefix| form.starting(prefix).map(move |(name, value)| (format!("{prefix}{name}"), value.to_owned())));
    let page = Page {
        shell: visitor.shell(title, Section::Ledger),
        action,
        fields: sent.chain(rows).filter(|(_, value)| !value.is_empty()).collect(),
        problems,
        doubts: Doubts::of(visitor, &doubts),
        button,
        back,
    };
    visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
}
