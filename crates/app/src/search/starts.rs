//! How names start, for finding those that start with a slip or two: names that share their first letters are
//! compared with the query once.

use super::sieve::{letter_set, passing_typos};
use super::texts::Texts;
use super::typo::Pattern;

/// First letters kept per name.
const LETTERS: usize = 16;

/// First letters kept as a set, by which most names are ruled out before their letters are read in order.
const SET_LETTERS: usize = 7;

/// In the place of a letter that is not ASCII; compared as if it could be any.
const UNKNOWN: u8 = 0xFF;

/// After the end of a name.
const END: u8 = 0;

/// Where the query has no letter: in no name.
const NONE: u8 = 1;

pub(super) struct Starts {
    /// The first letters of names in sorted order, a byte each.
    heads: Vec<[u8; LETTERS]>,
    /// The set of the very first letters of each head.
    sets: Vec<u32>,
    /// Where each head's names start in the sorted order, and the end of the last.
    starts: Vec<u32>,
}

impl Starts {
    /// `sorted` numbers the texts in ascending order.
    pub fn new(sorted: &[u32], texts: &Texts) -> Starts {
        let (mut heads, mut sets, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (place, number) in sorted.iter().enumerate() {
            let text = texts.get(*number as usize);
            let head = head(text);
            if heads.last() != Some(&head) {
                heads.push(head);
                sets.push(letter_set(text.chars().take(SET_LETTERS)));
                starts.push(place as u32);
            }
        }
        starts.push(sorted.len() as u32);
        heads.shrink_to_fit();
        sets.shrink_to_fit();
        starts.shrink_to_fit();
        Starts { heads, sets, starts }
    }

    /// Calls `take` with every stretch of the sorted order whose names may start with the pattern.
    pub fn candidates(&self, pattern: &Pattern, mut take: impl FnMut(std::ops::Range<usize>)) {
        let shifted = Shifted::new(pattern);
        passing_typos(&self.sets, needed(pattern), allowed(pattern), pattern.typos_max, |index| {
            if shifted.may_match(&self.heads[index]) && may_start(pattern, &self.heads[index]) {
                take(self.starts[index] as usize..self.starts[index + 1] as usize);
            }
        });
    }
}

/// Letters that stand among a name's very first, but for slips, whatever moved them.
fn needed(pattern: &Pattern) -> u32 {
    letter_set(pattern.letters.iter().copied().take(SET_LETTERS - pattern.typos_max))
}

/// Letters that a name's very first are among, but for slips; any where the query ends before them.
fn allowed(pattern: &Pattern) -> u32 {
    let reach = SET_LETTERS + pattern.typos_max;
    if pattern.letters.len() < reach { u32::MAX } else { letter_set(pattern.letters[..reach].iter().copied()) }
}

/// The query against first letters, all at once: within `n` slips a letter is at most `n` places from its own, and all
/// letters of a name but `n` are letters of the query.
struct Shifted {
    /// The query, moved by two places back to two ahead.
    copies: [[u8; LETTERS]; 5],
    /// One in each place that the query may not reach.
    beyond: [u8; LETTERS],
    typos_max: u8,
}

impl Shifted {
    fn new(pattern: &Pattern) -> Shifted {
        let typos = pattern.typos_max as isize;
        let letter = |place: isize| {
            usize::try_from(place).ok().and_then(|place| pattern.letters.get(place)).map_or(NONE, |letter| byte(*letter))
        };
        let copy =
            |shift: isize| std::array::from_fn(|place| if shift.abs() > typos { NONE } else { letter(place as isize + shift) });
        let beyond = std::array::from_fn(|place| u8::from(place + pattern.typos_max >= pattern.letters.len()));
        Shifted { copies: [-2, -1, 0, 1, 2].map(copy), beyond, typos_max: pattern.typos_max as u8 }
    }

    /// Whether names with these first letters may start with the query.
    #[inline]
    fn may_match(&self, head: &[u8; LETTERS]) -> bool {
        let mut same = self.beyond;
        for copy in &self.copies {
            (0..LETTERS).for_each(|place| same[place] |= u8::from(head[place] == copy[place]));
        }
        same.iter().sum::<u8>() + self.typos_max >= LETTERS as u8
    }
}

fn may_start(pattern: &Pattern, head: &[u8; LETTERS]) -> bool {
    let mut state = pattern.start();
    for letter in head {
        if pattern.is_dead(&state) || pattern.is_complete(&state) {
            break;
        }
        let places = match *letter {
            END => break,
            UNKNOWN => pattern.all_places(),
            letter => pattern.places_of(char::from(letter)),
        };
        state = pattern.step(&state, places);
    }
    !pattern.is_dead(&state)
}

fn head(text: &str) -> [u8; LETTERS] {
    let mut bytes = [END; LETTERS];
    bytes.iter_mut().zip(text.chars()).for_each(|(place, letter)| *place = byte(letter));
    bytes
}

fn byte(letter: char) -> u8 {
    if letter.is_ascii() { letter as u8 } else { UNKNOWN }
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
    fn slips_may_move_all_letters_that_follow() {
        let names = ["cdefghijklmnop", "xyabcdefghijkl", "bacdefgxhijkl", "abcdefghji", "abdefgijk", "axbcydefghij", "abcdefgh"];
        for name in names {
            let mut texts = Texts::default();
            texts.push(name);
            let mut passed = Vec::new();
            Starts::new(&[0], &texts).candidates(&Pattern::new("abcdefghij", 2).unwrap(), |range| passed.extend(range));
            assert_eq!(passed, [0], "{name}"); // two slips at most each
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
