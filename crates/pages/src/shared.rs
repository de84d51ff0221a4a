//! `/p/{slug}`: a portfolio that its owner shares, for anybody who has the link.

use app::portfolios::shared::{SharedPortfolio, SharedPosition, shared};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use ledger::{Decimal, Money};
use serving::params;

use crate::chart::{self, Bar, Part};
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{PageError, Visitor, links};
use crate::{Reply, Web, calendar, stock};

#[derive(Template)]
#[template(path = "shared.html")]
struct Page<'a> {
    shell: Shell,
    seen: &'a SharedPortfolio,
    shares_bar: String,
    months: Option<Months>,
}

impl Page<'_> {
    /// `None` for visitors who may not see the stock.
    fn link(&self, symbol: &str, is_public: &bool) -> Option<String> {
        (*is_public || self.shell.who.is_some()).then(|| links::stock(symbol))
    }

    fn income(&self, row: &SharedPosition) -> Option<Money> {
        row.amounts.as_ref()?.income
    }

    fn frequency(&self, row: &SharedPosition) -> Option<&'static str> {
        row.frequency.map(|frequency| calendar::frequency_word(self.shell.t, frequency))
    }

    fn badge(&self, row: &SharedPosition) -> (&'static str, &'static str) {
        stock::safety::badge(self.shell.t, row.safety)
    }
}

struct Months {
    chart: String,
    rows: Vec<(String, Html, Option<Html>)>,
}

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const CLASSES: [&str; 8] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let slug = params::last_segment(parts.uri.path()).map_err(|_| PageError::not_found())?;
    let seen = shared(&web.app, &slug).await?.ok_or_else(PageError::not_found)?;
    let page = Page {
        shell: visitor.shell(&seen.name, Section::None),
        shares_bar: shares_bar(&visitor, &seen.positions),
        months: months(&visitor, &seen),
        seen: &seen,
    };
    let mut response = visitor.page(&page)?;
    response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
    Ok(response)
}

/// The eight largest, and the rest as one part.
fn shares_bar(visitor: &Visitor, positions: &[SharedPosition]) -> String {
    let t = &visitor.texts.shared;
    let part = |name: &str, pct: Decimal, class| Part {
        title: t.part(name, visitor.format.marked(&pct.to_string())),
        name: name.to_owned(),
        value: pct,
        class,
    };
    let known: Vec<(&str, Decimal)> = positions.iter().filter_map(|one| Some((one.symbol.as_str(), one.share_pct?))).collect();
    let mut parts: Vec<Part> = known.iter().zip(CLASSES).map(|((name, pct), class)| part(name, *pct, class)).collect();
    let rest = known.iter().skip(CLASSES.len()).try_fold(Decimal::ZERO, |sum, (_, pct)| sum.checked_add(*pct));
    parts.extend(rest.filter(|rest| !rest.is_zero()).map(|rest| part(t.others, rest, "rest")));
    chart::share_bar("shares", t.positions_chart, &parts)
}

fn months(visitor: &Visitor, seen: &SharedPortfolio) -> Option<Months> {
    let (t, f) = (&visitor.texts.shared, visitor.format);
    let shares = seen.months_pct.as_ref()?;
    let amounts = seen.amounts.as_ref().and_then(|amounts| amounts.months.as_ref());
    let names = || visitor.texts.shell.months_long.split(' ').zip(visitor.texts.shell.months_short.split(' '));
    let bar = |((long, short), pct): ((&str, &str), &Decimal)| Bar {
        label: short.to_owned(),
        title: t.months_bar(long, f.marked(&pct.to_string())),
        value: *pct,
        class: if pct.is_zero() { "empty" } else { "" },
    };
    let bars: Vec<Bar> = names().zip(shares).map(bar).collect();
    let amount = |at: usize| amounts.and_then(|amounts| amounts.get(at)).map(|amount| f.money(amount));
    Some(Months {
        chart: chart::bars("months", t.months_chart, &bars, |tick| format!("{}%", f.marked(&tick.to_string())), None),
        rows: names().zip(shares).enumerate().map(|(at, ((long, _), pct))| (long.to_owned(), f.pct(*pct), amount(at))).collect(),
    })
}
