//! The money of a trade: the total is exact, the price is rounded, and what parts the two beyond rounding is a fee.

use ledger::{Decimal, Kind};

use crate::Record;

const CENTS: u32 = 2;

/// Puts amount and fees into a trade; `total` is what was paid or received.
pub fn settle(record: &mut Record, shares: Decimal, price: Option<Decimal>, total: Option<Decimal>) -> Result<(), String> {
    record.shares = Some(shares);
    let (Some(price), Some(total)) = (price.filter(|price| !price.is_zero()), total) else {
        (record.price, record.amount) = (price, total);
        return Ok(());
    };
    let product = shares.checked_mul(price).ok_or("quantity × price is too large")?;
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
        return Err(format!(
            "the total {total} is not the quantity × the price ({}); look the trade up and enter it by hand",
            product.round_dp(CENTS)
        ));
    }
    record.fees = Some(fees);
    record.amount = Some(match record.kind {
        Kind::Sell => total.saturating_add(fees),
        _ => total.saturating_sub(fees),
    });
    Ok(())
}
