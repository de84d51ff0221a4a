//! How rows are recognised when they come again: by the source's id, else by content and their place among equals.

use std::collections::HashMap;

use importers::Record;
use uuid::Uuid;

/// The rows of one file met so far.
#[derive(Default)]
pub(super) struct Identities {
    ids: HashMap<(Uuid, String), (u64, String)>,
    equals: HashMap<(Uuid, String), u64>,
}

pub(super) enum Identity {
    Of(String),
    /// The very row, id and all, stands in the file already.
    Repeated,
    /// Its id stands in the file for something else; the reason for the row's owner.
    Contradicted(String),
}

impl Identities {
    pub fn of(&mut self, portfolio_id: Uuid, record: &Record, symbol: &str, source: &str) -> Identity {
        let content = importers::content_key(record, symbol);
        let Some(id) = &record.id else {
            let ordinal = self.equals.entry((portfolio_id, content.clone())).or_default();
            *ordinal += 1;
            return Identity::Of(format!("row:{content}:{ordinal}"));
        };
        // With its source: another one may number its rows in the same way.
        let identity = format!("id:{source}:{id}");
        match self.ids.get(&(portfolio_id, identity.clone())) {
            Some((_, before)) if *before == content => Identity::Repeated,
            Some((first, _)) => Identity::Contradicted(format!("id \"{id}\" stands on line {first} too, for another event")),
            None => {
                self.ids.insert((portfolio_id, identity.clone()), (record.line, content));
                Identity::Of(identity)
            }
        }
    }
}
