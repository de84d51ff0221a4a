//! The address of an explanation, and the links of figures to it.

use std::borrow::Borrow;

use app::explain::{Figure, Question};
use axum::http::request::Parts;
use ledger::{Currency, Decimal};

use crate::http::Query;
use crate::web::format::Html;
use crate::web::visit::links;

/// `None` if it names no figure, or not what the figure is of.
pub fn parse(parts: &Parts) -> Option<Question> {
    let query = Query::parse(parts.uri.query()).ok()?;
    let text = |name| query.text(name).ok().flatten().map(str::to_owned);
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
        ..Question::of(Figure::of_page(&text("figure")?)?)
    };
    let fits = question.figure.of_symbol().is_none_or(|needed| needed == question.symbol.is_some());
    let has_rest = match question.figure {
        Figure::Payment | Figure::NetPayment | Figure::DuePayment | Figure::Difference => question.ex_date.is_some(),
        Figure::Recorded => question.ex_date.is_some() || question.to.is_some(),
        Figure::PerShare | Figure::AdjustedPayment => {
            question.ex_date.is_some() && question.per_share.is_some() && question.currency.is_some()
        }
        Figure::ProjectedIncome | Figure::ProjectedNetIncome => question.years.is_some(),
        Figure::MonthIncome => question.month.is_some(),
        Figure::YearTotal => question.year.is_some(),
        _ => true,
    };
    (fits && has_rest).then_some(question)
}

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
    ];
    links::with_query("/explain", values.into_iter().filter_map(|(name, value)| Some((name, value?))))
}

impl Html {
    /// With a link to how it is calculated.
    pub fn explained(self, question: impl Borrow<Question>) -> Html {
        let address = address(question).replace('&', "&#38;");
        Html(format!("<a class=\"how\" href=\"{address}\" aria-describedby=\"how\">{self}</a>"))
    }
}
