//! Exchange rates: units per 1 EUR, cross rates through EUR.

mod fixed;
mod series;

use std::collections::HashMap;
use std::fmt::Debug;

use jiff::SignedDuration;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Currency;
use crate::number::Number;
pub use series::{Dated, Series};

/// A currency's units per 1 EUR, by day.
pub type Rates = Series<(Date, Decimal)>;

/// Rates by currency.
#[derive(Clone, Debug, Default)]
pub struct Fx {
    rates: HashMap<Currency, Rates>,
    /// Days on which any currency has a rate.
    days: Series<Date>,
    base: Option<&'static dyn BaseRates>,
}

/// A rate, and where it comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quoted {
    pub rate: Decimal,
    /// `None` if it is fixed.
    pub date: Option<Date>,
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The euro itself, or a currency that joined it.
    Fixed,
    Own,
    /// See [`BaseRates`].
    Base,
}

/// Rates that count where others do not know better, such as those built into a program. They never change while it runs.
pub trait BaseRates: Debug + Send + Sync {
    fn rates(&self, currency: Currency) -> Option<&Rates>;

    /// Days on which any currency has a rate.
    fn days(&self) -> &Series<Date>;
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
        let rates = by_currency.into_iter().map(|(currency, list)| (currency, Series::new(list))).collect();
        Fx { rates, days: Series::new(days), base: None }
    }

    pub fn with_base(self, base: &'static dyn BaseRates) -> Fx {
        Fx { base: Some(base), ..self }
    }

    /// Units of `currency` per 1 EUR: the fixed rate of a currency that joined the euro, else the latest rate on or before the
    /// day. `None` if other currencies have rates more than a week after that one: then it was suspended or replaced. If all
    /// rates are old, they are used.
    pub fn per_euro(&self, currency: Currency, day: Date) -> Option<Decimal> {
        if currency == Currency::EUR {
            return Some(Decimal::ONE);
        }
        fixed::per_euro(currency, day).or_else(|| Some(self.latest(currency, day)?.rate))
    }

    /// The rate that [`Fx::per_euro`] returns, and where it comes from.
    pub fn quoted(&self, currency: Currency, day: Date) -> Option<Quoted> {
        let fixed = |rate| Quoted { rate, date: None, place: Place::Fixed };
        if currency == Currency::EUR {
            return Some(fixed(Decimal::ONE));
        }
        fixed::per_euro(currency, day).map(fixed).or_else(|| self.latest(currency, day))
    }

    /// The day of the rate that [`Fx::per_euro`] returns; `None` if there is none, or if it is fixed.
    pub fn rate_date(&self, currency: Currency, day: Date) -> Option<Date> {
        self.quoted(currency, day)?.date
    }

    /// The newer rate of ours and the base; ours, if both are of one day. Only rates from the same place tell whether it was
    /// suspended.
    fn latest(&self, currency: Currency, day: Date) -> Option<Quoted> {
        let own = self.rates.get(&currency).and_then(|rates| rates.latest(day));
        let base = self.base.and_then(|base| Some((base.rates(currency)?.latest(day)?, base.days())));
        let ((date, rate), days, place) = match (own, base) {
            (Some(own), Some((newer, days))) if newer.0 > own.0 => (newer, days, Place::Base),
            (Some(own), _) => (own, &self.days, Place::Own),
            (None, Some((rate, days))) => (rate, days, Place::Base),
            (None, None) => return None,
        };
        let newest = days.latest(day)?;
        (newest.duration_since(*date) <= LAG_MAX).then_some(Quoted { rate: *rate, date: Some(*date), place })
    }

    /// Changes if any rate of these currencies, up to this day, could be different.
    pub fn fingerprint(&self, currencies: &[Currency], until: Date) -> u64 {
        let own = self.days.fingerprint(until);
        let own = currencies.iter().fold(own, |before, currency| {
            series::mixed(before, self.rates.get(currency).map_or(0, |rates| rates.fingerprint(until)))
        });
        let Some(base) = self.base else { return own };
        currencies.iter().fold(series::mixed(own, base.days().fingerprint(until)), |before, currency| {
            series::mixed(before, base.rates(*currency).map_or(0, |rates| rates.fingerprint(until)))
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
    amount.converted(from, to)
}
