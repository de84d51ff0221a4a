//! `GET /api/v1/holdings`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::Money;
use super::{Api, Reply};
use crate::http::Query;

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
    /// Decimal string. Shares can be fractional.
    #[schema(pattern = r"^\d+(\.\d+)?$", example = "12.5")]
    shares: String,
    /// Per share, in the stock's trading currency, unrounded.
    average_cost: Money,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "equity")]
    instrument_type: Option<String>,
    #[schema(example = "Consumer Staples")]
    sector: Option<String>,
    /// Only present if the user has several portfolios and did not select one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

/// Shares and average cost of each open position, oldest first. Based on cost, without market prices.
#[utoipa::path(
    get, path = "/api/v1/holdings", operation_id = "listHoldings", tag = "ledger",
    params(("portfolio" = Option<String>, Query, description = "Name or slug of a portfolio, case-insensitive. If omitted, all portfolios.", min_length = 1, example = "Core")),
    responses((status = 200, description = "The open positions.", body = HoldingList)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let query = Query::parse(parts.uri.query())?;
    let portfolio = query.text("portfolio")?;
    let key = caller.key(&format!("holdings?{portfolio:?}"));
    api.answer(key, async {
        let holdings = app::portfolios::holdings::list(&api.app, caller.user_id, portfolio).await?;
        Ok(HoldingList { holdings: holdings.into_iter().map(Holding::from).collect() })
    })
    .await
}

impl From<app::portfolios::holdings::HoldingSummary> for Holding {
    fn from(holding: app::portfolios::holdings::HoldingSummary) -> Holding {
        Holding {
            symbol: holding.symbol,
            name: holding.name,
            shares: ledger::shares_text(holding.shares),
            average_cost: Money::per_share(holding.average_cost),
            isin: holding.isin,
            instrument_type: holding.instrument_type,
            sector: holding.sector,
            portfolio: holding.portfolio,
        }
    }
}
