//! Positions of values between the lowest and the highest tick. Ticks are round numbers and always include zero.

use super::svg::Tenths;
use rust_decimal::Decimal;

pub struct Scale {
    low: Decimal,
    high: Decimal,
    /// Zero if all values are zero: the only tick is then zero.
    step: Decimal,
}

impl Scale {
    pub fn over(values: impl Iterator<Item = Decimal>) -> Scale {
        let (low, high) =
            values.map(limited).fold((Decimal::ZERO, Decimal::ZERO), |(low, high), value| (low.min(value), high.max(value)));
        let step = round_step(high - low);
        if step.is_zero() {
            return Scale { low: Decimal::ZERO, high: Decimal::ONE, step };
        }
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    pub fn ticks(&self) -> Vec<Decimal> {
        if self.step.is_zero() {
            return vec![Decimal::ZERO];
        }
        let above = |tick: &Decimal| Some(*tick + self.step);
        std::iter::successors(Some(self.low), above).take_while(|tick| *tick <= self.high).map(|tick| tick.normalize()).collect()
    }

    /// How far above the lowest tick a value is, if the highest is `length` above it.
    pub fn height(&self, value: Decimal, length: Tenths) -> Tenths {
        let share = (limited(value).clamp(self.low, self.high) - self.low) / (self.high - self.low);
        to_tenths(share * Decimal::from(length))
    }
}

pub fn to_tenths(value: Decimal) -> Tenths {
    value.round().try_into().unwrap_or(0)
}

/// Limits values so that sums and differences cannot overflow a decimal.
pub fn limited(value: Decimal) -> Decimal {
    let limit = Decimal::from(10_i64.pow(18));
    value.clamp(-limit, limit)
}

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that needs at most four steps; zero if the span is too small to show.
fn round_step(span: Decimal) -> Decimal {
    let wanted = span / Decimal::from(4);
    if wanted < Decimal::new(1, 9) {
        return Decimal::ZERO;
    }
    let mut power = Decimal::new(1, 9);
    while power * Decimal::TEN <= wanted {
        power *= Decimal::TEN;
    }
    let steps = [Decimal::ONE, Decimal::TWO, Decimal::new(25, 1), Decimal::from(5)];
    steps.into_iter().map(|step| step * power).find(|step| *step >= wanted).unwrap_or(power * Decimal::TEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: &[i64]) -> Scale {
        Scale::over(values.iter().map(|value| Decimal::from(*value)))
    }

    fn ticks(values: &[i64]) -> Vec<String> {
        scale(values).ticks().iter().map(Decimal::to_string).collect()
    }

    #[test]
    fn ticks_are_round_and_include_zero() {
        // 100/4 = 25 is itself a step; 130/4 = 32.5 becomes 50; 7/4 = 1.75 becomes 2; 9/4 = 2.25 becomes 2.5.
        assert_eq!(ticks(&[40, 100]), ["0", "25", "50", "75", "100"]);
        assert_eq!(ticks(&[130, 120]), ["0", "50", "100", "150"]);
        assert_eq!(ticks(&[7]), ["0", "2", "4", "6", "8"]);
        assert_eq!(ticks(&[9]), ["0", "2.5", "5", "7.5", "10"]);
    }

    #[test]
    fn negative_values_have_ticks_below_zero() {
        // From -30 to 100 is 130: steps of 50, the lowest at -50.
        assert_eq!(ticks(&[-30, 100]), ["-50", "0", "50", "100"]);
        assert_eq!(ticks(&[-8, -2]), ["-8", "-6", "-4", "-2", "0"]);
    }

    #[test]
    fn only_zeros_have_one_tick_at_the_bottom() {
        assert_eq!(ticks(&[0, 0]), ["0"]);
        assert_eq!(ticks(&[]), ["0"]);
        assert_eq!(scale(&[0]).height(Decimal::ZERO, 1700), 0);
    }

    #[test]
    fn a_height_is_relative_to_the_lowest_and_highest_tick() {
        // Ticks from -50 to 100: zero is a third of the way up, 100 at the top, 25 half-way (75 of 150).
        let scale = scale(&[-30, 100]);
        assert_eq!(scale.height(Decimal::ZERO, 1500), 500);
        assert_eq!(scale.height(Decimal::from(25), 1500), 750);
        assert_eq!(scale.height(Decimal::from(100), 1500), 1500);
    }

    #[test]
    fn the_largest_and_smallest_decimals_do_not_overflow() {
        let scale = Scale::over([Decimal::MAX, Decimal::MIN].into_iter());
        assert_eq!((scale.height(Decimal::MAX, 1000), scale.height(Decimal::MIN, 1000)), (1000, 0));
        for places in [12, 28] {
            assert_eq!(Scale::over([Decimal::new(1, places)].into_iter()).ticks(), [Decimal::ZERO]);
        }
    }
}
