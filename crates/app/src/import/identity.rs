//! How rows are recognised when they are imported again: by the source's id, else by content and their position among equal rows.
//! Which purchases reinvest which dividends.

use std::collections::hash_map;
use std::collections::{HashMap, HashSet};

use importers::{Content, Kind, Record};
use store::entries::Entry;
use uuid::Uuid;

use super::reason::Reason;
use crate::entries::reference::reference_by;

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
            hash_map::Entry::Occupied(there) => match &self.with_id[*there.get()] {
                (first, before) if *before == content => Identity::Repeated(*first),
                (first, _) => Identity::Contradicted(Reason::IdTwice { id: id.as_str().into(), line: *first }),
            },
            hash_map::Entry::Vacant(free) => {
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

/// The purchases of a file that reinvest one of its dividends.
#[derive(Default)]
pub(super) struct Reinvestments {
    /// By the number that a dividend shares with its purchase: its lot, and what refers to it.
    dividends: HashMap<usize, (Uuid, String, String)>,
    /// By portfolio and identity.
    purchases: HashMap<(Uuid, String), usize>,
}

impl Reinvestments {
    /// A row of the file, whether it is new or not.
    pub fn add(&mut self, record: &Record, portfolio_id: Uuid, symbol: &str, source: &str, identity: &str) {
        match (record.reinvestment, record.kind) {
            (Some(number), Kind::Dividend) => {
                let reference = reference_by(source, record.id.as_deref(), record.ex_date, identity);
                self.dividends.insert(number, (portfolio_id, symbol.to_owned(), reference));
            }
            (Some(number), Kind::Buy) => drop(self.purchases.insert((portfolio_id, identity.to_owned()), number)),
            _ => {}
        }
    }

    pub fn link(&self, entries: &mut [Entry]) {
        if self.purchases.is_empty() {
            return;
        }
        for entry in entries {
            let number = self.purchases.get(&(entry.portfolio_id, entry.identity.clone()));
            let dividend = number.and_then(|number| self.dividends.get(number));
            let of_lot =
                dividend.filter(|(portfolio_id, symbol, _)| (*portfolio_id, symbol) == (entry.portfolio_id, &entry.symbol));
            entry.reinvests = of_lot.map(|(.., reference)| reference.clone());
        }
    }
}
