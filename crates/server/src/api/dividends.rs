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

/// A dividend the user received. All amounts are in the currency of the payment.
#[derive(Serialize, ToSchema)]
pub struct Dividend {
    #[schema(example = "KO")]
    symbol: String,
    /// Payment date.
    #[schema(format = Date, example = "2026-10-01")]
    date: String,
    /// Gross amount. Negative for a reversal.
    amount: Money,
    /// Amount received after tax.
    net: Money,
    per_share_amount: Option<Money>,
    /// Foreign withholding tax. Null if not recorded.
    withholding_tax: Option<Money>,
    /// Number of shares, if it is a whole number. See `shares`.
    #[schema(example = 12)]
    quantity: Option<i64>,
    /// Exact number of shares the dividend was paid on.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "12.5")]
    shares: Option<String>,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    /// How the dividend was recorded, for example manually or by an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "import:dripline")]
    source: Option<String>,
    /// Present and false if only the net amount is known; `amount` then repeats it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = false)]
    gross_known: Option<bool>,
    /// Only present if the user has several portfolios and did not select one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

/// Dividends received, newest first.
#[utoipa::path(
    get, path = "/api/v1/dividends", operation_id = "listDividends", tag = "ledger",
    params(
        ("symbol" = Option<String>, Query, description = "Only dividends of this ticker, case-insensitive. An unknown ticker gives an empty list.", min_length = 1, example = "KO"),
        ("from" = Option<String>, Query, description = "Only dividends paid on or after this date (YYYY-MM-DD).", format = Date, example = "2026-01-01"),
        ("to" = Option<String>, Query, description = "Only dividends paid on or before this date (YYYY-MM-DD).", format = Date, example = "2026-12-31"),
        ("portfolio" = Option<String>, Query, description = "Name or slug of a portfolio, case-insensitive. If omitted, all portfolios.", min_length = 1, example = "Core")
    ),
    responses((status = 200, description = "The dividends.", body = DividendList)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let query = Query::parse(parts.uri.query())?;
    let filter = app::income::dividends::Filter {
        symbol: query.text("symbol")?.map(|symbol| symbol.to_uppercase()),
        from: query.date("from")?,
        to: query.date("to")?,
        portfolio: query.text("portfolio")?.map(str::to_owned),
    };
    let key = caller.key(&format!("dividends?{filter:?}"));
    api.answer(key, async {
        let dividends = app::income::dividends::list(&api.app, caller.user_id, &filter).await?;
        Ok(DividendList { dividends: dividends.into_iter().map(Dividend::from).collect() })
    })
    .await
}

impl From<app::income::dividends::Dividend> for Dividend {
    fn from(dividend: app::income::dividends::Dividend) -> Dividend {
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
