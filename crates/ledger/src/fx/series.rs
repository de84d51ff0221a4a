//! Dated items in ascending order, with a fingerprint of each prefix, so that results computed from a part of them can tell
//! whether that part is unchanged.

use jiff::civil::Date;
use rust_decimal::Decimal;

/// A day, or a value of a day.
pub trait Dated {
    fn date(&self) -> Date;
    fn fingerprint(&self) -> u64;
}

#[derive(Clone, Debug)]
pub struct Series<T> {
    items: Vec<T>,
    /// After each item.
    fingerprints: Vec<u64>,
}

impl<T> Default for Series<T> {
    fn default() -> Series<T> {
        Series { items: Vec::new(), fingerprints: Vec::new() }
    }
}

impl<T: Dated> Series<T> {
    /// Takes items in ascending order, one per day.
    pub fn new(items: Vec<T>) -> Series<T> {
        let mut last = 0;
        let fingerprints = items.iter().map(|item| {
            last = mixed(last, item.fingerprint());
            last
        });
        Series { fingerprints: fingerprints.collect(), items }
    }

    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The last item on or before the day.
    pub(super) fn latest(&self, day: Date) -> Option<&T> {
        self.items.get(self.count(day).checked_sub(1)?)
    }

    /// Of all items up to and including the day; zero if there are none.
    pub(super) fn fingerprint(&self, until: Date) -> u64 {
        self.count(until).checked_sub(1).map_or(0, |last| self.fingerprints[last])
    }

    fn count(&self, until: Date) -> usize {
        // Most ask for today, which no item is later than.
        match self.items.last() {
            Some(last) if last.date() > until => self.items.partition_point(|item| item.date() <= until),
            _ => self.items.len(),
        }
    }
}

impl Dated for Date {
    fn date(&self) -> Date {
        *self
    }

    fn fingerprint(&self) -> u64 {
        let [high, low] = self.year().to_be_bytes();
        u64::from_be_bytes([0, 0, 0, 0, high, low, self.month() as u8, self.day() as u8])
    }
}

impl Dated for (Date, Decimal) {
    fn date(&self) -> Date {
        self.0
    }

    fn fingerprint(&self) -> u64 {
        mixed(self.0.fingerprint(), of_decimal(self.1))
    }
}

/// Combines both, in this order: a step of SplitMix64.
pub(super) fn mixed(before: u64, item: u64) -> u64 {
    let mixed = before.rotate_left(25) ^ item.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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
        assert_eq!(date(2026, 11, 15).fingerprint(), 0x07ea_0b0f);
        let figures = ["1.25", "-1.250", "12345678901234567890.12"].map(|text| of_decimal(text.parse().unwrap()));
        assert_eq!(figures, [0xd340_872f_ad60_1c28, 0xf9a1_90a8_e7ab_34d9, 0x9707_6965_7028_9fcb]);
    }
}
