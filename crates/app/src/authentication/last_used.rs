//! Records when tokens were last used, to the minute, without a write per request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use store::{Store, Tx, WriteLock, tokens};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{App, Error};

const MINUTE_MICROS: i64 = 60_000_000;

/// How long a request waits to record that it was here.
const WRITE_TIMEOUT: Duration = Duration::from_millis(50);

/// A write transaction for something that can also be recorded next time; `None` if others are writing, because no request should
/// fail for that.
pub(crate) async fn writer_if_free(app: &App, user_id: Uuid) -> Option<Tx> {
    timeout(WRITE_TIMEOUT, app.store.write_for(user_id)).await.ok()?.ok()
}

#[derive(Default)]
pub(crate) struct LastUsed {
    /// The minute of last use, for each token used since the last save.
    unsaved: Mutex<HashMap<Uuid, u32>>,
}

impl LastUsed {
    pub fn note(&self, token_id: Uuid, now_micros: i64) {
        let minute = u32::try_from(now_micros / MINUTE_MICROS).unwrap_or_default();
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).insert(token_id, minute);
    }

    /// Saves everything recorded since the last time in one transaction, or does nothing. What cannot be saved is kept for the
    /// next time. Returns how many tokens were updated.
    pub async fn save(&self, store: &Store) -> Result<u64, Error> {
        let noted = std::mem::take(&mut *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner));
        let saved = write(store, &noted).await;
        if saved.is_err() {
            let mut unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
            for (token_id, minute) in noted {
                unsaved.entry(token_id).or_insert(minute);
            }
        }
        saved
    }
}

async fn write(store: &Store, noted: &HashMap<Uuid, u32>) -> Result<u64, Error> {
    if noted.is_empty() {
        return Ok(0);
    }
    let mut uses: Vec<(Uuid, i64)> =
        noted.iter().map(|(token_id, minute)| (*token_id, i64::from(*minute) * MINUTE_MICROS)).collect();
    // All nodes use the same order, so that they do not deadlock.
    uses.sort_unstable();
    let mut tx = store.write_in(WriteLock::Shared).await?;
    let written = tokens::touch_last_used(&mut tx, &uses).await?;
    tx.commit().await?;
    Ok(written)
}
