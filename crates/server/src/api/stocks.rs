//! `GET /api/v1/stocks` (search) and `GET /api/v1/stocks/{symbol}`

use app::{App, Versions, Viewer};
use axum::http::Uri;
use axum::response::Response;
use ledger::{Money as Exact, Outcome, Reason};
use serde::Serialize;
use serving::{ApiError, number, params};
use utoipa::ToSchema;
use utoipa::openapi::path::Parameter;

use super::Reply;
use super::answers::Key;
use super::caller::Visitor;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Parameters, RequiredText, in_path, query};
use super::wire::Money;

#[derive(Serialize, ToSchema)]
pub struct StockSearch {
    /// Best match first.
    results: Vec<SearchResult>,
}

#[derive(Serialize, ToSchema)]
pub struct SearchResult {
    #[schema(example = "KO")]
    symbol: String,
    /// Whether /stocks/{symbol} has data for this symbol.
    #[schema(example = true)]
    tracked: bool,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    #[schema(example = "NYSE")]
    exchange: Option<String>,
    #[serde(rename = "type")]
    #[schema(example = "EQUITY")]
    kind: Option<String>,
}

query! {
    pub struct SearchQuery {
        /// Ticker or company name, 1 to 100 characters.
        q: RequiredText<100> = "coca",
    }
}

pub struct SearchStocks;

impl Endpoint for SearchStocks {
    const PATH: &'static str = "/api/v1/stocks";
    const ID: &'static str = "searchStocks";
    const TAG: &'static str = "stocks";
    const SUMMARY: &'static str = "Search stocks by ticker or name. Without a token, only public ones.";
    const ANSWER: &'static str = "Matches.";
    /// The search index may be a moment older than the database.
    const LASTING: bool = false;
    type Caller = Visitor;
    type Query = SearchQuery;
    type Answer = StockSearch;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let (app, q) = (&ask.api.app, &*ask.query.q.0);
        if let Some(user_id) = ask.caller.user_id.filter(|_| app.sources().can_search()) {
            return ask.fresh(&StockSearch::new(app::stocks::stock::wider_search(app, q, user_id).await?));
        }
        let own = own(app, &ask.caller).await?;
        let catalogue = app::stocks::stock::catalogue(app).await?;
        let found = || StockSearch::new(catalogue.search(q, own.as_deref()));
        if own.as_ref().is_some_and(|own| !own.is_empty()) {
            return ask.fresh(&found());
        }
        let Versions { listings, tracking, .. } = catalogue.versions;
        let scope = ask.api.public_scope(listings, tracking);
        ask.cached_under(Key { scope, ..ask.key() }, async { Ok(found()) }).await
    }
}

/// Symbols only this visitor may see; none for strangers.
async fn own(app: &App, visitor: &Visitor) -> Reply<Option<Vec<String>>> {
    match visitor.user_id {
        Some(user_id) => Ok(Some(app::stocks::stock::own(app, user_id).await?)),
        None => Ok(None),
    }
}

impl StockSearch {
    fn new(hits: Vec<app::stocks::stock::Hit>) -> StockSearch {
        let result = |hit: app::stocks::stock::Hit| SearchResult {
            symbol: hit.symbol,
            tracked: hit.tracked,
            name: hit.name,
            exchange: hit.exchange,
            kind: hit.kind,
        };
        StockSearch { results: hits.into_iter().map(result).collect() }
    }
}

