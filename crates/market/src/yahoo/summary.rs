//! v10 quoteSummary: facts about an instrument.
//!
//! Not used: `dividendYield` (a percentage in some places and a fraction in others) and `trailingAnnualDividendRate` (in the
//! currency of the financials, and 0 for real payers).

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::answer::{self, squeeze};
use super::quote;
use crate::fault::Fault;
use crate::figure;
use crate::http_client::Response;
use crate::provider::{NextDividend, Profile};

pub const MODULES: &str = "assetProfile,summaryDetail,calendarEvents,price,quoteType,financialData";

/// Modules that an instrument does not have are missing: ETFs have neither calendar nor financials.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Modules {
    asset_profile: Option<AssetProfile>,
    summary_detail: Option<SummaryDetail>,
    calendar_events: Option<CalendarEvents>,
    price: Option<Naming>,
    quote_type: Option<Naming>,
    financial_data: Option<FinancialData>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AssetProfile {
    country: Option<String>,
    sector: Option<String>,
    industry: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct SummaryDetail {
    currency: Option<String>,
    #[serde(deserialize_with = "answer::raw")]
    dividend_rate: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    payout_ratio: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    five_year_avg_dividend_yield: Option<Decimal>,
    #[serde(rename = "trailingPE", deserialize_with = "answer::raw")]
    trailing_pe: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    fifty_day_average: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    two_hundred_day_average: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    fifty_two_week_low: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    fifty_two_week_high: Option<Decimal>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct CalendarEvents {
    #[serde(deserialize_with = "answer::raw")]
    ex_dividend_date: Option<Decimal>,
    #[serde(deserialize_with = "answer::raw")]
    dividend_date: Option<Decimal>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Naming {
    currency: Option<String>,
    exchange: Option<String>,
    quote_type: Option<String>,
    long_name: Option<String>,
    short_name: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct FinancialData {
    financial_currency: Option<String>,
}

/// The profile without its free-cash-flow cover, which is in another answer.
pub fn parse(response: &Response, symbol: &str, today: Date) -> Result<Profile, Fault> {
    let modules = answer::read::<Modules>(response)?.into_iter().next().ok_or(Fault::Unknown)?;
    let (asset, detail) = (modules.asset_profile.unwrap_or_default(), modules.summary_detail.unwrap_or_default());
    let (price, naming) = (modules.price.unwrap_or_default(), modules.quote_type.unwrap_or_default());
    let books = modules.financial_data.unwrap_or_default().financial_currency;
    let unit = match price.currency.as_deref().or(detail.currency.as_deref()) {
        Some(currency) => Some(quote::unit(symbol, Some(currency))?),
        None => None,
    };
    let kind = price.quote_type.or(naming.quote_type).filter(|kind| kind != "NONE");
    let name = [price.long_name, naming.long_name, price.short_name, naming.short_name];
    // A price without a unit is useless.
    let in_unit = |figure: Option<Decimal>| Some(unit?.normalise(positive(figure)?));
    Ok(Profile {
        unit,
        name: name.into_iter().flatten().find_map(|name| squeeze(&name)),
        exchange: price.exchange.or(naming.exchange),
        instrument_type: kind.as_ref().map(|kind| kind.to_lowercase()),
        kind,
        isin: None,
        country: asset.country,
        sector: asset.sector,
        industry: asset.industry,
        forward_rate: forward_rate(detail.dividend_rate, unit, books.as_deref()),
        // 0 stands for "no dividend", and for payers whose trailing dividend Yahoo has lost.
        payout_ratio: positive(detail.payout_ratio),
        fcf_cover: None,
        pe: positive(detail.trailing_pe),
        ma50: in_unit(detail.fifty_day_average),
        ma200: in_unit(detail.two_hundred_day_average),
        low52: in_unit(detail.fifty_two_week_low),
        high52: in_unit(detail.fifty_two_week_high),
        yield_avg_5y_pct: positive(detail.five_year_avg_dividend_yield),
        next: next(&modules.calendar_events.unwrap_or_default(), today),
    })
}

/// In whole units even if the price is in pence. If the financials are in another currency, it is unclear which of the two this
/// is in.
fn forward_rate(rate: Option<Decimal>, unit: Option<QuoteUnit>, books: Option<&str>) -> Option<Decimal> {
    let quoted = unit?.currency;
    rate.filter(|rate| *rate > Decimal::ZERO && books.is_none_or(|books| books == quoted.code()))
}

/// Past dates belong to a dividend that was paid, or to companies that stopped paying.
fn next(calendar: &CalendarEvents, today: Date) -> Option<NextDividend> {
    let ex_date = utc_date(calendar.ex_dividend_date?).filter(|date| *date >= today)?;
    let pay_date = calendar.dividend_date.and_then(utc_date).filter(|date| *date >= ex_date);
    Some(NextDividend { ex_date, pay_date })
}

/// Unlike in a chart, a day here is midnight UTC.
fn utc_date(seconds: Decimal) -> Option<Date> {
    let instant = Timestamp::from_second(i64::try_from(seconds.trunc()).ok()?).ok()?;
    Some(instant.to_zoned(TimeZone::UTC).date())
}

/// Ratios and averages have the noise of a 32-bit float.
fn positive(figure: Option<Decimal>) -> Option<Decimal> {
    figure::from_single(figure.filter(|figure| *figure > Decimal::ZERO)?)
}
