//! Fingerprints of rate tables: one for each prefix of a table, so that results computed from a part of it can tell whether that
//! part is unchanged.

use std::collections::HashMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Currency;

#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprints {
    /// After each of a currency's rates.
    rates: HashMap<Currency, Vec<u64>>,
    /// After each day.
    days: Vec<u64>,
}

impl Fingerprints {
    /// For ascending lists.
    pub fn of(rates: &HashMap<Currency, Vec<(Date, Decimal)>>, days: &[Date]) -> Fingerprints {
        let of_rate = |(date, rate): &(Date, Decimal)| mixed(of_date(*date), of_decimal(*rate));
        Fingerprints {
            rates: rates.iter().map(|(currency, list)| (*currency, running(list.iter().map(of_rate)))).collect(),
            days: running(days.iter().map(|date| of_date(*date))),
        }
    }

    /// For the currency's first `count` rates.
    pub fn of_rates(&self, currency: Currency, count: usize) -> u64 {
        self.rates.get(&currency).map_or(0, |fingerprints| after(fingerprints, count))
    }

    /// For the first `count` days.
    pub fn of_days(&self, count: usize) -> u64 {
        after(&self.days, count)
    }
}

fn after(fingerprints: &[u64], count: usize) -> u64 {
    count.checked_sub(1).and_then(|last| fingerprints.get(last)).copied().unwrap_or_default()
}

fn running(items: impl Iterator<Item = u64>) -> Vec<u64> {
    items
        .scan(0, |mark, item| {
            *mark = mixed(*mark, item);
            Some(*mark)
        })
        .collect()
}

/// Combines both, in this order: a step of SplitMix64.
pub(super) fn mixed(before: u64, item: u64) -> u64 {
    let mixed = before.rotate_left(25) ^ item.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn of_date(date: Date) -> u64 {
    let [high, low] = date.year().to_be_bytes();
    u64::from_be_bytes([0, 0, 0, 0, high, low, date.month() as u8, date.day() as u8])
}

/// Includes the scale, because that affects what is printed.
fn of_decimal(decimal: Decimal) -> u64 {
    let bits = u128::from_le_bytes(decimal.serialize());
    mixed((bits >> 64) as u64, bits as u64)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// Fingerprints are stored with snapshots: a change would recompute every user's positions.
    #[test]
    fn a_fingerprint_is_the_same_in_every_version_of_the_program() {
        // The first is the published first number of SplitMix64 from seed zero; the others were computed independently.
        assert_eq!(mixed(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mixed(1, 2), 0x81f0_f6ca_d67d_8c5c);
        assert_eq!(mixed(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210), 0x45e0_3e2b_08bf_2b3e);
        assert_eq!(of_date(date(2026, 11, 15)), 0x07ea_0b0f);
        let figures = ["1.25", "-1.250", "12345678901234567890.12"].map(|text| of_decimal(text.parse().unwrap()));
        assert_eq!(figures, [0xd340_872f_ad60_1c28, 0xf9a1_90a8_e7ab_34d9, 0x9707_6965_7028_9fcb]);
    }
}
