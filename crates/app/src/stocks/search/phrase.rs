//! Searches for several consecutive words: names are compared word by word, by the numbers of their words.

use std::ops::Range;

use super::bit_set::BitSet;
use super::names::Named;
use super::words::Words;

/// Reading this many names takes as long as marking all that have a word. Small in tests, so that they reach every path.
const FEW: usize = if cfg!(test) { 3 } else { 250 };

/// Marking this many names takes as long as reading one.
const MARKED_FOR_ONE_READ: usize = 8;

/// As typed: all words but the outer ones are complete.
pub(super) struct Phrase<'a> {
    words: &'a Words,
    first: First,
    middle: Vec<u32>,
    /// All words that begin like the last.
    last: Range<u32>,
}

enum First {
    Whole(u32),
    /// The first word may be cut off: all words that end like it.
    Ending(Vec<u32>, BitSet),
}

/// Names, in several lists.
type Owners<'a> = Vec<&'a [u32]>;

impl<'a> Phrase<'a> {
    /// `None` if one of its words is in no name. `first_whole` if the first word must be complete.
    pub fn new(words: &'a Words, phrase: &str, first_whole: bool) -> Option<Phrase<'a>> {
        let (first, rest) = phrase.split_once(' ')?;
        let (middle, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let middle = middle.split_terminator(' ').map(|word| words.number(word)).collect::<Option<_>>()?;
        let last = Some(words.starting_with(last)).filter(|last| !last.is_empty())?;
        let first = if first_whole { First::Whole(words.number(first)?) } else { First::ending(words, first) };
        Some(Phrase { words, first, middle, last })
    }

    /// Offers the names that contain it, of those that have its rarest word.
    pub fn offer(&self, best: &mut Named<'_, '_>) {
        let mut lists = self.lists();
        lists.sort_unstable_by_key(count);
        let Some((rarest, others)) = lists.split_first() else { return };
        let mut names = self.ascending(rarest);
        let rest = names.split_off(FEW.min(names.len()));
        // If many contain it, the best of them are among the first.
        best.offer_ascending(names, |name| self.is_in(name));
        let rest = if rest.first().is_some_and(|name| best.can_enter(*name)) { rest } else { Vec::new() };
        best.offer_ascending(self.with_other_words(rest, others), |name| self.is_in(name));
    }

    fn ascending(&self, owners: &Owners<'_>) -> Vec<u32> {
        match owners[..] {
            [one_word] if self.last.len() == 1 || !std::ptr::eq(one_word, self.words.owners(&self.last)) => one_word.to_vec(),
            _ => self.bit_set(owners).ascending().collect(),
        }
    }

    /// Those that also have the other words, as long as finding out takes less time than reading them.
    fn with_other_words(&self, mut names: Vec<u32>, others: &[Owners<'_>]) -> Vec<u32> {
        for owners in others {
            if names.len() > FEW && count(owners) < names.len() * MARKED_FOR_ONE_READ {
                let marks = self.bit_set(owners);
                names.retain(|name| marks.has(*name));
            }
        }
        names
    }

    fn bit_set(&self, owners: &Owners<'_>) -> BitSet {
        BitSet::of(self.words.names_count(), owners.iter().copied().flatten().copied())
    }

    /// For each word, the names that have it.
    fn lists(&self) -> Vec<Owners<'a>> {
        let whole = |word: &u32| vec![self.words.owners_of(*word)];
        let first = match &self.first {
            First::Whole(word) => whole(word),
            First::Ending(words, _) => words.iter().map(|word| self.words.owners_of(*word)).collect(),
        };
        let last = vec![self.words.owners(&self.last)];
        self.middle.iter().map(whole).chain([first, last]).collect()
    }

    fn is_in(&self, name: u32) -> bool {
        let name = self.words.of_name(name);
        let before = self.middle.len() + 1;
        (before..name.len()).any(|place| self.last.contains(&name[place]) && self.leads(&name[place - before..place]))
    }

    /// Whether these are all words but the last.
    fn leads(&self, row: &[u32]) -> bool {
        row.split_first().is_some_and(|(first, middle)| *middle == self.middle && self.first.is(*first))
    }
}

impl First {
    /// Excludes the word itself: names with the complete word were offered in the previous rank.
    fn ending(words: &Words, end: &str) -> First {
        let longer = words.ending_with(end).iter().copied().filter(|word| words.text(*word) != end);
        let longer: Vec<u32> = longer.collect();
        let marks = BitSet::of(words.len(), longer.iter().copied());
        First::Ending(longer, marks)
    }

    fn is(&self, word: u32) -> bool {
        match self {
            First::Whole(number) => word == *number,
            First::Ending(_, marks) => marks.has(word),
        }
    }
}

fn count(owners: &Owners<'_>) -> usize {
    owners.iter().map(|list| list.len()).sum()
}
