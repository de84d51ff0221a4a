//! `/dividends`: dividends received, compared with those expected.

mod compared;
mod list;
pub mod missing;
mod parts;
mod years;

use app::explain::{Figure, Question};
use app::income::received::{Received, received};
use app::portfolios;
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Decimal;

use self::compared::Compared;
use self::list::List;
use self::parts::Table;
use self::years::Years;
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::securities::Gaps;
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web, portfolio_picker};

#[derive(Template)]
#[template(path = "dividends.html")]
struct Page {
    shell: Shell,
    picker: portfolio_picker::Picker,
    lead: String,
    /// The API request that returns the same net amount.
    status_api: String,
    /// `None` until a dividend is recorded.
    figures: Option<Figures>,
    years: Years,
    by_stock: Table,
    by_portfolio: Table,
    compared: Compared,
    /// What is missing, with the link to its page.
    missing: Option<(Html, String)>,
    list: List,
    /// What the figures exclude or assume.
    notes: Vec<String>,
    outdated_rates: Option<String>,
    gaps: Gaps,
}

struct Figures {
    net: Html,
    gross: Html,
    growth: Option<Growth>,
    all_time: Html,
    all_time_gross: Html,
}

/// The change of dividends received, and the class that colours it.
pub struct Growth {
    pub rate: Html,
    pub class: &'static str,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let portfolio = portfolio_picker::portfolio(&parts);
    let portfolio = portfolio.as_deref();
    let seen = received(&web.app, who.user_id(), portfolio, web.app.clock.today()).await?;
    let list = list::load(&web, &who, &parts, portfolio).await?;
    let compared = app::income::expected::compare(&web.app, who.user_id(), portfolio).await?;
    let suggested = app::automatic::suggestions(&web.app, who.user_id(), portfolio).await?;
    let mut left_out = app::income::without_data(&web.app, who.user_id(), portfolio).await?;
    left_out.extend(compared.not_compared.iter().filter(|symbol| !left_out.contains(symbol)).cloned().collect::<Vec<_>>());
    let t = &visitor.texts.dividends;
    let today = web.app.clock.today();
    let asked = Question { portfolio: portfolio.map(str::to_owned), ..Question::of(Figure::Received) };
    let page = Page {
        shell: visitor.shell(t.title, Section::Dividends),
        picker: portfolio_picker::Picker::of(portfolios::list(&web.app, who.user_id()).await?, portfolio),
        lead: t.lead(seen.currency.code()),
        status_api: portfolio_picker::api("status", portfolio),
        figures: list.any.then(|| figures(visitor, &seen, &asked, today)),
        years: years::build(visitor, &seen, today, &asked),
        by_stock: parts::by_stock(visitor, &seen, &asked),
        by_portfolio: parts::by_portfolio(visitor, &seen, &asked),
        // Those without data are listed with the comparison.
        gaps: Gaps { without_data: None, ..Gaps::load(&web, &who, &left_out).await? },
        missing: missing::headline(visitor, &suggested, portfolio).map(|text| (text, missing::address(portfolio))),
        compared: compared::build(visitor, compared, &suggested, portfolio),
        notes: notes(visitor, &seen),
        outdated_rates: portfolio_picker::outdated_rates(visitor, seen.outdated_rates),
        list,
    };
    visitor.page(&page)
}

fn figures(visitor: &Visitor, seen: &Received, asked: &Question, today: Date) -> Figures {
    let f = visitor.format;
    let gross = f.money(&seen.all_time.gross).explained(asked.about(Figure::ReceivedGross));
    Figures {
        net: f.money(&seen.last_12_months.net).explained(last_12_months(asked, today)),
        gross: f.money(&seen.last_12_months.gross).explained(last_12_months(&asked.about(Figure::ReceivedGross), today)),
        growth: seen.growth.map(|rate| growth(visitor, rate, asked)),
        all_time: f.money(&seen.all_time.net).explained(asked),
        all_time_gross: Html::sentence([gross], |[gross]| visitor.texts.dividends.all_time_note(gross)),
    }
}

/// Of the year that ends today.
pub fn last_12_months(asked: &Question, today: Date) -> Question {
    let from = today.saturating_sub(1.year()).saturating_add(1.day());
    Question { from: Some(from), to: Some(today), ..asked.clone() }
}

/// Of a calendar year.
fn of_year(asked: &Question, year: i16) -> Question {
    let from = Date::new(year, 1, 1).unwrap_or_default();
    Question { from: Some(from), to: Some(from.last_of_year()), ..asked.clone() }
}

pub fn growth(visitor: &Visitor, rate: Decimal, asked: &Question) -> Growth {
    let class = match rate.cmp(&Decimal::ZERO) {
        std::cmp::Ordering::Greater => "gain",
        std::cmp::Ordering::Less => "loss",
        std::cmp::Ordering::Equal => "",
    };
    Growth { rate: visitor.format.rate(rate).explained(asked.about(Figure::ReceivedGrowth)), class }
}

fn notes(visitor: &Visitor, seen: &Received) -> Vec<String> {
    let net_only = (seen.net_only > 0).then(|| visitor.texts.dividends.net_only(seen.net_only as u64));
    portfolio_picker::unconverted(visitor, &seen.unconverted).into_iter().chain(net_only).collect()
}
