//! Rows whose entries do not fit the ledger: whose fault it is, and what goes with them.

use std::collections::{HashMap, HashSet};

use store::entries::Entry;

use super::check::Conflict;
use super::reason::{Inconsistency, Reason};
use super::report::{Fate, Row};

/// The row of each new entry, by sequence.
pub(super) struct RowOf {
    pub first: i64,
    pub rows: Vec<usize>,
}

impl RowOf {
    /// The sequence of the next entry.
    pub fn next(&self) -> i64 {
        self.first + self.rows.len() as i64
    }

    pub fn get(&self, sequence: i64) -> Option<usize> {
        self.rows.get(usize::try_from(sequence.checked_sub(self.first)?).ok()?).copied()
    }
}

/// The row whose entry does not fit, else the first row of the same lot.
pub(super) fn blamed(row_of: &RowOf, conflict: &Conflict) -> Option<usize> {
    let own = conflict.sequence.and_then(|sequence| row_of.get(sequence));
    own.or_else(|| row_of.get(conflict.first_new?))
}

/// The rows to leave out of these lots, and why. If only entries recorded earlier no longer fit, it is the first row.
pub(super) fn misfits(conflicts: &[Conflict], row_of: &RowOf) -> HashMap<usize, Reason> {
    let mut misfits = HashMap::new();
    for conflict in conflicts {
        let Conflict { lot, currency, splits, fx, .. } = conflict;
        let reason = |cause| Reason::Ledger(Box::new(Inconsistency::new(&lot.symbol, cause)));
        let wrong = ledger::misfits(&lot.entries, *currency, splits, fx);
        let new = wrong.iter().filter_map(|(sequence, cause)| Some((row_of.get(*sequence)?, reason(cause))));
        let before = misfits.len();
        misfits.extend(new);
        if misfits.len() == before {
            misfits.extend(blamed(row_of, conflict).map(|row| (row, reason(&conflict.cause))));
        }
    }
    misfits
}

/// Skips these rows, with all that belongs to them.
pub(super) fn leave_out(rows: &mut [Row], entries: &mut Vec<Entry>, row_of: &RowOf, gone: &HashMap<usize, Reason>) {
    let lines: HashSet<u64> = gone.keys().map(|at| rows[*at].line).collect();
    let part = |line| Fate::Skipped(importers::Reason::PartOf { line }.into());
    for at in 0..rows.len() {
        let fate = match (gone.get(&at), &rows[at].fate) {
            (Some(reason), _) => Some(Fate::Skipped(reason.clone().skipped())),
            (None, Fate::Part(number)) => {
                let entry = usize::try_from(*number).ok().and_then(|number| row_of.rows.get(number.checked_sub(1)?));
                entry.filter(|entry| gone.contains_key(entry)).map(|entry| part(rows[*entry].line))
            }
            (None, Fate::Skipped(Reason::File(importers::Reason::PartOfError { line }))) if lines.contains(line) => {
                Some(part(*line))
            }
            _ => None,
        };
        if let Some(fate) = fate {
            rows[at].fate = fate;
        }
    }
    entries.retain(|entry| row_of.get(entry.sequence).is_none_or(|row| !gone.contains_key(&row)));
}

/// Blames the row whose entry does not fit or, if an earlier entry no longer fits, the first row of the same lot. Returns its
/// line.
pub(super) fn blame(rows: &mut [Row], row_of: &RowOf, conflict: &Conflict) -> Option<u64> {
    let own = conflict.sequence.and_then(|sequence| row_of.get(sequence));
    let problem = Box::new(Inconsistency::new(&conflict.lot.symbol, &conflict.cause));
    let reason = match own {
        Some(_) => Reason::Ledger(problem),
        None => Reason::BreaksRecorded { problem },
    };
    let row = rows.get_mut(blamed(row_of, conflict).unwrap_or(0))?;
    row.fate = match &row.fate {
        Fate::Error(before) => Fate::Error(before.clone().with(reason)),
        _ => Fate::Error(reason),
    };
    Some(row.line)
}
