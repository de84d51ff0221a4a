//! `GET /api/v1/upcoming`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::Money;
use super::{Api, Reply};
use crate::http::Query;

#[derive(Serialize, ToSchema)]
pub struct Upcoming {
    /// Today, UTC.
    #[schema(format = Date, example = "2026-11-15")]
    from: String,
    #[schema(example = 45)]
    days: i64,
    /// Soonest first, by the first of the two dates (ex-dividend, pay) still to come.
    items: Vec<UpcomingItem>,
}

#[derive(Serialize, ToSchema)]
pub struct UpcomingItem {
    #[schema(example = "KO")]
    symbol: String,
    /// True for a holding; false for a stock on the user's radar.
    #[schema(example = true)]
    held: bool,
    /// May be in the past while the payment is still to come; the dividend is then still the user's.
    #[schema(required = true, format = Date, example = "2026-11-28")]
    ex_dividend_date: Option<String>,
    #[schema(required = true, format = Date, example = "2026-12-15")]
    pay_date: Option<String>,
    /// This payment per share: its declared amount, or forward annual rate divided by payments per year.
    #[schema(required = true)]
    per_share: Option<Money>,
    /// per_share times shares, in the stock's currency. Null on the radar.
    #[schema(required = true)]
    expected: Option<Money>,
    /// expected, net of estimated foreign withholding. Null on the radar.
    expected_net: Option<Money>,
    /// Decimal string. Null on the radar.
    #[schema(pattern = r"^\d+(\.\d+)?$", example = "12.5")]
    shares: Option<String>,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    /// True when the company declared this payment, false when it is estimated from its history.
    #[schema(example = true)]
    declared: bool,
    /// Present when the user has more than one portfolio and none was selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

/// Payments whose ex-dividend date or pay date falls in the next days, of holdings and of the radar.
#[utoipa::path(
    get, path = "/api/v1/upcoming", operation_id = "listUpcoming", tag = "ledger",
    params(
        ("days" = Option<i64>, Query, description = "How far to look, from 1 to 120; default 45. A number outside is moved to the nearest allowed one.", example = 45),
        ("portfolio" = Option<String>, Query, description = "Name or slug of one of the user's portfolios, in any case; then only its holdings. Omitted: all of them and the radar.", min_length = 1, example = "Core")
    ),
    responses((status = 200, description = "The payments to come.", body = Upcoming)),
    security(("token" = []))
)]
pub async fn list(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let caller = api.private(&parts).await?;
    let query = Query::parse(parts.uri.query())?;
    let days = query.integer("days", 1..=120, 45)?;
    let portfolio = query.text("portfolio")?;
    let key = caller.key(&format!("upcoming?{days}&{portfolio:?}"));
    api.answer(key, async {
        let upcoming = app::upcoming::list(&api.app, caller.user_id, portfolio, days as i32).await?;
        Ok(Upcoming {
            from: upcoming.from.to_string(),
            days,
            items: upcoming.items.into_iter().map(UpcomingItem::from).collect(),
        })
    })
    .await
}

impl From<app::upcoming::Item> for UpcomingItem {
    fn from(item: app::upcoming::Item) -> UpcomingItem {
        UpcomingItem {
            symbol: item.symbol,
            held: item.owned.is_some(),
            ex_dividend_date: Some(item.ex_date.to_string()),
            pay_date: Some(item.pay_date.to_string()),
            per_share: Some(Money::per_share(item.per_share)),
            expected: item.owned.as_ref().map(|owned| Money::aggregate(owned.expected)),
            expected_net: item.owned.as_ref().map(|owned| Money::aggregate(owned.expected_net)),
            shares: item.owned.as_ref().map(|owned| ledger::shares_text(owned.shares)),
            name: item.name,
            declared: item.declared,
            portfolio: item.owned.and_then(|owned| owned.portfolio),
        }
    }
}
