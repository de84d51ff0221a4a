//! A set of numbers, a bit each: sets of tens of thousands are cut with one another in microseconds.

#[derive(Default)]
pub(super) struct Members {
    bits: Vec<u64>,
}

impl Members {
    pub fn of<'a>(numbers: impl IntoIterator<Item = &'a u32>) -> Members {
        let mut members = Members::default();
        for number in numbers {
            let place = *number as usize / 64;
            if place >= members.bits.len() {
                members.bits.resize((place + 1).next_power_of_two(), 0);
            }
            members.bits[place] |= 1 << (number % 64);
        }
        members
    }

    /// Leaves only those that are also in `other`.
    pub fn keep(&mut self, other: &Members) {
        self.bits.truncate(other.bits.len());
        self.bits.iter_mut().zip(&other.bits).for_each(|(own, other)| *own &= other);
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
        let mut members = Members::of(&[900, 3, 64, 65, 3, 0]);
        assert_eq!(members.ascending(), [0, 3, 64, 65, 900]);
        members.keep(&Members::of(&[65, 0, 1, 200]));
        assert_eq!(members.ascending(), [0, 65]);
        members.keep(&Members::default());
        assert_eq!(members.ascending(), [0; 0]);
    }
}
