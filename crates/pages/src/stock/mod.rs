//! `/stocks/{symbol}`: one stock, for everybody; signed-in users see more.

mod asked;
mod history;
mod own;
pub mod safety;

use app::Viewer;
use app::explain::Figure;
use app::portfolios;
use app::stocks::radar;
use app::stocks::stock::{Price, price_now};
use app::stocks::stock_page::{self, StockPage, Yields};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::{Decimal, Money, Scores};
use messages::web::Texts;
use serving::params;

use self::asked::{asked, explained, explained_as, of_payment};
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{PageError, Visitor, links};
use crate::{Reply, Web, calendar, explain, what_if};

#[derive(Template)]
#[template(path = "stock.html")]
struct Page {
    shell: Shell,
    api: String,
    symbol: String,
    name: Option<String>,
    /// Sector, exchange and type, if known.
    what: Vec<String>,
    price: Option<ShownPrice>,
    yield_now: Option<Html>,
    against_average: Option<Html>,
    average: Option<Html>,
    annual: Option<Html>,
    growth: Option<Html>,
    streak: Option<Html>,
    streak_at_least: bool,
    frequency: Option<&'static str>,
    months: Option<String>,
    /// `None` if it is the ex-date of the next payment.
    next: Option<Next>,
    /// The next ex-date.
    following_ex: Option<Html>,
    safety: safety::Assessment,
    /// The address of the explanation; `None` for strangers.
    safety_explained: Option<String>,
    scores: [(&'static str, &'static str, Option<Score>); 3],
    history: Option<history::Years>,
    payments: history::Payments,
    own: Option<own::Own>,
    what_if: Option<what_if::Form>,
    what_if_title: String,
    watched: bool,
}

struct ShownPrice {
    amount: Html,
    live: bool,
    as_of: Option<Html>,
}

struct Next {
    ex_date: Html,
    pay_date: Html,
    per_share: Html,
    declared: bool,
    is_next_ex: bool,
}

struct Score {
    value: Decimal,
    shown: Html,
}

#[derive(Template)]
#[template(path = "stock_missing.html")]
struct Missing {
    shell: Shell,
    symbol: String,
    follow: String,
    /// Whether its data can be fetched.
    has_provider: bool,
}

const CHARACTERS_MAX: usize = 32;

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let symbol = params::last_segment(parts.uri.path()).map_err(|_| PageError::not_found())?.to_uppercase();
    if symbol.chars().count() > CHARACTERS_MAX {
        return Err(PageError::not_found());
    }
    let user_id = visitor.me.as_ref().map(|me| me.user_id);
    let price = match user_id {
        Some(user_id) => price_now(&web.app, &symbol, Viewer::User(user_id)).await?,
        None => None,
    };
    let Some(seen) = stock_page::page(&web.app, &symbol, price, user_id).await? else {
        return missing(&web, &visitor, symbol);
    };
    let watched = match user_id {
        Some(user_id) => radar::list(&web.app, user_id).await?.iter().any(|watched| watched.symbol == symbol),
        None => false,
    };
    let what_if = match user_id {
        Some(user_id) => Some(what_if::Form::of_stock(&web.app, &visitor, user_id, &symbol).await?),
        None => None,
    };
    let own = match (user_id, &seen.own) {
        (Some(user_id), Some(own)) => Some(own::own(&visitor, own, &portfolios::list(&web.app, user_id).await?)),
        _ => None,
    };
    visitor.page(&Page { own, what_if, ..page(&visitor, seen, watched, web.app.clock.today().year()) })
}

fn missing(web: &Web, visitor: &Visitor, symbol: String) -> Reply {
    let t = &visitor.texts.stock;
    let page = Missing {
        shell: visitor.shell(&t.missing_title(&symbol), Section::None),
        follow: t.follow(&symbol),
        has_provider: !web.app.sources().market.is_empty(),
        symbol,
    };
    visitor.page_with(StatusCode::NOT_FOUND, &page)
}

