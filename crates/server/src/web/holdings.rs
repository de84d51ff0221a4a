//! `/holdings`: open positions and the income of each.

mod order;
mod shares;

use app::portfolios;
use app::portfolios::positions::{self, Position, Positions};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::upcoming::Item;
use ledger::{Money, Reason, Safety};

use self::order::{Column, Order};
use self::shares::Shares;
use crate::web::format::Html;
use crate::web::page::{Section, Shell};
use crate::web::visit::{SignedIn, Visitor, links};
use crate::web::{Reply, Web, portfolio_picker};
use messages::web::Texts;

#[derive(Template)]
#[template(path = "holdings.html")]
struct Page {
    shell: Shell,
    /// The API requests that return the same figures.
    api: String,
    income_api: String,
    picker: portfolio_picker::Picker,
    lead: String,
    columns: Vec<Column>,
    /// Link back to the default order, if the table is sorted otherwise.
    unsorted: Option<String>,
    rows: Vec<Row>,
    gross: Html,
    net: Html,
    shares: Option<Shares>,
    unconverted: Option<String>,
}

struct Row {
    /// Index in the API's answer, however the page is sorted.
    index: usize,
    symbol: String,
    link: String,
    name: Option<String>,
    portfolio: Option<String>,
    shares: Html,
    cost: Html,
    /// `None` without an exchange rate.
    income: Option<(Html, Html)>,
    /// Index among the sources of income.
    source: Option<usize>,
    share: Option<Html>,
    yield_now: Option<Html>,
    on_cost: Option<Html>,
    safety: Badge,
    ex: Option<Day>,
    pay: Option<Day>,
}

struct Badge {
    class: &'static str,
    word: &'static str,
    reasons: Option<String>,
}

struct Day {
    date: Html,
    estimated: bool,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let portfolio = portfolio_picker::portfolio(&parts);
    let portfolio = portfolio.as_deref();
    let seen = positions::list(&web.app, who.user_id(), portfolio).await?;
    let order = Order::from_request(&parts);
    let (t, f) = (&visitor.texts.holdings, visitor.format);
    let selected = portfolio.map(|name| format!("portfolio={}", links::escaped(name)));
    let query = selected.as_ref().map(|selected| format!("?{selected}")).unwrap_or_default();
    let page = Page {
        shell: visitor.shell(t.title, Section::Holdings),
        api: format!("/api/v1/holdings{query}"),
        income_api: format!("/api/v1/income{query}"),
        picker: portfolio_picker::Picker::of(portfolios::list(&web.app, who.user_id()).await?, portfolio),
        lead: t.lead(seen.rows.len() as u64),
        columns: order::columns(visitor.texts, order, selected.as_deref(), names_portfolios(&seen)),
        unsorted: order.map(|_| format!("/holdings{query}")),
        rows: order::sorted(&seen.rows, order).into_iter().map(|(index, row)| self::row(visitor, index, row)).collect(),
        gross: f.money(&seen.annual),
        net: f.money(&seen.net_annual),
        shares: shares::build(visitor, &seen)?,
        unconverted: portfolio_picker::unconverted(visitor, &seen.unconverted),
    };
    visitor.page(&page)
}

fn names_portfolios(seen: &Positions) -> bool {
    seen.rows.iter().any(|row| row.holding.portfolio.is_some())
}

fn row(visitor: &Visitor, index: usize, position: &Position) -> Row {
    let (f, holding) = (visitor.format, &position.holding);
    let day = |item: &Item, date| Day { date: f.date(date), estimated: !item.declared };
    Row {
        index,
        link: format!("/stocks/{}", links::escaped(&holding.symbol)),
        symbol: holding.symbol.clone(),
        name: holding.name.clone(),
        portfolio: holding.portfolio.clone(),
        shares: f.shares(holding.shares),
        cost: cost(visitor, &holding.average_cost),
        income: position.income.zip(position.net_income).map(|(gross, net)| (f.money(&gross), f.money(&net))),
        source: position.source,
        share: position.share_pct.map(|pct| f.pct(pct)),
        yield_now: position.yield_pct.map(|pct| f.pct(pct)),
        on_cost: position.yield_on_cost_pct.map(|pct| f.pct(pct)),
        safety: badge(visitor.texts, position.safety, &position.safety_reasons),
        ex: position.next_ex.as_ref().map(|item| day(item, item.ex_date)),
        pay: position.next_pay.as_ref().map(|item| day(item, item.pay_date)),
    }
}

/// In full for machines; readers see the minor units.
fn cost(visitor: &Visitor, cost: &Money) -> Html {
    let (exact, code) = (cost.per_share_text(), cost.currency.code());
    Html(format!("<data value=\"{exact}\" data-currency=\"{code}\">{}</data>", visitor.format.money_text(cost)))
}

fn badge(t: &'static Texts, safety: Safety, reasons: &[Reason]) -> Badge {
    let (class, word) = match safety {
        Safety::Safe => ("safe", t.shell.safe),
        Safety::Watch => ("watch", t.shell.watch),
        Safety::AtRisk => ("at-risk", t.shell.at_risk),
        Safety::Unknown => ("unknown", t.shell.unknown),
    };
    let words: Vec<&str> = reasons.iter().map(|reason| reason_words(t, *reason)).collect();
    let reasons = (!words.is_empty()).then(|| t.holdings.reasons(words.join("; ")));
    Badge { class, word, reasons }
}

fn reason_words(t: &'static Texts, reason: Reason) -> &'static str {
    match reason {
        Reason::Cut => t.holdings.cut,
        Reason::Stopped => t.holdings.stopped,
        Reason::Uncovered => t.holdings.uncovered,
        Reason::YieldDoubled => t.holdings.yield_doubled,
        Reason::HighPayout => t.holdings.high_payout,
        Reason::ThinCashCover => t.holdings.thin_cash_cover,
        Reason::YieldRaised => t.holdings.yield_raised,
        Reason::StreakEnded => t.holdings.streak_ended,
    }
}
