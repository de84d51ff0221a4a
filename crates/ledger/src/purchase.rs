//! A purchase that is only considered.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::holding::worth;
use crate::number::Number;
use crate::{Currency, Fx, Money, Overflow};

/// The shares that an amount buys at a price above zero, with up to 28 digits; `None` without an exchange rate.
pub fn shares_for(amount: Money, price: Money, fx: &Fx, today: Date) -> Result<Option<Decimal>, Overflow> {
    let Some(exchange) = exchange(amount.currency, price.currency, fx, today) else { return Ok(None) };
    bought(amount.amount, price.amount, exchange).map(Some).ok_or(Overflow)
}

/// With the units per euro of both currencies, if they differ.
pub(crate) fn bought<N: Number>(amount: N, price: N, exchange: Option<[N; 2]>) -> Option<N> {
    match exchange {
        // Multiplied before dividing, so that a quotient with finite decimals stays exact.
        Some([from, to]) => amount.times(to)?.over(from.times(price)?),
        None => amount.over(price),
    }
}

/// Shares × price in the preferred currency; `None` without an exchange rate.
pub fn cost(shares: Decimal, price: Money, preferred: Currency, fx: &Fx, today: Date) -> Result<Option<Money>, Overflow> {
    let Some(exchange) = exchange(price.currency, preferred, fx, today) else { return Ok(None) };
    let cost = worth(shares, price.amount, exchange).ok_or(Overflow)?;
    Ok(Some(Money::new(cost, preferred)))
}

/// The units per euro of both; `None` inside if they are the same, and outside without a rate.
fn exchange(from: Currency, to: Currency, fx: &Fx, today: Date) -> Option<Option<[Decimal; 2]>> {
    if from == to {
        return Some(None);
    }
    Some(Some([fx.per_euro(from, today)?, fx.per_euro(to, today)?]))
}
