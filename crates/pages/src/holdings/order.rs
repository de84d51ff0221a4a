//! The table's columns, and its rows in the chosen order.

use std::cmp::{Ordering, Reverse};

use app::portfolios::positions::Position;
use axum::http::request::Parts;
use ledger::Safety;
use messages::web::Texts;
use serving::Query;

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Symbol,
    Shares,
    Gross,
    Net,
    Share,
    Yield,
    OnCost,
    Safety,
    Ex,
    Pay,
    Portfolio,
}

const NAMES: [(&str, By); 11] = [
    ("symbol", By::Symbol),
    ("shares", By::Shares),
    ("gross", By::Gross),
    ("net", By::Net),
    ("share", By::Share),
    ("yield", By::Yield),
    ("on_cost", By::OnCost),
    ("safety", By::Safety),
    ("ex", By::Ex),
    ("pay", By::Pay),
    ("portfolio", By::Portfolio),
];

/// As in `?sort=`; a minus means descending.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Order {
    by: By,
    down: bool,
}

pub struct Column {
    pub title: &'static str,
    pub numeric: bool,
    /// `None` if rows cannot be compared: average costs are in different currencies.
    pub link: Option<String>,
    pub label: String,
    pub sorted: Option<&'static str>,
}

impl Order {
    pub fn from_request(parts: &Parts) -> Option<Order> {
        let query = Query::parse(parts.uri.query()).ok()?;
        let text = query.text("sort").ok().flatten()?;
        let (down, name) = text.strip_prefix('-').map_or((false, text), |name| (true, name));
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, by)| Order { by: *by, down })
    }
}

pub fn columns(t: &'static Texts, order: Option<Order>, portfolio: Option<&str>, with_portfolio: bool) -> Vec<Column> {
    let column = |title: &'static str, by: Option<By>| {
        let name = by.and_then(|by| NAMES.iter().find(|(_, known)| *known == by)).map(|(name, _)| *name);
        let now = order.filter(|order| Some(order.by) == by);
        // Numbers are sorted from the largest, names and dates from the first.
        let down = now.map_or_else(|| by.is_some_and(is_numeric), |order| !order.down);
        let query = |name: &str| {
            let sort = format!("?sort={}{name}", if down { "-" } else { "" });
            portfolio.map_or_else(|| sort.clone(), |portfolio| format!("{sort}&{portfolio}"))
        };
        Column {
            title,
            numeric: by.is_none_or(is_numeric),
            link: name.map(query),
            label: t.holdings.sort_by(title),
            sorted: now.map(|order| if order.down { "descending" } else { "ascending" }),
        }
    };
    let t = &t.holdings;
    let mut columns = vec![column(t.stock, Some(By::Symbol))];
    if with_portfolio {
        columns.push(column(t.portfolio, Some(By::Portfolio)));
    }
    columns.push(column(t.shares, Some(By::Shares)));
    columns.push(column(t.cost, None));
    let rest = [
        (t.net, By::Net),
        (t.gross, By::Gross),
        (t.share, By::Share),
        (t.yield_now, By::Yield),
        (t.on_cost, By::OnCost),
        (t.safety, By::Safety),
        (t.ex, By::Ex),
        (t.pay, By::Pay),
    ];
    columns.extend(rest.map(|(title, by)| column(title, Some(by))));
    columns
}

fn is_numeric(by: By) -> bool {
    matches!(by, By::Shares | By::Gross | By::Net | By::Share | By::Yield | By::OnCost)
}

/// Each with its original index. Equal rows keep their order; unknown values always come last.
pub fn sorted(rows: &[Position], order: Option<Order>) -> Vec<(usize, &Position)> {
    let mut sorted: Vec<(usize, &Position)> = rows.iter().enumerate().collect();
    if let Some(Order { by, down }) = order {
        sorted.sort_by(|(_, a), (_, b)| compare(a, b, by, down));
    }
    sorted
}

fn compare(a: &Position, b: &Position, by: By, down: bool) -> Ordering {
    match by {
        By::Symbol => either(Some(&a.holding.symbol), Some(&b.holding.symbol), down),
        By::Portfolio => either(a.holding.portfolio.as_ref(), b.holding.portfolio.as_ref(), down),
        By::Shares => either(Some(a.holding.shares), Some(b.holding.shares), down),
        By::Gross | By::Share => either(a.income.map(|income| income.amount), b.income.map(|income| income.amount), down),
        By::Net => either(a.net_income.map(|income| income.amount), b.net_income.map(|income| income.amount), down),
        By::Yield => either(a.yield_pct, b.yield_pct, down),
        By::OnCost => either(a.yield_on_cost_pct, b.yield_on_cost_pct, down),
        By::Safety => either(rank(a.safety), rank(b.safety), down),
        By::Ex => {
            let day = |row: &Position| row.next_ex.as_ref().map(|item| item.ex_date);
            either(day(a), day(b), down)
        }
        By::Pay => {
            let day = |row: &Position| row.next_pay.as_ref().map(|item| item.pay_date);
            either(day(a), day(b), down)
        }
    }
}

fn either<T: Ord>(a: Option<T>, b: Option<T>, down: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if down => Reverse(a).cmp(&Reverse(b)),
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// The riskiest first.
fn rank(safety: Safety) -> Option<u8> {
    match safety {
        Safety::AtRisk => Some(0),
        Safety::Watch => Some(1),
        Safety::Safe => Some(2),
        Safety::Unknown => None,
    }
}
