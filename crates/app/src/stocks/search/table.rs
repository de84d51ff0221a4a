//! The listings with all their indexes, numbered in the order in which they rank among equals.

use std::cmp::Ordering;
use std::sync::Arc;

use reference::Reference;

use super::draft::{Draft, Label, Labels};
use super::grams::Grams;
use super::names::{Named, Names};
use super::phrase::Phrase;
use super::query::Query;
use super::sieve::Sieve;
use super::sorted::{range, sorted};
use super::starts::Starts;
use super::texts::Texts;
use super::top::Top;
use super::typo::Pattern;
use super::words::Words;
use super::{Hit, case_folding};

/// From 0, the best.
pub(super) const LAST_RANK: usize = 5;

pub(super) struct Table {
    symbols: Texts,
    exchanges_and_kinds: Vec<[Option<Label>; 2]>,
    labels: Labels,
    tracked: Vec<bool>,
    /// Whether strangers find it, with the same rank as here.
    public: Vec<bool>,
    /// Only of those with any followers: they come first.
    followers: Vec<u32>,
    folded_symbols: Texts,
    by_symbol: Vec<u32>,
    symbol_grams: Grams,
    symbol_sieve: Sieve,
    names: Names,
    words: Words,
    by_name: Vec<u32>,
    name_starts: Starts,
}

impl Table {
    /// Drops each part of the draft as soon as it is no longer needed, to save memory.
    pub fn of_all(reference: &Reference) -> Arc<Table> {
        Arc::new(Table::build(Draft::of(reference, |_| true)))
    }

    pub fn build(draft: Draft) -> Table {
        let order = draft.ranked();
        let rows = || order.iter().map(|index| draft.rows[*index as usize]);
        let exchanges_and_kinds = rows().map(|row| [row.exchange, row.kind]).collect();
        let tracked = rows().map(|row| row.tracked).collect();
        let public = rows().map(|row| row.public_followers == Some(row.followers)).collect();
        let followers = rows().map(|row| row.followers).take_while(|followers| *followers > 0).collect();
        let Draft { symbols, names, rows: _, labels } = draft;
        let names = Names::new(order.iter().map(|index| names.get(*index as usize)));
        let (symbols, folded_symbols) = in_order(&order, symbols);
        drop(order);
        let words = Words::new(names.texts());
        let mut by_name: Vec<u32> = (0..words.names_count() as u32).collect();
        // The space sorts before letters, so ordering by words is the same as ordering by folded names.
        by_name.sort_unstable_by_key(|name| words.of_name(*name));
        Table {
            exchanges_and_kinds,
            labels,
            tracked,
            public,
            followers,
            by_symbol: sorted(&folded_symbols),
            symbol_grams: Grams::new(&folded_symbols),
            symbol_sieve: Sieve::new(&folded_symbols),
            symbols,
            folded_symbols,
            name_starts: Starts::new((0..words.names_count() as u32).map(|name| words.letters_of(name))),
            names,
            words,
            by_name,
        }
    }

    /// The best matches with their ranks, up to `last_rank`; only of those `wanted`, if given.
    pub fn hits(&self, query: &Query, wanted: Option<&[bool]>, last_rank: usize) -> Vec<(usize, Hit<'_>)> {
        let mut best = Top::new(wanted);
        let mut ranks = Vec::new();
        let all: [fn(&Table, &Query, &mut Top<'_>); LAST_RANK + 1] = [
            Table::symbol_is,
            Table::symbol_starts,
            Table::name_starts,
            Table::word_starts,
            Table::contains,
            Table::within_typos,
        ];
        for (rank, offer) in all.into_iter().take(last_rank + 1).enumerate() {
            offer(self, query, &mut best);
            best.close_rank();
            ranks.resize(best.len(), rank);
            if best.is_full() {
                break;
            }
        }
        ranks.into_iter().zip(best.into_ids().into_iter().map(|id| self.hit(id))).collect()
    }

    /// The best matches of those that strangers find.
    pub fn public_hits(&self, query: &Query) -> Vec<(usize, Hit<'_>)> {
        self.hits(query, Some(&self.public), LAST_RANK)
    }

    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        (0..self.tracked.len()).map(|id| self.symbols.get(id))
    }

    /// Which of these listings the other table does not have.
    pub fn lacking_in(&self, other: &Table) -> Vec<bool> {
        let mut lacking = vec![true; self.tracked.len()];
        for id in 0..other.tracked.len() {
            let same = self.with_symbol(other.folded_symbols.get(id)).iter().map(|id| *id as usize);
            let same = same.filter(|own| self.symbols.get(*own) == other.symbols.get(id));
            same.for_each(|own| lacking[own] = false);
        }
        lacking
    }

    fn with_symbol(&self, folded: &str) -> &[u32] {
        range(&self.by_symbol, |id| self.folded_symbols.get(id as usize).cmp(folded))
    }

