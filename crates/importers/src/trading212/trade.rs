//! Shares bought, sold, received and given away.

use ledger::{Currency, Decimal};

use super::cells::{Cells, Money};
use crate::{Kind, Reason, Record};

/// In the currency of the price if the fees can be converted to it, else in the account's currency.
pub fn trade(cells: &Cells<'_, '_>, kind: Kind) -> Result<Record, Reason> {
    let shares = cells.shares()?.ok_or_else(|| Reason::missing("no. of shares"))?;
    let record = Record { shares: Some(shares), note: cells.note(), ..cells.record(kind)? };
    let total = cells.total()?;
    let fees = cells.fees(total.map(|total| total.currency))?;
    if let Some(price) = cells.price()? {
        let rate = || rate(cells, kind, shares, price, total, &fees);
        if let Some(fees) = sum_in(price.currency, &fees, rate)? {
            return Ok(Record { price: Some(price.figure), fees, currency: Some(price.currency), ..record });
        }
    }
    match (total, kind) {
        (Some(total), _) => in_account_currency(record, Money { figure: total.figure.abs(), ..total }, &fees),
        (None, Kind::TransferOut) => Ok(record),
        (None, Kind::TransferIn) => Ok(Record { amount: None, ..received(cells, "transferred without a price".to_owned())? }),
        _ => Err(Reason::missing("price / share")),
    }
}

/// Shares that cost nothing.
pub fn received(cells: &Cells<'_, '_>, note: String) -> Result<Record, Reason> {
    let shares = Some(cells.shares()?.ok_or_else(|| Reason::missing("no. of shares"))?);
    let currency = cells.price()?.or(cells.total()?).map(|money| money.currency);
    Ok(Record { shares, amount: Some(Decimal::ZERO), currency, note: Some(note), ..cells.record(Kind::TransferIn)? })
}

fn in_account_currency(record: Record, total: Money, fees: &[Money]) -> Result<Record, Reason> {
    let record = Record { currency: Some(total.currency), ..record };
    // A fee in a third currency cannot be separated from the rest of the total.
    let Some(fees) = sum_in(total.currency, fees, || Ok(None))? else {
        let note = Some("fees are part of the amount".to_owned());
        return Ok(Record { amount: Some(total.figure), note, ..record });
    };
    let part = fees.unwrap_or_default();
    let amount = match record.kind {
        Kind::Sell => total.figure.checked_add(part),
        _ => total.figure.checked_sub(part),
    };
    Ok(Record { amount: Some(amount.ok_or(Reason::FiguresTooLarge)?), fees, ..record })
}

/// The sum of all fees, with those in other currencies converted; `Some(None)` if there are none, `None` if one of them has no
/// rate.
fn sum_in(
    currency: Currency,
    fees: &[Money],
    rate: impl Fn() -> Result<Option<Decimal>, Reason>,
) -> Result<Option<Option<Decimal>>, Reason> {
    let mut sum = None;
    for fee in fees {
        let part = match fee.currency == currency || fee.figure.is_zero() {
            true => fee.figure,
            false => match rate()? {
                Some(rate) => fee.figure.checked_mul(rate).ok_or(Reason::FiguresTooLarge)?.round_dp(10).normalize(),
                None => return Ok(None),
            },
        };
        sum = Some(sum.unwrap_or(Decimal::ZERO).checked_add(part).ok_or(Reason::FiguresTooLarge)?);
    }
    Ok(Some(sum))
}

/// Units of the price's currency per unit of the account's. The file's rate is written in several ways (pence per pound, either
/// direction): the one is used that leads from the price to the total.
fn rate(
    cells: &Cells<'_, '_>,
    kind: Kind,
    shares: Decimal,
    price: Money,
    total: Option<Money>,
    fees: &[Money],
) -> Result<Option<Decimal>, Reason> {
    let (Some(written), Some(total)) = (cells.exchange_rate()?, total) else { return Ok(None) };
    // A rate says nothing about a third currency.
    if fees.iter().any(|fee| fee.currency != price.currency && fee.currency != total.currency) {
        return Ok(None);
    }
    let implied = || -> Option<Decimal> {
        let part = |currency: Currency| fees.iter().filter(move |fee| fee.currency == currency).map(|fee| fee.figure);
        let own = part(price.currency).try_fold(Decimal::ZERO, Decimal::checked_add)?;
        let account = part(total.currency).try_fold(Decimal::ZERO, Decimal::checked_add)?;
        let gross = shares.checked_mul(price.figure)?;
        let paid = total.figure.abs();
        match kind {
            Kind::Sell => gross.checked_sub(own)?.checked_div(paid.checked_add(account)?),
            _ => gross.checked_add(own)?.checked_div(paid.checked_sub(account)?),
        }
    };
    let Some(implied) = implied().filter(|implied| *implied > Decimal::ZERO) else { return Ok(None) };
    let hundredth = written.checked_div(Decimal::ONE_HUNDRED);
    let ways = [Some(written), hundredth, Decimal::ONE.checked_div(written)];
    // The total is rounded to a hundredth: the smaller it is, the less it proves.
    let apart = Decimal::new(1, 2).checked_div(total.figure.abs()).unwrap_or_default();
    let tolerance = implied.saturating_mul(apart.saturating_add(Decimal::new(2, 2)));
    Ok(ways.into_iter().flatten().find(|way| way.saturating_sub(implied).abs() <= tolerance))
}
