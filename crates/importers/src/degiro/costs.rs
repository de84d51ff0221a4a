//! Costs in the list of transactions, which are in the account's currency.

use ledger::{Currency, Decimal, QuoteUnit};

use super::columns::Columns;
use crate::Reason;
use crate::reading::{Row, fields, figure};

/// The costs of the trade, in its own currency; a note if they cannot be converted.
pub fn read(columns: &Columns<'_>, row: Row<'_>, currency: Currency) -> Result<(Option<Decimal>, Option<String>), Reason> {
    let (_, of_account) = columns.money(row, "value");
    let mut charged: Option<Decimal> = None;
    let mut unit = None;
    for column in ["fees", "autofx"] {
        let (text, own) = columns.money(row, column);
        if !text.is_empty() {
            let fee = figure("the fees", text, columns.sheet.decimals)?;
            charged = Some(charged.unwrap_or_default().saturating_sub(fee));
            unit = unit.or(own);
        }
    }
    let Some(charged) = charged else { return Ok((None, None)) };
    let unit = unit.or(of_account).map(|code| fields::currency("currency", code)).transpose()?;
    if charged < Decimal::ZERO {
        return Ok((None, Some(format!("costs of {} were given back", charged.abs()))));
    }
    if unit.is_none_or(|unit| unit == currency) || charged.is_zero() {
        return Ok((Some(charged), None));
    }
    // Units of the trade's currency per unit of the account's.
    let rate = rate(columns, row)?;
    match rate.filter(|rate| *rate > Decimal::ZERO).and_then(|rate| charged.checked_mul(rate)) {
        Some(converted) => Ok((Some(converted.round_dp(10).normalize()), None)),
        None => Ok((None, Some(format!("its cost of {charged} is not taken: the file has no rate to {currency}")))),
    }
}

/// Units of the trade's currency per unit of the account's. For a price in pence it may be in pence too.
fn rate(columns: &Columns<'_>, row: Row<'_>) -> Result<Option<Decimal>, Reason> {
    let number = |name: &str, text: &str| match text {
        "" => Ok(None),
        text => figure(name, text, columns.sheet.decimals).map(|figure| Some(figure.abs()).filter(|figure| !figure.is_zero())),
    };
    let Some(rate) = number("the exchange rate", columns.cell(row, "rate"))? else { return Ok(None) };
    let (local, unit) = columns.money(row, "local value");
    let unit = unit.and_then(|unit| QuoteUnit::parse(unit).ok());
    let local = number("the local value", local)?.map(|local| unit.map_or(local, |unit| unit.normalise(local)));
    let value = number("the value", columns.money(row, "value").0)?;
    let of_values = local.zip(value).and_then(|(local, value)| local.checked_div(value));
    let in_pence = of_values.is_some_and(|of_values| rate > of_values.saturating_mul(Decimal::TEN));
    Ok(if in_pence { rate.checked_div(Decimal::ONE_HUNDRED) } else { Some(rate) })
}
