//! All recorded dividends, paginated.

use app::entries::PER_PAGE;
use app::income::dividends::{Dividend, Filter, list};
use axum::http::request::Parts;
use jiff::civil::Date;
use serving::Query;

use crate::Web;
use crate::visit::{PageError, SignedIn, Visitor, links};

pub struct List {
    /// The API request that returns the same figures.
    pub api: String,
    /// Whether there is any dividend, regardless of the filters.
    pub any: bool,
    /// The choices, and whether each is selected.
    pub symbols: Vec<(String, bool)>,
    pub years: Vec<(i16, bool)>,
    /// Each with its index in the API's answer.
    pub rows: Vec<(usize, Dividend)>,
    pub pages: Option<Pages>,
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
    let any = !all.is_empty();
    let found = match params.symbol.is_none() && params.year.is_none() {
        true => all,
        false => list(&web.app, who.user_id(), &params.filter(of_portfolio)).await?,
    };
    let page = params.page.min(found.len().saturating_sub(1) / PER_PAGE);
    let chosen = |symbol: String| {
        let is_chosen = params.symbol.as_ref() == Some(&symbol);
        (symbol, is_chosen)
    };
    Ok(List {
        api: params.api(portfolio),
        any,
        symbols: symbols.into_iter().map(chosen).collect(),
        years: years.into_iter().map(|year| (year, params.year == Some(year))).collect(),
        pages: pages(&who.visitor, page, found.len(), &params, portfolio),
        rows: found.into_iter().enumerate().skip(page * PER_PAGE).take(PER_PAGE).collect(),
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
        links::with_query("/api/v1/dividends", values.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }

    fn address(&self, portfolio: Option<&str>, page: usize) -> String {
        let values = [
            ("symbol", self.symbol.clone()),
            ("year", self.year.map(|year| year.to_string())),
            ("portfolio", portfolio.map(str::to_owned)),
            ("page", Some((page + 1).to_string())),
        ];
        links::with_query("/dividends", values.into_iter().filter_map(|(name, value)| Some((name, value?)))) + "#list"
    }
}

/// `None` if everything fits on one page.
fn pages(visitor: &Visitor, page: usize, found: usize, params: &Params, portfolio: Option<&str>) -> Option<Pages> {
    if found <= PER_PAGE {
        return None;
    }
    let link = |page: usize| params.address(portfolio, page);
    let last = (page * PER_PAGE + PER_PAGE).min(found);
    let (from, to) = ((page * PER_PAGE + 1).to_string(), last.to_string());
    Some(Pages {
        range: visitor.texts.dividends.range(&from, &to, found.to_string()),
        previous: page.checked_sub(1).map(link),
        next: (last < found).then(|| link(page + 1)),
    })
}
