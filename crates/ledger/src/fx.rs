//! Exchange rates: units per 1 EUR, cross rates through EUR.

use std::collections::HashMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Currency;

/// Rates by currency, each list ascending by date.
#[derive(Clone, Debug, Default)]
pub struct Fx {
    rates: HashMap<Currency, Vec<(Date, Decimal)>>,
}

impl Fx {
    /// Takes rates in any order; of two for one day the later given wins. A rate that is not above zero is no rate.
    pub fn new(rates: impl IntoIterator<Item = (Currency, Date, Decimal)>) -> Fx {
        let mut by_currency: HashMap<Currency, Vec<(Date, Decimal)>> = HashMap::new();
        for (currency, date, rate) in rates {
            if rate > Decimal::ZERO {
                by_currency.entry(currency).or_default().push((date, rate));
            }
        }
        for list in by_currency.values_mut() {
            list.sort_by_key(|(date, _)| *date);
            list.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    earlier.1 = later.1;
                }
                same
            });
        }
        Fx { rates: by_currency }
    }

    /// Units of `currency` per 1 EUR: the latest rate on or before the day.
    pub fn per_euro(&self, currency: Currency, day: Date) -> Option<Decimal> {
        if currency == Currency::EUR {
            return Some(Decimal::ONE);
        }
        let list = self.rates.get(&currency)?;
        let after = list.partition_point(|(date, _)| *date <= day);
        Some(list[after.checked_sub(1)?].1)
    }

    /// `amount` of `from` in `to` at the rates of the day; `None` when a rate is missing (or the figure overflows).
    pub fn convert(&self, amount: Decimal, from: Currency, to: Currency, day: Date) -> Option<Decimal> {
        if from == to {
            return Some(amount);
        }
        amount.checked_mul(self.per_euro(to, day)?)?.checked_div(self.per_euro(from, day)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn code(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    fn fx() -> Fx {
        Fx::new([
            (code("USD"), date(2026, 1, 5), "1.10".parse().unwrap()),
            (code("USD"), date(2026, 1, 2), "1.20".parse().unwrap()),
            (code("GBP"), date(2026, 1, 2), "0.80".parse().unwrap()),
            (code("RUB"), date(2026, 1, 2), Decimal::ZERO),
        ])
    }

    #[test]
    fn the_latest_rate_on_or_before_the_day_is_used() {
        let usd = |day| fx().per_euro(code("USD"), day);
        assert_eq!(usd(date(2026, 1, 1)), None);
        assert_eq!(usd(date(2026, 1, 4)), Some("1.20".parse().unwrap()));
        assert_eq!(usd(date(2026, 1, 5)), Some("1.10".parse().unwrap()));
        assert_eq!(usd(date(2027, 1, 1)), Some("1.10".parse().unwrap()));
    }

    #[test]
    fn cross_rates_go_through_the_euro() {
        // 100 GBP = 100 / 0.80 EUR = 125 EUR = 125 × 1.20 USD
        assert_eq!(fx().convert(Decimal::ONE_HUNDRED, code("GBP"), code("USD"), date(2026, 1, 3)), Some("150".parse().unwrap()));
        assert_eq!(fx().convert(Decimal::ONE_HUNDRED, code("JPY"), code("USD"), date(2026, 1, 3)), None);
        assert_eq!(fx().convert(Decimal::ONE_HUNDRED, code("JPY"), code("JPY"), date(2026, 1, 3)), Some(Decimal::ONE_HUNDRED));
        assert_eq!(fx().convert(Decimal::ONE, code("RUB"), code("USD"), date(2026, 1, 3)), None);
    }
}
