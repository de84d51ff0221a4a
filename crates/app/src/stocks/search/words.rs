//! The distinct words of all names, which names have them, and in which order.

use std::collections::HashMap;
use std::ops::Range;

use super::case_folding;
use super::grams::Grams;
use super::names::{Named, grouped};
use super::sieve::Sieve;
use super::texts::Texts;
use super::typo::Pattern;

pub(super) struct Words {
    /// Ascending; a word's number is its index.
    words: Texts,
    /// The words sorted by their letters from the end.
    by_ending: Vec<u32>,
    /// The start of each word's owners in `owners`, and the end of the last.
    starts: Vec<u32>,
    /// The names, by word, ascending within a word.
    owners: Vec<u32>,
    /// The start of each name's words in `in_names`, and the end of the last.
    name_starts: Vec<u32>,
    /// The words of each name in order: a folded name consists of them, separated by spaces.
    in_names: Vec<u32>,
    grams: Grams,
    sieve: Sieve,
}

impl Words {
    pub fn new(names: &Texts) -> Words {
        let (words, name_starts, in_names) = numbered(names);
        let once = (0..).zip(name_starts.array_windows()).flat_map(|(name, [from, to])| {
            let own = &in_names[*from as usize..*to as usize];
            let once = own.iter().enumerate().filter(|(place, word)| !own[..*place].contains(word));
            once.map(move |(_, word)| (*word, name))
        });
        let (starts, owners) = grouped(words.len(), once);
        let mut by_ending: Vec<u32> = (0..words.len() as u32).collect();
        by_ending.sort_unstable_by(|a, b| from_behind(words.get(*a as usize)).cmp(from_behind(words.get(*b as usize))));
        let (grams, sieve) = (Grams::new(&words), Sieve::new(&words));
        Words { words, by_ending, starts, owners, name_starts, in_names, grams, sieve }
    }

    pub fn offer_starting_with(&self, prefix: &str, best: &mut Named<'_, '_>) {
        self.owners(&self.starting_with(prefix)).iter().for_each(|name| best.offer_if(*name, || true));
    }

    pub fn offer_containing(&self, part: &str, best: &mut Named<'_, '_>) {
        self.grams.holding(part, &self.words, |word| {
            best.offer_ascending(self.owners_of(word).iter().copied(), |_| true);
            true
        });
    }

    pub fn offer_within_typos(&self, pattern: &Pattern, best: &mut Named<'_, '_>) {
        self.sieve.candidates(pattern, |word| {
            let owners = self.owners_of(word);
            if owners.first().is_some_and(|name| best.can_enter(*name)) && pattern.matches(self.text(word)) {
                best.offer_ascending(owners.iter().copied(), |_| true);
            }
        });
    }

    pub fn text(&self, word: u32) -> &str {
        self.words.get(word as usize)
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn number(&self, exact: &str) -> Option<u32> {
        let number = self.first(|word| word < exact);
        (((number as usize) < self.words.len()) && self.text(number) == exact).then_some(number)
    }

    pub fn starting_with(&self, prefix: &str) -> Range<u32> {
        self.first(|word| word < prefix)..self.first(|word| word < prefix || word.starts_with(prefix))
    }

    /// In no useful order.
    pub fn ending_with(&self, suffix: &str) -> &[u32] {
        let text = |word: &u32| self.words.get(*word as usize);
        let from = self.by_ending.partition_point(|word| from_behind(text(word)).lt(from_behind(suffix)));
        let rest = &self.by_ending[from..];
        &rest[..rest.partition_point(|word| text(word).ends_with(suffix))]
    }

    /// For a range of words; ascending if it is a single one.
    pub fn owners(&self, words: &Range<u32>) -> &[u32] {
        &self.owners[self.starts[words.start as usize] as usize..self.starts[words.end as usize] as usize]
    }

    pub fn owners_of(&self, word: u32) -> &[u32] {
        self.owners(&(word..word + 1))
    }

    pub fn of_name(&self, name: u32) -> &[u32] {
        let name = name as usize;
        &self.in_names[self.name_starts[name] as usize..self.name_starts[name + 1] as usize]
    }

    /// The folded name.
    pub fn letters_of(&self, name: u32) -> impl Iterator<Item = char> + Clone {
        let words = self.of_name(name).iter().enumerate();
        words.flat_map(|(place, word)| (place > 0).then_some(' ').into_iter().chain(self.text(*word).chars()))
    }

    pub fn names_count(&self) -> usize {
        self.name_starts.len() - 1
    }

    /// The first word for which `before` is false.
    fn first(&self, before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.words.len() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if before(self.text(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

fn from_behind(word: &str) -> impl Iterator<Item = u8> {
    word.bytes().rev()
}

/// The words in ascending order, the start of each name's words, and the words of all names by number.
fn numbered(names: &Texts) -> (Texts, Vec<u32>, Vec<u32>) {
    let mut folded = Texts::default();
    names.iter().for_each(|name| folded.push(&case_folding::name(name)));
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let (mut in_names, mut starts) = (Vec::new(), vec![0]);
    for name in folded.iter() {
        in_names.extend(name.split_terminator(' ').map(|word| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        }));
        starts.push(in_names.len() as u32);
    }
    let words = renumber(numbers, &mut in_names);
    in_names.shrink_to_fit();
    starts.shrink_to_fit();
    (words, starts, in_names)
}

/// Numbers the words in ascending order instead of order of appearance.
fn renumber(numbers: HashMap<&str, u32>, in_names: &mut [u32]) -> Texts {
    let mut sorted: Vec<(&str, u32)> = numbers.into_iter().collect();
    sorted.sort_unstable();
    let mut words = Texts::default();
    let mut places = vec![0; sorted.len()];
    for (place, (word, number)) in (0..).zip(sorted) {
        words.push(word);
        places[number as usize] = place;
    }
    words.shrink();
    in_names.iter_mut().for_each(|word| *word = places[*word as usize]);
    words
}
