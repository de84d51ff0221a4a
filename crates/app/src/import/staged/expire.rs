//! A file waits for a day, also when its owner never comes back.

use store::uploads;

use super::KEPT_MICROS;
use crate::{App, Error};

/// Deletes what waited for longer than a day, of all users, and says how many that were. Each in a transaction of its own, so that
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
