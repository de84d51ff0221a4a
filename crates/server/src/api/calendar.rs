//! `GET /api/v1/calendar`

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::Visitor;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Days, query};

#[derive(Serialize, ToSchema)]
pub struct Calendar {
    /// Today, UTC.
    #[schema(format = Date, example = "2026-11-15")]
    from: String,
    #[schema(example = 45)]
    days: i64,
    /// Soonest first.
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

query! {
    pub struct CalendarQuery {
        /// Days ahead, from 1 to 120 (default 45).
        days: Days = 45,
    }
}

pub struct GetCalendar;

impl Endpoint for GetCalendar {
    const PATH: &'static str = "/api/v1/calendar";
    const ID: &'static str = "getCalendar";
    const TAG: &'static str = "stocks";
    const SUMMARY: &'static str = "Declared ex-dividend dates of tracked stocks. Without a token, only of public ones.";
    const ANSWER: &'static str = "Dates.";
    type Caller = Visitor;
    type Query = CalendarQuery;
    type Answer = Calendar;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let days = ask.query.days.0;
        ask.cached(async {
            let calendar = app::income::calendar::calendar(&ask.api.app, days as i32, ask.caller.signed_in()).await?;
            Ok(Calendar {
                from: calendar.from.to_string(),
                days,
                stocks: calendar.stocks.into_iter().map(CalendarStock::from).collect(),
            })
        })
        .await
    }
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
