//! A purchase that is only considered.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::money::{div, mul};
use crate::{Currency, Fx, Money, Overflow};

/// The shares that an amount buys at a price above zero, with up to 28 digits; `None` without an exchange rate.
pub fn shares_for(amount: Money, price: Money, fx: &Fx, today: Date) -> Result<Option<Decimal>, Overflow> {
    if amount.currency == price.currency {
        return div(amount.amount, price.amount).map(Some);
    }
    let rates = fx.per_euro(amount.currency, today).zip(fx.per_euro(price.currency, today));
    // Multiplied before dividing, so that a quotient with finite decimals stays exact.
    rates.map(|(from, to)| div(mul(amount.amount, to)?, mul(from, price.amount)?)).transpose()
}

/// Shares × price in the preferred currency; `None` without an exchange rate.
pub fn cost(shares: Decimal, price: Money, preferred: Currency, fx: &Fx, today: Date) -> Result<Option<Money>, Overflow> {
    let cost = mul(shares, price.amount)?;
    Ok(fx.convert(cost, price.currency, preferred, today).map(|cost| Money::new(cost, preferred)))
}
