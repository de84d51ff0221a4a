//! `GET /api/v1/portfolios`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Api, Reply};

#[derive(Serialize, ToSchema)]
pub struct PortfolioList {
    portfolios: Vec<Portfolio>,
}

#[derive(Serialize, ToSchema)]
pub struct Portfolio {
    /// Can be used as the `portfolio` parameter.
    #[schema(example = "Core")]
    name: String,
    /// Whether new transactions go here by default.
    #[schema(example = true)]
    default: bool,
    /// Only present if the portfolio is shared. Can also be used as the `portfolio` parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "income-demo")]
    slug: Option<String>,
}

/// The user's portfolios: the default first, then in the user's order.
#[utoipa::path(
    get, path = "/api/v1/portfolios", operation_id = "listPortfolios", tag = "account",
    responses((status = 200, description = "The portfolios.", body = PortfolioList)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let key = caller.key("portfolios");
    api.answer(key, async {
        let portfolios = app::portfolios::list(&api.app, caller.user_id).await?;
        let portfolio = |row: app::portfolios::Portfolio| Portfolio { name: row.name, default: row.default, slug: row.slug };
        Ok(PortfolioList { portfolios: portfolios.into_iter().map(portfolio).collect() })
    })
    .await
}
