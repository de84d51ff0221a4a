//! `/explain`: how a figure is calculated, as a page or as a panel of another page.

mod formula;
mod question;
mod step;
mod words;

use app::explain::{Figure, Question, Supposed, explain};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::explain::Node;

pub use self::question::address;
use self::step::{Step, steps};
use self::words::{Problem, Words};
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{PageError, SignedIn, Visitor, links};
use crate::{Reply, Web, is_fragment};

#[derive(Template)]
#[template(path = "explain.html")]
struct Page {
    shell: Shell,
    seen: Explanation,
}

#[derive(Template)]
#[template(path = "explain_panel.html")]
struct Panel {
    shell: Shell,
    seen: Explanation,
    /// The same as a page.
    link: String,
}

struct Explanation {
    title: &'static str,
    /// The stock, the portfolio and the period.
    context: Vec<Context>,
    value: Html,
    /// Why there is no value.
    problem: Option<Problem>,
    words: Option<String>,
    numbers: Option<Html>,
    steps: Vec<Step>,
    more: Option<String>,
}

struct Context {
    text: String,
    link: Option<String>,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let Some(question) = question::parse(&parts, visitor.texts) else {
        return Err(PageError::new(StatusCode::NOT_FOUND, |t| t.explain.no_such_figure));
    };
    let Some(node) = explain(&web.app, who.user_id(), &question).await? else {
        return Err(PageError::new(StatusCode::NOT_FOUND, |t| t.explain.no_such_stock));
    };
    let seen = explanation(visitor, &question, &node);
    let shell = visitor.shell(seen.title, Section::None);
    match is_fragment(&parts) {
        true => visitor.page(&Panel { shell, seen, link: question::address(&question) }),
        false => visitor.page(&Page { shell, seen }),
    }
}

fn explanation(visitor: &Visitor, question: &Question, node: &Node) -> Explanation {
    let words = Words { visitor };
    let (formula, steps) = steps(&words, node);
    Explanation {
        title: words.title(question.figure),
        context: context(visitor, question),
        value: words.figure(question.figure, node),
        problem: words.problem(node, question),
        words: formula.words,
        numbers: formula.numbers,
        more: formula.more,
        steps,
    }
}

fn context(visitor: &Visitor, question: &Question) -> Vec<Context> {
    let (t, f) = (&visitor.texts.explain, visitor.format);
    let plain = |text: String| Context { text, link: None };
    let stock = question.symbol.as_ref().map(|symbol| Context { text: symbol.clone(), link: Some(links::stock(symbol)) });
    let portfolio = question.position.as_ref().or(question.portfolio.as_ref()).cloned().map(plain);
    let is_received = matches!(question.figure, Figure::Received | Figure::ReceivedGross);
    let period = match (question.from, question.to) {
        (Some(from), Some(to)) => Some(t.period(f.date_text(from), f.date_text(to))),
        (None, Some(to)) => Some(f.date_text(to)),
        _ => is_received.then(|| t.all_time.to_owned()),
    };
    let ex_date = question.ex_date.map(|date| t.ex_on(f.date_text(date)));
    let days = question.days.map(|days| t.days_ahead(i64::from(days)));
    let month = question.month.map(|month| Words { visitor }.month(u64::from(month.unsigned_abs())).to_owned());
    let year = question.year.map(|year| year.to_string());
    let years = question.years.map(|years| t.after_years(u64::from(years)));
    let reinvested = question.drip.then(|| t.reinvested.to_owned());
    let supposed = question.supposed.as_ref().map(|supposed| match supposed {
        Supposed::Purchase { symbol, .. } => t.with_purchase(symbol.as_str()),
        Supposed::Entry { .. } => t.with_entry.to_owned(),
    });
    let of_time = [period, ex_date, days, month, year, years, reinvested, supposed];
    [stock, portfolio].into_iter().flatten().chain(of_time.into_iter().flatten().map(plain)).collect()
}
