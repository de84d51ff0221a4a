//! `GET /api/v1/portfolios`

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};

#[derive(Serialize, ToSchema)]
pub struct PortfolioList {
    portfolios: Vec<Portfolio>,
}

#[derive(Serialize, ToSchema)]
pub struct Portfolio {
    /// Can be used as the `portfolio` parameter.
    #[schema(example = "Core")]
    name: String,
    /// New transactions go here by default.
    #[schema(example = true)]
    default: bool,
    /// Only present if the portfolio is shared. Works as the `portfolio` parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "income-demo")]
    slug: Option<String>,
}

pub struct ListPortfolios;

impl Endpoint for ListPortfolios {
    const PATH: &'static str = "/api/v1/portfolios";
    const ID: &'static str = "listPortfolios";
    const TAG: &'static str = "account";
    const SUMMARY: &'static str = "The user's portfolios, default first.";
    const ANSWER: &'static str = "Portfolios.";
    type Caller = User;
    type Query = ();
    type Answer = PortfolioList;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let portfolios = app::portfolios::list(&ask.api.app, ask.caller.id).await?;
            let portfolio = |row: app::portfolios::Portfolio| Portfolio { name: row.name, default: row.default, slug: row.slug };
            Ok(PortfolioList { portfolios: portfolios.into_iter().map(portfolio).collect() })
        })
        .await
    }
}
