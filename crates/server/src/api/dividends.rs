//! `GET /api/v1/dividends`

use axum::response::Response;
use jiff::civil::Date;
use ledger::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::query;
use super::wire::Money;

#[derive(Serialize, ToSchema)]
pub struct DividendList {
    dividends: Vec<Dividend>,
}

/// Amounts are in the currency of the payment.
#[derive(Serialize, ToSchema)]
pub struct Dividend {
    #[schema(example = "KO")]
    symbol: String,
    /// Payment date.
    #[schema(format = Date, example = "2026-10-01")]
    date: String,
    /// Gross. Negative for a reversal.
    amount: Money,
    /// Amount received after tax.
    net: Money,
    per_share_amount: Option<Money>,
    /// Null if not recorded.
    withholding_tax: Option<Money>,
    /// `shares` as an integer, or null if it is not one.
    #[schema(example = 12)]
    quantity: Option<i64>,
    /// Those it was paid on.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "12.5")]
    shares: Option<String>,
    #[schema(example = "US1912161007")]
    isin: Option<String>,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    /// `manual`, `automatic`, or `import:` and the format of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "import:dripline")]
    source: Option<String>,
    /// Only present, as true, if it is from market data and not confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    estimated: Option<bool>,
    /// Only present, as false, if `amount` is the net amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = false)]
    gross_known: Option<bool>,
    /// Only present with several portfolios, if none is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

query! {
    pub struct DividendsQuery {
        /// Ticker, case-insensitive.
        symbol: Option<String> = "KO",
        /// First date.
        from: Option<Date> = "2026-01-01",
        /// Last date.
        to: Option<Date> = "2026-12-31",
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct ListDividends;

impl Endpoint for ListDividends {
    const PATH: &'static str = "/api/v1/dividends";
    const ID: &'static str = "listDividends";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Dividends received, newest first.";
    const ANSWER: &'static str = "Dividends.";
    type Caller = User;
    type Query = DividendsQuery;
    type Answer = DividendList;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let DividendsQuery { symbol, from, to, portfolio } = &ask.query;
        ask.cached(async {
            let symbol = symbol.as_ref().map(|symbol| symbol.to_uppercase());
            let filter = app::income::dividends::Filter { symbol, from: *from, to: *to, portfolio: portfolio.clone() };
            let dividends = app::income::dividends::list(&ask.api.app, ask.caller.id, &filter).await?;
            Ok(DividendList { dividends: dividends.into_iter().map(Dividend::from).collect() })
        })
        .await
    }
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
            estimated: dividend.estimated.then_some(true),
            gross_known: (!dividend.gross_known).then_some(false),
            portfolio: dividend.portfolio,
        }
    }
}

fn whole(shares: Decimal) -> Option<i64> {
    if shares.is_integer() { shares.to_i64() } else { None }
}
