//! The distinct words of all names, who has them, and in which order.

use std::collections::HashMap;
use std::ops::Range;

use super::grams::Grams;
use super::sieve::Sieve;
use super::texts::Texts;
use super::top::Top;
use super::typo::Pattern;

pub(super) struct Words {
    /// Ascending; a word's number is its place.
    words: Texts,
    /// Where each word's owners start in `owners`, and the end of the last.
    starts: Vec<u32>,
    /// Word by word, ascending inside a word.
    owners: Vec<u32>,
    /// Where each name's words start in `in_names`, and the end of the last.
    name_starts: Vec<u32>,
    /// The words of each name in their order.
    in_names: Vec<u32>,
    grams: Grams,
    sieve: Sieve,
}

impl Words {
    pub fn new(names: &Texts) -> Words {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let (mut in_names, mut name_starts) = (Vec::new(), vec![0]);
        for name in names.iter() {
            in_names.extend(name.split_terminator(' ').map(|word| {
                let next = numbers.len() as u32;
                *numbers.entry(word).or_insert(next)
            }));
            name_starts.push(in_names.len() as u32);
        }
        let words = renumber(numbers, &mut in_names);
        in_names.shrink_to_fit();
        name_starts.shrink_to_fit();
        let (starts, owners) = owners(words.len(), &name_starts, &in_names);
        let (grams, sieve) = (Grams::new(words.block()), Sieve::new(&words));
        Words { words, starts, owners, name_starts, in_names, grams, sieve }
    }

    pub fn offer_starting_with(&self, prefix: &str, best: &mut Top<'_>) {
        self.owners(&self.starting_with(prefix)).iter().for_each(|id| best.offer(*id));
    }

    pub fn offer_containing(&self, part: &str, best: &mut Top<'_>) {
        for word in self.holding(part) {
            best.offer_ascending(self.owners(&(word..word + 1)).iter().copied());
        }
    }

    pub fn offer_within_typos(&self, pattern: &Pattern, best: &mut Top<'_>) {
        self.sieve.candidates(pattern, |word| {
            let owners = self.owners(&(word..word + 1));
            if owners.first().is_some_and(|id| best.has_room_for(*id)) && pattern.matches(self.text(word)) {
                best.offer_ascending(owners.iter().copied());
            }
        });
    }

    pub fn text(&self, word: u32) -> &str {
        self.words.get(word as usize)
    }

    pub fn number(&self, exact: &str) -> Option<u32> {
        let number = self.first(|word| word < exact);
        (self.text_or_none(number)? == exact).then_some(number)
    }

    pub fn starting_with(&self, prefix: &str) -> Range<u32> {
        self.first(|word| word < prefix)..self.first(|word| word < prefix || word.starts_with(prefix))
    }

    /// The words that hold `part`, ascending.
    pub fn holding<'a>(&'a self, part: &str) -> impl Iterator<Item = u32> + use<'a> {
        let scan = self.grams.may_hold(part).then(|| self.words.containing(part));
        scan.into_iter().flatten().map(|word| word as u32)
    }

    /// Of a stretch of words; ascending if it is one.
    pub fn owners(&self, words: &Range<u32>) -> &[u32] {
        &self.owners[self.starts[words.start as usize] as usize..self.starts[words.end as usize] as usize]
    }

    pub fn of_name(&self, id: u32) -> &[u32] {
        let id = id as usize;
        &self.in_names[self.name_starts[id] as usize..self.name_starts[id + 1] as usize]
    }

    pub fn names_count(&self) -> usize {
        self.name_starts.len() - 1
    }

    fn text_or_none(&self, word: u32) -> Option<&str> {
        ((word as usize) < self.words.len()).then(|| self.text(word))
    }

    /// The first word that is not `before`.
    fn first(&self, before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.words.len() as u32);
        while low < high {
            let middle = low.midpoint(high);
            if before(self.text(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Numbers the words in ascending order instead of as they came.
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

/// Who has each word, each once: where every word's owners start, and the owners.
fn owners(words_count: usize, name_starts: &[u32], in_names: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let pairs = || {
        (0..).zip(name_starts.windows(2)).flat_map(|(id, ends)| {
            let name = &in_names[ends[0] as usize..ends[1] as usize];
            let once = name.iter().enumerate().filter(|(place, word)| !name[..*place].contains(word));
            once.map(move |(_, word)| (*word as usize, id))
        })
    };
    let mut starts = vec![0; words_count + 1];
    pairs().for_each(|(word, _)| starts[word + 1] += 1);
    (0..words_count).for_each(|word| starts[word + 1] += starts[word]);
    let mut owners = vec![0; starts[words_count] as usize];
    let mut next = starts.clone();
    for (word, id) in pairs() {
        owners[next[word] as usize] = id;
        next[word] += 1;
    }
    (starts, owners)
}
