//! Stock search in memory: every known listing, ranked, ignoring accents, case and typos.
//!
//! Ranks, best first: exact symbol, symbol prefix, name starting with the query, a word of the name starting with it, substring
//! of symbol or name, one typo (two from eight letters). Within a rank more followers come first, then the shorter symbol, then
//! the symbol. Stocks are numbered in that order, so "best of a rank" means "smallest number".

mod bit_set;
pub mod case_folding;
mod draft;
mod grams;
mod letters;
mod names;
mod phrase;
mod query;
mod served;
mod sieve;
mod sorted;
mod starts;
mod table;
mod texts;
mod top;
mod typo;
mod words;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

pub(crate) use draft::Draft;
use query::Query;
use reference::Reference;
pub(crate) use served::{Built, Search};
use table::{LAST_RANK, Table};

/// The maximum number of results.
pub const RESULTS_MAX: usize = 10;

/// A stock to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub symbol: String,
    pub name: Option<String>,
    pub exchange: Option<String>,
    pub kind: Option<String>,
    pub tracked: bool,
    /// Users who hold it or have it on their watchlist.
    pub followers: u32,
    /// As shown to strangers; `None` if they do not find it at all.
    pub public_followers: Option<u32>,
}

/// A search result; its texts are in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<'a> {
    pub symbol: &'a str,
    pub name: Option<&'a str>,
    pub exchange: Option<&'a str>,
    pub kind: Option<&'a str>,
    pub tracked: bool,
    pub followers: u32,
}

impl Listing {
    /// A symbol that its only follower typed, without other data.
    pub fn unconfirmed(symbol: &str) -> Listing {
        let (name, exchange, kind) = (None, None, None);
        Listing { symbol: symbol.to_owned(), name, exchange, kind, tracked: true, followers: 1, public_followers: None }
    }
}

impl From<Hit<'_>> for Listing {
    fn from(hit: Hit<'_>) -> Listing {
        Listing {
            symbol: hit.symbol.to_owned(),
            name: hit.name.map(str::to_owned),
            exchange: hit.exchange.map(str::to_owned),
            kind: hit.kind.map(str::to_owned),
            tracked: hit.tracked,
            followers: hit.followers,
            public_followers: None,
        }
    }
}

/// Built once from all listings and never changed; when listings or followers change, a new index is built.
pub struct Index {
    all: Table,
    /// For strangers: all public listings, if they are so few that filtering `all` would mostly read others; otherwise only those
    /// that rank differently for strangers than for users.
    public: Table,
    public_is_whole: bool,
    reference: Option<Supplement>,
}

/// Listings of the reference data that the index itself does not have. Strangers do not find them.
struct Supplement {
    table: Arc<Table>,
    /// `None` for all in the table.
    wanted: Option<Vec<bool>>,
}

impl Supplement {
    /// `all` of the reference data never change and are indexed once. If the index lacks so few that filtering would mostly read
    /// others, these have a table of their own. `None` if it lacks nothing.
    fn new(reference: &Reference, all: Arc<Table>, known: &Table) -> Option<Supplement> {
        let wanted = all.lacking_in(known);
        match wanted.iter().filter(|wanted| **wanted).count() {
            0 => None,
            few if few < wanted.len() / 2 => {
                let lacking: HashSet<&str> =
                    all.symbols().zip(&wanted).filter_map(|(symbol, wanted)| wanted.then_some(symbol)).collect();
                let table = Table::build(Draft::of(reference, |symbol| lacking.contains(symbol)));
                Some(Supplement { table: Arc::new(table), wanted: None })
            }
            _ => Some(Supplement { table: all, wanted: Some(wanted) }),
        }
    }
}

impl Index {
    /// Each symbol must occur once.
    pub fn build(stocks: impl Iterator<Item = Listing>) -> Index {
        Index::of(stocks.collect(), None)
    }

    /// Also finds listings of the reference data.
    pub fn build_beside(reference: &Reference, stocks: impl Iterator<Item = Listing>) -> Index {
        Index::of(stocks.collect(), Some((reference, Table::of_all(reference))))
    }

    fn of(draft: Draft, reference: Option<(&Reference, Arc<Table>)>) -> Index {
        let (public, public_is_whole) = draft.public();
        let (public, all) = (Table::build(public), Table::build(draft));
        let reference = reference.and_then(|(reference, table)| Supplement::new(reference, table, &all));
        Index { all, public, public_is_whole, reference }
    }

    /// The best matches for `q`, at most [`RESULTS_MAX`]; none for a blank query.
    pub fn search(&self, q: &str) -> Vec<Hit<'_>> {
        let Some(query) = Query::new(q) else { return Vec::new() };
        let known = self.all.hits(&query, None, LAST_RANK);
        // A rank that comes after all results cannot add one.
        let last_rank = known.last().filter(|_| known.len() == RESULTS_MAX).map_or(LAST_RANK, |(rank, _)| *rank);
        match &self.reference {
            Some(reference) => best(known, reference.table.hits(&query, reference.wanted.as_deref(), last_rank)),
            None => best(known, Vec::new()),
        }
    }

    /// The same for strangers: only public listings, in an order that reveals nothing else that users hold.
    pub fn search_public(&self, q: &str) -> Vec<Hit<'_>> {
        let Some(query) = Query::new(q) else { return Vec::new() };
        let hits = self.public.hits(&query, None, LAST_RANK);
        best(hits, if self.public_is_whole { Vec::new() } else { self.all.public_hits(&query) })
    }
}

/// The best of both sets, from the best of each with their ranks: they do not depend on what else is searched.
fn best<'a>(mut hits: Vec<(usize, Hit<'a>)>, others: Vec<(usize, Hit<'a>)>) -> Vec<Hit<'a>> {
    if !others.is_empty() {
        hits.extend(others);
        hits.sort_by_key(|(rank, hit)| (*rank, Reverse(hit.followers), hit.symbol.chars().count(), hit.symbol));
        hits.truncate(RESULTS_MAX);
    }
    hits.into_iter().map(|(_, hit)| hit).collect()
}
