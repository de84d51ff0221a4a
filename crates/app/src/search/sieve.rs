//! Throwing out most texts that cannot be within a slip or two, before any of them is read.
//!
//! A slip takes away at most one letter and adds at most one. So a text within two slips of the query lacks at most two
//! of its letters, and has at most two that the query lacks, and its length differs by two at most. Letters are kept as
//! a set of 32 bits, texts are filed by length, and the sets of one length are compared in one tight loop.

use std::ops::RangeInclusive;

use super::texts::Texts;
use super::typo::Pattern;

/// Compared together without a branch.
const BLOCK: usize = 16;

/// Texts of this length or more share the last file.
const LENGTH_MAX: usize = 63;

#[derive(Default)]
pub(super) struct Sieve {
    /// Letter sets, by length of the text.
    sets: Vec<u32>,
    /// The number of the text of each set.
    numbers: Vec<u32>,
    /// Where each length starts in `sets`, and the end of the last.
    starts: Vec<usize>,
}

impl Sieve {
    pub fn new(texts: &Texts) -> Sieve {
        let length = |number: &u32| texts.get(*number as usize).chars().count().min(LENGTH_MAX);
        let mut numbers: Vec<u32> = (0..texts.len() as u32).collect();
        numbers.sort_by_cached_key(length);
        let sets = numbers.iter().map(|number| letter_set(texts.get(*number as usize).chars())).collect();
        let starts = (0..=LENGTH_MAX + 1).map(|least| numbers.partition_point(|number| length(number) < least)).collect();
        Sieve { sets, numbers, starts }
    }

    /// Calls `take` with the number of every text that may match the pattern.
    pub fn candidates(&self, pattern: &Pattern, mut take: impl FnMut(u32)) {
        let lengths = lengths_within(pattern);
        let range = self.starts[*lengths.start()]..self.starts[*lengths.end() + 1];
        let set = letter_set(pattern.letters.iter().copied());
        let numbers = &self.numbers[range.clone()];
        passing_typos(&self.sets[range], set, set, pattern.typos_max, |index| take(numbers[index]));
    }
}

fn lengths_within(pattern: &Pattern) -> RangeInclusive<usize> {
    let length = pattern.letters.len();
    length.saturating_sub(pattern.typos_max).min(LENGTH_MAX)..=(length + pattern.typos_max).min(LENGTH_MAX)
}

/// Calls `take` with the place of every set that lacks no more of the needed letters than there are slips, and has no
/// more beside the allowed ones.
pub(super) fn passing_typos(sets: &[u32], needed: u32, allowed: u32, typos_max: usize, take: impl FnMut(usize)) {
    match typos_max {
        1 => passing(sets, |set| less_one(set & !allowed) | less_one(needed & !set) == 0, take),
        _ => passing(sets, |set| less_one(less_one(set & !allowed)) | less_one(less_one(needed & !set)) == 0, take),
    }
}

fn passing(sets: &[u32], passes: impl Fn(u32) -> bool, mut take: impl FnMut(usize)) {
    let (blocks, rest) = sets.as_chunks::<BLOCK>();
    for (block, sets) in blocks.iter().enumerate() {
        let mut passed = (0..).zip(sets).fold(0, |passed, (index, set)| passed | u32::from(passes(*set)) << index);
        while passed != 0 {
            take(block * BLOCK + passed.trailing_zeros() as usize);
            passed &= passed - 1;
        }
    }
    let passed = rest.iter().enumerate().filter(|(_, set)| passes(**set));
    passed.for_each(|(index, _)| take(blocks.len() * BLOCK + index));
}

/// The set without one of its bits, in steps that a compiler turns into vector instructions.
#[inline(always)]
fn less_one(set: u32) -> u32 {
    set & set.wrapping_sub(1)
}

/// A bit per letter or digit; rare letters share one, and all other characters share the last. Sharing lets more
/// texts pass, never fewer.
pub(super) fn letter_set(letters: impl Iterator<Item = char>) -> u32 {
    letters.fold(0, |set, letter| {
        let bit = match letter {
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
        fn nothing_that_matches_is_thrown_out(
            query in "[a-d0-1.xyz]{1,10}",
            texts in prop::collection::vec("[a-d0-1.xyz]{0,14}", 0..80),
            typos in 1usize..3,
        ) {
            let mut all = Texts::default();
            texts.iter().for_each(|text| all.push(text));
            let pattern = Pattern::new(&query, typos).unwrap();
            let mut passed = Vec::new();
            Sieve::new(&all).candidates(&pattern, |number| passed.push(number));
            let mut matching = (0..all.len()).filter(|number| pattern.matches(all.get(*number)));
            prop_assert!(matching.all(|number| passed.contains(&(number as u32))));
        }
    }

    #[test]
    fn long_texts_share_a_file_and_are_still_found() {
        let mut texts = Texts::default();
        [62, 63, 64, 90].iter().for_each(|length| texts.push(&"a".repeat(*length)));
        let mut found = Vec::new();
        Sieve::new(&texts).candidates(&Pattern::new(&"a".repeat(89), 1).unwrap(), |number| found.push(number));
        assert_eq!(found, [0, 1, 2, 3]); // compared as 63 letters
    }

    #[test]
    fn most_of_what_cannot_match_is_thrown_out() {
        let mut texts = Texts::default();
        ["apple", "maple", "grape", "apples and pears", "ap"].iter().for_each(|text| texts.push(text));
        let mut found = Vec::new();
        Sieve::new(&texts).candidates(&Pattern::new("aple", 1).unwrap(), |number| found.push(number));
        assert_eq!(found, [0, 1]);
    }
}
