//! The letter sets of many texts, laid out so that many are compared with a query at once: one bit per text and letter, 512 texts
//! side by side.
//!
//! A typo removes at most one letter and adds at most one.

use std::ops::Range;

/// Letters that are distinguished.
pub(super) const LETTERS: usize = 32;

const WORDS: usize = 8;

/// Texts compared together.
const TEXTS: usize = WORDS * u64::BITS as usize;

/// From this many on, it pays to look at the letters that the query lacks.
const MANY: u32 = if cfg!(test) { 2 } else { 8 };

type Bits = [u64; WORDS];

/// Sets of `SIZE` letters; more than [`LETTERS`] if several parts of a text have separate sets.
pub(super) struct LetterSets<const SIZE: usize> {
    chunks: Vec<[Bits; SIZE]>,
}

/// What a text needs to pass.
pub(super) struct Wanted {
    /// Letters of which it may lack at most as many as there are typos.
    pub needed: u64,
    /// Letters of which it may have at most as many as there are typos.
    pub foreign: u64,
    pub typos_max: usize,
}

impl<const SIZE: usize> LetterSets<SIZE> {
    pub fn new(sets: impl ExactSizeIterator<Item = u64>) -> LetterSets<SIZE> {
        let mut chunks = vec![[[0; WORDS]; SIZE]; sets.len().div_ceil(TEXTS)];
        for (place, set) in sets.enumerate() {
            let (chunk, word, bit) = (place / TEXTS, place % TEXTS / 64, 1 << (place % 64));
            ones(set).for_each(|letter| chunks[chunk][letter][word] |= bit);
        }
        LetterSets { chunks }
    }

    /// Calls `take` with every index in the range whose text passes, ascending, as long as it returns true.
    pub fn passing(&self, range: Range<usize>, wanted: &Wanted, mut take: impl FnMut(usize) -> bool) {
        for chunk in range.start / TEXTS..range.end.div_ceil(TEXTS) {
            let passed = wanted.passing(&self.chunks[chunk]);
            for (word, bits) in passed.into_iter().enumerate().filter(|(_, bits)| *bits != 0) {
                let first = chunk * TEXTS + word * 64;
                let mut places = ones(bits).map(|bit| first + bit).filter(|place| range.contains(place));
                if !places.all(&mut take) {
                    return;
                }
            }
        }
    }
}

impl Wanted {
    fn passing<const SIZE: usize>(&self, chunk: &[Bits; SIZE]) -> Bits {
        let mut passed = self.few(chunk, self.needed, u64::MAX);
        if self.foreign != 0 && passed.iter().map(|bits| bits.count_ones()).sum::<u32>() >= MANY {
            let own = self.few(chunk, self.foreign, 0);
            (0..WORDS).for_each(|word| passed[word] &= own[word]);
        }
        passed
    }

    /// The texts that have few of the letters, or lack few if `flip` has all bits set.
    fn few<const SIZE: usize>(&self, chunk: &[Bits; SIZE], letters: u64, flip: u64) -> Bits {
        match self.typos_max {
            1 => less_than::<2, SIZE>(chunk, letters, flip),
            _ => less_than::<3, SIZE>(chunk, letters, flip),
        }
    }
}

/// Counts for all texts at once, up to `LEVELS`; returns the texts with a lower count.
#[inline]
fn less_than<const LEVELS: usize, const SIZE: usize>(chunk: &[Bits; SIZE], letters: u64, flip: u64) -> Bits {
    let mut reached = [[0; WORDS]; LEVELS];
    for letter in ones(letters) {
        for word in 0..WORDS {
            let mut one_more = chunk[letter][word] ^ flip;
            for level in &mut reached {
                let next = level[word] & one_more;
                level[word] |= one_more;
                one_more = next;
            }
        }
    }
    reached[LEVELS - 1].map(|bits| !bits)
}

/// The positions of the bits that are set.
pub(super) fn ones(bits: u64) -> impl Iterator<Item = usize> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let place = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        place
    })
}

/// A bit per letter or digit; rare letters share one, and all other characters share the last. Sharing lets more texts pass,
/// never fewer.
pub(super) fn letter_set(letters: impl Iterator<Item = char>) -> u64 {
    letters.fold(0, |set, letter| {
        let bit: u32 = match letter {
            '0'..='9' => letter as u32 - '0' as u32,
            'a'..='i' => 10 + letter as u32 - 'a' as u32,
            'k'..='p' => 19 + letter as u32 - 'k' as u32,
            'r'..='u' => 25 + letter as u32 - 'r' as u32,
            'v' | 'w' => 29,
            'y' | 'j' => 30,
            _ => 31,
        };
        set | 1 << bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_pass_when_they_differ_by_at_most_the_allowed_letters(
            sets in prop::collection::vec(any::<u64>().prop_map(|set| set & 0x8000_0001_0013), 0..1_200),
            needed in any::<u64>().prop_map(|set| set & 0x8000_0001_0013),
            typos_max in 1usize..3,
            from in 0usize..700,
        ) {
            let from = from.min(sets.len());
            let passes = |set: u64| [set & !needed, needed & !set].iter().all(|letters| letters.count_ones() as usize <= typos_max);
            let expected: Vec<usize> = (from..sets.len()).filter(|place| passes(sets[*place])).collect();
            let mut passed = Vec::new();
            let wanted = Wanted { needed, foreign: !needed, typos_max };
            let kept = LetterSets::<64>::new(sets.iter().copied());
            kept.passing(from..sets.len(), &wanted, |place| {
                passed.push(place);
                true
            });
            prop_assert!(passed.iter().all(|place| (needed & !sets[*place]).count_ones() as usize <= typos_max));
            // If they are few, those with too many letters may pass.
            passed.retain(|place| passes(sets[*place]));
            prop_assert_eq!(passed, expected);
        }
    }
}
