//! `/calendar`: upcoming ex-dividend dates, for everybody.

use std::collections::HashSet;

use app::income::calendar::calendar;
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use jiff::civil::Date;
use ledger::Frequency;
use messages::web::Texts;
use serving::Query;
use uuid::Uuid;

use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "calendar.html")]
struct Page {
    shell: Shell,
    api: String,
    days: i64,
    by_day: Vec<Day>,
}

struct Day {
    date: Date,
    shown: Html,
    /// Index of its first stock in the API's list.
    first: usize,
    rows: Vec<Row>,
}

struct Row {
    symbol: String,
    link: String,
    name: Option<String>,
    sector: Option<String>,
    frequency: Option<&'static str>,
    held: bool,
    watched: bool,
}

const DAYS: i64 = 45;

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let query = Query::parse(parts.uri.query()).ok();
    let days = query.and_then(|query| query.integer("days", 1..=120, DAYS).ok()).unwrap_or(DAYS);
    let seen = calendar(&web.app, days as i32, visitor.me.is_some()).await?;
    let (held, watched) = match &visitor.me {
        Some(me) => own(&web, me.user_id).await?,
        None => Default::default(),
    };
    let mut by_day: Vec<Day> = Vec::new();
    for (at, stock) in seen.stocks.into_iter().enumerate() {
        if by_day.last().is_none_or(|day| day.date != stock.ex_date) {
            let shown = visitor.format.date(stock.ex_date);
            by_day.push(Day { date: stock.ex_date, shown, first: at, rows: Vec::new() });
        }
        let Some(day) = by_day.last_mut() else { continue };
        day.rows.push(Row {
            link: links::stock(&stock.symbol),
            held: held.contains(&stock.symbol),
            watched: watched.contains(&stock.symbol),
            symbol: stock.symbol,
            name: stock.name,
            sector: stock.sector,
            frequency: stock.frequency.map(|frequency| frequency_word(visitor.texts, frequency)),
        });
    }
    let page = Page {
        shell: visitor.shell(visitor.texts.stocks.calendar_title, Section::Calendar),
        api: format!("/api/v1/calendar?days={days}"),
        days,
        by_day,
    };
    visitor.page(&page)
}

/// Symbols the user holds, and symbols the user watches.
async fn own(web: &Web, user_id: Uuid) -> Result<(HashSet<String>, HashSet<String>), app::Error> {
    let held = app::portfolios::holdings::list(&web.app, user_id, None).await?;
    let watched = app::stocks::radar::list(&web.app, user_id).await?;
    Ok((held.into_iter().map(|one| one.symbol).collect(), watched.into_iter().map(|one| one.symbol).collect()))
}

pub fn frequency_word(t: &'static Texts, frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Weekly => t.stocks.weekly,
        Frequency::Monthly => t.stocks.monthly,
        Frequency::Quarterly => t.stocks.quarterly,
        Frequency::SemiAnnual => t.stocks.semi_annual,
        Frequency::Annual => t.stocks.annual,
    }
}
