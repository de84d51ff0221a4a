//! Several entries that a user works on together.

use std::collections::HashSet;

use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use crate::entries::filter::{Filter, matching};
use crate::entries::reinvested;
use crate::{Error, refusal};

#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// With these sequences. Those that are gone, or another user's, do not count.
    These(Vec<i64>),
    /// Everything that the filter lists, as long as it still lists as many as the user saw.
    Matching { filter: Box<Filter>, count: usize },
}

pub const SELECTED_MAX: usize = 10_000;

impl Selection {
    /// In the order of the list; then the purchases that reinvest dividends among them.
    pub(in crate::entries) async fn load(&self, tx: &mut Tx, user_id: Uuid) -> Result<Vec<Entry>, Error> {
        let mut seen = HashSet::new();
        let sequences: Vec<i64> = match self {
            Selection::These(sequences) => sequences.iter().copied().filter(|sequence| seen.insert(*sequence)).collect(),
            Selection::Matching { filter, count } => {
                let found = matching(tx, user_id, filter).await?;
                if found.len() != *count {
                    return Err(refusal::Entry::ListChanged.into());
                }
                found
            }
        };
        if sequences.len() > SELECTED_MAX {
            return Err(refusal::Entry::TooManySelected { max: SELECTED_MAX }.into());
        }
        let entries = entries::some(tx, user_id, &sequences).await?;
        if entries.is_empty() {
            return Err(refusal::Entry::NoneSelected.into());
        }
        reinvested::with_own_purchases(tx, user_id, entries).await
    }
}
