//! `GET /api/v1/dividends`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use ledger::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::Money;
use super::{Api, Reply};
use crate::http::Query;

#[derive(Serialize, ToSchema)]
pub struct DividendList {
    dividends: Vec<Dividend>,
}

/// A dividend paid to the user. All amounts are in the currency it was paid in.
#[derive(Serialize, ToSchema)]
pub struct Dividend {
    #[schema(example = "KO")]
    symbol: String,
    /// Pay date.
    #[schema(format = Date, example = "2026-10-01")]
    date: String,
    /// Gross. Negative for a reversal.
    amount: Money,
    /// What reached the user.
    net: Money,
    per_share_amount: Option<Money>,
    /// Withheld abroad; null when not recorded.
    withholding_tax: Option<Money>,
    /// Shares the dividend was paid on, when a whole number; see `shares`.
    #[schema(example = 12)]
    quantity: Option<i64>,
    /// Shares the dividend was paid on, exact.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "12.5")]
    shares: Option<String>,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    /// How it was recorded, for example manual or an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "import:dripline")]
    source: Option<String>,
    /// Present, and false, where the source gave the net only: `amount` then repeats it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = false)]
    gross_known: Option<bool>,
    /// Present when the user has more than one portfolio and none was selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

/// Dividends received, newest first.
#[utoipa::path(
    get, path = "/api/v1/dividends", operation_id = "listDividends", tag = "ledger",
    params(
        ("symbol" = Option<String>, Query, description = "Only this ticker, in any case. An unknown one matches nothing.", min_length = 1, example = "KO"),
        ("from" = Option<String>, Query, description = "Paid on or after this day (YYYY-MM-DD).", format = Date, example = "2026-01-01"),
        ("to" = Option<String>, Query, description = "Paid on or before this day (YYYY-MM-DD).", format = Date, example = "2026-12-31"),
        ("portfolio" = Option<String>, Query, description = "Name or slug of one of the user's portfolios, in any case. Omitted: all of them.", min_length = 1, example = "Core")
    ),
    responses((status = 200, description = "The dividends.", body = DividendList)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let query = Query::parse(parts.uri.query())?;
    let filter = app::dividends::Filter {
        symbol: query.text("symbol")?.map(|symbol| symbol.to_uppercase()),
        from: query.date("from")?,
        to: query.date("to")?,
        portfolio: query.text("portfolio")?.map(str::to_owned),
    };
    let key = caller.key(&format!("dividends?{filter:?}"));
    api.answer(key, async {
        let dividends = app::dividends::list(&api.app, caller.user_id, &filter).await?;
        Ok(DividendList { dividends: dividends.into_iter().map(Dividend::from).collect() })
    })
    .await
}

impl From<app::dividends::Dividend> for Dividend {
    fn from(dividend: app::dividends::Dividend) -> Dividend {
        Dividend {
            symbol: dividend.symbol,
            date: dividend.date.to_string(),
            amount: Money::recorded(dividend.amount),
            net: Money::recorded(dividend.net),
            per_share_amount: dividend.per_share.map(Money::recorded),
            withholding_tax: dividend.withholding_tax.map(Money::recorded),
            quantity: dividend.shares.and_then(whole),
            shares: dividend.shares.map(ledger::shares_text),
            isin: dividend.isin,
            name: dividend.name,
            source: Some(dividend.source),
            gross_known: (!dividend.gross_known).then_some(false),
            portfolio: dividend.portfolio,
        }
    }
}

fn whole(shares: Decimal) -> Option<i64> {
    if shares.is_integer() { shares.to_i64() } else { None }
}
