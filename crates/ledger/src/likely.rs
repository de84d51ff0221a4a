//! The range in which the income of the next twelve months will probably be: 10% of outcomes below, 10% above.
//!
//! Its figures come from the back-test: what payers of each kind really paid in twelve months ÷ their forward rate.

use rust_decimal::Decimal;

use crate::holding::Payer;
use crate::income_year::SYMBOLS_MIN;
use crate::number::Number;
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
    let each = payers.iter().map(|payer| (payer.holding.symbol, payer.holding.kind, payer.income));
    let Some(incomes) = by_symbol(each.collect()).ok_or(Overflow)? else { return Ok(None) };
    // The squares of huge incomes are too large, and there is no range then.
    Ok(of_incomes(incomes.into_iter().map(|(_, kind, income)| (kind, income))).ok())
}

/// The income of each symbol; `None` inside with fewer than five.
pub(crate) fn by_symbol<S: Ord + Clone, N: Number + Clone>(
    mut payers: Vec<(S, PayerKind, N)>,
) -> Option<Option<Vec<(S, PayerKind, N)>>> {
    payers.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let total = |same: &[(S, PayerKind, N)]| {
        let income = N::sum(same.iter().map(|(.., income)| Some(income.clone())))?;
        Some((same[0].0.clone(), same[0].1, income))
    };
    let incomes: Vec<_> = payers.chunk_by(|(one, ..), (other, ..)| one == other).map(total).collect::<Option<_>>()?;
    Some(Some(incomes).filter(|incomes| incomes.len() >= SYMBOLS_MIN))
}

/// The range of payers with these incomes at their forward rates.
pub fn of_incomes(incomes: impl IntoIterator<Item = (PayerKind, Decimal)>) -> Result<Likely, Overflow> {
    let [low, high] = range(&incomes.into_iter().collect::<Vec<_>>()).ok_or(Overflow)?;
    Ok(Likely { low, high })
}

/// The incomes of one kind.
struct OfKind<N> {
    sum: N,
    squares: N,
    kind: PayerKind,
}

/// The low and the high end.
pub(crate) fn range<N: Number + Clone>(incomes: &[(PayerKind, N)]) -> Option<[N; 2]> {
    let mut kinds: Vec<OfKind<N>> = Vec::with_capacity(PayerKind::ALL.len());
    for kind in PayerKind::ALL {
        let of_kind = || incomes.iter().filter(|(of, _)| *of == kind).map(|(_, income)| income);
        if of_kind().next().is_some() {
            let sum = N::sum(of_kind().map(|income| Some(income.clone())))?.called("income");
            let squares = N::sum(of_kind().map(|income| income.clone().times(income.clone())))?.called("squares");
            kinds.push(OfKind { sum, squares, kind });
        }
    }
    let mean = |of: &OfKind<N>| Some(of.sum.clone().times(N::constant(of.kind.spread()[1]))?.called(of.kind.as_str()));
    let centre = N::sum(kinds.iter().map(mean))?.called("usual_outcome");
    let [down, up] = [0, 2].map(|end| deviation(&kinds, end));
    let low = centre.clone().less(down?)?.at_least(N::constant(Decimal::ZERO))?;
    Some([low, N::sum([Some(centre), up].into_iter())?])
}

/// How far an end is from the centre. The part that is shared adds up; the rest evens out.
fn deviation<N: Number + Clone>(kinds: &[OfKind<N>], end: usize) -> Option<N> {
    let spread = |of: &OfKind<N>| N::constant(of.kind.spread()[end]);
    let of_sum = |of: &OfKind<N>| Some(of.sum.clone().times(spread(of))?.called(of.kind.as_str()));
    let of_squares = |of: &OfKind<N>| Some(of.squares.clone().times(spread(of).times(spread(of))?)?.called(of.kind.as_str()));
    let together = N::sum(kinds.iter().map(of_sum))?.called("deviations");
    let apart = N::sum(kinds.iter().map(of_squares))?.called("squared_deviations");
    let shared = N::constant(SHARED).times(together.clone().times(together)?);
    let own = N::constant(Decimal::ONE.checked_sub(SHARED)?).times(apart);
    Some(N::sum([shared, own].into_iter())?.square_root()?.called("likely_deviation"))
}
