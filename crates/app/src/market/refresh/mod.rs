//! From a provider's answer to the database: requested, validated, merged with stored data, and stored in the transaction that
//! ends the lease, so that a node that lost its lease stores nothing.

mod calendar;
pub(crate) mod files;
pub(crate) mod history;
mod known;
pub(crate) mod outcome;
pub(crate) mod plan;
pub(crate) mod profile;
pub(crate) mod quotes;
pub(crate) mod rates;
mod rejected;

use store::WriteLock;
use store::refreshes::{self, Refresh, Topic};
use store::{Tx, versions};

use crate::{App, Error, Work};

pub use outcome::{Cause, Outcome};

/// A lease on some work, held by this node.
#[derive(Clone, Copy)]
pub(crate) struct Lease<'a> {
    pub holder: &'a str,
    pub claim: &'a Refresh,
}

impl Lease<'_> {
    /// Ends the lease with the outcome, in the transaction that stores the result. False: it was lost, store nothing.
    pub async fn end(&self, app: &App, tx: &mut Tx, outcome: &Outcome) -> Result<bool, Error> {
        let (topic, symbol, now) = (self.claim.topic, self.claim.symbol.as_str(), app.clock.now_micros());
        Ok(match outcome {
            Outcome::Done => {
                let next = plan::next_due(app, topic, symbol);
                refreshes::finish(tx, topic, symbol, self.holder, now, next).await?
            }
            Outcome::Late => refreshes::finish(tx, topic, symbol, self.holder, now, plan::after_late(app)).await?,
            Outcome::Unchanged => {
                refreshes::postpone(tx, topic, symbol, self.holder, plan::next_due(app, topic, symbol), None).await?
            }
            Outcome::Waiting(cause) => {
                refreshes::postpone(tx, topic, symbol, self.holder, plan::after_waiting(app), Some(&cause.to_stored())).await?
            }
            Outcome::OverBudget(cause) => {
                refreshes::postpone(tx, topic, symbol, self.holder, plan::after_spent(app), Some(&cause.to_stored())).await?
            }
            Outcome::Unknown(cause) => {
                let next = plan::after_unknown(app, self.claim.failures);
                refreshes::fail(tx, topic, symbol, self.holder, now, &cause.to_stored(), next).await?
            }
            Outcome::Failed(cause) => {
                let next = plan::after_failure(app, topic, self.claim.failures);
                refreshes::fail(tx, topic, symbol, self.holder, now, &cause.to_stored(), next).await?
            }
            Outcome::Lost => false,
        })
    }

    /// The same if there is nothing to store.
    pub async fn end_without_data(&self, app: &App, outcome: Outcome) -> Result<Outcome, Error> {
        let mut tx = app.store.write_in(WriteLock::Market).await?;
        let kept = self.end(app, &mut tx, &outcome).await?;
        tx.commit().await?;
        Ok(if kept { outcome } else { Outcome::Lost })
    }
}

/// Does the claimed work of one topic.
pub(crate) fn work<'a>(
    app: &'a App,
    topic: Topic,
    holder: &'a str,
    claims: &'a [Refresh],
) -> Work<'a, Result<Vec<(String, Outcome)>, Error>> {
    Box::pin(refresh_all(app, topic, holder, claims))
}

async fn refresh_all(app: &App, topic: Topic, holder: &str, claims: &[Refresh]) -> Result<Vec<(String, Outcome)>, Error> {
    if topic == Topic::Quote {
        return quotes::refresh(app, holder, claims).await;
    }
    let mut outcomes = Vec::new();
    for claim in claims {
        let lease = Lease { holder, claim };
        let outcome = match topic {
            Topic::History => history::refresh(app, lease).await?,
            Topic::Profile => profile::refresh(app, lease).await?,
            Topic::Calendar => calendar::refresh(app, lease).await?,
            Topic::Rates => rates::refresh(app, lease).await?,
            Topic::Files => files::refresh(app, lease).await?,
            Topic::Quote => continue,
        };
        outcomes.push((claim.symbol.clone(), outcome));
    }
    Ok(outcomes)
}

/// Answers about the stock may change, for everybody who sees it.
async fn stock_changed(tx: &mut Tx, symbol: &str) -> Result<(), Error> {
    store::stocks::mark_changed(tx, &[symbol]).await?;
    Ok(versions::bump_market(tx).await?)
}
