//! What every request looks up, kept in memory for as long as nothing is committed.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use quick_cache::UnitWeighter;
use quick_cache::sync::Cache;

use super::wal_generation::WalGeneration;
use crate::{Error, Session, Versions};

/// Of live tokens alone: what is not found is not kept, so that nobody fills this with guesses. None is believed for longer than half a
/// minute, as the notes of when tokens were last used are a commit, too.
const SESSIONS_MAX: u64 = 16_000;
/// Room is made for so many at once; more comes with them.
const SESSIONS_FEW: usize = 500;

pub(crate) struct Remembered {
    mark: Option<WalGeneration>,
    sessions: Cache<[u8; 32], (u64, Session)>,
    versions: RwLock<Option<(u64, Versions)>>,
}

impl Remembered {
    pub(super) fn of(path: &Path) -> Remembered {
        Remembered {
            mark: WalGeneration::open(path),
            sessions: Cache::with_weighter(SESSIONS_FEW, SESSIONS_MAX, UnitWeighter),
            versions: RwLock::new(None),
        }
    }

    pub(crate) fn session(
        &self,
        hash: &[u8; 32],
        look_up: impl FnOnce() -> Result<Option<Session>, Error>,
    ) -> Result<Option<Session>, Error> {
        // Taken before the look-up, which may then know more than it is kept under, never less.
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
        self.mark.as_ref()?.generation()
    }
}
