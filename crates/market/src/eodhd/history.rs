//! Dividends, splits and closes of one symbol.

use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::notice::data;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::{Dividend, DividendUnit, Split};
use crate::{blank, figure, split_ratio};

#[derive(Debug)]
pub struct Listed {
    pub dividend: Dividend,
    /// Only the split-adjusted amount is known.
    pub is_adjusted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DividendRow {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    declaration_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::day")]
    payment_date: Option<Date>,
    #[serde(default, deserialize_with = "blank::text")]
    period: Option<String>,
    #[serde(default, deserialize_with = "figure::optional")]
    value: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    unadjusted_value: Option<Decimal>,
    #[serde(default, deserialize_with = "blank::text")]
    currency: Option<String>,
}

/// Oldest first.
pub fn read_dividends(response: &Response) -> Result<Vec<Listed>, Fault> {
    let mut listed = Vec::new();
    for row in data::<Vec<DividendRow>>(response)? {
        listed.extend(read_dividend(row)?);
    }
    listed.sort_by_key(|one| one.dividend.ex_date);
    Ok(listed)
}

fn read_dividend(row: DividendRow) -> Result<Option<Listed>, Fault> {
    let ex_date = row.date.ok_or_else(|| Fault::missing("dividends.date", ""))?;
    let paid = row.unadjusted_value.filter(|amount| !amount.is_zero());
    let Some(amount) = paid.or(row.value).filter(|amount| !amount.is_zero()) else { return Ok(None) };
    if amount < Decimal::ZERO {
        return Err(Fault::invalid("value", amount, ex_date));
    }
    // A dividend has its own currency, which may be pence and may differ from that of the price.
    let parse = |code: &str| QuoteUnit::parse(code).map_err(|_| Fault::invalid("currency", code, ex_date));
    let unit = row.currency.as_deref().map(parse).transpose()?;
    let dividend = Dividend {
        ex_date,
        pay_date: row.payment_date,
        declared_date: row.declaration_date,
        amount: unit.map_or(amount, |unit| unit.normalise(amount)),
        unit: unit.map_or(DividendUnit::AsQuoted, |unit| DividendUnit::Whole(unit.currency)),
        special: row.period.filter(|word| word.to_lowercase().contains("special")).map(|_| true),
    };
    Ok(Some(Listed { dividend, is_adjusted: paid.is_none() }))
}

/// Amounts as paid.
pub fn as_paid(listed: Vec<Listed>, splits: Option<&[Split]>) -> Vec<Dividend> {
    listed.into_iter().filter_map(|one| split_ratio::as_paid(one.dividend, one.is_adjusted, splits)).collect()
}

#[derive(Deserialize)]
struct SplitRow {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    split: String,
}

/// Written `4.000000/1.000000`, new shares first. Spin-offs are also listed here and are left out.
pub fn read_splits(response: &Response) -> Result<Vec<Split>, Fault> {
    let mut splits = Vec::new();
    for row in data::<Vec<SplitRow>>(response)? {
        let date = row.date.ok_or_else(|| Fault::missing("splits.date", ""))?;
        let terms = row.split.split_once('/').and_then(|(new, old)| Some((figure::parse(new)?, figure::parse(old)?)));
        let (new, old) = terms.ok_or_else(|| Fault::invalid("split", &row.split, date))?;
        splits.extend(split_ratio::ratio(new, old).map(|ratio| Split { date, ratio }));
    }
    splits.sort_by_key(|split| split.date);
    Ok(splits)
}

/// `adjusted_close` is also adjusted for dividends, which we do not want; `close` is as traded.
#[derive(Deserialize)]
struct CloseRow {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    #[serde(default, deserialize_with = "figure::optional")]
    close: Option<Decimal>,
}

pub fn read_closes(response: &Response) -> Result<Vec<(Date, Decimal)>, Fault> {
    let mut closes = Vec::new();
    for row in data::<Vec<CloseRow>>(response)? {
        let date = row.date.ok_or_else(|| Fault::missing("prices.date", ""))?;
        let close = row.close.ok_or_else(|| Fault::missing("close", date))?;
        if close < Decimal::ZERO {
            return Err(Fault::invalid("close", close, date));
        }
        // No trades.
        if !close.is_zero() {
            closes.push((date, close));
        }
    }
    closes.sort_unstable_by_key(|(date, _)| *date);
    Ok(closes)
}

/// Adjusted for splits, in whole units.
pub fn adjusted(closes: Vec<(Date, Decimal)>, unit: QuoteUnit, splits: &[Split]) -> Result<Vec<(Date, Decimal)>, Fault> {
    let one = |(date, close)| {
        let adjusted = split_ratio::as_now(unit.normalise(close), date, splits);
        adjusted.map(|adjusted| (date, adjusted)).ok_or_else(|| Fault::invalid("close", close, date))
    };
    closes.into_iter().map(one).collect()
}
