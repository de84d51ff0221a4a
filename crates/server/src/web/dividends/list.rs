//! All recorded dividends, paginated.

use app::entries::PER_PAGE;
use app::income::dividends::{Dividend, Filter, list};
use axum::http::request::Parts;
use jiff::civil::Date;

use crate::http::Query;
use crate::web::Web;
use crate::web::format::Html;
use crate::web::visit::{PageError, SignedIn, Visitor, links};

pub struct List {
    /// The API request that returns the same figures.
    pub api: String,
    /// Whether there is any dividend, regardless of the filters.
    pub any: bool,
    /// The choices, and whether each is selected.
    pub symbols: Vec<(String, bool)>,
    pub years: Vec<(i16, bool)>,
    pub rows: Vec<Row>,
    pub pages: Option<Pages>,
}

pub struct Row {
    /// Index in the API's answer.
    pub index: usize,
    pub symbol: String,
    pub link: String,
    pub name: Option<String>,
    pub portfolio: Option<String>,
    pub date: Html,
    pub shares: Option<Html>,
    pub per_share: Option<Html>,
    pub amount: Html,
    pub gross_known: bool,
    pub tax: Option<Html>,
    pub net: Html,
}

pub struct Pages {
    pub range: String,
    pub previous: Option<String>,
    pub next: Option<String>,
}

pub async fn load(web: &Web, who: &SignedIn, parts: &Parts, portfolio: Option<&str>) -> Result<List, PageError> {
    let params = Params::parse(parts);
    let of_portfolio = Filter { portfolio: portfolio.map(str::to_owned), ..Filter::default() };
    let all = list(&web.app, who.user_id(), &of_portfolio).await?;
    let (mut symbols, mut years): (Vec<String>, Vec<i16>) = all.iter().map(|one| (one.symbol.clone(), one.date.year())).unzip();
    symbols.sort();
    symbols.dedup();
    years.dedup();
    let (any, wanted) = (!all.is_empty(), params.query(portfolio));
    let found = match params.symbol.is_none() && params.year.is_none() {
        true => all,
        false => list(&web.app, who.user_id(), &params.filter(of_portfolio)).await?,
    };
    let page = params.page.min(found.len().saturating_sub(1) / PER_PAGE);
    let shown = found.iter().enumerate().skip(page * PER_PAGE).take(PER_PAGE);
    let chosen = |symbol: String| {
        let is_chosen = params.symbol.as_ref() == Some(&symbol);
        (symbol, is_chosen)
    };
    Ok(List {
        api: params.api(portfolio),
        any,
        symbols: symbols.into_iter().map(chosen).collect(),
        years: years.into_iter().map(|year| (year, params.year == Some(year))).collect(),
        rows: shown.map(|(index, one)| row(&who.visitor, index, one)).collect(),
        pages: pages(&who.visitor, page, found.len(), &wanted),
    })
}

/// Query parameters.
struct Params {
    symbol: Option<String>,
    year: Option<i16>,
    /// Counted from 0.
    page: usize,
}

impl Params {
    fn parse(parts: &Parts) -> Params {
        let query = Query::parse(parts.uri.query()).ok();
        let text = |name: &str| query.as_ref().and_then(|query| query.text(name).ok().flatten());
        Params {
            symbol: text("symbol").map(str::to_uppercase),
            year: text("year").and_then(|year| year.parse().ok()).filter(|year| (1000..=9999).contains(year)),
            page: text("page").and_then(|page| page.parse::<usize>().ok()).unwrap_or(1).saturating_sub(1),
        }
    }

    /// First and last day of the year.
    fn days(&self) -> Option<(Date, Date)> {
        let year = self.year?;
        Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
    }

    fn filter(&self, of_portfolio: Filter) -> Filter {
        let days = self.days();
        Filter { symbol: self.symbol.clone(), from: days.map(|days| days.0), to: days.map(|days| days.1), ..of_portfolio }
    }

    fn api(&self, portfolio: Option<&str>) -> String {
        let days = self.days();
        let day = |day: Option<Date>| day.map(|day| day.to_string());
        let values = [
            ("symbol", self.symbol.clone()),
            ("from", day(days.map(|days| days.0))),
            ("to", day(days.map(|days| days.1))),
            ("portfolio", portfolio.map(str::to_owned)),
        ];
        format!("/api/v1/dividends{}", joined(&values))
    }

    /// The page's address without the page number.
    fn query(&self, portfolio: Option<&str>) -> String {
        let year = self.year.map(|year| year.to_string());
        joined(&[("symbol", self.symbol.clone()), ("year", year), ("portfolio", portfolio.map(str::to_owned))])
    }
}

fn joined(values: &[(&str, Option<String>)]) -> String {
    let given = values.iter().filter_map(|(name, value)| Some(format!("{name}={}", links::escaped(value.as_ref()?))));
    let given: Vec<String> = given.collect();
    if given.is_empty() { String::new() } else { format!("?{}", given.join("&")) }
}

/// `None` if everything fits on one page.
fn pages(visitor: &Visitor, page: usize, found: usize, query: &str) -> Option<Pages> {
    if found <= PER_PAGE {
        return None;
    }
    let link = |page: usize| {
        let mark = if query.is_empty() { '?' } else { '&' };
        format!("/dividends{query}{mark}page={}#list", page + 1)
    };
    let last = (page * PER_PAGE + PER_PAGE).min(found);
    let (from, to) = ((page * PER_PAGE + 1).to_string(), last.to_string());
    Some(Pages {
        range: visitor.texts.dividends.range(&from, &to, found.to_string()),
        previous: page.checked_sub(1).map(link),
        next: (last < found).then(|| link(page + 1)),
    })
}

fn row(visitor: &Visitor, index: usize, one: &Dividend) -> Row {
    let f = visitor.format;
    Row {
        index,
        link: format!("/stocks/{}", links::escaped(&one.symbol)),
        symbol: one.symbol.clone(),
        name: one.name.clone(),
        portfolio: one.portfolio.clone(),
        date: f.date(one.date),
        shares: one.shares.map(|shares| f.shares(shares)),
        per_share: one.per_share.as_ref().map(|money| f.recorded(money)),
        amount: f.recorded(&one.amount),
        gross_known: one.gross_known,
        tax: one.withholding_tax.as_ref().map(|money| f.recorded(money)),
        net: f.recorded(&one.net),
    }
}
