//! fundamentals-timeseries: free cash flow and dividends paid.

use ledger::Decimal;
use serde::Deserialize;

use super::answer;
use crate::fault::Fault;
use crate::http_client::Response;

/// The requested series, the last twelve months first.
pub const TYPES: &str = "trailingFreeCashFlow,trailingCashDividendsPaid,annualFreeCashFlow,annualCashDividendsPaid";

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Series {
    trailing_free_cash_flow: Vec<Option<Report>>,
    trailing_cash_dividends_paid: Vec<Option<Report>>,
    annual_free_cash_flow: Vec<Option<Report>>,
    annual_cash_dividends_paid: Vec<Option<Report>>,
}

#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Report {
    /// `YYYY-MM-DD`, which sorts correctly as text.
    as_of_date: String,
    #[serde(default)]
    currency_code: Option<String>,
    #[serde(default, deserialize_with = "answer::raw")]
    reported_value: Option<Decimal>,
}

/// Free cash flow ÷ dividends paid: of the last twelve months, else of the last reported year.
pub fn cover(response: &Response) -> Result<Option<Decimal>, Fault> {
    let mut all = Series::default();
    for series in answer::read::<Series>(response)? {
        all.trailing_free_cash_flow.extend(series.trailing_free_cash_flow);
        all.trailing_cash_dividends_paid.extend(series.trailing_cash_dividends_paid);
        all.annual_free_cash_flow.extend(series.annual_free_cash_flow);
        all.annual_cash_dividends_paid.extend(series.annual_cash_dividends_paid);
    }
    let trailing = quotient(&all.trailing_free_cash_flow, &all.trailing_cash_dividends_paid);
    Ok(trailing.or_else(|| quotient(&all.annual_free_cash_flow, &all.annual_cash_dividends_paid)))
}

/// Both of the same day and currency; dividends paid are negative.
fn quotient(flows: &[Option<Report>], dividends: &[Option<Report>]) -> Option<Decimal> {
    let flow = flows.iter().flatten().max_by_key(|report| &report.as_of_date)?;
    let same = |report: &&Report| report.as_of_date == flow.as_of_date && report.currency_code == flow.currency_code;
    let paid = dividends.iter().flatten().find(same)?.reported_value?;
    flow.reported_value?.checked_div(paid.abs())?.round_sf(7).map(|cover| cover.normalize())
}
