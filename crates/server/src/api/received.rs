//! `GET /api/v1/received`

use app::income::expected::Expected;
use app::income::period::{self, MonthTotals, Period, StockTotals};
use axum::response::Response;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::income::Unconverted;
use super::parameters::query;
use super::wire::Money;

/// Totals are in the preferred currency, at the rates of the payment dates.
#[derive(Serialize, ToSchema)]
pub struct Received {
    #[schema(format = Date)]
    from: String,
    #[schema(format = Date)]
    to: String,
    gross: Money,
    net: Money,
    /// Gross, recorded or not.
    expected: Money,
    /// All since the first with a payment.
    months: Vec<ReceivedMonth>,
    stocks: Vec<ReceivedStock>,
    /// Not recorded ten days after the payment date. Newest first.
    missing: Vec<ExpectedPayment>,
    /// Recorded with another amount. Newest first.
    different: Vec<ExpectedPayment>,
    /// Symbols without data.
    not_compared: Vec<String>,
    /// Dividends of which only the net amount is known.
    net_only: usize,
    /// Left out of totals: no exchange rate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unconverted: Vec<Unconverted>,
}

#[derive(Serialize, ToSchema)]
pub struct ReceivedMonth {
    month: String,
    gross: Money,
    net: Money,
    expected: Money,
}

#[derive(Serialize, ToSchema)]
pub struct ReceivedStock {
    symbol: String,
    name: Option<String>,
    gross: Money,
    net: Money,
    expected: Money,
}

/// In the currency of the payment.
#[derive(Serialize, ToSchema)]
pub struct ExpectedPayment {
    symbol: String,
    #[schema(format = Date)]
    ex_dividend_date: String,
    #[schema(format = Date)]
    pay_date: String,
    shares: String,
    /// Gross.
    expected: Money,
    expected_net: Money,
    received: Option<Money>,
    #[schema(format = Date)]
    received_on: Option<String>,
    difference: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    portfolio: Option<String>,
}

query! {
    pub struct ReceivedQuery {
        /// First payment date. Default: 24 months up to `to`.
        from: Option<Date> = "2025-01-01",
        /// Last payment date. Default: today.
        to: Option<Date> = "2026-12-31",
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct GetReceived;

impl Endpoint for GetReceived {
    const PATH: &'static str = "/api/v1/received";
    const ID: &'static str = "getReceived";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Dividends received and expected, by month and stock.";
    const ANSWER: &'static str = "Dividends.";
    type Caller = User;
    type Query = ReceivedQuery;
    type Answer = Received;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let ReceivedQuery { from, to, portfolio } = &ask.query;
        ask.cached(async {
            let period = period::period(&ask.api.app, ask.caller.id, portfolio.as_deref(), *from, *to).await?;
            Ok(Received::from(period))
        })
        .await
    }
}

impl From<Period> for Received {
    fn from(period: Period) -> Received {
        Received {
            from: period.from.to_string(),
            to: period.to.to_string(),
            gross: Money::aggregate(period.total.received.gross),
            net: Money::aggregate(period.total.received.net),
            expected: Money::aggregate(period.total.expected),
            months: period.months.into_iter().map(ReceivedMonth::from).collect(),
            stocks: period.stocks.into_iter().map(ReceivedStock::from).collect(),
            missing: period.missing.into_iter().map(ExpectedPayment::from).collect(),
            different: period.different.into_iter().map(ExpectedPayment::from).collect(),
            not_compared: period.not_compared,
            net_only: period.net_only,
            unconverted: Unconverted::list(period.unconverted),
        }
    }
}

impl From<MonthTotals> for ReceivedMonth {
    fn from(month: MonthTotals) -> ReceivedMonth {
        let MonthTotals { first, totals } = month;
        ReceivedMonth {
            month: format!("{:04}-{:02}", first.year(), first.month()),
            gross: Money::aggregate(totals.received.gross),
            net: Money::aggregate(totals.received.net),
            expected: Money::aggregate(totals.expected),
        }
    }
}

impl From<StockTotals> for ReceivedStock {
    fn from(stock: StockTotals) -> ReceivedStock {
        let StockTotals { symbol, name, totals } = stock;
        ReceivedStock {
            symbol,
            name,
            gross: Money::aggregate(totals.received.gross),
            net: Money::aggregate(totals.received.net),
            expected: Money::aggregate(totals.expected),
        }
    }
}

impl From<Expected> for ExpectedPayment {
    fn from(payment: Expected) -> ExpectedPayment {
        ExpectedPayment {
            symbol: payment.symbol,
            ex_dividend_date: payment.ex_date.to_string(),
            pay_date: payment.pay_date.to_string(),
            shares: ledger::shares_text(payment.shares),
            expected: Money::aggregate(payment.expected),
            expected_net: Money::aggregate(payment.expected_net),
            received: payment.received.map(Money::aggregate),
            received_on: payment.received_on.map(|date| date.to_string()),
            difference: payment.difference.map(Money::aggregate),
            portfolio: payment.portfolio,
        }
    }
}
