//! `GET /api/v1/upcoming`

use axum::response::Response;
use serde::Serialize;
use serving::number;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Days, query};
use super::wire::Money;

#[derive(Serialize, ToSchema)]
pub struct Upcoming {
    /// Today, UTC.
    #[schema(format = Date, example = "2026-11-15")]
    from: String,
    #[schema(example = 45)]
    days: i64,
    /// By the ex-dividend or payment date, whichever comes next.
    items: Vec<UpcomingItem>,
    /// Of the items paid within `days`, in the preferred currency.
    expected_total: Money,
    /// After estimated foreign withholding tax.
    expected_net_total: Money,
}

#[derive(Serialize, ToSchema)]
pub struct UpcomingItem {
    #[schema(example = "KO")]
    symbol: String,
    /// False for the watchlist, which `portfolio` leaves out.
    #[schema(example = true)]
    held: bool,
    /// In the past if only the payment is still to come.
    #[schema(required = true, format = Date, example = "2026-11-28")]
    ex_dividend_date: Option<String>,
    #[schema(required = true, format = Date, example = "2026-12-15")]
    pay_date: Option<String>,
    /// Declared, or the forward annual dividend divided by the payments per year.
    #[schema(required = true)]
    per_share: Option<Money>,
    /// One year earlier. Null if unknown or special.
    previous_per_share: Option<Money>,
    /// Change since `previous_per_share`, as a fraction.
    #[schema(format = Double, example = 0.05)]
    change: Option<f64>,
    /// Gross. Null for the watchlist.
    #[schema(required = true)]
    expected: Option<Money>,
    /// After estimated foreign withholding tax.
    expected_net: Option<Money>,
    /// Null for the watchlist.
    #[schema(pattern = r"^\d+(\.\d+)?$", example = "12.5")]
    shares: Option<String>,
    #[schema(example = "Coca-Cola")]
    name: Option<String>,
    /// False for an estimate.
    #[schema(example = true)]
    declared: bool,
    /// market, or ledger: the user's own dividends.
    #[schema(value_type = String, example = "market")]
    basis: &'static str,
    /// Only present with several portfolios, if none is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

query! {
    pub struct UpcomingQuery {
        /// Days ahead, from 1 to 120 (default 45).
        days: Days = 45,
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct ListUpcoming;

impl Endpoint for ListUpcoming {
    const PATH: &'static str = "/api/v1/upcoming";
    const ID: &'static str = "listUpcoming";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Upcoming payments of holdings and watchlist stocks.";
    const ANSWER: &'static str = "Payments.";
    type Caller = User;
    type Query = UpcomingQuery;
    type Answer = Upcoming;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let days = ask.query.days.0;
        ask.cached(async {
            let portfolio = ask.query.portfolio.as_deref();
            let upcoming = app::income::upcoming::list(&ask.api.app, ask.caller.id, portfolio, days as i32).await?;
            Ok(Upcoming {
                from: upcoming.from.to_string(),
                days,
                items: upcoming.items.into_iter().map(UpcomingItem::from).collect(),
                expected_total: Money::aggregate(upcoming.expected),
                expected_net_total: Money::aggregate(upcoming.expected_net),
            })
        })
        .await
    }
}

impl From<app::income::upcoming::Item> for UpcomingItem {
    fn from(item: app::income::upcoming::Item) -> UpcomingItem {
        UpcomingItem {
            symbol: item.symbol,
            held: item.owned.is_some(),
            ex_dividend_date: Some(item.ex_date.to_string()),
            pay_date: Some(item.pay_date.to_string()),
            per_share: Some(Money::per_share(item.per_share)),
            previous_per_share: item.previous_per_share.map(Money::per_share),
            change: item.change.map(number),
            expected: item.owned.as_ref().map(|owned| Money::aggregate(owned.expected)),
            expected_net: item.owned.as_ref().map(|owned| Money::aggregate(owned.expected_net)),
            shares: item.owned.as_ref().map(|owned| ledger::shares_text(owned.shares)),
            name: item.name,
            declared: item.declared,
            basis: item.basis.as_str(),
            portfolio: item.owned.and_then(|owned| owned.portfolio),
        }
    }
}
