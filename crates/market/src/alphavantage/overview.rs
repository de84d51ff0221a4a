//! Facts about a company, and its cash flow.

use jiff::civil::Date;
use ledger::withholding::country_code;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::notice::data;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::{NextDividend, Profile};
use crate::{blank, figure};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Overview {
    #[serde(default, deserialize_with = "blank::text")]
    asset_type: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    name: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    exchange: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    currency: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    country: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    sector: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    industry: Option<String>,
    #[serde(default, rename = "PERatio", deserialize_with = "figure::optional")]
    pe: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    payout_ratio: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    dividend_per_share: Option<Decimal>,
    #[serde(default, rename = "52WeekHigh", deserialize_with = "figure::optional")]
    high: Option<Decimal>,
    #[serde(default, rename = "52WeekLow", deserialize_with = "figure::optional")]
    low: Option<Decimal>,
    #[serde(default, rename = "50DayMovingAverage", deserialize_with = "figure::optional")]
    average_50: Option<Decimal>,
    #[serde(default, rename = "200DayMovingAverage", deserialize_with = "figure::optional")]
    average_200: Option<Decimal>,
    #[serde(default, deserialize_with = "blank::day")]
    dividend_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    ex_dividend_date: Option<Date>,
}

pub fn read(response: &Response) -> Result<Overview, Fault> {
    data(response)
}

impl Overview {
    pub fn unit(&self) -> Option<QuoteUnit> {
        QuoteUnit::parse(self.currency.as_deref()?).ok()
    }

    pub fn pays(&self) -> bool {
        self.dividend_per_share.is_some_and(|rate| rate > Decimal::ZERO)
    }

    pub fn profile(&self, unit: Option<QuoteUnit>, today: Date) -> Profile {
        let price = |figure: Option<Decimal>| Some(unit?.normalise(figure.filter(|figure| *figure > Decimal::ZERO)?));
        let kind = match self.asset_type.as_deref() {
            Some("Common Stock") => Some("EQUITY".to_owned()),
            other => other.map(|kind| kind.to_uppercase().replace(' ', "")),
        };
        // It does not say whether the rate is in pence or in pounds, and a rate that may be wrong by a factor of 100 is not used.
        let rate_unit_known = unit.is_some_and(|unit| unit == QuoteUnit::from(unit.currency));
        Profile {
            unit,
            name: self.name.clone(),
            exchange: self.exchange.clone(),
            instrument_type: kind.as_deref().map(str::to_lowercase),
            kind,
            country: self.country.as_deref().map(|name| country_code(name).unwrap_or(name).to_owned()),
            sector: self.sector.as_deref().map(title),
            industry: self.industry.as_deref().map(title),
            forward_rate: self.dividend_per_share.filter(|rate| *rate > Decimal::ZERO && rate_unit_known),
            payout_ratio: self.payout_ratio.filter(|ratio| *ratio >= Decimal::ZERO),
            pe: self.pe.filter(|pe| *pe > Decimal::ZERO),
            ma50: price(self.average_50),
            ma200: price(self.average_200),
            low52: price(self.low),
            high52: price(self.high),
            next: self.next(today),
            ..Profile::default()
        }
    }

    /// Past dates stay listed, as do those of stopped dividends: they say nothing about the next one.
    fn next(&self, today: Date) -> Option<NextDividend> {
        let ex_date = self.ex_dividend_date.filter(|day| *day >= today)?;
        Some(NextDividend { ex_date, pay_date: self.dividend_date.filter(|day| *day >= ex_date) })
    }
}

/// `REAL ESTATE` in the usual capitalisation.
fn title(text: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| format!("{first}{}", letters.as_str().to_lowercase()))
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CashFlows {
    #[serde(default)]
    annual_reports: Vec<CashFlow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CashFlow {
    #[serde(default, deserialize_with = "blank::day")]
    fiscal_date_ending: Option<Date>,
    #[serde(default, deserialize_with = "figure::optional")]
    operating_cashflow: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    capital_expenditures: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    dividend_payout: Option<Decimal>,
}

/// (Operating cash flow − capital expenditures) ÷ dividends of the last full year.
pub fn read_cover(response: &Response) -> Result<Option<Decimal>, Fault> {
    let last = data::<CashFlows>(response)?.annual_reports.into_iter().max_by_key(|report| report.fiscal_date_ending);
    Ok(last.as_ref().and_then(cover))
}

fn cover(report: &CashFlow) -> Option<Decimal> {
    let free = report.operating_cashflow?.checked_sub(report.capital_expenditures?.abs())?;
    Some(free.checked_div(report.dividend_payout?.abs())?.round_dp(6).normalize())
}
