//! Purchases of negative shares: a correction that cancels another row, not a second purchase.

use ledger::{Decimal, Kind};

use crate::Reason;

/// How many shares a trade moved; its type gives the direction. Sales may have either sign.
pub fn shares_moved(kind: Kind, shares: Decimal) -> Result<Decimal, Reason> {
    match kind == Kind::Buy && shares < Decimal::ZERO {
        true => Err(Reason::Reversal),
        false => Ok(shares.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purchase_of_negative_shares_is_refused() {
        assert_eq!(shares_moved(Kind::Buy, Decimal::TWO), Ok(Decimal::TWO));
        assert_eq!(shares_moved(Kind::Sell, -Decimal::TWO), Ok(Decimal::TWO));
        assert!(shares_moved(Kind::Buy, -Decimal::TWO).is_err());
    }
}
