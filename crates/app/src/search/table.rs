//! The listings with everything that finds them, numbered in the order in which they rank among equals.

use std::cmp::Ordering;

use super::draft::{Draft, Row};
use super::grams::Grams;
use super::phrase::Phrase;
use super::query::Query;
use super::sieve::Sieve;
use super::starts::Starts;
use super::texts::Texts;
use super::top::Top;
use super::typo::Pattern;
use super::words::Words;
use super::{Hit, fold};

pub(super) struct Table {
    symbols: Texts,
    names: Texts,
    rows: Vec<Row>,
    tracked: Vec<bool>,
    labels: Vec<Box<str>>,
    folded_symbols: Texts,
    folded_names: Texts,
    symbol_grams: Grams,
    by_symbol: Vec<u32>,
    by_name: Vec<u32>,
    words: Words,
    symbol_sieve: Sieve,
    name_starts: Starts,
}

impl Table {
    pub fn build(draft: &Draft, only_tracked: bool) -> Table {
        let order = draft.ranked(only_tracked);
        let column = |text: &dyn Fn(usize) -> String| {
            let mut column = Texts::default();
            order.iter().for_each(|index| column.push(&text(*index)));
            column.shrink();
            column
        };
        let folded_symbols = column(&|index| fold::symbol(draft.symbols.get(index)));
        let folded_names = column(&|index| fold::name(draft.names.get(index)));
        let by_name = sorted(&folded_names);
        Table {
            symbols: column(&|index| draft.symbols.get(index).to_owned()),
            names: column(&|index| draft.names.get(index).to_owned()),
            rows: order.iter().map(|index| draft.rows[*index]).collect(),
            tracked: order.iter().map(|index| draft.rows[*index].tracked).collect(),
            labels: draft.labels.clone(),
            symbol_grams: Grams::new(folded_symbols.block()),
            by_symbol: sorted(&folded_symbols),
            name_starts: Starts::new(&by_name, &folded_names),
            by_name,
            words: Words::new(&folded_names),
            symbol_sieve: Sieve::new(&folded_symbols),
            folded_symbols,
            folded_names,
        }
    }

    /// Rank after rank, until there are enough.
    pub fn search(&self, query: &Query, only_tracked: bool) -> Vec<u32> {
        let mut best = Top::new(only_tracked.then_some(&self.tracked[..]));
        let ranks = [
            Table::symbol_is,
            Table::symbol_starts,
            Table::name_starts,
            Table::word_starts,
            Table::contains,
            Table::within_typos,
        ];
        for rank in ranks {
            rank(self, query, &mut best);
            best.close_rank();
            if best.is_full() {
                break;
            }
        }
        best.into_ids()
    }

    fn symbol_is(&self, query: &Query, best: &mut Top<'_>) {
        let same = range(&self.by_symbol, &self.folded_symbols, |symbol| symbol.cmp(&query.symbol));
        same.iter().for_each(|id| best.offer(*id));
    }

    fn symbol_starts(&self, query: &Query, best: &mut Top<'_>) {
        starting_with(&self.by_symbol, &self.folded_symbols, &query.symbol).iter().for_each(|id| best.offer(*id));
    }

    fn name_starts(&self, query: &Query, best: &mut Top<'_>) {
        if !query.name.is_empty() {
            starting_with(&self.by_name, &self.folded_names, &query.name).iter().for_each(|id| best.offer(*id));
        }
    }

    fn word_starts(&self, query: &Query, best: &mut Top<'_>) {
        match (query.name.is_empty(), query.is_phrase()) {
            (true, _) => {}
            (false, false) => self.words.offer_starting_with(&query.name, best),
            // The name's first word had its turn, so the word that starts the phrase follows a space.
            (false, true) => self.phrase(query, true, best),
        }
    }

    fn contains(&self, query: &Query, best: &mut Top<'_>) {
        if self.symbol_grams.may_hold(&query.symbol) {
            best.offer_ascending(self.folded_symbols.containing(&query.symbol).map(|id| id as u32));
        }
        match (query.name.is_empty(), query.is_phrase()) {
            (true, _) => {}
            (false, false) => self.words.offer_containing(&query.name, best),
            (false, true) => self.phrase(query, false, best),
        }
    }

    /// The names that hold the query's words in a row; `at_word` where the first of them is a whole word.
    fn phrase(&self, query: &Query, at_word: bool, best: &mut Top<'_>) {
        if let Some(phrase) = Phrase::new(&self.words, &query.name, at_word) {
            phrase.offer(best);
        }
    }

    fn within_typos(&self, query: &Query, best: &mut Top<'_>) {
        if let Some(pattern) = Pattern::new(&query.symbol, query.typos_max) {
            let symbol = |id| self.folded_symbols.get(id as usize);
            self.symbol_sieve.candidates(&pattern, |id| best.offer_if(id, || pattern.matches(symbol(id))));
        }
        if let Some(pattern) = Pattern::new(&query.name, query.typos_max) {
            self.words.offer_within_typos(&pattern, best);
            if query.is_phrase() && !query.is_dotted() {
                self.name_starts_within_typos(&pattern, best);
            }
        }
    }

    fn name_starts_within_typos(&self, pattern: &Pattern, best: &mut Top<'_>) {
        let name = |id| self.folded_names.get(id as usize);
        self.name_starts.candidates(pattern, |range| {
            for id in &self.by_name[range] {
                best.offer_if(*id, || pattern.matches_start(name(*id)));
            }
        });
    }

    pub fn hit(&self, id: u32) -> Hit<'_> {
        let id = id as usize;
        let row = self.rows[id];
        let label = |label: Option<u16>| label.map(|label| &*self.labels[label as usize]);
        Hit {
            symbol: self.symbols.get(id),
            name: Some(self.names.get(id)).filter(|name| !name.is_empty()),
            exchange: label(row.exchange),
            kind: label(row.kind),
            tracked: row.tracked,
            followers: row.followers,
        }
    }
}

fn sorted(texts: &Texts) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..texts.len() as u32).collect();
    ids.sort_unstable_by_key(|id| texts.get(*id as usize));
    ids
}

fn starting_with<'a>(ids: &'a [u32], texts: &Texts, prefix: &str) -> &'a [u32] {
    range(ids, texts, |text| if text.starts_with(prefix) { Ordering::Equal } else { text.cmp(prefix) })
}

/// The stretch of sorted `ids` whose text compares as equal.
fn range<'a>(ids: &'a [u32], texts: &Texts, compare: impl Fn(&str) -> Ordering) -> &'a [u32] {
    let place = |id: &u32| compare(texts.get(*id as usize));
    let from = &ids[ids.partition_point(|id| place(id).is_lt())..];
    &from[..from.partition_point(|id| place(id).is_eq())]
}
