//! Unfinished imports expire after a day, even if their owner never comes back.

use store::uploads;

use super::KEPT_MICROS;
use crate::{App, Error};

/// Deletes what is older than a day, of all users, and returns how many there were. Uses a separate transaction for each, so that
/// nobody waits long, and several nodes may do it at once.
pub async fn expire(app: &App) -> Result<usize, Error> {
    let oldest = app.clock.now_micros() - KEPT_MICROS;
    let mut count = 0;
    loop {
        let expired = uploads::expired(&mut app.store.read().await?, oldest).await?;
        if expired.is_empty() {
            return Ok(count);
        }
        for (user_id, id) in expired {
            let mut tx = app.store.write_for(user_id).await?;
            count += usize::from(uploads::delete(&mut tx, user_id, id).await?);
            tx.commit().await?;
        }
    }
}