fn page(visitor: &Visitor, seen: StockPage, watched: bool, this_year: i16) -> Page {
    let f = visitor.format;
    let (stock, metrics) = (&seen.stock, &seen.stock.metrics);
    let money = |amount| Money::new(amount, stock.currency);
    let kind = stock.instrument_type.as_deref().map(|kind| instrument_type(visitor.texts, kind));
    let explained = |shown: Html, figure| explained(visitor, shown, figure, &stock.symbol);
    let annual = stock.annual().filter(|_| visitor.me.is_some());
    let annual = annual.map(|annual| explained(f.per_share(&annual), Figure::ForwardRate));
    Page {
        shell: visitor.shell(&title(&stock.symbol, stock.name.as_deref()), Section::None),
        api: format!("/api/v1/stocks/{}", links::escaped(&stock.symbol)),
        price: stock.price.as_ref().map(|price| shown_price(visitor, price, &money(price.amount), &stock.symbol)),
        yield_now: seen.yields.yield_pct.map(|pct| explained(f.pct(pct), Figure::Yield)),
        against_average: against_average(visitor, &seen.yields, &stock.symbol),
        average: seen.yields.average_5y_pct.map(|pct| explained(f.pct(pct), Figure::AverageYield)),
        annual,
        growth: metrics.cagr_5y.map(|rate| explained(f.rate(rate), Figure::GrowthFiveYears)),
        streak: metrics.streak_years.map(|years| explained(f.number(years), Figure::Streak)),
        streak_at_least: metrics.streak_at_least,
        frequency: metrics.frequency.map(|frequency| calendar::frequency_word(visitor.texts, frequency)),
        months: (!metrics.payment_months.is_empty()).then(|| month_names(visitor, &metrics.payment_months)),
        following_ex: stock.next_ex.map(|item| explained(f.date(item.ex_date), Figure::ExDividendDate)),
        next: seen.next.as_ref().map(|item| {
            let is_next_ex = stock.next_ex.is_some_and(|next| next.ex_date == item.ex_date);
            let ex_date = f.date(item.ex_date);
            Next {
                ex_date: if is_next_ex { explained(ex_date, Figure::ExDividendDate) } else { ex_date },
                pay_date: f.date(item.pay_date),
                per_share: explained_as(
                    visitor,
                    f.per_share(&item.per_share),
                    of_payment(Figure::PerShare, &stock.symbol, item.ex_date, &item.per_share),
                ),
                is_next_ex,
                declared: item.declared,
            }
        }),
        safety: safety::assessment(visitor, &seen),
        safety_explained: visitor.me.as_ref().map(|_| explain::address(asked(Figure::Safety, &stock.symbol))),
        scores: scores(visitor, &metrics.scores, &stock.symbol),
        history: history::years(visitor, &seen, this_year),
        payments: history::payments(visitor, &seen),
        own: None,
        what_if: None,
        what_if_title: visitor.texts.what_if.card_title(&stock.symbol),
        watched,
        what: [stock.sector.clone(), stock.exchange.clone(), kind].into_iter().flatten().collect(),
        name: stock.name.clone(),
        symbol: stock.symbol.clone(),
    }
}

fn title(symbol: &str, name: Option<&str>) -> String {
    name.map_or_else(|| symbol.to_owned(), |name| format!("{name} ({symbol})"))
}

fn shown_price(visitor: &Visitor, price: &Price, amount: &Money, symbol: &str) -> ShownPrice {
    let as_of = price.as_of.map(|at| visitor.format.instant(at.as_microsecond()));
    ShownPrice { amount: explained(visitor, visitor.format.per_share(amount), Figure::Price, symbol), live: price.live, as_of }
}

fn against_average(visitor: &Visitor, yields: &Yields, symbol: &str) -> Option<Html> {
    let t = &visitor.texts.stock;
    let above = yields.above_average_pct()?;
    let pct = explained(visitor, visitor.format.whole_pct(above.abs()), Figure::AboveAverage, symbol);
    Some(Html::sentence([pct], |[pct]| match above {
        none if none.is_zero() => t.at_average.to_owned(),
        some if some.is_sign_negative() => t.below_average(pct),
        _ => t.above_average(pct),
    }))
}

/// What providers call `EQUITY`, in the reader's language; unknown types are shown as they are.
pub fn instrument_type(t: &'static Texts, kind: &str) -> String {
    match kind.to_ascii_lowercase().as_str() {
        "equity" => t.stocks.equity.to_owned(),
        "etf" => t.stocks.etf.to_owned(),
        "mutualfund" => t.stocks.fund.to_owned(),
        _ => kind.to_owned(),
    }
}

fn month_names(visitor: &Visitor, months: &[i8]) -> String {
    if months.len() == 12 {
        return visitor.texts.stock.every_month.to_owned();
    }
    let long: Vec<&str> = visitor.texts.shell.months_long.split(' ').collect();
    let name = |month: &i8| long.get(usize::from(month.unsigned_abs()).checked_sub(1)?).copied();
    months.iter().filter_map(name).collect::<Vec<_>>().join(", ")
}

fn scores(visitor: &Visitor, scores: &Scores, symbol: &str) -> [(&'static str, &'static str, Option<Score>); 3] {
    let t = &visitor.texts.stock;
    let score = |score: Option<Decimal>, figure| {
        let shown = |value| explained(visitor, visitor.format.score(value), figure, symbol);
        score.map(|value| Score { value, shown: shown(value) })
    };
    [
        ("momentum", t.momentum, score(scores.momentum, Figure::MomentumScore)),
        ("rating", t.rating, score(scores.rating, Figure::RatingScore)),
        ("value", t.value, score(scores.value, Figure::ValueScore)),
    ]
}