    fn symbol_is(&self, query: &Query, best: &mut Top<'_>) {
        self.with_symbol(&query.symbol).iter().for_each(|id| best.offer(*id));
    }

    fn symbol_starts(&self, query: &Query, best: &mut Top<'_>) {
        let start = &*query.symbol;
        let starting = range(&self.by_symbol, |id| {
            let symbol = self.folded_symbols.get(id as usize);
            if symbol.starts_with(start) { Ordering::Equal } else { symbol.cmp(start) }
        });
        starting.iter().for_each(|id| best.offer(*id));
    }

    fn name_starts(&self, query: &Query, best: &mut Top<'_>) {
        if !query.name.is_empty() {
            let mut best = self.named(best);
            self.starting_with(&query.name).iter().for_each(|name| best.offer_if(*name, || true));
        }
    }

    fn word_starts(&self, query: &Query, best: &mut Top<'_>) {
        match (query.name.is_empty(), query.is_phrase()) {
            (true, _) => {}
            (false, false) => self.words.offer_starting_with(&query.name, &mut self.named(best)),
            // The first word of the name was already checked, so the word that starts the phrase follows a space.
            (false, true) => self.phrase(query, true, best),
        }
    }

    fn contains(&self, query: &Query, best: &mut Top<'_>) {
        self.symbol_grams.holding(&query.symbol, &self.folded_symbols, |id| {
            best.offer(id);
            best.can_enter(id)
        });
        match (query.name.is_empty(), query.is_phrase()) {
            (true, _) => {}
            (false, false) => self.words.offer_containing(&query.name, &mut self.named(best)),
            (false, true) => self.phrase(query, false, best),
        }
    }

    /// The names that contain the query's words consecutively; with `at_word` the first of them is a complete word.
    fn phrase(&self, query: &Query, at_word: bool, best: &mut Top<'_>) {
        if let Some(phrase) = Phrase::new(&self.words, &query.name, at_word) {
            phrase.offer(&mut self.named(best));
        }
    }

    fn within_typos(&self, query: &Query, best: &mut Top<'_>) {
        if let Some(pattern) = Pattern::new(&query.symbol, query.typos_max) {
            let symbol = |id| self.folded_symbols.get(id as usize);
            self.symbol_sieve.candidates(&pattern, |id| best.offer_if(id, || pattern.matches(symbol(id))));
        }
        if let Some(pattern) = Pattern::new(&query.name, query.typos_max) {
            let mut best = self.named(best);
            self.words.offer_within_typos(&pattern, &mut best);
            if query.is_phrase() && !query.is_dotted() {
                self.name_starts_within_typos(&pattern, &mut best);
            }
        }
    }

    fn name_starts_within_typos(&self, pattern: &Pattern, best: &mut Named<'_, '_>) {
        self.name_starts.candidates(pattern, |name| {
            best.offer_if(name, || pattern.matches_start(self.words.letters_of(name)));
            best.can_enter(name)
        });
    }

    fn named<'a, 'b>(&'a self, best: &'a mut Top<'b>) -> Named<'a, 'b> {
        Named { names: &self.names, best }
    }

    /// The names that start with these words; the last may be incomplete.
    fn starting_with(&self, start: &str) -> &[u32] {
        let (before, last) = start.rsplit_once(' ').unwrap_or(("", start));
        let before: Option<Vec<u32>> = before.split_terminator(' ').map(|word| self.words.number(word)).collect();
        let Some(before) = before else { return &[] };
        let last = self.words.starting_with(last);
        range(&self.by_name, |name| {
            let words = self.words.of_name(name);
            let (lead, rest) = words.split_at(before.len().min(words.len()));
            lead.cmp(&before).then_with(|| match rest.first() {
                Some(next) if *next >= last.end => Ordering::Greater,
                Some(next) if *next >= last.start => Ordering::Equal,
                _ => Ordering::Less,
            })
        })
    }

    fn hit(&self, id: u32) -> Hit<'_> {
        let id = id as usize;
        let [exchange, kind] = self.exchanges_and_kinds[id].map(|label| label.map(|label| self.labels.text(label)));
        Hit {
            symbol: self.symbols.get(id),
            name: Some(self.names.of_listing(id)).filter(|name| !name.is_empty()),
            exchange,
            kind,
            tracked: self.tracked[id],
            followers: self.followers.get(id).copied().unwrap_or_default(),
        }
    }
}

/// The originals, and folded.
fn in_order(order: &[u32], drafted: Texts) -> (Texts, Texts) {
    let (mut symbols, mut folded) = (Texts::default(), Texts::default());
    for symbol in order.iter().map(|index| drafted.get(*index as usize)) {
        symbols.push(symbol);
        folded.push(&case_folding::symbol(symbol));
    }
    symbols.shrink();
    folded.shrink();
    (symbols, folded)
}
