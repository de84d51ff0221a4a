//! Caches what every request looks up, as long as nothing is committed.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use quick_cache::UnitWeighter;
use quick_cache::sync::Cache;

use super::wal_generation::WalGeneration;
use crate::{Error, Session, Versions};

/// For valid tokens only: misses are not cached, so that nobody fills the cache with guesses. No entry lives longer than half a
/// minute, because recording when tokens were last used is also a commit.
const SESSIONS_MAX: u64 = 16_000;
/// Initial capacity; the cache grows when needed.
const SESSIONS_INITIAL: usize = 500;

pub(crate) struct LookUpCache {
    wal: Option<WalGeneration>,
    sessions: Cache<[u8; 32], (u64, Session)>,
    versions: RwLock<Option<(u64, Versions)>>,
}

impl LookUpCache {
    pub(super) fn of(path: &Path) -> LookUpCache {
        LookUpCache {
            wal: WalGeneration::open(path),
            sessions: Cache::with_weighter(SESSIONS_INITIAL, SESSIONS_MAX, UnitWeighter),
            versions: RwLock::new(None),
        }
    }

    pub(crate) fn session(
        &self,
        hash: &[u8; 32],
        look_up: impl FnOnce() -> Result<Option<Session>, Error>,
    ) -> Result<Option<Session>, Error> {
        // Taken before the look-up, so the result may be newer than its generation but never older.
        let generation = self.generation();
        let kept = self.sessions.get(hash).filter(|(kept_at, _)| Some(*kept_at) == generation);
        if let Some((_, session)) = kept {
            return Ok(Some(session));
        }
        let found = look_up()?;
        if let (Some(generation), Some(session)) = (generation, found) {
            self.sessions.insert(*hash, (generation, session));
        }
        Ok(found)
    }

    pub(crate) fn versions(&self, look_up: impl FnOnce() -> Result<Versions, Error>) -> Result<Versions, Error> {
        let generation = self.generation();
        let kept = self.versions.read().unwrap_or_else(PoisonError::into_inner).filter(|(at, _)| Some(*at) == generation);
        if let Some((_, versions)) = kept {
            return Ok(versions);
        }
        let versions = look_up()?;
        if let Some(generation) = generation {
            *self.versions.write().unwrap_or_else(PoisonError::into_inner) = Some((generation, versions));
        }
        Ok(versions)
    }

    fn generation(&self) -> Option<u64> {
        self.wal.as_ref()?.generation()
    }
}
