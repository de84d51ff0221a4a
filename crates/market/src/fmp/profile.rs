//! Facts about a company or fund.

use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::notice::{first, rows};
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::Profile;
use crate::{blank, figure};

/// Its `lastDividend` is what was paid in the last year, not a forward rate, so it is not used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProfileRow {
    #[serde(default, deserialize_with = "blank::text")]
    currency: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    company_name: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    exchange: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    isin: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    country: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    sector: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    industry: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    range: Option<String>,
    is_etf: Option<bool>,
    is_fund: Option<bool>,
}

pub fn read(response: &Response) -> Result<Profile, Fault> {
    let row: ProfileRow = first(response)?;
    // An unknown unit counts as none: no amount is read in it.
    let unit = row.currency.as_deref().and_then(|currency| QuoteUnit::parse(currency).ok());
    let kind = match (row.is_etf, row.is_fund) {
        (Some(true), _) => Some("ETF"),
        (_, Some(true)) => Some("MUTUALFUND"),
        (None, None) => None,
        _ => Some("EQUITY"),
    };
    let range = unit.and_then(|unit| Some(range(row.range.as_deref()?)?.map(|figure| unit.normalise(figure))));
    Ok(Profile {
        unit,
        name: row.company_name,
        exchange: row.exchange,
        kind: kind.map(str::to_owned),
        isin: row.isin,
        country: row.country,
        sector: row.sector,
        industry: row.industry,
        instrument_type: kind.map(str::to_lowercase),
        low52: range.map(|[low, _]| low),
        high52: range.map(|[_, high]| high),
        ..Profile::default()
    })
}

/// `164.08-260.1`, the lowest and the highest price of the year.
fn range(text: &str) -> Option<[Decimal; 2]> {
    let (low, high) = text.split_once('-')?;
    let (low, high) = (figure::parse(low)?, figure::parse(high)?);
    (Decimal::ZERO < low && low <= high).then_some([low, high])
}

#[derive(Deserialize)]
struct RatiosRow {
    #[serde(default, rename = "priceToEarningsRatioTTM", deserialize_with = "figure::optional")]
    pe: Option<Decimal>,
    #[serde(default, rename = "dividendPayoutRatioTTM", deserialize_with = "figure::optional")]
    payout: Option<Decimal>,
}

/// Price ÷ earnings and the payout ratio. Neither exists for a loss, though the provider computes them anyway.
pub fn read_ratios(response: &Response) -> Result<(Option<Decimal>, Option<Decimal>), Fault> {
    let row: RatiosRow = first(response)?;
    Ok((row.pe.filter(|pe| *pe > Decimal::ZERO), row.payout.filter(|payout| *payout >= Decimal::ZERO)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CashFlowRow {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    #[serde(default, deserialize_with = "blank::text")]
    period: Option<String>,
    #[serde(default, deserialize_with = "figure::optional")]
    free_cash_flow: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    net_dividends_paid: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    common_dividends_paid: Option<Decimal>,
}

/// Free cash flow ÷ dividends of the last full year.
pub fn read_cover(response: &Response) -> Result<Option<Decimal>, Fault> {
    let years = rows::<CashFlowRow>(response)?.into_iter().filter(|row| row.period.as_deref() == Some("FY"));
    let Some(year) = years.max_by_key(|row| row.date) else { return Ok(None) };
    // Payments are negative.
    let paid = [year.net_dividends_paid, year.common_dividends_paid].into_iter().flatten().find(|paid| !paid.is_zero());
    let cover = year.free_cash_flow.zip(paid).and_then(|(free, paid)| free.checked_div(paid.abs()));
    Ok(cover.map(|cover| cover.round_dp(6).normalize()))
}
