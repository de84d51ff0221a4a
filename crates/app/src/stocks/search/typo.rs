//! Typo matching by optimal string alignment distance, in which swapping two neighbours is one typo.
//!
//! The query is run as an automaton over the letters of a text. Its state is a bit set per number of typos: bit `n` says that the
//! text read so far may stand for the first `n` letters of the query.

/// One bit per letter plus one must fit; only this many letters of a longer query are compared.
const LETTERS_MAX: usize = 63;

/// A query to be compared with many texts.
pub(super) struct Pattern {
    pub letters: Vec<char>,
    pub typos_max: usize,
    /// The positions of each ASCII letter in the query: bit `n + 1` for the letter after `n` others.
    ascii: [u64; 128],
    /// The bits that exist.
    places: u64,
}

/// How far the query may have been matched after some letters of a text, by number of typos.
#[derive(Clone, Copy)]
pub(super) struct State {
    reached: [u64; 3],
    /// Positions where the first half of a swap was just read.
    half_swapped: [u64; 2],
}

impl Pattern {
    /// `None` if no typo is allowed or there is nothing to compare.
    pub fn new(text: &str, typos_max: usize) -> Option<Pattern> {
        let letters: Vec<char> = text.chars().take(LETTERS_MAX).collect();
        if typos_max == 0 || letters.is_empty() {
            return None;
        }
        let mut ascii = [0; 128];
        for (place, letter) in letters.iter().enumerate().filter(|(_, letter)| letter.is_ascii()) {
            ascii[*letter as usize] |= 2 << place;
        }
        Some(Pattern { places: u64::MAX >> (LETTERS_MAX - letters.len()), letters, typos_max, ascii })
    }

    /// Whether the whole text matches, except for the allowed typos.
    pub fn matches(&self, text: &str) -> bool {
        let mut state = self.start();
        for letter in text.chars() {
            state = self.step(&state, self.places_of(letter));
            if self.is_dead(&state) {
                return false;
            }
        }
        self.is_complete(&state)
    }

    /// Whether some prefix of the text matches, except for the allowed typos.
    pub fn matches_start(&self, mut letters: impl Iterator<Item = char>) -> bool {
        let mut state = self.start();
        while !self.is_complete(&state) {
            match letters.next() {
                Some(letter) if !self.is_dead(&state) => state = self.step(&state, self.places_of(letter)),
                _ => return false,
            }
        }
        true
    }

    /// Before any letter: for each typo, one letter of the query may be left out.
    pub fn start(&self) -> State {
        State { reached: [1, 3, 7].map(|reached| reached & self.places), half_swapped: [0; 2] }
    }

    /// After one more letter, given its positions in the query.
    #[inline]
    pub fn step(&self, state: &State, places: u64) -> State {
        let [none, one, two] = state.reached;
        let next_none = (none << 1) & places;
        let next_one = self.slipped(none, one, next_none, state.half_swapped[0], places);
        let next_two = self.slipped(one, two, next_one, state.half_swapped[1], places);
        State { reached: [next_none, next_one, next_two], half_swapped: [(none << 2) & places, (one << 2) & places] }
    }

    /// Reached by the next letter, or from a state with one typo less by an added, wrong, missing or swapped letter.
    #[inline]
    fn slipped(&self, less: u64, here: u64, next_less: u64, half_swapped: u64, places: u64) -> u64 {
        ((here << 1) & places | less | less << 1 | next_less << 1 | half_swapped & places << 1) & self.places
    }

    #[inline]
    pub fn places_of(&self, letter: char) -> u64 {
        match self.ascii.get(letter as usize) {
            Some(places) => *places,
            None => (0..).zip(&self.letters).filter(|(_, own)| **own == letter).fold(0, |places, (place, _)| places | 2 << place),
        }
    }

    /// All positions: what an unknown letter may have.
    pub fn all_places(&self) -> u64 {
        self.places
    }

    /// Whether no further letter can help: what is reached with few typos is also reached with more.
    pub fn is_dead(&self, state: &State) -> bool {
        self.furthest(state) == 0
    }

    pub fn is_complete(&self, state: &State) -> bool {
        self.furthest(state) >> self.letters.len() != 0
    }

    fn furthest(&self, state: &State) -> u64 {
        if self.typos_max == 1 { state.reached[1] } else { state.reached[2] }
    }
}

#[cfg(test)]
#[path = "../../../tests/ledger/full_distance.rs"]
mod full_distance;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::full_distance::full_distance;
    use super::*;

    fn matches(query: &str, typos_max: usize, text: &str) -> bool {
        Pattern::new(query, typos_max).unwrap().matches(text)
    }

    #[test]
    fn an_added_missing_wrong_or_swapped_letter_is_one_typo() {
        for text in ["apple", "aple", "appple", "apqle", "paple", "appel", "pple", "appl", "xapple", "applex"] {
            assert!(matches("apple", 1, text), "{text}");
        }
        for text in ["ale", "appl3x", "palpe", "elppa", "", "apple pie"] {
            assert!(!matches("apple", 1, text), "{text}");
        }
        assert!(matches("apple", 2, "palpe") && matches("apple", 2, "ale"));
    }

    #[test]
    fn a_multibyte_letter_counts_as_one() {
        assert!(matches("газпром", 1, "гaзпром"));
        assert!(matches("газпром", 1, "газпорм"));
    }

    #[test]
    fn a_prefix_may_end_anywhere_in_the_text() {
        let start = |query: &str, text: &str| Pattern::new(query, 1).unwrap().matches_start(text.chars());
        assert!(start("coca cla", "coca cola company"));
        assert!(start("coca colla", "coca cola company"));
        assert!(start("coca colax", "coca cola"));
        assert!(!start("coca cola x", "coca cola"));
        assert!(!start("mola", "coca cola"));
    }

    #[test]
    fn only_the_first_letters_of_a_long_query_are_compared() {
        let long = |letters: usize| "a".repeat(letters);
        assert!(matches(&long(LETTERS_MAX), 2, &long(LETTERS_MAX + 2)));
        assert!(!matches(&long(LETTERS_MAX), 2, &long(LETTERS_MAX + 3)));
        let start = |query: &str, text: &str| Pattern::new(query, 1).unwrap().matches_start(text.chars());
        assert!(start(&format!("b{}", long(99)), &long(100)));
        assert!(!start(&format!("bb{}", long(98)), &long(100)));
        assert!(Pattern::new("", 1).is_none() && Pattern::new("ab", 0).is_none());
    }

    proptest! {
        #[test]
        fn the_banded_distance_agrees_with_the_full_table(query in "[abc]{1,9}", text in "[abc]{0,11}", typos in 1usize..3) {
            let letters: Vec<char> = text.chars().collect();
            let within = |end: usize| full_distance(&query, &letters[..end].iter().collect::<String>()) <= typos;
            let pattern = Pattern::new(&query, typos).unwrap();
            prop_assert_eq!(pattern.matches(&text), within(letters.len()));
            prop_assert_eq!(pattern.matches_start(text.chars()), (0..=letters.len()).any(within));
        }
    }
}
