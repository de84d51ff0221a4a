//! What a dividend buys.

use rust_decimal::Decimal;

use crate::money::{half_even, mul};
use crate::number::Number;
use crate::{Money, Overflow};

const SHARE_DECIMALS: u32 = 8;
const PRICE_DECIMALS: u32 = 10;

/// Shares that were bought with the net amount of a dividend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reinvestment {
    pub shares: Decimal,
    pub price: Decimal,
    /// The whole net amount; `None` if shares × price is another one.
    pub amount: Option<Decimal>,
}

/// From both or one of shares and price, the other of which follows from the net amount. `None` without both, or if none can follow.
pub fn reinvestment(net: Money, shares: Option<Decimal>, price: Option<Decimal>) -> Result<Option<Reinvestment>, Overflow> {
    let given = |figure: Option<Decimal>| figure.filter(|figure| *figure > Decimal::ZERO && net.amount > Decimal::ZERO);
    let (shares, price, is_whole) = match (shares, price) {
        (Some(shares), Some(price)) => (shares, price, is_whole(net, shares, price)?),
        (None, price) => match given(price) {
            Some(price) => (shares_of(net.amount, price).ok_or(Overflow)?.normalize(), price, true),
            None => return Ok(None),
        },
        (shares, None) => match given(shares) {
            Some(shares) => (shares, price_of(net.amount, shares).ok_or(Overflow)?.normalize(), true),
            None => return Ok(None),
        },
    };
    Ok(Some(Reinvestment { shares, price, amount: is_whole.then_some(net.amount) }))
}

pub(crate) fn shares_of<N: Number>(net: N, price: N) -> Option<N> {
    Some(net.over(price)?.half_even(SHARE_DECIMALS))
}

pub(crate) fn price_of<N: Number>(net: N, shares: N) -> Option<N> {
    Some(net.over(shares)?.half_even(PRICE_DECIMALS))
}

/// What the net amount of a dividend buys at a price: whole shares only, or shares for all of it. `None` if that is nothing.
pub fn bought(net: Money, price: Decimal, only_whole: bool) -> Result<Option<Reinvestment>, Overflow> {
    let price = half_even(price, PRICE_DECIMALS).normalize();
    if price <= Decimal::ZERO || net.amount <= Decimal::ZERO {
        return Ok(None);
    }
    let found = match only_whole {
        true => {
            let shares = net.amount.checked_div(price).ok_or(Overflow)?.floor();
            Some(Reinvestment { shares, price, amount: None })
        }
        false => reinvestment(net, None, Some(price))?,
    };
    Ok(found.filter(|found| !found.shares.is_zero()))
}

/// Whether shares × price is the net amount but for rounding.
fn is_whole(net: Money, shares: Decimal, price: Decimal) -> Result<bool, Overflow> {
    let minor = |amount| half_even(amount, net.currency.minor_units());
    let follows = price > Decimal::ZERO && shares == shares_of(net.amount, price).ok_or(Overflow)?;
    Ok(follows || minor(mul(shares, price)?) == minor(net.amount))
}
