//! A bit for each of many numbers.

use super::letters::ones;

pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// For numbers below `count`.
    pub fn of(count: usize, numbers: impl IntoIterator<Item = u32>) -> BitSet {
        let mut words = vec![0; count.div_ceil(64)];
        numbers.into_iter().for_each(|number| words[number as usize / 64] |= 1 << (number % 64));
        BitSet { words }
    }

    pub fn has(&self, number: u32) -> bool {
        self.words[number as usize / 64] & 1 << (number % 64) != 0
    }

    pub fn ascending(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.words).flat_map(|(word, bits)| ones(*bits).map(move |bit| word * 64 + bit as u32))
    }
}
