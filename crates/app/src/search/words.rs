//! The distinct words of all names, and who has them.

use std::collections::HashMap;
use std::ops::Range;

use super::members::Members;
use super::sieve::Sieve;
use super::texts::Texts;
use super::top::Top;
use super::typo::Pattern;

/// So many names are read faster than the words that end alike are gathered.
const CANDIDATES_FEW: usize = 1_000;

pub(super) struct Words {
    /// How many names there are.
    names: usize,
    /// Ascending.
    words: Texts,
    /// Where each word's owners start in `owners`, and the end of the last.
    starts: Vec<u32>,
    /// Word by word, ascending inside a word.
    owners: Vec<u32>,
    sieve: Sieve,
}

impl Words {
    pub fn new(names: &Texts) -> Words {
        let mut owners_of: HashMap<&str, Vec<u32>> = HashMap::new();
        for (id, name) in names.iter().enumerate() {
            for word in name.split_terminator(' ') {
                let owners = owners_of.entry(word).or_default();
                if owners.last() != Some(&(id as u32)) {
                    owners.push(id as u32);
                }
            }
        }
        let mut sorted: Vec<_> = owners_of.into_iter().collect();
        sorted.sort_unstable_by_key(|(word, _)| *word);
        let mut words = Texts::default();
        let mut starts = vec![0];
        let mut owners = Vec::with_capacity(sorted.iter().map(|(_, owners)| owners.len()).sum());
        for (word, ids) in sorted {
            words.push(word);
            owners.extend(ids);
            starts.push(owners.len() as u32);
        }
        words.shrink();
        starts.shrink_to_fit();
        Words { names: names.len(), sieve: Sieve::new(&words), words, starts, owners }
    }

    pub fn starting_with(&self, prefix: &str, best: &mut Top<'_>) {
        self.owners(self.prefix_range(prefix)).iter().for_each(|id| best.offer(*id));
    }

    pub fn containing(&self, part: &str, best: &mut Top<'_>) {
        for word in self.words.containing(part) {
            best.offer_ascending(self.owners(word..word + 1).iter().copied());
        }
    }

    pub fn within_typos(&self, pattern: &Pattern, best: &mut Top<'_>) {
        self.sieve.candidates(pattern, |word| {
            let word = word as usize;
            let owners = self.owners(word..word + 1);
            if owners.first().is_some_and(|id| best.has_room_for(*id)) && pattern.matches(self.words.get(word)) {
                best.offer_ascending(owners.iter().copied());
            }
        });
    }

    /// Those who have every word of the phrase, ascending: the first perhaps cut off in front unless `first_whole`, the
    /// last perhaps only begun. Whether the words stand in a row is still to be seen.
    pub fn phrase_candidates(&self, phrase: &str, first_whole: bool) -> Vec<u32> {
        let (first, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
        let (middle, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let mut whole: Vec<&str> = middle.split_terminator(' ').chain(first_whole.then_some(first)).collect();
        whole.sort_unstable();
        whole.dedup();
        let last = self.owners(self.prefix_range(last));
        let whole: Vec<&[u32]> = whole.into_iter().map(|word| self.owners(self.exact_range(word))).collect();
        if last.is_empty() || whole.iter().any(|owners| owners.is_empty()) {
            return Vec::new();
        }
        let mut all = Members::of(self.names, last);
        whole.iter().for_each(|owners| all.keep(&Members::of(self.names, *owners)));
        if !first_whole && all.len() > CANDIDATES_FEW {
            let ending = self.words.ending_with(first).flat_map(|word| self.owners(word..word + 1));
            all.keep(&Members::of(self.names, ending));
        }
        all.ascending()
    }

    fn owners(&self, words: Range<usize>) -> &[u32] {
        &self.owners[self.starts[words.start] as usize..self.starts[words.end] as usize]
    }

    fn prefix_range(&self, prefix: &str) -> Range<usize> {
        let start = self.first(|word| word < prefix);
        start..self.first(|word| word < prefix || word.starts_with(prefix))
    }

    fn exact_range(&self, exact: &str) -> Range<usize> {
        self.first(|word| word < exact)..self.first(|word| word <= exact)
    }

    /// The first word that is not `before`.
    fn first(&self, before: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.words.len());
        while low < high {
            let middle = low.midpoint(high);
            if before(self.words.get(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}
