//! The form of an entry as a page: the fields of its type, problems with them, and a preview.

use app::entries::Kind;
use askama::Template;
use axum::http::StatusCode;

use super::doubts::Doubts;
use super::fields::{self, Fields};
use super::form::{OPENING, Problem, Typed};
use super::preview::{self, Preview};
use super::question::Question;
use super::suggested::{self, Suggested};
use super::words;
use crate::format::choices::CURRENCIES;
use crate::page::{Section, Shell};
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "entry.html", blocks = ["form"])]
struct Page {
    shell: Shell,
    /// The entry being edited.
    editing: Option<i64>,
    action: String,
    kinds: Vec<(&'static str, &'static str)>,
    currencies: &'static [&'static str],
    symbol: String,
    /// The name of the security.
    named: Option<Suggested>,
    symbol_problem: Option<String>,
    fields: Fields,
    /// Field, label and reason.
    problems: Vec<(&'static str, Option<&'static str>, String)>,
    question: Option<Question>,
    doubts: Doubts,
    confirmed: String,
    /// The type was just chosen, so it keeps the focus.
    at_kind: bool,
    note: Option<String>,
    preview: Preview,
    /// The list that it leads back to, and the same as a query.
    back: String,
    next: String,
}

#[derive(Template)]
#[template(path = "entry_fields.html")]
pub struct Fragment {
    pub fields: Fields,
}

/// What the form shows. The reasons are written for the reader.
#[derive(Default)]
pub struct Sheet {
    pub editing: Option<i64>,
    pub typed: Typed,
    pub problems: Vec<Problem>,
    pub question: Option<Question>,
    pub doubts: Doubts,
    /// The doubts that were confirmed before, by key.
    pub confirmed: String,
    pub note: Option<String>,
    pub place: Place,
}

/// Where the form is shown.
#[derive(Clone, Default)]
pub struct Place {
    /// In the list, for the script.
    pub in_list: bool,
    /// The address of the list.
    pub list: String,
}

pub async fn show(web: &Web, who: &SignedIn, status: StatusCode, sheet: Sheet) -> Reply {
    let visitor = &who.visitor;
    let t = visitor.texts;
    let Sheet { editing, typed, problems, question, doubts, confirmed, note, place } = sheet;
    let defaults = suggested::defaults(web, who, editing, &typed).await?;
    let suggested = suggested::of(visitor, &defaults);
    let named = suggested.iter().find(|one| one.field == "symbol").cloned();
    let fields =
        fields::build(web, who, editing, &typed, &problems, if editing.is_none() { suggested } else { Vec::new() }).await?;
    let labelled = |problem: Problem| (problem.field, words::label(t, &problem), problem.reason);
    let problems: Vec<_> = problems.into_iter().map(labelled).collect();
    let is_clean = problems.is_empty() && note.is_none() && question.is_none();
    let mut preview = match !typed.get("symbol").is_empty() && is_clean {
        true => preview::build(web, who, editing, &typed, &defaults).await?,
        false => Preview::say(t.ledger.preview_hint.to_owned()),
    };
    if !doubts.sentences.is_empty() {
        // Already shown above the form.
        preview.doubts = Doubts::default();
    }
    let is_opening = typed.is_opening();
    let page = Page {
        shell: visitor.shell(if editing.is_some() { t.ledger.edit_title } else { t.ledger.new_title }, Section::Ledger),
        action: editing.map_or("/ledger/new".to_owned(), |sequence| format!("/ledger/{sequence}")),
        editing,
        kinds: kinds(visitor, editing.is_some(), is_opening),
        currencies: &CURRENCIES,
        symbol: typed.get("symbol").to_owned(),
        named,
        symbol_problem: problems.iter().find(|(field, ..)| *field == "symbol").map(|(.., reason)| reason.clone()),
        fields,
        at_kind: visitor.address.contains("?typed=1"),
        problems,
        question,
        confirmed: format!("{confirmed} {}", doubts.keys).trim().to_owned(),
        doubts,
        note,
        preview,
        next: back_query(&place.list),
        back: place.list,
    };
    match place.in_list {
        true => visitor.page_with(status, &page.as_form()),
        false => visitor.page_with(status, &page),
    }
}

/// For links to pages that lead back to this list; empty for the whole ledger.
pub fn back_query(list: &str) -> String {
    let filtered = Some(("next", list)).filter(|(_, list)| *list != "/ledger");
    links::with_query("", filtered)
}

/// The types to choose from. Only an opening position stays one.
fn kinds(visitor: &Visitor, editing: bool, is_opening: bool) -> Vec<(&'static str, &'static str)> {
    let mut kinds = super::kinds(visitor);
    if is_opening || !editing {
        kinds.retain(|(word, _)| !editing || *word != Kind::TransferIn.word());
        kinds.push((OPENING, visitor.texts.ledger.opening));
    }
    kinds
}
