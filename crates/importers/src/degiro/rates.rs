//! The rates at which DEGIRO exchanged money: the cost of a trade in dollars is charged in euros.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal};

use super::entries::Entry;

#[derive(Default)]
pub struct Rates {
    exchanges: HashMap<String, Vec<Side>>,
    /// Units of the first currency per unit of the second.
    of_order: HashMap<(String, Currency, Currency), Decimal>,
    of_day: HashMap<(Date, Currency, Currency), Decimal>,
}

/// An amount in one currency.
#[derive(Clone, Copy)]
struct Side {
    date: Date,
    currency: Currency,
    amount: Decimal,
    rate: Option<Decimal>,
}

impl Rates {
    /// One side of an exchange; only one of the two has the rate.
    pub fn add(&mut self, entry: &Entry) {
        let (Some(amount), Some(currency)) = (entry.amount, entry.currency) else { return };
        let key = match entry.order.as_str() {
            "" => format!("{} {:?}", entry.date, entry.time),
            order => order.to_owned(),
        };
        self.exchanges.entry(key).or_default().push(Side { date: entry.date, currency, amount: amount.abs(), rate: entry.rate });
    }

    /// Call when all sides are known.
    pub fn finish(&mut self) {
        for (key, sides) in std::mem::take(&mut self.exchanges) {
            let Some((one, rate)) = sides.iter().find_map(|side| Some((*side, side.rate.filter(|rate| *rate > Decimal::ZERO)?)))
            else {
                continue;
            };
            let Some(other) = sides.iter().find(|side| side.currency != one.currency && side.rate.is_none()) else { continue };
            // The rate may be quoted in either direction; the amounts show which.
            let Some(of_amounts) = one.amount.checked_div(other.amount) else { continue };
            let agrees = (of_amounts > Decimal::ONE) == (rate > Decimal::ONE);
            let (from, to) = if agrees { (one.currency, other.currency) } else { (other.currency, one.currency) };
            self.of_order.insert((key, from, to), rate);
            self.of_day.insert((one.date, from, to), rate);
        }
    }

    /// At the rate of its order, else at one of that day.
    pub fn convert(&self, amount: Decimal, of: (&str, Date), from: Currency, to: Currency) -> Option<Decimal> {
        if from == to {
            return Some(amount);
        }
        let rate = |one: Currency, other: Currency| {
            let of_order = self.of_order.get(&(of.0.to_owned(), one, other));
            of_order.or_else(|| self.of_day.get(&(of.1, one, other))).copied()
        };
        let converted = match (rate(to, from), rate(from, to)) {
            (Some(rate), _) => amount.checked_mul(rate),
            (None, Some(rate)) => amount.checked_div(rate),
            (None, None) => None,
        };
        converted.map(|amount| amount.round_dp(10).normalize())
    }
}
