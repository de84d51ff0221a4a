//! Caches recent plans, so that another page of rows or a second look costs nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::Date;
use store::users;
use uuid::Uuid;

use super::{Report, Upload, find};
use crate::import::{Becomes, Describe, Fate, MissingShares, Row};
use crate::{App, Error};

const PLANS_MAX: usize = 8;
/// For all plans together, as an estimate: some 60,000 rows with only new entries.
const BYTES_MAX: usize = 16 << 20;
/// After this time a provider that did not answer is asked again.
const KEPT_MICROS: i64 = 10 * 60 * 1_000_000;

/// Everything a plan depends on: the user, the file, the answers, and the versions of the data. Any change gives another key.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub user_id: Uuid,
    pub upload: Upload,
    user_version: i64,
    market_version: i64,
    day: Date,
}

impl Key {
    /// `None` if the user has no such upload, or no longer.
    pub async fn of(app: &App, user_id: Uuid, id: Uuid) -> Result<Option<Key>, Error> {
        let market_version = app.store.versions().await?.market;
        let mut tx = app.store.read().await?;
        let Some(upload) = find(app, &mut tx, user_id, id).await? else { return Ok(None) };
        let user_version = users::by_id(&mut tx, user_id).await?.map_or(0, |user| user.version);
        Ok(Some(Key { user_id, upload, user_version, market_version, day: app.clock.today() }))
    }
}

#[derive(Default)]
pub(crate) struct Plans {
    /// Oldest first.
    kept: Mutex<VecDeque<Kept>>,
}

/// What the file would do, and what it would do with the recommended answers.
type Reports = (Arc<Report>, Option<Arc<Report>>);

struct Kept {
    key: Key,
    reports: Reports,
    bytes: usize,
    at: i64,
}

impl Plans {
    pub(super) fn get(&self, key: &Key, now: i64) -> Option<Reports> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|one| one.key == *key && now - one.at < KEPT_MICROS);
        found.map(|one| one.reports.clone())
    }

    /// Replaces an earlier plan of the same file, and evicts the oldest ones.
    pub(super) fn put(&self, key: Key, reports: Reports, now: i64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |one: &Kept| (one.key.user_id, one.key.upload.id) == (key.user_id, key.upload.id);
        kept.retain(|one| !same(one) && now - one.at < KEPT_MICROS);
        let bytes = bytes_of(&reports.0) + reports.1.as_ref().map_or(0, |report| bytes_of(report));
        kept.push_back(Kept { key, reports, bytes, at: now });
        while kept.len() > PLANS_MAX || kept.iter().map(|one| one.bytes).sum::<usize>() > BYTES_MAX {
            kept.pop_front();
        }
    }

    /// After something was learned that does not change any version.
    pub(crate) fn forget(&self, user_id: Uuid) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).retain(|one| one.key.user_id != user_id);
    }
}

fn bytes_of(report: &Report) -> usize {
    // Plus the two names of an entry.
    let entry = size_of::<Becomes>() + 32;
    let row = |row: &Row| {
        let reason = if let Fate::Skipped(reason) | Fate::Error(reason) = &row.fate { reason.heap_bytes() } else { 0 };
        size_of::<Row>() + reason + row.what.len() * entry
    };
    let problems = report.errors.iter().chain(&report.skips).map(|one| size_of_val(one) + one.reason.heap_bytes());
    let quotes = report.quotes.values().map(|quote| 64 + quote.len());
    let missing = report.missing.len() * (size_of::<MissingShares>() + 32);
    report.plan.iter().map(row).chain(problems).chain(quotes).sum::<usize>() + missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(user: u128, upload: u128) -> Key {
        let upload = Upload { id: Uuid::from_u128(upload), ..Upload::default() };
        Key { user_id: Uuid::from_u128(user), upload, user_version: 1, market_version: 1, day: Date::MIN }
    }

    fn report(rows: usize) -> Reports {
        let row = Row { line: 1, fate: Fate::Existing, what: Vec::new() };
        (Arc::new(Report { plan: vec![row; rows], ..Report::default() }), None)
    }

    #[test]
    fn a_plan_is_cached_for_ten_minutes_for_its_owner_while_nothing_changes() {
        let plans = Plans::default();
        plans.put(key(1, 7), report(1), 0);
        assert!(plans.get(&key(1, 7), KEPT_MICROS - 1).is_some());
        assert!(plans.get(&key(1, 7), KEPT_MICROS).is_none());
        assert!(plans.get(&key(2, 7), 0).is_none(), "another's");
        let mut answered = key(1, 7);
        answered.upload.keep = true;
        assert!(plans.get(&answered, 0).is_none());
        for other in [Key { user_version: 2, ..key(1, 7) }, Key { market_version: 2, ..key(1, 7) }] {
            assert!(plans.get(&other, 0).is_none());
        }
        plans.forget(Uuid::from_u128(2));
        assert!(plans.get(&key(1, 7), 0).is_some());
        plans.forget(Uuid::from_u128(1));
        assert!(plans.get(&key(1, 7), 0).is_none());
    }

    #[test]
    fn the_plan_cache_is_bounded_by_count_and_size() {
        let plans = Plans::default();
        for upload in 0..9 {
            plans.put(key(1, upload), report(1), 0);
        }
        assert!(plans.get(&key(1, 0), 0).is_none() && plans.get(&key(1, 1), 0).is_some());
        let most = BYTES_MAX / size_of::<Row>();
        plans.put(key(1, 20), report(most - 1), 0);
        assert!(plans.get(&key(1, 8), 0).is_some() && plans.get(&key(1, 7), 0).is_none(), "all together count");
        plans.put(key(1, 21), report(most + 1), 0);
        assert!(plans.get(&key(1, 21), 0).is_none());
    }

    #[test]
    fn the_cache_keeps_one_plan_per_file() {
        let plans = Plans::default();
        plans.put(key(1, 7), report(1), 0);
        plans.put(Key { user_version: 2, ..key(1, 7) }, report(1), 0);
        assert!(plans.get(&key(1, 7), 0).is_none());
    }
}
