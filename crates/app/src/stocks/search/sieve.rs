//! Rules out most texts that cannot be within a typo or two, before reading any of them.
//!
//! A typo removes at most one letter and adds at most one. So a text within two typos of the query lacks at most two of its
//! letters, has at most two that the query lacks, and its length differs by at most two. Texts are grouped by length, and the
//! letters of one length are compared in one tight loop.

use std::ops::RangeInclusive;

use super::letters::{LETTERS, LetterSets, Wanted, letter_set};
use super::texts::Texts;
use super::typo::Pattern;

/// Texts of this length or more share the last group.
const LENGTH_MAX: usize = 63;

pub(super) struct Sieve {
    /// Of the texts by length.
    sets: LetterSets<LETTERS>,
    /// The number of the text of each set.
    numbers: Vec<u32>,
    /// The start of each length, and the end of the last.
    starts: Vec<u32>,
}

impl Sieve {
    pub fn new(texts: &Texts) -> Sieve {
        let length = |text: &str| text.chars().count().min(LENGTH_MAX);
        let mut starts = vec![0; LENGTH_MAX + 2];
        texts.iter().for_each(|text| starts[length(text) + 1] += 1);
        (0..=LENGTH_MAX).for_each(|least| starts[least + 1] += starts[least]);
        let mut next = starts.clone();
        let mut numbers = vec![0; texts.len()];
        for (number, text) in (0..).zip(texts.iter()) {
            let place = &mut next[length(text)];
            numbers[*place as usize] = number;
            *place += 1;
        }
        let sets = LetterSets::new(numbers.iter().map(|number| letter_set(texts.get(*number as usize).chars())));
        Sieve { sets, numbers, starts }
    }

    /// Calls `take` with the number of every text that may match the pattern.
    pub fn candidates(&self, pattern: &Pattern, mut take: impl FnMut(u32)) {
        let lengths = lengths_within(pattern);
        let range = self.starts[*lengths.start()] as usize..self.starts[*lengths.end() + 1] as usize;
        let set = letter_set(pattern.letters.iter().copied());
        let wanted = Wanted { needed: set, foreign: !set & u64::from(u32::MAX), typos_max: pattern.typos_max };
        self.sets.passing(range, &wanted, |place| {
            take(self.numbers[place]);
            true
        });
    }
}

fn lengths_within(pattern: &Pattern) -> RangeInclusive<usize> {
    let length = pattern.letters.len();
    length.saturating_sub(pattern.typos_max).min(LENGTH_MAX)..=(length + pattern.typos_max).min(LENGTH_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sieve_keeps_every_match(
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
    fn long_texts_share_a_bucket_and_are_still_found() {
        let mut texts = Texts::default();
        [62, 63, 64, 90].iter().for_each(|length| texts.push(&"a".repeat(*length)));
        let mut found = Vec::new();
        Sieve::new(&texts).candidates(&Pattern::new(&"a".repeat(89), 1).unwrap(), |number| found.push(number));
        assert_eq!(found, [0, 1, 2, 3]); // compared as 63 letters
    }

    #[test]
    fn the_sieve_drops_most_texts_that_cannot_match() {
        let mut texts = Texts::default();
        ["apple", "maple", "grape", "apples and pears", "ap"].iter().for_each(|text| texts.push(text));
        let mut found = Vec::new();
        Sieve::new(&texts).candidates(&Pattern::new("aple", 1).unwrap(), |number| found.push(number));
        assert_eq!(found, [0, 1]);
    }
}
