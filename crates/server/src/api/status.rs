//! `GET /api/v1/status`

use app::income::status::{self, Notice as Cause};
use axum::response::Response;
use ledger::Money as Exact;
use messages::api::Notices;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::income::Coverage;
use super::parameters::query;
use super::upcoming::UpcomingItem;
use super::wire::Money;

/// Amounts are in the preferred currency.
#[derive(Serialize, ToSchema)]
pub struct Status {
    /// The day of the figures, UTC.
    #[schema(format = Date)]
    as_of: String,
    annual_income: Money,
    net_annual_income: Money,
    this_month: ThisMonth,
    last_12_months: LastYear,
    /// The user's next payment.
    next: Option<UpcomingItem>,
    /// Within 14 days.
    upcoming: Vec<UpcomingItem>,
    coverage: Coverage,
    notices: Vec<Notice>,
}

/// Net.
#[derive(Serialize, ToSchema)]
pub struct ThisMonth {
    received: Money,
    /// Still to come.
    expected: Money,
}

#[derive(Serialize, ToSchema)]
pub struct LastYear {
    /// Net.
    received: Money,
}

#[derive(Serialize, ToSchema)]
pub struct Notice {
    /// market_data_old, exchange_rates_old, positions_without_data, no_exchange_rate, payments_missing, split_not_applied.
    #[schema(value_type = String)]
    code: &'static str,
    message: String,
}

query! {
    pub struct StatusQuery {
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct GetStatus;

impl Endpoint for GetStatus {
    const PATH: &'static str = "/api/v1/status";
    const ID: &'static str = "getStatus";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Income, this month, the next payments and notices in one answer.";
    const ANSWER: &'static str = "Status.";
    type Caller = User;
    type Query = StatusQuery;
    type Answer = Status;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let status = status::status(&ask.api.app, ask.caller.id, ask.query.portfolio.as_deref()).await?;
            Ok(Status::from(status))
        })
        .await
    }
}

impl From<status::Status> for Status {
    fn from(status: status::Status) -> Status {
        let (income, preferred) = (status.outlook.income, status.outlook.preferred);
        let texts = Notices::load(messages::by_preference(""));
        Status {
            as_of: status.today.to_string(),
            annual_income: Money::aggregate(Exact::new(income.annual, preferred)),
            net_annual_income: Money::aggregate(Exact::new(income.net_annual, preferred)),
            this_month: ThisMonth {
                received: Money::aggregate(status.received_this_month),
                expected: Money::aggregate(status.expected_this_month),
            },
            last_12_months: LastYear { received: Money::aggregate(status.received_12_months) },
            next: status.next.map(UpcomingItem::from),
            upcoming: status.upcoming.into_iter().map(UpcomingItem::from).collect(),
            coverage: Coverage::from(income.coverage),
            notices: status.notices.into_iter().map(|cause| Notice::new(&texts, cause)).collect(),
        }
    }
}

impl Notice {
    fn new(texts: &Notices, cause: Cause) -> Notice {
        let (code, message) = match cause {
            Cause::PricesOld { symbols, oldest } => {
                let message = texts.market_data_old(symbols.len() as u64, names(&symbols), oldest.to_string());
                ("market_data_old", message)
            }
            Cause::RatesOld { oldest } => ("exchange_rates_old", texts.exchange_rates_old(oldest.to_string())),
            Cause::WithoutData { symbols } => {
                ("positions_without_data", texts.positions_without_data(symbols.len() as u64, names(&symbols)))
            }
            Cause::Unconverted { positions } => {
                let named: Vec<String> = positions.iter().map(|(symbol, currency)| format!("{symbol} ({currency})")).collect();
                ("no_exchange_rate", texts.no_exchange_rate(names(&named)))
            }
            Cause::PaymentsMissing { payments } => {
                let named: Vec<String> = payments.iter().map(|(symbol, date)| format!("{symbol} ({date})")).collect();
                ("payments_missing", texts.payments_missing(named.len() as u64, names(&named)))
            }
            Cause::SplitNotApplied(app::portfolios::notices::Notice { symbol, portfolio, split }) => {
                let (ratio, date) = (split.ratio.to_string(), split.date.to_string());
                ("split_not_applied", texts.split_not_applied(symbol, portfolio, ratio, date))
            }
        };
        Notice { code, message }
    }
}

/// How many a message names.
const NAMED_MAX: usize = 5;

fn names(all: &[String]) -> String {
    let named = all[..all.len().min(NAMED_MAX)].join(", ");
    if all.len() > NAMED_MAX { format!("{named}, …") } else { named }
}