/// A stock's dividend profile.
#[derive(Serialize, ToSchema)]
pub struct Stock {
    #[schema(example = "KO")]
    symbol: String,
    /// The trading currency, as ISO 4217 code.
    #[schema(pattern = "^[A-Z]{3}$", example = "USD")]
    currency: String,
    /// Live with a token, if a provider answers in time. Otherwise stored.
    #[schema(required = true)]
    price: Option<Price>,
    dividend: StockDividend,
    scores: Scores,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    #[schema(example = "Soft Drinks")]
    industry: Option<String>,
    #[schema(example = "Consumer Staples")]
    sector: Option<String>,
    #[schema(example = "equity")]
    instrument_type: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Price {
    /// Decimal string.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "71.25")]
    amount: String,
    #[schema(pattern = "^[A-Z]{3}$", example = "USD")]
    currency: String,
    /// Whether this is a live price.
    #[schema(example = false)]
    live: bool,
    /// Null for a live price.
    #[schema(format = DateTime, example = "2026-11-13T21:00:00Z")]
    as_of: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct StockDividend {
    /// Of the last year's payments.
    #[schema(example = json!([3, 6, 9, 12]))]
    payment_months: Vec<i8>,
    safety: Safety,
    /// Checks that fired, could not be made or, if `safety` is `safe`, passed.
    safety_reasons: Vec<SafetyReason>,
    /// Forward, per share. Null without a token, or if it is zero.
    annual: Option<Money>,
    /// Growth per year over five years.
    #[schema(format = Double, example = 0.046)]
    cagr_5y: Option<f64>,
    /// The next one, declared or estimated.
    #[schema(format = Date, example = "2026-11-28")]
    ex_dividend_date: Option<String>,
    /// False if it is estimated.
    #[schema(example = true)]
    ex_dividend_declared: bool,
    /// weekly, monthly, quarterly, semi_annual or annual.
    #[schema(example = "quarterly")]
    frequency: Option<String>,
    /// Complete years of increases in a row.
    #[schema(example = 12)]
    streak_years: Option<u32>,
    /// Whether the streak may be longer: it began with the data.
    #[schema(example = false)]
    streak_at_least: bool,
    /// Average over about 5 years.
    #[schema(format = Double, example = 2.98)]
    yield_avg_5y_pct: Option<f64>,
    /// Forward dividend yield.
    #[schema(format = Double, example = 2.86)]
    yield_pct: Option<f64>,
}

/// Judged by payout, cash cover, cuts and yield.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Safety {
    Safe,
    Watch,
    AtRisk,
    Unknown,
}

#[derive(Serialize, ToSchema)]
pub struct SafetyReason {
    /// cut, stopped, uncovered, yield_doubled, high_payout, thin_cash_cover, yield_raised or streak_ended.
    #[schema(value_type = String, example = "high_payout")]
    code: &'static str,
    /// fired, passed or not_made.
    #[schema(value_type = String, example = "fired")]
    state: &'static str,
    #[schema(value_type = String, example = "A large part of the earnings is paid out.")]
    message: &'static str,
}

impl From<&ledger::Check> for SafetyReason {
    fn from(check: &ledger::Check) -> SafetyReason {
        let ledger::Check { reason, outcome } = *check;
        let [fired, passed, not_made] = match reason {
            Reason::Cut => [
                "The dividends of one of the last three complete years were cut.",
                "There was no cut in the last three complete years.",
                "Cuts were not checked: there are fewer than two complete years.",
            ],
            Reason::Stopped => [
                "Nothing was paid or declared for much longer than usual.",
                "The dividend is still being paid.",
                "It was not checked whether payments stopped.",
            ],
            Reason::Uncovered => [
                "More is paid out than earned, and free cash flow or a long streak does not make up for it.",
                "The dividend is covered by earnings, or by free cash flow or a long streak.",
                "Cover was not checked: the payout ratio is unknown.",
            ],
            Reason::YieldDoubled => [
                "The yield is more than twice its 5-year average, and more than 90% of the earnings are paid out.",
                "The yield is not far above its average while nearly all earnings are paid out.",
                "The yield was not compared with its average: the average or the payout ratio is unknown.",
            ],
            Reason::HighPayout => [
                "A large part of the earnings is paid out.",
                "The payout ratio is not high.",
                "The payout ratio was not checked: it is unknown.",
            ],
            Reason::ThinCashCover => [
                "Free cash flow covers the dividend less than 1.3 times.",
                "Free cash flow covers the dividend at least 1.3 times.",
                "Cash cover was not checked: the free cash flow is unknown.",
            ],
            Reason::YieldRaised => [
                "The yield is more than 1.5 times its 5-year average.",
                "The yield is not much above its 5-year average.",
                "The yield was not compared with its average: the average or the price is unknown.",
            ],
            Reason::StreakEnded => [
                "The last complete year ended a streak of three or more increases.",
                "The last complete year did not end a streak of increases.",
                "The end of a streak was not checked: there are fewer than two complete years.",
            ],
        };
        let message = match outcome {
            Outcome::Fired => fired,
            Outcome::Passed => passed,
            Outcome::NotMade => not_made,
        };
        SafetyReason { code: reason.code(), state: outcome.as_str(), message }
    }
}

/// From 0 to 10. Null without data.
#[derive(Serialize, ToSchema)]
pub struct Scores {
    #[schema(required = true, format = Double, minimum = 0, maximum = 10, example = 6.4)]
    momentum: Option<f64>,
    #[schema(required = true, format = Double, minimum = 0, maximum = 10, example = 8.1)]
    rating: Option<f64>,
    #[schema(required = true, format = Double, minimum = 0, maximum = 10, example = 5.0)]
    value: Option<f64>,
}

/// The symbol in the path, in capital letters.
#[derive(Debug)]
pub struct Symbol(String);

impl Parameters for Symbol {
    fn parse(uri: &Uri) -> Reply<Symbol> {
        Ok(Symbol(params::last_segment(uri.path())?.to_uppercase()))
    }

