//! `GET /api/v1/calendar`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Api, Reply};
use crate::http::Query;

#[derive(Serialize, ToSchema)]
pub struct Calendar {
    /// Today, UTC.
    #[schema(format = Date, example = "2026-11-15")]
    from: String,
    #[schema(example = 45)]
    days: i64,
    /// Soonest ex-date first.
    stocks: Vec<CalendarStock>,
}

#[derive(Serialize, ToSchema)]
pub struct CalendarStock {
    #[schema(example = "KO")]
    symbol: String,
    #[schema(format = Date, example = "2026-11-28")]
    ex_dividend_date: String,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    #[schema(example = "Consumer Staples")]
    sector: Option<String>,
    /// weekly, monthly, quarterly, semi_annual or annual.
    #[schema(example = "quarterly")]
    payment_frequency: Option<String>,
}

/// Tracked stocks that go ex-dividend in the next days, soonest first. Without a token, only public stocks.
#[utoipa::path(
    get, path = "/api/v1/calendar", operation_id = "getCalendar", tag = "stocks",
    params(("days" = Option<i64>, Query, description = "How many days to look ahead, from 1 to 120 (default 45). Values outside that range are clamped.", example = 45)),
    responses((status = 200, description = "The ex-dividend dates.", body = Calendar)),
    security((), ("token" = []))
)]
pub async fn get(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    let visitor = api.public(&parts).await?;
    let reply = async {
        let days = Query::parse(parts.uri.query())?.integer("days", 1..=120, 45)?;
        let key = visitor.key(&format!("calendar?{days}"));
        api.answer(key, async {
            let calendar = app::income::calendar::calendar(&api.app, days as i32, visitor.signed_in()).await?;
            Ok(Calendar {
                from: calendar.from.to_string(),
                days,
                stocks: calendar.stocks.into_iter().map(CalendarStock::from).collect(),
            })
        })
        .await
    }
    .await;
    visitor.seal_lasting(reply)
}

impl From<app::income::calendar::Stock> for CalendarStock {
    fn from(stock: app::income::calendar::Stock) -> CalendarStock {
        CalendarStock {
            symbol: stock.symbol,
            ex_dividend_date: stock.ex_date.to_string(),
            name: stock.name,
            sector: stock.sector,
            payment_frequency: stock.frequency.map(|frequency| frequency.as_str().to_owned()),
        }
    }
}
