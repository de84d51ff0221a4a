//! How rows are recognised when they are imported again: by the source's id, else by content and their position among equal rows.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use importers::{Content, Record};
use uuid::Uuid;

use super::reason::Reason;

/// The rows of one file seen so far.
#[derive(Default)]
pub(super) struct Identities {
    /// Position among the rows with an id.
    ids: HashMap<(Uuid, String), usize>,
    with_id: Vec<(u64, Content)>,
    equals: HashMap<(Uuid, String), u64>,
}

pub(super) enum Identity {
    Of(String),
    /// The identical row, including its id, is already in the file, on this line.
    Repeated(u64),
    /// Its id is used in the file for something else.
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
        // Includes the source, because another one may use the same numbers. A row can have two entries.
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

/// The identity of an entry that was recognised by its content, after its symbol has changed: the first free position among its
/// new equals. Entries with a source id keep their identity.
pub(super) fn moved(identity: &str, record: &Record, symbol: &str, taken: &mut Taken) -> String {
    if !identity.starts_with("row:") {
        return identity.to_owned();
    }
    let content = importers::content_key(record, symbol);
    let next = taken.next.entry(content.clone()).or_insert(1);
    let free = (*next..).find(|ordinal| !taken.identities.contains(&by_content(&content, *ordinal))).unwrap_or(*next);
    *next = free + 1;
    by_content(&content, free)
}

/// The identities in one portfolio.
#[derive(Default)]
pub(super) struct Taken {
    pub identities: HashSet<String>,
    /// By content, the first position that may be free.
    next: HashMap<String, u64>,
}

impl Taken {
    /// Its position becomes free again.
    pub fn leave(&mut self, identity: &str) {
        self.identities.remove(identity);
        self.next.clear();
    }
}
