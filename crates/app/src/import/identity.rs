//! How rows are recognised when they come again: by the source's id, else by content and their place among equals.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use importers::{Content, Record};
use uuid::Uuid;

use super::reason::Reason;

/// The rows of one file met so far.
#[derive(Default)]
pub(super) struct Identities {
    /// PortfolioResolver among the rows with an id.
    ids: HashMap<(Uuid, String), usize>,
    with_id: Vec<(u64, Content)>,
    equals: HashMap<(Uuid, String), u64>,
}

pub(super) enum Identity {
    Of(String),
    /// The very row, id and all, stands in the file already, on this line.
    Repeated(u64),
    /// Its id stands in the file for something else.
    Contradicted(Reason),
}

impl Identities {
    pub fn identify(&mut self, portfolio_id: Uuid, record: &Record, symbol: &str, namespace: &str) -> Identity {
        let Some(id) = &record.id else {
            let content = importers::content_key(record, symbol);
            let ordinal = self.equals.entry((portfolio_id, content.clone())).or_default();
            *ordinal += 1;
            return Identity::Of(by_content(&content, *ordinal));
        };
        let content = Content::of(record, symbol);
        // With its source: another one may number its rows in the same way. A row can give two entries.
        let identity = by_id(namespace, id, record.second);
        match self.ids.entry((portfolio_id, identity.clone())) {
            Entry::Occupied(there) => match &self.with_id[*there.get()] {
                (first, before) if *before == content => Identity::Repeated(*first),
                (first, _) => Identity::Contradicted(Reason::IdTwice { id: id.as_str().into(), line: *first }),
            },
            Entry::Vacant(free) => {
                free.insert(self.with_id.len());
                self.with_id.push((record.line, content));
                Identity::Of(identity)
            }
        }
    }
}

pub(crate) fn by_id(namespace: &str, id: &str, second: bool) -> String {
    ["id:", namespace, ":", id, if second { ":second" } else { "" }].concat()
}

fn by_content(content: &str, ordinal: u64) -> String {
    format!("row:{content}:{ordinal}")
}

/// The identity of an entry that was recognised by its content, now that its symbol is another: the first place among its
/// new equals that nobody has. Entries with an id of their source keep their identity.
pub(super) fn moved(identity: &str, record: &Record, symbol: &str, places: &mut Taken) -> String {
    if !identity.starts_with("row:") {
        return identity.to_owned();
    }
    let content = importers::content_key(record, symbol);
    let next = places.next.entry(content.clone()).or_insert(1);
    let free = (*next..).find(|ordinal| !places.identities.contains(&by_content(&content, *ordinal))).unwrap_or(*next);
    *next = free + 1;
    by_content(&content, free)
}

/// The identities of one portfolio.
#[derive(Default)]
pub(super) struct Taken {
    pub identities: HashSet<String>,
    /// By content, the first place that may be free.
    next: HashMap<String, u64>,
}

impl Taken {
    /// Its place is free again.
    pub fn leave(&mut self, identity: &str) {
        self.identities.remove(identity);
        self.next.clear();
    }
}
