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
    /// Decimal string; shares can be fractional.
    #[schema(pattern = r"^\d+(\.\d+)?$", example = "12.5")]
    shares: String,
    /// Per share, in the currency the position trades in, full precision.
    average_cost: Money,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "equity")]
    instrument_type: Option<String>,
    #[schema(example = "Consumer Staples")]
    sector: Option<String>,
    /// Which portfolio; present when the user has more than one and none was selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

/// Each open position's shares and average cost from the ledger, oldest first. Cost basis only, no live prices.
#[utoipa::path(
    get, path = "/api/v1/holdings", operation_id = "listHoldings", tag = "ledger",
    params(("portfolio" = Option<String>, Query, description = "Name or slug of one of the user's portfolios, in any case. Omitted: all of them.", min_length = 1, example = "Core")),
    responses((status = 200, description = "The open positions.", body = HoldingList)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let query = Query::parse(parts.uri.query())?;
    let portfolio = query.text("portfolio")?;
    let key = caller.key(&format!("holdings?{portfolio:?}"));
    api.answer(key, async {
        let holdings = app::holdings::list(&api.app, caller.user_id, portfolio).await?;
        Ok(HoldingList { holdings: holdings.into_iter().map(Holding::from).collect() })
    })
    .await
}

impl From<app::holdings::HoldingSummary> for Holding {
    fn from(holding: app::holdings::HoldingSummary) -> Holding {
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
