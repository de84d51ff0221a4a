//! `GET /api/v1/valuation`

use app::portfolios::positions::Position;
use app::portfolios::valuation::{self, ValuedPositions};
use axum::response::Response;
use ledger::Money as Exact;
use serde::Serialize;
use serving::number;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::income::Unconverted;
use super::parameters::query;
use super::wire::{Money, StoredPrice};

/// Amounts are in the preferred currency, at today's exchange rates.
#[derive(Serialize, ToSchema)]
pub struct Valuation {
    positions: Vec<ValuedPosition>,
    totals: ValuationTotals,
    /// Symbols left out of `value` and `gain`.
    unpriced: Vec<String>,
    /// Symbols left out of `cost` and `gain`.
    without_cost: Vec<String>,
    /// Left out of totals: no exchange rate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unconverted: Vec<Unconverted>,
}

#[derive(Serialize, ToSchema)]
pub struct ValuedPosition {
    symbol: String,
    name: Option<String>,
    shares: String,
    price: Option<StoredPrice>,
    value: Option<Money>,
    cost: Option<Money>,
    gain: Option<Money>,
    /// In the trading currency.
    own: Worth,
    #[schema(format = Double)]
    gain_pct: Option<f64>,
    #[schema(format = Double)]
    yield_pct: Option<f64>,
    #[schema(format = Double)]
    yield_on_cost_pct: Option<f64>,
    /// Forward, gross.
    income: Option<Money>,
    net_income: Option<Money>,
    #[schema(format = Double)]
    share_of_income_pct: Option<f64>,
    #[schema(format = Double)]
    share_of_value_pct: Option<f64>,
    sector: Option<String>,
    country: Option<String>,
    instrument_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    portfolio: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Worth {
    value: Option<Money>,
    cost: Option<Money>,
    gain: Option<Money>,
}

#[derive(Serialize, ToSchema)]
pub struct ValuationTotals {
    value: Money,
    cost: Money,
    gain: Money,
    #[schema(format = Double)]
    gain_pct: Option<f64>,
    #[schema(format = Double)]
    yield_pct: Option<f64>,
    #[schema(format = Double)]
    yield_on_cost_pct: Option<f64>,
    income: Money,
    net_income: Money,
}

query! {
    pub struct ValuationQuery {
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct GetValuation;

impl Endpoint for GetValuation {
    const PATH: &'static str = "/api/v1/valuation";
    const ID: &'static str = "getValuation";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Value, cost, gain and income of each open position, at stored prices.";
    const ANSWER: &'static str = "Valuation.";
    type Caller = User;
    type Query = ValuationQuery;
    type Answer = Valuation;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let valued = valuation::list(&ask.api.app, ask.caller.id, ask.query.portfolio.as_deref()).await?;
            Ok(Valuation::from(valued))
        })
        .await
    }
}

impl From<ValuedPositions> for Valuation {
    fn from(valued: ValuedPositions) -> Valuation {
        let ValuedPositions { positions, rows, totals, unpriced, without_cost } = valued;
        let money = |amount| Money::aggregate(Exact::new(amount, positions.currency));
        let totals = ValuationTotals {
            value: money(totals.value),
            cost: money(totals.cost),
            gain: money(totals.gain),
            gain_pct: totals.gain_pct.map(number),
            yield_pct: positions.yield_pct.map(number),
            yield_on_cost_pct: totals.yield_on_cost_pct.map(number),
            income: Money::aggregate(positions.annual),
            net_income: Money::aggregate(positions.net_annual),
        };
        Valuation {
            positions: positions.rows.into_iter().zip(rows).map(|(row, value)| ValuedPosition::new(row, value)).collect(),
            totals,
            unpriced,
            without_cost,
            unconverted: Unconverted::list(positions.unconverted),
        }
    }
}

impl ValuedPosition {
    fn new(row: Position, valuation: ledger::Valuation) -> ValuedPosition {
        let Worth { value, cost, gain } = Worth::from(valuation.converted);
        ValuedPosition {
            symbol: row.holding.symbol,
            name: row.holding.name,
            shares: ledger::shares_text(row.holding.shares),
            price: row.price.map(|price| StoredPrice::new(price, row.price_as_of)),
            value,
            cost,
            gain,
            own: Worth::from(valuation.own),
            gain_pct: valuation.gain_pct.map(number),
            yield_pct: row.yield_pct.map(number),
            yield_on_cost_pct: row.yield_on_cost_pct.map(number),
            income: row.income.map(Money::aggregate),
            net_income: row.net_income.map(Money::aggregate),
            share_of_income_pct: row.share_pct.map(number),
            share_of_value_pct: valuation.share_of_value_pct.map(number),
            sector: row.holding.sector,
            country: row.country,
            instrument_type: row.holding.instrument_type,
            portfolio: row.holding.portfolio,
        }
    }
}

impl From<ledger::valuation::Worth> for Worth {
    fn from(worth: ledger::valuation::Worth) -> Worth {
        let [value, cost, gain] = [worth.value, worth.cost, worth.gain].map(|money| money.map(Money::aggregate));
        Worth { value, cost, gain }
    }
}
