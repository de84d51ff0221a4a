//! The range in which the income of the next twelve months will probably be: 10% of outcomes below, 10% above.
//!
//! Its figures come from the back-test: what payers of each kind really paid in twelve months ÷ their forward rate.

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
    let mut by_symbol: Vec<(&str, PayerKind, Decimal)> = Vec::with_capacity(payers.len());
    by_symbol.extend(payers.iter().map(|payer| (&*payer.holding.symbol, payer.holding.kind, payer.income)));
    by_symbol.sort_unstable_by_key(|(symbol, ..)| *symbol);
    let mut incomes: Vec<(PayerKind, Decimal)> = Vec::with_capacity(payers.len());
    for same in by_symbol.chunk_by(|(one, ..), (other, ..)| one == other) {
        incomes.push((same[0].1, same.iter().try_fold(Decimal::ZERO, |sum, (.., income)| add(sum, *income))?));
    }
    if incomes.len() < SYMBOLS_MIN {
        return Ok(None);
    }
    // The squares of huge incomes are too large, and there is no range then.
    Ok(of_incomes(incomes).ok())
}

/// The range of payers with these incomes at their forward rates.
pub fn of_incomes(incomes: impl IntoIterator<Item = (PayerKind, Decimal)>) -> Result<Likely, Overflow> {
    let mut sums = [(Decimal::ZERO, Decimal::ZERO); PayerKind::ALL.len()];
    for (kind, income) in incomes {
        let (sum, squares) = &mut sums[kind as usize];
        *sum = add(*sum, income)?;
        *squares = add(*squares, mul(income, income)?)?;
    }
    let (mut centre, mut down, mut up) = (Decimal::ZERO, Deviation::default(), Deviation::default());
    for (kind, (sum, squares)) in PayerKind::ALL.into_iter().zip(sums) {
        let [below, mean, above] = kind.spread();
        centre = add(centre, mul(sum, mean)?)?;
        down.add(below, sum, squares)?;
        up.add(above, sum, squares)?;
    }
    Ok(Likely { low: sub(centre, down.combined()?)?.max(Decimal::ZERO), high: add(centre, up.combined()?)? })
}

#[derive(Default)]
struct Deviation {
    sum: Decimal,
    squares: Decimal,
}

impl Deviation {
    /// For payers with this sum of incomes, and of their squares.
    fn add(&mut self, spread: Decimal, sum: Decimal, squares: Decimal) -> Result<(), Overflow> {
        self.sum = add(self.sum, mul(sum, spread)?)?;
        self.squares = add(self.squares, mul(squares, mul(spread, spread)?)?)?;
        Ok(())
    }

    /// The part that is shared adds up; the rest evens out.
    fn combined(&self) -> Result<Decimal, Overflow> {
        let shared = mul(SHARED, mul(self.sum, self.sum)?)?;
        let own = mul(sub(Decimal::ONE, SHARED)?, self.squares)?;
        nth_root(add(shared, own)?, 2).ok_or(Overflow)
    }
}
