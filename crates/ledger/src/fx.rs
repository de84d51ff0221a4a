//! Exchange rates: units per 1 EUR, cross rates through EUR.

mod fingerprint;
mod fixed;

use std::collections::HashMap;

use jiff::SignedDuration;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Currency;
use fingerprint::Fingerprints;

/// Rates by currency, each list ascending by date.
#[derive(Clone, Debug, Default)]
pub struct Fx {
    rates: HashMap<Currency, Vec<(Date, Decimal)>>,
    /// Days on which any currency has a rate, ascending.
    days: Vec<Date>,
    fingerprints: Fingerprints,
}

/// How much newer other rates may be than a currency's last one: longer than any holidays, shorter than a suspension.
const LAG_MAX: SignedDuration = SignedDuration::from_hours(7 * 24);

impl Fx {
    /// Takes rates in any order; of two for one day, the later one counts. Rates that are not positive are ignored.
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
        let mut days: Vec<Date> = by_currency.values().flatten().map(|(date, _)| *date).collect();
        days.sort();
        days.dedup();
        let fingerprints = Fingerprints::of(&by_currency, &days);
        Fx { rates: by_currency, days, fingerprints }
    }

    /// Units of `currency` per 1 EUR: the fixed rate of a currency that joined the euro, else the latest rate on or before the
    /// day. `None` if other currencies have rates more than a week after that one: then it was suspended or replaced. If all
    /// rates are old, they are used.
    pub fn per_euro(&self, currency: Currency, day: Date) -> Option<Decimal> {
        if currency == Currency::EUR {
            return Some(Decimal::ONE);
        }
        if let Some(rate) = fixed::per_euro(currency, day) {
            return Some(rate);
        }
        let (date, rate) = latest(self.rates.get(&currency)?, day, |(date, _)| *date)?;
        let newest = latest(&self.days, day, |date| *date)?;
        (newest.duration_since(*date) <= LAG_MAX).then_some(*rate)
    }

    /// Changes if any rate of these currencies, up to this day, could be different.
    pub fn fingerprint(&self, currencies: &[Currency], until: Date) -> u64 {
        let days = self.days.partition_point(|day| *day <= until);
        currencies.iter().fold(self.fingerprints.of_days(days), |before, currency| {
            let rates = self.rates.get(currency).map_or(0, |rates| rates.partition_point(|(day, _)| *day <= until));
            fingerprint::mixed(before, self.fingerprints.of_rates(*currency, rates))
        })
    }

    /// Converts `amount` from `from` to `to` at the rates of the day; `None` if a rate is missing (or the result overflows).
    pub fn convert(&self, amount: Decimal, from: Currency, to: Currency, day: Date) -> Option<Decimal> {
        if from == to {
            return Some(amount);
        }
        converted(amount, self.per_euro(from, day)?, self.per_euro(to, day)?)
    }
}

/// Converts with the units per euro of both; `None` on overflow.
pub(crate) fn converted(amount: Decimal, from: Decimal, to: Decimal) -> Option<Decimal> {
    amount.checked_mul(to)?.checked_div(from)
}

/// The last item of an ascending list that is on or before the day.
fn latest<T>(ascending: &[T], day: Date, date_of: impl Fn(&T) -> Date) -> Option<&T> {
    let after = ascending.partition_point(|item| date_of(item) <= day);
    ascending.get(after.checked_sub(1)?)
}
