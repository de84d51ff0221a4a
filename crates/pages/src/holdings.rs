//! `/holdings`: open positions and the income of each.

mod order;
mod shares;

use app::explain::{Figure, Question};
use app::portfolios;
use app::portfolios::holdings::HoldingSummary;
use app::portfolios::notices::{Notice, notices};
use app::portfolios::positions::{self, Position, Positions};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::{Basis, Check, Outcome, Reason, Safety};

use self::order::{Column, Order};
use self::shares::Shares;
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::securities::Gaps;
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web, explain, portfolio_picker, stock};
use messages::web::Texts;

#[derive(Template)]
#[template(path = "holdings.html")]
struct Page<'a> {
    shell: Shell,
    /// The API requests that return the same figures.
    api: String,
    income_api: String,
    valuation_api: String,
    picker: portfolio_picker::Picker,
    lead: String,
    columns: Vec<Column>,
    /// Link back to the default order, if the table is sorted otherwise.
    unsorted: Option<String>,
    rows: Vec<Row<'a>>,
    gross: Html,
    net: Html,
    shares: Option<Shares>,
    unconverted: Option<String>,
    outdated_rates: Option<String>,
    gaps: Gaps,
    /// Splits that do not fit the transactions.
    unapplied: Vec<String>,
}

struct Row<'a> {
    /// Index in the API's answer, however the page is sorted.
    index: usize,
    position: &'a Position,
    safety: Badge,
    asked: Question,
}

impl Row<'_> {
    /// Whether its income is estimated from the user's own dividends.
    fn is_from_history(&self) -> bool {
        self.position.source.is_some() && self.position.basis == Basis::Ledger
    }

    fn about(&self, figure: Figure) -> Question {
        self.asked.about(figure)
    }
}

struct Badge {
    class: &'static str,
    word: &'static str,
    reasons: Option<String>,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let portfolio = portfolio_picker::portfolio(&parts);
    let portfolio = portfolio.as_deref();
    let seen = positions::list(&web.app, who.user_id(), portfolio).await?;
    let order = Order::from_request(&parts);
    let (t, f) = (&visitor.texts.holdings, visitor.format);
    let asked = Question { portfolio: portfolio.map(str::to_owned), ..Question::of(Figure::AnnualIncome) };
    let selected = portfolio.map(|name| format!("portfolio={}", links::escaped(name)));
    let query = selected.as_ref().map(|selected| format!("?{selected}")).unwrap_or_default();
    let page = Page {
        shell: visitor.shell(t.title, Section::Holdings),
        api: portfolio_picker::api("holdings", portfolio),
        income_api: portfolio_picker::api("income", portfolio),
        valuation_api: portfolio_picker::api("valuation", portfolio),
        picker: portfolio_picker::Picker::of(portfolios::list(&web.app, who.user_id()).await?, portfolio),
        lead: t.lead(seen.rows.len() as u64),
        columns: order::columns(visitor.texts, order, selected.as_deref(), names_portfolios(&seen)),
        unsorted: order.map(|_| format!("/holdings{query}")),
        rows: order::sorted(&seen.rows, order)
            .into_iter()
            .map(|(index, row)| self::row(visitor.texts, index, row, &asked))
            .collect(),
        gross: f.money(&seen.annual).explained(&asked),
        net: f.money(&seen.net_annual).explained(asked.about(Figure::NetAnnualIncome)),
        shares: shares::build(visitor, &seen, &asked)?,
        unconverted: portfolio_picker::unconverted(visitor, &seen.unconverted),
        outdated_rates: portfolio_picker::outdated_rates(visitor, seen.outdated_rates),
        gaps: Gaps::load(&web, &who, &seen.without_data).await?,
        unapplied: notices(&web.app, who.user_id()).await?.iter().map(|notice| unapplied(visitor, notice)).collect(),
    };
    visitor.page(&page)
}

fn unapplied(visitor: &Visitor, notice: &Notice) -> String {
    let Notice { symbol, portfolio, split } = notice;
    let (ratio, date) = (split.ratio.to_string(), visitor.format.date_text(split.date));
    visitor.texts.holdings.unapplied_split(symbol.as_str(), portfolio.as_str(), ratio, date)
}

fn names_portfolios(seen: &Positions) -> bool {
    seen.rows.iter().any(|row| row.holding.portfolio.is_some())
}

fn row<'a>(t: &'static Texts, index: usize, position: &'a Position, asked: &Question) -> Row<'a> {
    let HoldingSummary { symbol, portfolio, .. } = &position.holding;
    let asked = asked.of_position(Figure::Income, symbol, portfolio.as_deref());
    Row { index, position, safety: badge(t, position.safety, &position.safety_reasons), asked }
}

fn badge(t: &'static Texts, safety: Safety, checks: &[Check]) -> Badge {
    let (class, word) = stock::safety::badge(t, safety);
    let fired = checks.iter().filter(|check| check.outcome == Outcome::Fired);
    let words: Vec<&str> = fired.map(|check| reason_words(t, check.reason)).collect();
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
