//! The form of an entry as a page: the fields of its type, problems with them, and a preview.

use app::entries::Kind;
use app::portfolios;
use askama::Template;
use axum::http::StatusCode;
use messages::web::Texts;

use super::doubts::Doubts;
use super::form::{FIELDS, Problem, Typed, uses};
use super::preview::{self, Preview};
use super::words;
use crate::web::format::choices::CURRENCIES;
use crate::web::page::{Section, Shell};
use crate::web::visit::SignedIn;
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "entry.html")]
struct Page {
    shell: Shell,
    /// The entry being edited.
    editing: Option<i64>,
    action: String,
    portfolios: Vec<(String, bool)>,
    kinds: Vec<(&'static str, &'static str)>,
    currencies: &'static [&'static str],
    typed: Typed,
    kind_hint: &'static str,
    fields: Vec<Field>,
    /// Field, label and reason.
    problems: Vec<(&'static str, Option<&'static str>, String)>,
    doubts: Doubts,
    /// The type was just chosen, so it keeps the focus.
    at_kind: bool,
    note: Option<String>,
    preview: Preview,
}

struct Field {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: String,
    problem: Option<String>,
}

impl Page {
    fn problem(&self, field: &str) -> Option<&str> {
        self.problems.iter().find(|(name, _, _)| *name == field).map(|(_, _, reason)| reason.as_str())
    }

    fn has_currency(&self, code: &str) -> bool {
        self.typed.get("currency").is_empty() || self.currencies.contains(&code)
    }
}

/// What the form shows. The reasons are written for the reader.
#[derive(Default)]
pub struct Sheet {
    pub editing: Option<i64>,
    pub typed: Typed,
    pub problems: Vec<Problem>,
    pub doubts: Doubts,
    pub note: Option<String>,
}

pub async fn show(web: &Web, who: &SignedIn, status: StatusCode, sheet: Sheet) -> Reply {
    let visitor = &who.visitor;
    let t = visitor.texts;
    let Sheet { editing, typed, problems, doubts, note } = sheet;
    let kind = typed.kind();
    let labelled = |problem: Problem| (problem.field, words::label(t, &problem), problem.reason);
    let problems: Vec<_> = problems.into_iter().map(labelled).collect();
    let of = |field: &str| problems.iter().find(|(name, _, _)| *name == field).map(|(_, _, reason)| reason.clone());
    let is_shown = |field: &&'static str| {
        let stands_above = ["portfolio", "date", "kind", "symbol"].contains(field);
        // Editing an imported entry keeps the fields that its type does not have.
        !stands_above && (uses(kind, field) || of(field).is_some() || (editing.is_some() && !typed.get(field).is_empty()))
    };
    let fields: Vec<Field> = FIELDS
        .into_iter()
        .filter(is_shown)
        .map(|field| Field {
            name: field,
            label: if field == "price" && kind == Kind::Dividend { t.ledger.dividend_per_share } else { words::field(t, field) },
            hint: hint(visitor.texts, field),
            value: typed.get(field).to_owned(),
            problem: of(field),
        })
        .collect();
    let mut preview = match (typed.get("symbol").is_empty(), problems.is_empty() && note.is_none()) {
        (false, true) => preview::build(web, who, editing, &typed).await?,
        _ => Preview::say(t.ledger.preview_hint.to_owned()),
    };
    if !doubts.sentences.is_empty() {
        // Already shown above the form.
        preview.doubts = Doubts::default();
    }
    let page = Page {
        fields,
        shell: visitor.shell(if editing.is_some() { t.ledger.edit_title } else { t.ledger.new_title }, Section::Ledger),
        action: editing.map_or("/ledger/new".to_owned(), |sequence| format!("/ledger/{sequence}")),
        editing,
        portfolios: portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| (one.name, one.default)).collect(),
        kinds: super::kinds(visitor),
        currencies: &CURRENCIES,
        kind_hint: t.ledger.use_kind,
        at_kind: visitor.address.contains("?typed=1"),
        typed,
        problems,
        doubts,
        note,
        preview,
    };
    visitor.page_with(status, &page)
}

fn hint(t: &'static Texts, field: &str) -> &'static str {
    match field {
        "price" => t.ledger.price_hint,
        "amount" => t.ledger.amount_hint,
        "net" => t.ledger.net_hint,
        "ratio" => t.ledger.ratio_hint,
        "fx_rate" => t.ledger.fx_rate_hint,
        "currency" => t.ledger.currency_hint,
        _ => "",
    }
}
