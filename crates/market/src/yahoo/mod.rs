//! Yahoo Finance: everything but a calendar, for most of the world, without a key and without any guarantee.

mod answer;
pub mod chart;
pub mod consent;
mod events;
pub mod quote;
pub mod search;
pub mod session;
pub mod summary;
pub mod timeseries;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ledger::Decimal;

use crate::ability::{Ability, Grade};
use crate::fault::Fault;
use crate::http_client::{HttpClient, Request, Response, Urgency};
use crate::provider::{Ask, Dividend, Match, Profile, Provider, Quote, Split};
use chart::Chart;
use session::Session;

pub(crate) struct Yahoo {
    http_client: HttpClient,
    session: Session,
    /// Dividends, splits and closes of a symbol are requested one after the other, but come in one answer.
    charts: Mutex<VecDeque<Kept>>,
}

struct Kept {
    symbol: String,
    since: Date,
    at: Instant,
    chart: Arc<Chart>,
}

/// Thirty years of closes are about 200 KB; only a few stocks are processed at once.
const CHARTS_MAX: usize = 16;
const CHART_LIFE: Duration = Duration::from_secs(60);
/// An unusual dividend can only be recognised among others.
const CHART_YEARS_MIN: i32 = 3;
const QUOTES_MAX: usize = 100;
const HITS_MAX: &str = "20";

impl Yahoo {
    pub fn new(http_client: HttpClient) -> Yahoo {
        Yahoo { session: Session::new(http_client.clone(), session::REST), http_client, charts: Mutex::default() }
    }

    async fn all_quotes(&self, symbols: &[String], urgency: Urgency) -> Result<Vec<Quote>, Fault> {
        let symbols: Vec<&str> = symbols.iter().filter_map(|symbol| named(symbol).ok()).collect();
        if symbols.is_empty() {
            return Ok(Vec::new());
        }
        let answer = self.session.ask("/v7/finance/quote", &[("symbols", &symbols.join(","))], urgency, quote::parse).await;
        match (answer, &*symbols) {
            (Err(fault @ (Fault::Denied(_) | Fault::Throttled(_))), [symbol]) => {
                self.quote_of_chart(symbol, urgency).await.map_err(|_| fault)
            }
            (answer, _) => answer,
        }
    }

    /// Needs no crumb, but one request per symbol.
    async fn quote_of_chart(&self, symbol: &str, urgency: Urgency) -> Result<Vec<Quote>, Fault> {
        let request = self.request(&format!("/v8/finance/chart/{symbol}"), &[("range", "1d"), ("interval", "1d")], urgency);
        match self.http_client.ask(request, |response| chart::parse_quote(response, symbol)).await {
            Err(Fault::Unknown) => Ok(Vec::new()),
            answer => answer.map(|quote| vec![quote]),
        }
    }

    async fn chart(&self, symbol: &str, since: Date) -> Result<Arc<Chart>, Fault> {
        if let Some(chart) = self.cached_chart(symbol, since) {
            return Ok(chart);
        }
        named(symbol)?;
        let (from, to) = chart_period(since, utc_today());
        let query = [("period1", &*from), ("period2", &*to), ("interval", "1d"), ("events", "div,split,capitalGains")];
        let request = self.request(&format!("/v8/finance/chart/{symbol}"), &query, Urgency::Background);
        let chart = Arc::new(self.http_client.ask(request, |response| chart::parse(response, since)).await?);
        let kept = Kept { symbol: symbol.to_owned(), since, at: Instant::now(), chart: chart.clone() };
        let mut charts = self.charts.lock().unwrap_or_else(PoisonError::into_inner);
        charts.push_back(kept);
        if charts.len() > CHARTS_MAX {
            charts.pop_front();
        }
        Ok(chart)
    }

    fn cached_chart(&self, symbol: &str, since: Date) -> Option<Arc<Chart>> {
        let mut charts = self.charts.lock().unwrap_or_else(PoisonError::into_inner);
        charts.retain(|kept| kept.at.elapsed() < CHART_LIFE);
        charts.iter().find(|kept| kept.symbol == symbol && kept.since == since).map(|kept| kept.chart.clone())
    }

