//! Shares bought and sold, and those given to new customers.

use ledger::{Decimal, QuoteUnit};

use super::{record, unit};
use crate::reading::Line;
use crate::reason::Cell;
use crate::{Kind, Reason, Record};

/// In the instrument's currency; the fees are in the account's and are converted at the order's own rate.
pub fn order(line: Line<'_, '_>) -> Result<Record, Reason> {
    let kind = match line.need("buy / sell")?.to_uppercase().as_str() {
        "BUY" => Kind::Buy,
        "SELL" => Kind::Sell,
        other => return Err(Reason::UnknownType(Cell::new("buy / sell", other))),
    };
    priced(line, Record { shares: Some(line.figure_needed("quantity")?.abs()), ..record(line, kind)? })
}

/// At its price of that day, which nobody paid.
pub fn free_share(line: Line<'_, '_>) -> Result<Record, Reason> {
    let shares = Some(line.figure_needed("quantity")?.abs());
    let note = Some("free share".to_owned());
    Ok(Record { note, fees: None, ..priced(line, Record { shares, ..record(line, Kind::TransferIn)? })? })
}

fn priced(line: Line<'_, '_>, record: Record) -> Result<Record, Reason> {
    let account = unit(line, "account currency")?;
    let fees = fees(line, account)?;
    let own = line.figure("price per share")?;
    if let (Some(price), Ok(instrument)) = (own, unit(line, "instrument currency")) {
        let price = instrument.normalise(price);
        let rate = match instrument.currency == account.currency || fees.is_none_or(|fees| fees.is_zero()) {
            true => Some(Decimal::ONE),
            false => rate(line, price, account)?,
        };
        if let Some(rate) = rate {
            let fees = fees.map(|fees| in_currency(fees, rate)).transpose()?;
            return Ok(Record { price: Some(price), fees, currency: Some(instrument.currency), ..record });
        }
    }
    let price = line.figure("price per share in account currency")?.ok_or_else(|| Reason::missing("price per share"))?;
    Ok(Record { price: Some(account.normalise(price)), fees, currency: Some(account.currency), ..record })
}

fn in_currency(fees: Decimal, rate: Decimal) -> Result<Decimal, Reason> {
    match rate == Decimal::ONE {
        true => Ok(fees),
        false => fees.checked_mul(rate).map(|fees| fees.round_dp(10).normalize()).ok_or(Reason::FiguresTooLarge),
    }
}

/// Stamp duty and the currency conversion fee, in the account's currency.
fn fees(line: Line<'_, '_>, account: QuoteUnit) -> Result<Option<Decimal>, Reason> {
    let mut sum = None;
    for name in ["stamp duty", "fx fee amount"] {
        if let Some(fee) = line.figure(name)? {
            let fee = account.normalise(fee.abs());
            sum = Some(sum.unwrap_or(Decimal::ZERO).checked_add(fee).ok_or(Reason::FiguresTooLarge)?);
        }
    }
    Ok(sum)
}

/// Units of the instrument's currency per unit of the account's. Orders and dividends write it in opposite directions, so the
/// direction is used that leads from one price to the other.
fn rate(line: Line<'_, '_>, price: Decimal, account: QuoteUnit) -> Result<Option<Decimal>, Reason> {
    let beside = line.figure("price per share in account currency")?.map(|price| account.normalise(price));
    let Some(implied) = beside.and_then(|beside| price.checked_div(beside)) else { return Ok(None) };
    let written = [line.figure("base fx rate")?, line.figure("fx rate")?];
    let ways = written.into_iter().flatten().flat_map(|rate| [Some(rate), Decimal::ONE.checked_div(rate)]);
    let tolerance = implied.saturating_mul(Decimal::new(2, 2)).abs();
    Ok(ways.flatten().find(|way| way.saturating_sub(implied).abs() <= tolerance))
}
