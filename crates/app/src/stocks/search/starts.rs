//! The beginnings of names, to find those that begin with a typo or two.

use std::ops::Range;

use super::letters::{LETTERS, LetterSets, Wanted, letter_set};
use super::typo::Pattern;

/// Letter sets of two parts of each name's first letters rule out most names before they are read. The parts overlap, because
/// typos move letters by at most two places.
const FRONT: Range<usize> = 0..7;
const BACK: Range<usize> = 3..14;

/// Letters kept in order, which rule out most of the rest.
const HEAD: usize = 8;

/// In place of a letter that is not ASCII; compared as if it could be any letter.
const UNKNOWN: u8 = 0xFF;

/// After the end of a name.
const END: u8 = 0;

pub(super) struct Starts {
    /// The letters of each name's front and back.
    sets: LetterSets<{ 2 * LETTERS }>,
    heads: Vec<[u8; HEAD]>,
}

impl Starts {
    /// For folded names.
    pub fn new<N: Iterator<Item = char> + Clone>(names: impl ExactSizeIterator<Item = N>) -> Starts {
        let mut heads = Vec::with_capacity(names.len());
        let sets = names.map(|name| {
            heads.push(head(name.clone()));
            both(letters_in(FRONT, name.clone()), letters_in(BACK, name))
        });
        Starts { sets: LetterSets::new(sets), heads }
    }

    /// Calls `take` with the number of every name that may start with the pattern, ascending, as long as it returns true.
    pub fn candidates(&self, pattern: &Pattern, mut take: impl FnMut(u32) -> bool) {
        let wanted = Wanted { needed: needed(pattern), foreign: foreign(pattern), typos_max: pattern.typos_max };
        let may_start = |name: usize| may_start(pattern, &self.heads[name]);
        self.sets.passing(0..self.heads.len(), &wanted, |name| !may_start(name) || take(name as u32));
    }
}

/// Letters that must be in the front and the back, except for typos. Each is counted once, so that no typo counts twice.
fn needed(pattern: &Pattern) -> u64 {
    let (typos, length) = (pattern.typos_max, pattern.letters.len());
    let letters = |from: usize, to: usize| letter_set(pattern.letters[from.min(length)..to.min(length)].iter().copied());
    both(letters(0, FRONT.end - typos), letters(FRONT.end - typos, BACK.end - typos))
}

/// Letters that must not be in the front, except for typos; none if the query ends before it does.
fn foreign(pattern: &Pattern) -> u64 {
    let reach = FRONT.end + pattern.typos_max;
    let own = pattern.letters.get(..reach).map(|letters| letter_set(letters.iter().copied()));
    own.map_or(0, |own| !own & u64::from(u32::MAX))
}

fn letters_in(part: Range<usize>, name: impl Iterator<Item = char>) -> u64 {
    letter_set(name.skip(part.start).take(part.len()))
}

fn both(front: u64, back: u64) -> u64 {
    front | back << LETTERS
}

fn may_start(pattern: &Pattern, head: &[u8; HEAD]) -> bool {
    let mut state = pattern.start();
    for letter in head {
        let places = match *letter {
            END => break,
            UNKNOWN => pattern.all_places(),
            letter => pattern.places_of(char::from(letter)),
        };
        state = pattern.step(&state, places);
        if pattern.is_dead(&state) || pattern.is_complete(&state) {
            break;
        }
    }
    !pattern.is_dead(&state)
}

fn head(mut name: impl Iterator<Item = char>) -> [u8; HEAD] {
    std::array::from_fn(|_| name.next().map_or(END, |letter| if letter.is_ascii() { letter as u8 } else { UNKNOWN }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn candidates(query: &str, typos_max: usize, names: &[&str]) -> Vec<u32> {
        let mut passed = Vec::new();
        let starts = Starts::new(names.iter().map(|name| name.chars()));
        starts.candidates(&Pattern::new(query, typos_max).unwrap(), |name| {
            passed.push(name);
            true
        });
        passed
    }

    proptest! {
        #[test]
        fn no_name_that_starts_with_the_pattern_is_missed(
            query in "[ab ж]{1,20}|[a-p ]{1,20}",
            names in prop::collection::vec("[ab ж]{0,20}|[a-p ]{0,20}", 0..80),
            typos in 1usize..3,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let passed = candidates(&query, typos, &names);
            let pattern = Pattern::new(&query, typos).unwrap();
            let mut matching = (0..).zip(&names).filter(|(_, name)| pattern.matches_start(name.chars()));
            prop_assert!(matching.all(|(number, _)| passed.contains(&number)));
        }
    }

    #[test]
    fn a_typo_may_shift_all_letters_after_it() {
        // At most two typos each.
        let names = ["cdefghijklmnop", "xyabcdefghijkl", "bacdefgxhijkl", "abcdefghji", "abdefgijk", "axbcydefghij", "abcdefgh"];
        assert_eq!(candidates("abcdefghij", 2, &names), [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn names_with_another_start_are_left_out() {
        let names = ["bank of america", "bank of ireland", "beneficial bank", "coca cola", "the bank of"];
        assert_eq!(candidates("bnak of am", 2, &names), [0, 1]); // "ir" for "am" would be a third, in the back
    }
}
