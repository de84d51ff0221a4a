//! Exchange rates in memory, read again when they change.

use std::sync::{Arc, Mutex, PoisonError};

use ledger::Fx;
use store::{Tx, fx_rates, versions};

use crate::Error;

#[derive(Default)]
pub(crate) struct Rates {
    held: Mutex<Option<(i64, Arc<Fx>)>>,
}

impl Rates {
    /// For a read transaction, which sees one moment.
    pub async fn at(&self, tx: &mut Tx, rates_version: i64) -> Result<Arc<Fx>, Error> {
        if let Some(fx) = self.cached(rates_version) {
            return Ok(fx);
        }
        let fx = read(tx).await?;
        self.hold(rates_version, &fx);
        Ok(fx)
    }

    /// For a transaction that writes something else: each of its statements may see another moment.
    pub async fn now(&self, tx: &mut Tx) -> Result<Arc<Fx>, Error> {
        let mut version = versions::get(tx).await?.rates;
        loop {
            if let Some(fx) = self.cached(version) {
                return Ok(fx);
            }
            let fx = read(tx).await?;
            let before = version;
            version = versions::get(tx).await?.rates;
            if version == before {
                self.hold(version, &fx);
                return Ok(fx);
            }
        }
    }

    fn cached(&self, rates_version: i64) -> Option<Arc<Fx>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
        held.filter(|(version, _)| *version == rates_version).map(|(_, fx)| fx)
    }

    fn hold(&self, rates_version: i64, fx: &Arc<Fx>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((rates_version, fx.clone()));
    }
}

async fn read(tx: &mut Tx) -> Result<Arc<Fx>, Error> {
    Ok(Arc::new(Fx::new(fx_rates::all(tx).await?)))
}