    fn describe() -> Vec<Parameter> {
        vec![in_path("symbol", "Ticker, case-insensitive.", "KO")]
    }
}

pub struct GetStock;

impl Endpoint for GetStock {
    const PATH: &'static str = "/api/v1/stocks/{symbol}";
    const ID: &'static str = "getStock";
    const TAG: &'static str = "stocks";
    const SUMMARY: &'static str = "The dividend profile of a tracked stock. Without a token, of public ones.";
    const ANSWER: &'static str = "The stock.";
    const NOT_FOUND: bool = true;
    type Caller = Visitor;
    type Query = Symbol;
    type Answer = Stock;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let (app, visitor, symbol) = (&ask.api.app, &ask.caller, &ask.query.0);
        let is_own = own(app, visitor).await?.is_some_and(|own| own.contains(symbol));
        let viewer = match visitor.user_id {
            None => Viewer::Stranger,
            Some(user_id) if is_own => Viewer::User(user_id),
            Some(_) => Viewer::AnyUser,
        };
        let price = match visitor.signed_in() {
            true => app::stocks::stock::price_now(app, symbol, viewer).await?,
            false => None,
        };
        let mut key = ask.key();
        key.request += &format!(" {price:?}");
        let compute = async {
            let stock = app::stocks::stock::stock(app, symbol, price, viewer).await?;
            let stock = stock.ok_or_else(|| {
                ApiError::not_found("No data for this symbol. Find symbols with GET /api/v1/stocks?q= and a name.")
            })?;
            Ok(Stock::new(stock, visitor.signed_in()))
        };
        match is_own {
            true => ask.fresh(&compute.await?),
            false => ask.cached_under(key, compute).await,
        }
    }
}

impl Stock {
    fn new(stock: app::stocks::stock::Stock, signed_in: bool) -> Stock {
        let metrics = &stock.metrics;
        let annual = stock.annual();
        Stock {
            symbol: stock.symbol,
            currency: stock.currency.to_string(),
            price: stock.price.map(|price| Price {
                amount: Exact::new(price.amount, stock.currency).per_share_text(),
                currency: stock.currency.to_string(),
                live: price.live,
                as_of: price.as_of.map(|instant| instant.to_string()),
            }),
            dividend: StockDividend {
                payment_months: metrics.payment_months.clone(),
                safety: Safety::from(metrics.safety),
                safety_reasons: metrics.safety_reasons.iter().map(SafetyReason::from).collect(),
                annual: annual.filter(|_| signed_in).map(Money::per_share),
                cagr_5y: metrics.cagr_5y.map(number),
                ex_dividend_date: stock.next_ex.map(|item| item.ex_date.to_string()),
                ex_dividend_declared: stock.next_ex.is_some_and(|item| item.declared),
                frequency: metrics.frequency.map(|frequency| frequency.as_str().to_owned()),
                streak_years: metrics.streak_years,
                streak_at_least: metrics.streak_at_least,
                yield_avg_5y_pct: metrics.yield_avg_5y_pct.map(number),
                yield_pct: metrics.yield_pct.map(number),
            },
            scores: Scores {
                momentum: metrics.scores.momentum.map(number),
                rating: metrics.scores.rating.map(number),
                value: metrics.scores.value.map(number),
            },
            name: stock.name,
            industry: stock.industry,
            sector: stock.sector,
            instrument_type: stock.instrument_type,
        }
    }
}

impl From<ledger::Safety> for Safety {
    fn from(safety: ledger::Safety) -> Safety {
        match safety {
            ledger::Safety::Safe => Safety::Safe,
            ledger::Safety::Watch => Safety::Watch,
            ledger::Safety::AtRisk => Safety::AtRisk,
            ledger::Safety::Unknown => Safety::Unknown,
        }
    }
}
