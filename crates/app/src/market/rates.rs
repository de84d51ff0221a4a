//! Exchange rates in memory, read again when they change.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::SignedDuration;
use jiff::civil::Date;
use ledger::fx::BaseRates;
use ledger::{Currency, Fx};
use store::{Tx, fx_rates, versions};

use crate::Error;

/// A price or rate that is older than this is worth mentioning; no holidays last longer.
const CURRENT: SignedDuration = SignedDuration::from_hours(7 * 24);

pub(crate) fn is_old(of: Date, day: Date) -> bool {
    day.duration_since(of) > CURRENT
}

/// The day of the oldest rate that amounts of these currencies and days are converted with, if that is an old one.
pub(crate) fn outdated(fx: &Fx, to: Currency, amounts: impl IntoIterator<Item = (Currency, Date)>) -> Option<Date> {
    let foreign = amounts.into_iter().filter(|(currency, _)| *currency != to);
    let days = foreign.flat_map(|(currency, day)| [currency, to].map(|one| (fx.rate_date(one, day), day)));
    days.filter_map(|(of, day)| of.filter(|of| is_old(*of, day))).min()
}

#[derive(Default)]
pub(crate) struct Rates {
    held: Mutex<Option<(i64, Arc<Fx>)>>,
    base: Option<&'static dyn BaseRates>,
}

impl Rates {
    /// With rates that count where the database does not know better.
    pub fn with_base(base: &'static dyn BaseRates) -> Rates {
        Rates { base: Some(base), ..Rates::default() }
    }

    /// For a read transaction, which sees one moment.
    pub async fn at(&self, tx: &mut Tx, rates_version: i64) -> Result<Arc<Fx>, Error> {
        if let Some(fx) = self.cached(rates_version) {
            return Ok(fx);
        }
        let fx = self.read(tx).await?;
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
            let fx = self.read(tx).await?;
            let before = version;
            version = versions::get(tx).await?.rates;
            if version == before {
                self.hold(version, &fx);
                return Ok(fx);
            }
        }
    }

    async fn read(&self, tx: &mut Tx) -> Result<Arc<Fx>, Error> {
        let fx = Fx::new(fx_rates::all(tx).await?);
        Ok(Arc::new(match self.base {
            Some(base) => fx.with_base(base),
            None => fx,
        }))
    }

    fn cached(&self, rates_version: i64) -> Option<Arc<Fx>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
        held.filter(|(version, _)| *version == rates_version).map(|(_, fx)| fx)
    }

    fn hold(&self, rates_version: i64, fx: &Arc<Fx>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((rates_version, fx.clone()));
    }
}
