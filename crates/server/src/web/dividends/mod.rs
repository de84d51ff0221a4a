//! `/dividends`: dividends received, compared with those expected.

mod compared;
mod list;
pub mod missing;
mod parts;
mod years;

use app::income::received::{Received, received};
use app::portfolios;
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::Decimal;

use self::compared::Compared;
use self::list::List;
use self::parts::Table;
use self::years::Years;
use crate::web::format::Html;
use crate::web::page::{Section, Shell};
use crate::web::securities::Gaps;
use crate::web::visit::{SignedIn, Visitor, links};
use crate::web::{Reply, Web, portfolio_picker};

#[derive(Template)]
#[template(path = "dividends.html")]
struct Page {
    shell: Shell,
    picker: portfolio_picker::Picker,
    lead: String,
    /// `None` until a dividend is recorded.
    figures: Option<Figures>,
    years: Years,
    by_stock: Table,
    by_portfolio: Table,
    compared: Compared,
    /// What is missing, with the link to its page.
    missing: Option<(String, String)>,
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
    all_time_gross: String,
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
    let page = Page {
        shell: visitor.shell(t.title, Section::Dividends),
        picker: portfolio_picker::Picker::of(portfolios::list(&web.app, who.user_id()).await?, portfolio),
        lead: t.lead(seen.currency.code()),
        figures: list.any.then(|| figures(visitor, &seen)),
        years: years::build(visitor, &seen, web.app.clock.today()),
        by_stock: parts::by_stock(visitor, &seen),
        by_portfolio: parts::by_portfolio(visitor, &seen),
        // Those without data are listed with the comparison.
        gaps: Gaps { without_data: None, ..Gaps::load(&web, &who, &left_out).await? },
        missing: missing::headline(visitor, &suggested).map(|text| (text, missing::address(portfolio))),
        compared: compared::build(visitor, compared, &suggested, portfolio),
        notes: notes(visitor, &seen),
        outdated_rates: portfolio_picker::outdated_rates(visitor, seen.outdated_rates),
        list,
    };
    visitor.page(&page)
}

fn figures(visitor: &Visitor, seen: &Received) -> Figures {
    let f = visitor.format;
    let gross = f.money_text(&seen.all_time.gross);
    Figures {
        net: f.money(&seen.last_12_months.net),
        gross: f.money(&seen.last_12_months.gross),
        growth: seen.growth.map(|rate| growth(visitor, rate)),
        all_time: f.money(&seen.all_time.net),
        all_time_gross: visitor.texts.dividends.all_time_note(&gross),
    }
}

pub fn growth(visitor: &Visitor, rate: Decimal) -> Growth {
    let class = match rate.cmp(&Decimal::ZERO) {
        std::cmp::Ordering::Greater => "gain",
        std::cmp::Ordering::Less => "loss",
        std::cmp::Ordering::Equal => "",
    };
    Growth { rate: visitor.format.rate(rate), class }
}

fn notes(visitor: &Visitor, seen: &Received) -> Vec<String> {
    let net_only = (seen.net_only > 0).then(|| visitor.texts.dividends.net_only(seen.net_only as u64));
    portfolio_picker::unconverted(visitor, &seen.unconverted).into_iter().chain(net_only).collect()
}