    async fn full_profile(&self, symbol: &str) -> Result<Profile, Fault> {
        let path = format!("/v10/finance/quoteSummary/{}", named(symbol)?);
        let query = [("modules", summary::MODULES), ("formatted", "false")];
        let read = |response: &Response| summary::parse(response, symbol, utc_today());
        let mut profile = self.session.ask(&path, &query, Urgency::Background, read).await?;
        profile.fcf_cover = self.cover(symbol).await;
        Ok(profile)
    }

    /// If it fails, only this figure is missing from the profile.
    async fn cover(&self, symbol: &str) -> Option<Decimal> {
        let today = utc_today();
        let (from, to) = (seconds(today.saturating_sub(3.years())), seconds(today));
        let path = format!("/ws/fundamentals-timeseries/v1/finance/timeseries/{symbol}");
        let query = [("symbol", symbol), ("type", timeseries::TYPES), ("period1", &from), ("period2", &to)];
        let answer = self.http_client.ask(self.request(&path, &query, Urgency::Background), timeseries::cover).await;
        answer.inspect_err(|fault| tracing::debug!("yahoo has no cash flow of {symbol}: it {fault}")).ok().flatten()
    }

    async fn find(&self, text: &str) -> Result<Vec<Match>, Fault> {
        let query = [("q", text), ("quotesCount", HITS_MAX), ("newsCount", "0"), ("listsCount", "0")];
        self.http_client.ask(self.request("/v1/finance/search", &query, Urgency::Live), search::parse).await
    }

    fn request(&self, path: &str, query: &[(&str, &str)], urgency: Urgency) -> Request {
        session::request(self.http_client.url(path, query), urgency)
    }
}

impl Provider for Yahoo {
    fn name(&self) -> &'static str {
        "yahoo"
    }

    fn grade(&self, ability: Ability) -> Grade {
        match ability {
            Ability::Quotes | Ability::Profile | Ability::Splits | Ability::Closes | Ability::Search => Grade::Good,
            Ability::Dividends => Grade::Fair,
            Ability::Calendar | Ability::Rates => Grade::None,
        }
    }

    fn http_client(&self) -> &HttpClient {
        &self.http_client
    }

    fn quotes_max(&self) -> usize {
        QUOTES_MAX
    }

    fn quotes<'a>(&'a self, symbols: &'a [String], urgency: Urgency) -> Ask<'a, Vec<Quote>> {
        Box::pin(self.all_quotes(symbols, urgency))
    }

    fn profile<'a>(&'a self, symbol: &'a str) -> Ask<'a, Profile> {
        Box::pin(self.full_profile(symbol))
    }

    fn dividends<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Dividend>> {
        Box::pin(async move { Ok(self.chart(symbol, since).await?.dividends.clone()) })
    }

    fn splits<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<Split>> {
        Box::pin(async move { Ok(self.chart(symbol, since).await?.splits.clone()) })
    }

    fn closes<'a>(&'a self, symbol: &'a str, since: Date) -> Ask<'a, Vec<(Date, Decimal)>> {
        Box::pin(async move { Ok(self.chart(symbol, since).await?.closes.clone()) })
    }

    fn search<'a>(&'a self, text: &'a str) -> Ask<'a, Vec<Match>> {
        Box::pin(self.find(text))
    }
}

/// A symbol that can be part of a URL and a list; Yahoo has no others.
fn named(symbol: &str) -> Result<&str, Fault> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-=^&_".contains(letter);
    if symbol.chars().all(plain) && symbol.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        Ok(symbol)
    } else {
        Err(Fault::Unknown)
    }
}

/// One day wider on both sides: the exchange's day may begin before UTC's and end after it.
fn chart_period(since: Date, today: Date) -> (String, String) {
    let first = since.min(today.saturating_sub(CHART_YEARS_MIN.years()));
    (seconds(first.saturating_sub(1.day())), seconds(today.saturating_add(2.days())))
}

fn seconds(date: Date) -> String {
    date.to_zoned(TimeZone::UTC).map_or(0, |midnight| midnight.timestamp().as_second()).to_string()
}

fn utc_today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}
