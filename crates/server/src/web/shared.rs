//! `/p/{slug}`: a portfolio that its owner shares, for anybody who has the link.

use app::portfolios::shared::{SharedPayment, SharedPortfolio, SharedPosition, shared};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use ledger::Decimal;

use crate::http::params;
use crate::web::chart::{self, Bar, Part};
use crate::web::format::Html;
use crate::web::page::{Section, Shell};
use crate::web::visit::{PageError, Visitor, links};
use crate::web::{Reply, Web, calendar, stock};

#[derive(Template)]
#[template(path = "shared.html")]
struct Page {
    shell: Shell,
    /// `None` if the owner hides amounts, like all other amounts then.
    annual: Option<Html>,
    yield_now: Option<Html>,
    growth: Option<Html>,
    shares_bar: String,
    positions: Vec<Position>,
    months: Option<Months>,
    upcoming: Vec<Payment>,
}

struct Position {
    symbol: String,
    /// `None` for visitors who may not see the stock.
    link: Option<String>,
    name: Option<String>,
    share: Option<Html>,
    yield_now: Option<Html>,
    frequency: Option<&'static str>,
    safety: (&'static str, &'static str),
    shares: Option<Html>,
    income: Option<Html>,
}

struct Months {
    chart: String,
    rows: Vec<(String, Html, Option<Html>)>,
}

struct Payment {
    symbol: String,
    link: Option<String>,
    ex_date: Html,
    pay_date: Html,
    declared: bool,
    expected: Option<Html>,
}

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const CLASSES: [&str; 8] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let slug = params::last_segment(parts.uri.path()).map_err(|_| PageError::not_found())?;
    let seen = shared(&web.app, &slug).await?.ok_or_else(PageError::not_found)?;
    let mut response = visitor.page(&page(&visitor, &seen))?;
    response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex"));
    Ok(response)
}

fn page(visitor: &Visitor, seen: &SharedPortfolio) -> Page {
    let f = visitor.format;
    Page {
        shell: visitor.shell(&seen.name, Section::None),
        annual: seen.amounts.as_ref().map(|amounts| f.money(&amounts.annual)),
        yield_now: seen.yield_pct.map(|pct| f.pct(pct)),
        growth: seen.growth.map(|rate| f.rate(rate)),
        shares_bar: shares_bar(visitor, &seen.positions),
        positions: seen.positions.iter().map(|one| position(visitor, one)).collect(),
        months: months(visitor, seen),
        upcoming: seen.upcoming.iter().map(|one| payment(visitor, one)).collect(),
    }
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

fn position(visitor: &Visitor, one: &SharedPosition) -> Position {
    let f = visitor.format;
    let amounts = one.amounts.as_ref();
    Position {
        link: link(visitor, &one.symbol, one.is_public),
        symbol: one.symbol.clone(),
        name: one.name.clone(),
        share: one.share_pct.map(|pct| f.pct(pct)),
        yield_now: one.yield_pct.map(|pct| f.pct(pct)),
        frequency: one.frequency.map(|frequency| calendar::frequency_word(visitor.texts, frequency)),
        safety: stock::badge(visitor.texts, one.safety),
        shares: amounts.map(|amounts| f.shares(amounts.shares)),
        income: amounts.and_then(|amounts| amounts.income.as_ref()).map(|income| f.money(income)),
    }
}

fn link(visitor: &Visitor, symbol: &str, is_public: bool) -> Option<String> {
    (is_public || visitor.me.is_some()).then(|| format!("/stocks/{}", links::escaped(symbol)))
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

fn payment(visitor: &Visitor, one: &SharedPayment) -> Payment {
    let f = visitor.format;
    Payment {
        link: link(visitor, &one.symbol, one.is_public),
        symbol: one.symbol.clone(),
        ex_date: f.date(one.ex_date),
        pay_date: f.date(one.pay_date),
        declared: one.declared,
        expected: one.expected.as_ref().map(|money| f.money(money)),
    }
}
