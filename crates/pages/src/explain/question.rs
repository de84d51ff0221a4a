//! The address of an explanation, and the links of figures to it.

use std::borrow::Borrow;

use app::explain::{Figure, Question, Supposed};
use app::income::what_if::Size;
use axum::http::request::Parts;
use ledger::{Currency, Decimal, shares_text};
use messages::web::Texts;
use serving::Query;
use uuid::Uuid;

use crate::format::{Format, Html};
use crate::ledger::form::{FIELDS, Typed};
use crate::visit::links;

/// `None` if it names no figure, or not what the figure is of.
pub fn parse(parts: &Parts, t: &'static Texts) -> Option<Question> {
    let query = Query::parse(parts.uri.query()).ok()?;
    let text = |name: &str| query.text(name).ok().flatten().map(str::to_owned);
    let question = Question {
        symbol: text("symbol").map(|symbol| symbol.to_uppercase()),
        portfolio: text("portfolio"),
        position: text("position"),
        ex_date: query.date("ex_date").ok()?,
        per_share: text("per_share").and_then(|amount| Decimal::from_str_exact(&amount).ok()),
        days: query.integer("days", 1..=400, 400).ok().filter(|_| text("days").is_some()).map(|days| days as i32),
        currency: text("currency").and_then(|code| Currency::parse(&code).ok()),
        years: query.integer("years", 0..=50, 0).ok().filter(|_| text("years").is_some()).map(|years| years as u32),
        drip: query.boolean("drip", false).ok()?,
        month: query.integer("month", 1..=12, 1).ok().filter(|_| text("month").is_some()).map(|month| month as i8),
        year: text("year").and_then(|year| year.parse().ok()),
        live: query.boolean("live", false).ok()?,
        from: query.date("from").ok()?,
        to: query.date("to").ok()?,
        supposed: match (text("buy"), text("entry.kind")) {
            (Some(symbol), None) => Some(purchase(symbol, text("shares"), text("amount"))?),
            (None, Some(_)) => Some(entry(&text, t)?),
            (None, None) => None,
            _ => return None,
        },
        import: text("import").and_then(|id| Uuid::parse_str(&id).ok()),
        ..Question::of(Figure::of_page(&text("figure")?)?)
    };
    let fits = question.figure.of_symbol().is_none_or(|needed| needed == question.symbol.is_some());
    let has_rest = match question.figure {
        Figure::Payment | Figure::NetPayment | Figure::DuePayment | Figure::Difference => question.ex_date.is_some(),
        Figure::Recorded => question.ex_date.is_some() || question.to.is_some(),
        Figure::ImportNetIncome => question.import.is_some(),
        Figure::AddedIncome | Figure::AddedNetIncome | Figure::PurchaseCost | Figure::PurchaseYield | Figure::BoughtShares => {
            matches!(question.supposed, Some(Supposed::Purchase { .. }))
        }
        figure if figure.is_of_form() => matches!(question.supposed, Some(Supposed::Entry { .. })),
        Figure::PerShare | Figure::AdjustedPayment | Figure::SuggestedNet => {
            question.ex_date.is_some() && question.per_share.is_some() && question.currency.is_some()
        }
        Figure::ProjectedIncome | Figure::ProjectedNetIncome => question.years.is_some(),
        Figure::MonthIncome => question.month.is_some(),
        Figure::YearTotal => question.year.is_some(),
        _ => true,
    };
    (fits && has_rest).then_some(question)
}

const SYMBOL_MAX: usize = 32;

/// As the page of a purchase takes it.
fn purchase(symbol: String, shares: Option<String>, amount: Option<String>) -> Option<Supposed> {
    let figure = |text: String| Decimal::from_str_exact(&text).ok().filter(|figure| *figure > Decimal::ZERO);
    let size = match (shares, amount) {
        (Some(shares), None) => Size::Shares(figure(shares)?),
        (None, Some(amount)) => Size::Amount(figure(amount)?),
        _ => return None,
    };
    (symbol.chars().count() <= SYMBOL_MAX).then(|| Supposed::Purchase { symbol: symbol.to_uppercase(), size })
}

/// As the form of a transaction takes it, with numbers as in the API.
fn entry(text: &impl Fn(&str) -> Option<String>, t: &'static Texts) -> Option<Supposed> {
    let draft = Typed::by(|field| text(&format!("{ENTRY}{field}"))).draft(&Format::of_addresses(), t).ok()?;
    let editing = text("editing").map(|sequence| sequence.parse()).transpose().ok()?;
    Some(Supposed::Entry { editing, draft: Box::new(draft) })
}

/// Before the fields of a form.
const ENTRY: &str = "entry.";

pub fn address(question: impl Borrow<Question>) -> String {
    let question = question.borrow();
    let values = [
        ("figure", Some(question.figure.as_str().to_owned())),
        ("symbol", question.symbol.clone()),
        ("portfolio", question.portfolio.clone()),
        ("position", question.position.clone()),
        ("ex_date", question.ex_date.map(|date| date.to_string())),
        ("per_share", question.per_share.map(|amount| amount.normalize().to_string())),
        ("days", question.days.map(|days| days.to_string())),
        ("currency", question.currency.map(|currency| currency.to_string())),
        ("years", question.years.map(|years| years.to_string())),
        ("drip", question.drip.then(|| "true".to_owned())),
        ("month", question.month.map(|month| month.to_string())),
        ("year", question.year.map(|year| year.to_string())),
        ("live", question.live.then(|| "true".to_owned())),
        ("from", question.from.map(|date| date.to_string())),
        ("to", question.to.map(|date| date.to_string())),
        ("import", question.import.map(|id| id.to_string())),
    ];
    let given = values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let given: Vec<(String, String)> = given.chain(supposed(question.supposed.as_ref())).collect();
    links::with_query("/explain", given.iter().map(|(name, value)| (name.as_str(), value)))
}

fn supposed(what: Option<&Supposed>) -> Vec<(String, String)> {
    match what {
        None => Vec::new(),
        Some(Supposed::Purchase { symbol, size }) => {
            let (name, figure) = match size {
                Size::Shares(shares) => ("shares", shares),
                Size::Amount(amount) => ("amount", amount),
            };
            vec![("buy".to_owned(), symbol.clone()), (name.to_owned(), shares_text(*figure))]
        }
        Some(Supposed::Entry { editing, draft }) => {
            let typed = Typed::of_draft(draft, &Format::of_addresses());
            let fields = FIELDS.into_iter().filter(|field| *field != "note" && !typed.get(field).is_empty());
            let fields = fields.map(|field| (format!("{ENTRY}{field}"), typed.get(field).to_owned()));
            fields.chain(editing.map(|sequence| ("editing".to_owned(), sequence.to_string()))).collect()
        }
    }
}

impl Html {
    /// With a link to how it is calculated.
    pub fn explained(self, question: impl Borrow<Question>) -> Html {
        let address = address(question).replace('&', "&#38;");
        Html(format!("<a class=\"how\" href=\"{address}\" aria-describedby=\"how\">{self}</a>"))
    }
}
