//! When tokens were last used, to the minute, without a write per request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use store::{Store, Turn, Tx, tokens};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{App, Error};

const MINUTE_MICROS: i64 = 60_000_000;

/// How long a request waits to note that it was here.
const PATIENCE: Duration = Duration::from_millis(50);

/// The turn to note something that may as well be noted next time; none where others write just now, because no request is
/// refused for that.
pub(crate) async fn writer_if_free(app: &App, user_id: Uuid) -> Option<Tx> {
    timeout(PATIENCE, app.store.write_for(user_id)).await.ok()?.ok()
}

#[derive(Default)]
pub(crate) struct LastUsed {
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// The minute last noted of each token.
    noted: HashMap<Uuid, i64>,
    unsaved: HashMap<Uuid, i64>,
}

/// Beyond this many tokens the memory starts afresh; the price is one more write each.
const TOKENS_MAX: usize = 100_000;

impl LastUsed {
    pub fn note(&self, token_id: Uuid, now_micros: i64) {
        let minute = now_micros - now_micros.rem_euclid(MINUTE_MICROS);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.noted.get(&token_id) == Some(&minute) {
            return;
        }
        if seen.noted.len() >= TOKENS_MAX {
            seen.noted.clear();
        }
        seen.noted.insert(token_id, minute);
        seen.unsaved.insert(token_id, minute);
    }

    /// Saves what was noted since the last time, in one transaction; nothing when nothing was.
    pub async fn save(&self, store: &Store) -> Result<(), Error> {
        let mut uses: Vec<(Uuid, i64)> = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.unsaved.drain().collect()
        };
        // All nodes in one order, so that no two wait for each other's rows.
        uses.sort_unstable();
        if uses.is_empty() {
            return Ok(());
        }
        let mut tx = store.write_in(Turn::Shared).await?;
        tokens::touch_last_used(&mut tx, &uses).await?;
        tx.commit().await?;
        Ok(())
    }
}
