//! The range in which the income of the next twelve months will probably be: 10% of outcomes below, 10% above.
//!
//! Its figures come from the back-test: what payers of each kind really paid in twelve months ÷ their forward rate.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::holding::Payer;
use crate::income_year::SYMBOLS_MIN;
use crate::money::{add, mul, sub};
use crate::root::nth_root;
use crate::{Overflow, PayerKind};

/// In the currency of the income.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Likely {
    pub low: Decimal,
    pub high: Decimal,
}

/// How much of the deviations all payers share: a recession cuts many at once.
const SHARED: Decimal = Decimal::from_parts(7, 0, 0, false, 2);

/// `None` with fewer than five symbols, or beyond the range of a decimal.
pub(crate) fn likely(payers: &[Payer<'_>]) -> Result<Option<Likely>, Overflow> {
    let mut by_symbol: BTreeMap<&str, (PayerKind, Decimal)> = BTreeMap::new();
    for payer in payers {
        let (_, income) = by_symbol.entry(&payer.holding.symbol).or_insert((payer.holding.kind, Decimal::ZERO));
        *income = add(*income, payer.income)?;
    }
    if by_symbol.len() < SYMBOLS_MIN {
        return Ok(None);
    }
    // The squares of huge incomes are too large, and there is no range then.
    Ok(of_incomes(by_symbol.into_values()).ok())
}

/// The range of payers with these incomes at their forward rates.
pub fn of_incomes(incomes: impl IntoIterator<Item = (PayerKind, Decimal)>) -> Result<Likely, Overflow> {
    let (mut centre, mut down, mut up) = (Decimal::ZERO, Deviation::default(), Deviation::default());
    for (kind, income) in incomes {
        let [below, mean, above] = kind.spread();
        centre = add(centre, mul(income, mean)?)?;
        down.add(mul(income, below)?)?;
        up.add(mul(income, above)?)?;
    }
    Ok(Likely { low: sub(centre, down.combined()?)?.max(Decimal::ZERO), high: add(centre, up.combined()?)? })
}

#[derive(Default)]
struct Deviation {
    sum: Decimal,
    squares: Decimal,
}

impl Deviation {
    fn add(&mut self, one: Decimal) -> Result<(), Overflow> {
        self.sum = add(self.sum, one)?;
        self.squares = add(self.squares, mul(one, one)?)?;
        Ok(())
    }

    /// The part that is shared adds up; the rest evens out.
    fn combined(&self) -> Result<Decimal, Overflow> {
        let shared = mul(SHARED, mul(self.sum, self.sum)?)?;
        let own = mul(sub(Decimal::ONE, SHARED)?, self.squares)?;
        nth_root(add(shared, own)?, 2).ok_or(Overflow)
    }
}
