//! What recording a draft changes: an entry, and the purchases that reinvest it.

use std::collections::HashSet;

use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use super::reference::reference;
use crate::Error;

/// The entry comes first, then its purchases.
pub(super) struct Change {
    /// Empty for a new entry.
    pub before: Vec<Entry>,
    pub after: Vec<Entry>,
}

impl Change {
    pub fn entry(&self) -> &Entry {
        &self.after[0]
    }

    /// What the purchases need to refer to their dividend.
    pub fn link(&mut self) {
        if let Some((dividend, purchases)) = self.after.split_first_mut() {
            link(purchases, dividend);
        }
    }

    /// The same if the dividend was taken from the change.
    pub fn link_to(&mut self, dividend: &Entry) {
        link(&mut self.after, dividend);
    }

    pub async fn store(&self, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
        let kept: HashSet<i64> = self.after.iter().map(|entry| entry.sequence).collect();
        let known: HashSet<i64> = self.before.iter().map(|entry| entry.sequence).collect();
        for gone in known.difference(&kept) {
            entries::delete(tx, user_id, *gone).await?;
        }
        let (changed, new): (Vec<Entry>, Vec<Entry>) = self.after.iter().cloned().partition(|one| known.contains(&one.sequence));
        for entry in changed {
            entries::update(tx, user_id, &entry).await?;
        }
        Ok(entries::add(tx, user_id, &new).await?)
    }
}

fn link(purchases: &mut [Entry], dividend: &Entry) {
    for purchase in purchases {
        purchase.reinvests = Some(reference(dividend));
    }
}
