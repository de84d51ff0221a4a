//! `GET /api/v1/whatif`

use app::income::what_if::{self, Figures, Size};
use app::refusal::Purchase;
use app::{Error, Refusal};
use axum::response::Response;
use ledger::{Currency, Decimal, Money as Exact};
use serde::Serialize;
use serving::{ApiError, number};
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::income::{IncomeYear, Unconverted};
use super::parameters::{RequiredText, query};
use super::wire::{Money, StoredPrice};

/// In the preferred currency. Null without an exchange rate.
#[derive(Serialize, ToSchema)]
pub struct Change {
    symbol: String,
    /// Where it is bought.
    portfolio: String,
    shares: String,
    price: Option<StoredPrice>,
    cost: Option<Money>,
    added_income: Option<Money>,
    added_net_income: Option<Money>,
    /// `added_income` ÷ `cost`.
    #[schema(format = Double)]
    yield_pct: Option<f64>,
    before: Outlook,
    after: Outlook,
}

/// As in /income.
#[derive(Serialize, ToSchema)]
pub struct Outlook {
    annual_income: Money,
    net_annual_income: Money,
    #[schema(format = Double)]
    current_yield_pct: Option<f64>,
    income_year: Option<IncomeYear>,
    /// This and the rest: of the position.
    shares: String,
    income: Option<Money>,
    net_income: Option<Money>,
    #[schema(format = Double)]
    share_of_income_pct: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unconverted: Vec<Unconverted>,
}

query! {
    pub struct WhatIfQuery {
        /// Ticker, case-insensitive.
        symbol: RequiredText<32> = "KO",
        /// To buy.
        shares: Option<Decimal> = "50",
        /// To spend instead.
        amount: Option<Decimal> = "1000",
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct WhatIf;

impl Endpoint for WhatIf {
    const PATH: &'static str = "/api/v1/whatif";
    const ID: &'static str = "whatIf";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "What a purchase today would change, by default in the default portfolio. Nothing is stored.";
    const ANSWER: &'static str = "Change.";
    const NOT_FOUND: bool = true;
    type Caller = User;
    type Query = WhatIfQuery;
    type Answer = Change;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let WhatIfQuery { symbol: RequiredText(symbol), shares, amount, portfolio } = &ask.query;
        let size = match (shares, amount) {
            (Some(shares), None) => Size::Shares(*shares),
            (None, Some(amount)) => Size::Amount(*amount),
            (None, None) => return Err(ApiError::unusable_params("The parameter `shares` or `amount` is required.")),
            (Some(_), Some(_)) => return Err(ApiError::unusable_params("Give `shares` or `amount`, not both.")),
        };
        ask.cached(async {
            let symbol = symbol.to_uppercase();
            let found = what_if::what_if(&ask.api.app, ask.caller.id, &symbol, size, portfolio.as_deref()).await;
            match Error::or_refusal(found)? {
                Ok(found) => Ok(Change::from(found)),
                Err(refusal) => Err(refused(refusal)),
            }
        })
        .await
    }
}

fn refused(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::Purchase(Purchase::NoData { .. }) => {
            ApiError::not_found("No data for this symbol. Find symbols with GET /api/v1/stocks?q= and a name.")
        }
        Refusal::Purchase(Purchase::NoPrice { .. }) => {
            ApiError::unusable_params("There is no price for this symbol. Give `shares` instead of `amount`.")
        }
        Refusal::Purchase(Purchase::NoRate { from, to }) => {
            ApiError::unusable_params(format!("There is no exchange rate from {from} to {to}."))
        }
        Refusal::Purchase(Purchase::OutOfRange) => {
            ApiError::unusable_params("This purchase is too large or too small to calculate. Give another number.")
        }
        other => ApiError::from(Error::Refused(other)),
    }
}

impl From<what_if::WhatIf> for Change {
    fn from(found: what_if::WhatIf) -> Change {
        let money = |amount| Money::aggregate(Exact::new(amount, found.preferred));
        Change {
            symbol: found.symbol,
            portfolio: found.portfolio,
            shares: ledger::shares_text(found.shares),
            price: found.price.map(|price| StoredPrice::new(price, found.price_as_of)),
            cost: found.cost.map(Money::aggregate),
            added_income: found.added_income.map(money),
            added_net_income: found.added_net_income.map(money),
            yield_pct: found.yield_pct.map(number),
            before: Outlook::new(found.before, found.preferred),
            after: Outlook::new(found.after, found.preferred),
        }
    }
}

impl Outlook {
    fn new(figures: Figures, preferred: Currency) -> Outlook {
        let money = |amount| Money::aggregate(Exact::new(amount, preferred));
        Outlook {
            annual_income: money(figures.income.annual),
            net_annual_income: money(figures.income.net_annual),
            current_yield_pct: figures.income.current_yield_pct.map(number),
            income_year: figures.income.income_year.map(|year| IncomeYear::new(year, preferred)),
            shares: ledger::shares_text(figures.shares),
            income: figures.position_income.map(money),
            net_income: figures.position_net_income.map(money),
            share_of_income_pct: figures.share_pct.map(number),
            unconverted: Unconverted::list(figures.income.unconverted),
        }
    }
}
