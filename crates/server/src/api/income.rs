//! `GET /api/v1/income`

use std::collections::BTreeMap;

use axum::response::Response;
use ledger::{Currency, Decimal, Money as Exact};
use serde::Serialize;
use serving::number;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Whole, query};
use super::wire::Money;

/// In the preferred currency.
#[derive(Serialize, ToSchema)]
pub struct Income {
    /// Expected over the next 12 months, gross, at today's exchange rates.
    annual_income: Money,
    /// After estimated foreign withholding tax.
    net_annual_income: Money,
    /// Whether dividends are reinvested.
    #[schema(example = false)]
    drip: bool,
    /// Number of years projected.
    #[schema(example = 10)]
    years: i64,
    /// Of all positions with a price: gross income ÷ market value.
    #[schema(format = Double, example = 3.42)]
    current_yield_pct: Option<f64>,
    /// Mean of the holdings' `growth`, weighted by income.
    #[schema(format = Double, example = 0.051)]
    growth_rate: Option<f64>,
    /// Highest income first.
    holdings: Vec<IncomeHolding>,
    /// From 0 (the next 12 months) to `years`.
    projection: Vec<ProjectionYear>,
    /// Null with fewer than five payers.
    income_year: Option<IncomeYear>,
    /// Gross, in four of five cases. Null with fewer than five payers.
    likely: Option<Likely>,
    /// How many positions have data.
    coverage: Coverage,
    /// Left out of all figures: no exchange rate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    unconverted: Vec<Unconverted>,
}

#[derive(Serialize, ToSchema)]
pub struct IncomeHolding {
    #[schema(example = "KO")]
    symbol: String,
    income: Money,
    net_income: Money,
    /// Growth per year over five years.
    #[schema(format = Double, example = 0.046)]
    cagr_5y: Option<f64>,
    /// Per year, as the projection assumes.
    #[schema(format = Double, example = 0.046)]
    growth: Option<f64>,
    /// Complete years of increases in a row.
    #[schema(example = 12)]
    streak: Option<u32>,
    /// Whether the streak may be longer: it began with the data.
    #[schema(example = false)]
    streak_at_least: bool,
    /// market, or ledger: the user's own dividends.
    #[schema(value_type = String, example = "market")]
    basis: &'static str,
    /// Only present with several portfolios, if none is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Core")]
    portfolio: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct ProjectionYear {
    #[schema(example = 0)]
    year_offset: usize,
    income: Money,
    net_income: Money,
}

/// A typical year's income by month.
#[derive(Serialize, ToSchema)]
pub struct IncomeYear {
    /// Keys 1 to 12, each present.
    #[schema(value_type = BTreeMap<String, Money>)]
    by_month: BTreeMap<MonthKey, Money>,
    average_month: Money,
    /// The three best months, in calendar order.
    #[schema(example = json!([3, 6, 12]))]
    biggest_months: Vec<i8>,
    /// Fraction of the year's income in `biggest_months`.
    #[schema(format = Double, example = 0.391)]
    biggest_months_share: f64,
    /// Months without income, in calendar order.
    #[schema(example = json!([2]))]
    empty_months: Vec<i8>,
    /// Below `average_month`, lowest first.
    #[schema(example = json!([2, 8, 11]))]
    thin_months: Vec<i8>,
    /// After estimated foreign withholding tax.
    #[schema(example = true)]
    net_of_withholding: bool,
}

/// A month as an object key, in the order of the year.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonthKey(i8);

/// From past errors of forward rates.
#[derive(Serialize, ToSchema)]
pub struct Likely {
    low: Money,
    high: Money,
}

#[derive(Serialize, ToSchema)]
pub struct Coverage {
    #[schema(example = 12)]
    positions: usize,
    #[schema(example = 11)]
    with_data: usize,
    /// Symbols left out of the income.
    #[schema(example = json!(["NEWCO"]))]
    without_data: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Unconverted {
    #[schema(example = "TSM.TW")]
    symbol: String,
    /// Has no exchange rate.
    #[schema(pattern = "^[A-Z]{3}$", example = "TWD")]
    currency: String,
}

impl From<ledger::Coverage> for Coverage {
    fn from(coverage: ledger::Coverage) -> Coverage {
        let ledger::Coverage { positions, with_data, without_data } = coverage;
        Coverage { positions, with_data, without_data }
    }
}

impl Unconverted {
    pub fn list(unconverted: Vec<(String, Currency)>) -> Vec<Unconverted> {
        let one = |(symbol, currency): (String, Currency)| Unconverted { symbol, currency: currency.to_string() };
        unconverted.into_iter().map(one).collect()
    }
}

query! {
    pub struct IncomeQuery {
        /// Years to project, from 1 to 50 (default 10).
        years: Whole<1, 50, 10> = 10,
        /// Whether to reinvest dividends (default false).
        drip: bool = false,
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct GetIncome;

impl Endpoint for GetIncome {
    const PATH: &'static str = "/api/v1/income";
    const ID: &'static str = "getIncome";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "Income expected over the next 12 months, its sources, and a projection by year.";
    const ANSWER: &'static str = "Income.";
    type Caller = User;
    type Query = IncomeQuery;
    type Answer = Income;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let IncomeQuery { years: Whole(years), drip, portfolio } = &ask.query;
        ask.cached(async {
            let outlook = app::income::outlook(&ask.api.app, ask.caller.id, portfolio.as_deref(), *years as u32, *drip).await?;
            Ok(Income::new(outlook, *years, *drip))
        })
        .await
    }
}

impl Income {
    pub fn new(outlook: app::income::Outlook, years: i64, drip: bool) -> Income {
        let app::income::Outlook { income, preferred, named } = outlook;
        let money = |amount| Money::aggregate(Exact::new(amount, preferred));
        Income {
            annual_income: money(income.annual),
            net_annual_income: money(income.net_annual),
            drip,
            years,
            current_yield_pct: income.current_yield_pct.map(number),
            growth_rate: income.growth_rate.map(number),
            holdings: income
                .sources
                .into_iter()
                .map(|source| IncomeHolding {
                    symbol: source.symbol,
                    income: money(source.income),
                    net_income: money(source.net_income),
                    cagr_5y: source.cagr_5y.map(number),
                    growth: source.growth.map(number),
                    streak: source.streak_years,
                    streak_at_least: source.streak_at_least,
                    basis: source.basis.as_str(),
                    portfolio: named.then_some(source.portfolio),
                })
                .collect(),
            projection: income
                .projection
                .iter()
                .enumerate()
                .map(|(year_offset, year)| ProjectionYear {
                    year_offset,
                    income: money(year.income),
                    net_income: money(year.net_income),
                })
                .collect(),
            income_year: income.income_year.map(|year| IncomeYear::new(year, preferred)),
            likely: income.likely.map(|likely| Likely { low: money(likely.low), high: money(likely.high) }),
            coverage: Coverage::from(income.coverage),
            unconverted: Unconverted::list(income.unconverted),
        }
    }
}

impl IncomeYear {
    pub fn new(year: ledger::IncomeYear, preferred: Currency) -> IncomeYear {
        let money = |amount: Decimal| Money::aggregate(Exact::new(amount, preferred));
        IncomeYear {
            by_month: (1_i8..).map(MonthKey).zip(year.by_month.into_iter().map(money)).collect(),
            average_month: money(year.average_month),
            biggest_months: year.biggest_months,
            biggest_months_share: number(year.biggest_months_share),
            empty_months: year.empty_months,
            thin_months: year.thin_months,
            net_of_withholding: true,
        }
    }
}
