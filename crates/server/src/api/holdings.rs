//! `GET /api/v1/holdings`

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::query;
use super::wire::Money;

#[derive(Serialize, ToSchema)]
pub struct HoldingList {
    holdings: Vec<Holding>,
}

#[derive(Serialize, ToSchema)]
pub struct Holding {
    /// Ticker.
    #[schema(example = "KO")]
    symbol: String,
    #[schema(required = true, example = "Coca-Cola")]
    name: Option<String>,
    /// Can be fractional.
    #[schema(pattern = r"^\d+(\.\d+)?$", example = "12.5")]
    shares: String,
    /// Per share, in the trading currency.
    average_cost: Money,
    /// Only present, as false, if the cost of some shares is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cost_known: Option<bool>,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "equity")]
    instrument_type: Option<String>,
    #[schema(example = "Consumer Staples")]
    sector: Option<String>,
    /// Only present with several portfolios, if none is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

query! {
    pub struct HoldingsQuery {
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct ListHoldings;

impl Endpoint for ListHoldings {
    const PATH: &'static str = "/api/v1/holdings";
    const ID: &'static str = "listHoldings";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Shares and average cost of each open position. Opened first come first.";
    const ANSWER: &'static str = "Positions.";
    type Caller = User;
    type Query = HoldingsQuery;
    type Answer = HoldingList;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let holdings = app::portfolios::holdings::list(&ask.api.app, ask.caller.id, ask.query.portfolio.as_deref()).await?;
            Ok(HoldingList { holdings: holdings.into_iter().map(Holding::from).collect() })
        })
        .await
    }
}

impl From<app::portfolios::holdings::HoldingSummary> for Holding {
    fn from(holding: app::portfolios::holdings::HoldingSummary) -> Holding {
        Holding {
            symbol: holding.symbol,
            name: holding.name,
            shares: ledger::shares_text(holding.shares),
            average_cost: Money::per_share(holding.average_cost),
            cost_known: (!holding.cost_known).then_some(false),
            isin: holding.isin,
            instrument_type: holding.instrument_type,
            sector: holding.sector,
            portfolio: holding.portfolio,
        }
    }
}
