//! The money of a trade: the total is exact, the price is rounded, and a difference beyond rounding is a fee.

use ledger::{Decimal, Kind};

use crate::{Reason, Record};

const CENTS: u32 = 2;

/// Sets amount and fees of a trade; `total` is what was paid or received.
pub fn set_amounts(record: &mut Record, shares: Decimal, price: Option<Decimal>, total: Option<Decimal>) -> Result<(), Reason> {
    record.shares = Some(shares);
    let (Some(price), Some(total)) = (price.filter(|price| !price.is_zero()), total) else {
        (record.price, record.amount) = (price, total);
        return Ok(());
    };
    let product = shares.checked_mul(price).ok_or(Reason::FiguresTooLarge)?;
    let above = match record.kind {
        Kind::Sell => product.saturating_sub(total),
        _ => total.saturating_sub(product),
    };
    let half_a_digit = Decimal::new(5, price.scale().clamp(CENTS, 17) + 1);
    let rounding = shares.saturating_mul(half_a_digit).saturating_add(Decimal::new(1, CENTS));
    if above.abs() <= rounding {
        record.amount = Some(total);
        return Ok(());
    }
    let fees = above.round_dp(CENTS);
    let most = product.saturating_mul(Decimal::new(1, 1)).max(Decimal::TEN);
    if fees <= Decimal::ZERO || fees > most {
        return Err(Reason::AmountMismatch { amount: total.into(), product: product.round_dp(CENTS).into() });
    }
    record.fees = Some(fees);
    record.amount = Some(match record.kind {
        Kind::Sell => total.saturating_add(fees),
        _ => total.saturating_sub(fees),
    });
    Ok(())
}
