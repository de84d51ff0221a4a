//! Several words in a row: names are compared word by word, by the numbers of their words.

use std::ops::Range;

use super::texts::END;
use super::top::Top;
use super::words::Words;

/// To read so many names takes as long as to look through all words for those that end alike; those that end in the
/// same letter are many. Small in tests, so that theirs reach every way of searching.
const CANDIDATES_FEW: usize = if cfg!(test) { 3 } else { 1_000 };
const CANDIDATES_FEW_FOR_LETTER: usize = if cfg!(test) { 6 } else { 12_000 };

/// As it was typed: all words but the outer ones are whole.
pub(super) struct Phrase<'a> {
    words: &'a Words,
    /// Whole, unless it is cut off in front.
    first: First<'a>,
    middle: Vec<u32>,
    /// All that begin like the last.
    last: Range<u32>,
}

enum First<'a> {
    Whole(u32),
    Ending(&'a str),
}

impl<'a> Phrase<'a> {
    /// `None` where a word of it is in no name. `first_whole` where the first word may not be cut off.
    pub fn new(words: &'a Words, phrase: &'a str, first_whole: bool) -> Option<Phrase<'a>> {
        let (first, rest) = phrase.split_once(' ')?;
        let (middle, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let first = if first_whole { First::Whole(words.number(first)?) } else { First::Ending(first) };
        let middle = middle.split_terminator(' ').map(|word| words.number(word)).collect::<Option<_>>()?;
        Some(Phrase { words, first, middle, last: words.starting_with(last) }).filter(|phrase| !phrase.last.is_empty())
    }

    /// Offers the names that hold it.
    pub fn offer(&self, best: &mut Top<'_>) {
        let whole = self.middle.iter().copied().chain(self.first_number());
        let rarest =
            whole.map(|word| word..word + 1).chain([self.last.clone()]).min_by_key(|words| self.words.owners(words).len());
        let candidates = self.words.owners(&rarest.unwrap_or_default());
        match self.fewer_by_ending(candidates.len()) {
            Some(ending) => self.offer_of(ending.into_iter().flatten().copied(), best),
            // So many that the best names are among them, which are best read in their order.
            None if candidates.len() > self.words.names_count() / 4 => self.offer_of(0..self.words.names_count() as u32, best),
            None => self.offer_of(candidates.iter().copied(), best),
        }
    }

    /// Who has words that end like the first, if it may be cut off and they are fewer. Not of the word itself: names in
    /// which it is whole have been offered in the rank before.
    fn fewer_by_ending(&self, than: usize) -> Option<Vec<&[u32]>> {
        let First::Ending(first) = self.first else { return None };
        if than <= if first.len() == 1 { CANDIDATES_FEW_FOR_LETTER } else { CANDIDATES_FEW } {
            return None;
        }
        let longer = self.words.holding(&format!("{first}{END}")).filter(|word| self.words.text(*word) != first);
        let ending: Vec<&[u32]> = longer.map(|word| self.words.owners(&(word..word + 1))).collect();
        (ending.iter().map(|owners| owners.len()).sum::<usize>() < than).then_some(ending)
    }

    fn offer_of(&self, candidates: impl Iterator<Item = u32>, best: &mut Top<'_>) {
        candidates.for_each(|id| best.offer_if(id, || self.is_in(self.words.of_name(id))));
    }

    fn is_in(&self, name: &[u32]) -> bool {
        let before = self.middle.len() + 1;
        (before..name.len()).any(|place| self.last.contains(&name[place]) && self.leads(&name[place - before..place]))
    }

    /// Whether these are all words but the last.
    fn leads(&self, row: &[u32]) -> bool {
        row.split_first().is_some_and(|(first, middle)| *middle == self.middle && self.starts(*first))
    }

    fn starts(&self, word: u32) -> bool {
        match self.first {
            First::Whole(number) => word == number,
            First::Ending(end) => self.words.text(word).ends_with(end),
        }
    }

    fn first_number(&self) -> Option<u32> {
        match self.first {
            First::Whole(number) => Some(number),
            First::Ending(_) => None,
        }
    }
}
