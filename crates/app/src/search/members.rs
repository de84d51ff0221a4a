//! A set of numbers, a bit each: sets of tens of thousands are cut with one another in microseconds.

pub(super) struct Members {
    bits: Vec<u64>,
}

impl Members {
    /// Numbers below `limit`.
    pub fn of<'a>(limit: usize, numbers: impl IntoIterator<Item = &'a u32>) -> Members {
        let mut bits = vec![0; limit.div_ceil(64)];
        numbers.into_iter().for_each(|number| bits[*number as usize / 64] |= 1 << (number % 64));
        Members { bits }
    }

    /// Leaves only those that are also in `other`.
    pub fn keep(&mut self, other: &Members) {
        self.bits.iter_mut().zip(&other.bits).for_each(|(own, other)| *own &= other);
    }

    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn ascending(&self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for (place, word) in (0..).zip(&self.bits) {
            let mut rest = *word;
            while rest != 0 {
                numbers.push(place * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_both_stays_in_order() {
        let mut members = Members::of(901, &[900, 3, 64, 65, 3, 0]);
        assert_eq!(members.ascending(), [0, 3, 64, 65, 900]);
        members.keep(&Members::of(901, &[65, 0, 1, 200]));
        assert_eq!(members.ascending(), [0, 65]);
        members.keep(&Members::of(901, &[]));
        assert_eq!(members.ascending(), [0; 0]);
    }
}
