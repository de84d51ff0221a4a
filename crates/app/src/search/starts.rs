//! How names start, for finding those that start with a slip or two: names that share their first letters are
//! compared with the query once.

use super::texts::Texts;
use super::typo::{Pattern, State};

/// First letters kept per name.
const LETTERS: usize = 16;

/// In the place of a letter that is not ASCII; compared as if it could be any.
const UNKNOWN: u8 = 0xFF;

pub(super) struct Starts {
    /// The first letters of names in sorted order, a byte each, the first in the highest byte, zero after the end.
    heads: Vec<u128>,
    /// Where each head's names start in the sorted order, and the end of the last.
    starts: Vec<u32>,
}

impl Starts {
    /// `sorted` numbers the texts in ascending order.
    pub fn new(sorted: &[u32], texts: &Texts) -> Starts {
        let (mut heads, mut starts) = (Vec::new(), Vec::new());
        for (place, number) in sorted.iter().enumerate() {
            let head = head(texts.get(*number as usize));
            if heads.last() != Some(&head) {
                heads.push(head);
                starts.push(place as u32);
            }
        }
        starts.push(sorted.len() as u32);
        heads.shrink_to_fit();
        starts.shrink_to_fit();
        Starts { heads, starts }
    }

    /// Calls `take` with every stretch of the sorted order whose names may start with the pattern.
    pub fn candidates(&self, pattern: &Pattern, mut take: impl FnMut(std::ops::Range<usize>)) {
        let mut states = [pattern.start(); LETTERS + 1];
        let mut last = 0;
        // Bits of the head that decided against it; a head that shares them needs no look.
        let mut fatal = u128::MAX;
        let mut known = 0;
        for (index, head) in self.heads.iter().enumerate() {
            let differing = head ^ last;
            if differing & fatal == 0 {
                continue;
            }
            let shared = (differing.leading_zeros() as usize / 8).min(known);
            known = walk(pattern, &mut states, *head, shared);
            last = *head;
            fatal = u128::MAX << (8 * (LETTERS - known));
            if !states[known].is_dead() {
                fatal = u128::MAX;
                take(self.starts[index] as usize..self.starts[index + 1] as usize);
            }
        }
    }
}

/// Reads the head's letters after the first `known` until it is decided or the name ends; gives how many are read.
fn walk(pattern: &Pattern, states: &mut [State; LETTERS + 1], head: u128, known: usize) -> usize {
    for place in known..LETTERS {
        let places = match head.to_be_bytes()[place] {
            0 => return place,
            UNKNOWN => pattern.all_places(),
            letter => pattern.places_of(char::from(letter)),
        };
        states[place + 1] = pattern.step(&states[place], places);
        if states[place + 1].is_dead() || pattern.is_complete(&states[place + 1]) {
            return place + 1;
        }
    }
    LETTERS
}

fn head(text: &str) -> u128 {
    let mut bytes = [0; LETTERS];
    for (byte, letter) in bytes.iter_mut().zip(text.chars()) {
        *byte = if letter.is_ascii() { letter as u8 } else { UNKNOWN };
    }
    u128::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_name_that_starts_with_the_pattern_is_missed(
            query in "[ab ж]{1,20}",
            texts in prop::collection::btree_set("[ab ж]{0,20}", 0..80),
            typos in 1usize..3,
        ) {
            let mut all = Texts::default();
            texts.iter().for_each(|text| all.push(text));
            let sorted: Vec<u32> = (0..all.len() as u32).collect();
            let pattern = Pattern::new(&query, typos).unwrap();
            let mut passed = Vec::new();
            Starts::new(&sorted, &all).candidates(&pattern, |range| passed.extend(range));
            let mut matching = (0..all.len()).filter(|number| pattern.matches_start(all.get(*number)));
            prop_assert!(matching.all(|number| passed.contains(&number)));
        }
    }

    #[test]
    fn names_that_start_otherwise_are_left_out() {
        let mut texts = Texts::default();
        ["bank of america", "bank of ireland", "beneficial bank", "coca cola", "the bank of"]
            .iter()
            .for_each(|text| texts.push(text));
        let starts = Starts::new(&[0, 1, 2, 3, 4], &texts);
        let mut passed = Vec::new();
        starts.candidates(&Pattern::new("bnak of am", 2).unwrap(), |range| passed.extend(range));
        assert_eq!(passed, [0, 1]); // one swap, and "ir" for "am" is two slips more, seen only after the 16th letter
    }
}
