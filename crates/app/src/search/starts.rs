//! How names start, for finding those that start with a slip or two: names that share their first letters are
//! compared with the query once.

use super::texts::Texts;
use super::typo::{Pattern, State};

/// First letters kept per name.
const LETTERS: usize = 16;

/// In the place of a letter that is not ASCII; compared as if it could be any.
const UNKNOWN: u8 = 0xFF;

/// No name's head: nothing follows the end.
const NEVER: u128 = 1;

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
        let mut walk = Walk::new(pattern);
        for (index, head) in self.heads.iter().enumerate() {
            if walk.may_match(*head) {
                take(self.starts[index] as usize..self.starts[index + 1] as usize);
            }
        }
    }
}

/// Compares one head after the other, starting where it differs from the one before.
struct Walk<'a> {
    pattern: &'a Pattern,
    /// After each letter of the last head; right up to `known`.
    states: [State; LETTERS + 1],
    known: usize,
    last: u128,
    /// The part of the last head that ruled it out: heads that share it need no look.
    fatal: u128,
}

impl Walk<'_> {
    fn new(pattern: &Pattern) -> Walk<'_> {
        Walk { pattern, states: [pattern.start(); LETTERS + 1], known: 0, last: NEVER, fatal: u128::MAX }
    }

    #[inline]
    fn may_match(&mut self, head: u128) -> bool {
        let differing = self.last ^ head;
        if differing & self.fatal == 0 {
            return false;
        }
        self.known = self.read(head, self.known.min(differing.leading_zeros() as usize / 8));
        self.last = head;
        let dead = self.pattern.is_dead(&self.states[self.known]);
        self.fatal = if dead { u128::MAX << (8 * (LETTERS - self.known)) } else { u128::MAX };
        !dead
    }

    /// Reads letters after the first `known` until the head is decided or the name ends; gives how many are read.
    fn read(&mut self, head: u128, known: usize) -> usize {
        for place in known..LETTERS {
            let state = &self.states[place];
            if self.pattern.is_dead(state) || self.pattern.is_complete(state) {
                return place;
            }
            let places = match (head >> (8 * (LETTERS - 1 - place))) as u8 {
                0 => return place,
                UNKNOWN => self.pattern.all_places(),
                letter => self.pattern.places_of(char::from(letter)),
            };
            self.states[place + 1] = self.pattern.step(state, places);
        }
        LETTERS
    }
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
        assert_eq!(passed, [0]); // one slip; "ir" for "am" would be three
    }
}
