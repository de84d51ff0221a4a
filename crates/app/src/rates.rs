//! Exchange rates in memory, read again when they have changed.

use std::sync::{Arc, Mutex, PoisonError};

use ledger::Fx;
use store::{Tx, fx_rates};

use crate::Error;

#[derive(Default)]
pub(crate) struct Rates {
    held: Mutex<Option<(i64, Arc<Fx>)>>,
}

impl Rates {
    pub async fn at(&self, tx: &mut Tx, rates_version: i64) -> Result<Arc<Fx>, Error> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((version, fx)) = held
            && version == rates_version
        {
            return Ok(fx);
        }
        let fx = Arc::new(read(tx).await?);
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((rates_version, fx.clone()));
        Ok(fx)
    }
}

/// All rates, as this transaction sees them.
pub(crate) async fn read(tx: &mut Tx) -> Result<Fx, Error> {
    Ok(Fx::new(fx_rates::all(tx).await?))
}
