//! Income year by year: every holding grows at its own rate, and with its reinvested dividends.

use rust_decimal::Decimal;

use crate::Overflow;
use crate::income::Payer;
use crate::money::{add, mul};

/// Income of one year, in the preferred currency, not rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Year {
    pub income: Decimal,
    pub net_income: Decimal,
}

/// A holding's income stops growing at 10^24, so that fifty years of an absurd yield still end in a number.
const CAP: Decimal = Decimal::from_parts(2_701_131_776, 466_537_709, 54_210, false, 0);

/// One entry per year, from the present one to `years` on.
pub(crate) fn projection(payers: &[Payer<'_>], years: u32, drip: bool) -> Result<Vec<Year>, Overflow> {
    let mut projection = vec![Year::default(); years as usize + 1];
    for payer in payers {
        let factor = yearly_factor(payer, drip);
        let cap = payer.income.max(CAP);
        let kept = payer.holding.kept()?;
        let mut income = payer.income;
        for year in &mut projection {
            year.income = add(year.income, income)?;
            year.net_income = add(year.net_income, mul(income, kept)?)?;
            income = factor.and_then(|factor| income.checked_mul(factor)).map_or(cap, |grown| grown.min(cap));
        }
    }
    Ok(projection)
}

/// What a year multiplies a holding's income by; `None` when it is too large for a number.
///
/// Reinvested, the net income buys `yield × (1 − withholding)` more shares per share, at a price that grows with the dividend.
fn yearly_factor(payer: &Payer<'_>, drip: bool) -> Option<Decimal> {
    let holding = payer.holding;
    let grown = Decimal::ONE.checked_add(holding.growth.unwrap_or_default())?;
    match holding.yield_fraction.filter(|_| drip) {
        None => Some(grown),
        Some(yield_fraction) => {
            let bought = yield_fraction.checked_mul(holding.kept().ok()?)?;
            grown.checked_mul(Decimal::ONE.checked_add(bought)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_is_ten_to_the_24() {
        assert_eq!(CAP, "1000000000000000000000000".parse().unwrap());
    }
}
