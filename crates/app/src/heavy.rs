//! Work that takes seconds and memory (reading a file, its plan, its import, an export of everything): a little of it at a
//! time, so that everybody else is served meanwhile.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::{App, Error};

/// How many work at a time, and how many wait for their turn; whoever comes then is sent away.
pub const AT_ONCE: usize = 2;
pub const WAITING_MAX: usize = 4;
/// Shorter than a request may take, so that whoever waits hears why.
const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) struct Heavy {
    places: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

/// The right to work, until it is dropped.
pub struct Turn {
    _place: OwnedSemaphorePermit,
    _turn: OwnedSemaphorePermit,
}

impl Default for Heavy {
    fn default() -> Heavy {
        Heavy { places: Arc::new(Semaphore::new(AT_ONCE + WAITING_MAX)), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

/// Not to be asked for by who has one already.
pub async fn turn(app: &App) -> Result<Turn, Error> {
    let place = app.heavy.places.clone().try_acquire_owned().map_err(|_| Error::Crowded)?;
    match timeout(PATIENCE, app.heavy.turns.clone().acquire_owned()).await {
        Ok(Ok(turn)) => Ok(Turn { _place: place, _turn: turn }),
        _ => Err(Error::Crowded),
    }
}
