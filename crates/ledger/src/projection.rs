//! Income by year: every holding grows at its own rate, and with its reinvested dividends.

mod fixed;

use rust_decimal::Decimal;

use crate::Overflow;
use crate::holding::Payer;
use fixed::Fixed;

/// Income of one year, in the preferred currency; exact, or close enough that rounding gives the same amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Year {
    pub income: Decimal,
    pub net_income: Decimal,
}

/// A holding's income stops growing at 10^24, so that fifty years of an absurd yield still give a number.
const CAP: Decimal = Decimal::from_parts(2_701_131_776, 466_537_709, 54_210, false, 0);

/// One entry per year, from the current one, `now`, over `years` more; in a currency with this many decimals. Computed in fixed
/// point, which is fast; in decimals if a figure would be too large for that, or too close to where its rounding changes.
pub(crate) fn projection(payers: &[Payer<'_>], now: Year, years: u32, drip: bool, places: u32) -> Result<Vec<Year>, Overflow> {
    let later = later_years::<Fixed>(payers, years, drip, places).or_else(|| later_years::<Decimal>(payers, years, drip, places));
    Ok(std::iter::once(now).chain(later.ok_or(Overflow)?).collect())
}

/// What the projection needs of a number type. `None` if a result is too large or not certain enough.
trait Number: Copy {
    const ZERO: Self;
    fn new(figure: Decimal) -> Option<Self>;
    fn add(self, other: Self) -> Option<Self>;
    /// The product with a fraction from 0 to 1.
    fn part(self, fraction: Self) -> Option<Self>;
    /// The product, but at most the cap. Without a factor, that is too large.
    fn grown(self, factor: Option<Self>, cap: Decimal) -> Option<Self>;
    /// To be rounded to this many decimals.
    fn figure(self, places: u32) -> Option<Decimal>;
}

fn later_years<N: Number>(payers: &[Payer<'_>], years: u32, drip: bool, places: u32) -> Option<Vec<Year>> {
    let mut sums = vec![(N::ZERO, N::ZERO); years as usize];
    for payer in payers {
        let (kept, cap) = (N::new(payer.holding.net_fraction().ok()?)?, payer.income.max(CAP));
        let factor = yearly_factor(payer, drip).and_then(N::new);
        let mut income = N::new(payer.income)?;
        for (gross, net) in &mut sums {
            income = income.grown(factor, cap)?;
            *gross = gross.add(income)?;
            *net = net.add(income.part(kept)?)?;
        }
    }
    let year = |(gross, net): (N, N)| Some(Year { income: gross.figure(places)?, net_income: net.figure(places)? });
    sums.into_iter().map(year).collect()
}

/// The yearly growth factor of a holding's income; `None` on overflow.
///
/// Reinvested, the net income buys `yield × (1 − withholding)` more shares per share, at a price that grows with the dividend.
fn yearly_factor(payer: &Payer<'_>, drip: bool) -> Option<Decimal> {
    let holding = payer.holding;
    let reinvested = holding.yield_fraction.filter(|_| drip).map(|yield_fraction| (yield_fraction, holding.withholding));
    factor(holding.growth.unwrap_or_default(), reinvested)
}

/// One plus the growth, and with reinvestment × one plus what the yield leaves after the withholding tax.
pub(crate) fn factor<N: crate::number::Number>(growth: N, reinvested: Option<(N, N)>) -> Option<N> {
    let grown = growth.plus_one()?;
    match reinvested {
        None => Some(grown),
        Some((yield_fraction, withholding)) => grown.times(yield_fraction.times(withholding.rest()?)?.plus_one()?),
    }
}

/// An income after some years of this factor.
pub(crate) fn grown(income: Decimal, factor: Decimal, years: u32) -> Option<Decimal> {
    let cap = income.max(CAP);
    (0..years).try_fold(income, |income, _| income.grown(Some(factor), cap))
}

impl Number for Decimal {
    const ZERO: Decimal = Decimal::ZERO;

    fn new(figure: Decimal) -> Option<Decimal> {
        Some(figure)
    }

    fn add(self, other: Decimal) -> Option<Decimal> {
        self.checked_add(other)
    }

    fn part(self, fraction: Decimal) -> Option<Decimal> {
        self.checked_mul(fraction)
    }

    fn grown(self, factor: Option<Decimal>, cap: Decimal) -> Option<Decimal> {
        Some(factor.and_then(|factor| self.checked_mul(factor)).map_or(cap, |grown| grown.min(cap)))
    }

    fn figure(self, _: u32) -> Option<Decimal> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Basis, Currency, Holding, PayerKind};

    #[test]
    fn the_income_cap_is_ten_to_the_24() {
        assert_eq!(CAP, "1000000000000000000000000".parse().unwrap());
    }

    fn holding(growth: Decimal, withholding: Decimal, yield_fraction: Option<Decimal>) -> Holding<'static> {
        Holding {
            symbol: "A",
            portfolio: "Main",
            currency: Currency::EUR,
            shares: Decimal::ONE,
            price: None,
            forward_rate: Decimal::ONE,
            rate_currency: Currency::EUR,
            kind: PayerKind::DeclaredCompany,
            basis: Basis::Market,
            has_data: true,
            growth: Some(growth),
            cagr_5y: None,
            streak_years: None,
            streak_at_least: false,
            yield_fraction,
            payment_months: &[],
            withholding,
        }
    }

    /// With all digits of a quotient, or with few.
    fn fraction(most: u64) -> impl Strategy<Value = Decimal> {
        let digits = (0..=most, 1_u64..1_000_000);
        prop_oneof![
            digits.prop_map(|(part, of)| Decimal::from(part) / Decimal::from(of) / Decimal::from(1_000)),
            (0..=most).prop_map(|part| Decimal::new(part as i64, 4)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn fixed_point_agrees_with_decimals(
            of in prop::collection::vec((fraction(10_000_000), fraction(1_500), fraction(3_000), prop::option::of(fraction(1_000))), 1..20),
            years in 1_u32..=50,
            drip: bool,
            places in 0_u32..=4,
        ) {
            let holdings: Vec<(Decimal, Holding<'_>)> = of.into_iter().map(|(income, growth, withheld, yields)| {
                (income, holding(growth - Decimal::new(2, 2), withheld, yields))
            }).collect();
            let payers: Vec<Payer<'_>> = holdings.iter().map(|(income, holding)| {
                Payer { holding, income: *income, net_income: *income * (Decimal::ONE - holding.withholding) }
            }).collect();
            let printed = |years: Vec<Year>| -> Vec<(Decimal, Decimal)> {
                years.iter().map(|year| (year.income.round_dp(places), year.net_income.round_dp(places))).collect()
            };
            let decimals = later_years::<Decimal>(&payers, years, drip, places).unwrap();
            if let Some(fixed) = later_years::<Fixed>(&payers, years, drip, places) {
                prop_assert_eq!(printed(fixed), printed(decimals));
            }
        }

        #[test]
        fn fixed_point_handles_figures_of_many_digits(incomes in prop::collection::vec(1_u64..10_000_000, 40), growth in 1_u64..100) {
            let grows = Decimal::from(growth) / Decimal::from(1_703);
            let holdings: Vec<Holding<'_>> = incomes.iter().map(|_| holding(grows, Decimal::new(15, 2), None)).collect();
            let payers: Vec<Payer<'_>> = holdings.iter().zip(&incomes).map(|(holding, income)| {
                let income = Decimal::from(*income) / Decimal::from(733);
                Payer { holding, income, net_income: income }
            }).collect();
            prop_assert!(later_years::<Fixed>(&payers, 10, false, 2).is_some());
        }
    }
}
