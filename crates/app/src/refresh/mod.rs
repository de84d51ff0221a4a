//! From a provider's answer to the database: asked, sifted, merged with what is known, stored in one transaction with the end
//! of the lease, so that a node that lost its lease stores nothing.

mod calendar;
pub(crate) mod history;
mod hold;
mod known;
pub(crate) mod plan;
pub(crate) mod profile;
pub(crate) mod quotes;
pub(crate) mod rates;

use std::fmt;
use store::WriteLock;

use market::Failure;
use store::refreshes::{self, Refresh, Topic};
use store::{Tx, versions};

use crate::{App, Error};

/// What came of one piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// No provider knows the symbol: delisted, renamed, or mistyped.
    Unknown(String),
    Failed(String),
    /// Nobody could be asked now; nothing is wrong.
    Waiting(String),
    /// The budgets of the day are used up.
    TimeWaited(String),
    /// Nothing to ask about: an earlier verdict stands.
    Unchanged,
    /// What was expected is not published yet; asked again in a few minutes.
    Late,
    /// Another node has taken over.
    Lost,
}

impl Outcome {
    fn of(failure: &Failure) -> Outcome {
        let text = failure.to_string();
        match () {
            () if failure.is_unknown() => Outcome::Unknown(text),
            () if failure.is_spent() => Outcome::TimeWaited(text),
            () if failure.is_waiting() => Outcome::Waiting(text),
            () => Outcome::Failed(text),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Done => f.write_str("done"),
            Outcome::Unchanged => f.write_str("nothing new"),
            Outcome::Late => f.write_str("not published yet"),
            Outcome::Unknown(text) | Outcome::Failed(text) | Outcome::Waiting(text) | Outcome::TimeWaited(text) => {
                f.write_str(text)
            }
            Outcome::Lost => f.write_str("another node does it"),
        }
    }
}

/// A lease on some work, in this node's name.
#[derive(Clone, Copy)]
pub(crate) struct Lease<'a> {
    pub holder: &'a str,
    pub claim: &'a Refresh,
}

impl Lease<'_> {
    /// Ends the lease with the outcome, in the transaction of what the work stored. False: it was lost, store nothing.
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
                refreshes::postpone(tx, topic, symbol, self.holder, plan::after_waiting(app), Some(cause)).await?
            }
            Outcome::TimeWaited(cause) => {
                refreshes::postpone(tx, topic, symbol, self.holder, plan::after_spent(app), Some(cause)).await?
            }
            Outcome::Unknown(text) => {
                let next = plan::after_unknown(app, self.claim.failures);
                refreshes::fail(tx, topic, symbol, self.holder, now, text, next).await?
            }
            Outcome::Failed(text) => {
                let next = plan::after_failure(app, topic, self.claim.failures);
                refreshes::fail(tx, topic, symbol, self.holder, now, text, next).await?
            }
            Outcome::Lost => false,
        })
    }

    /// The same, when there is nothing to store.
    pub async fn end_without_data(&self, app: &App, outcome: Outcome) -> Result<Outcome, Error> {
        let mut tx = app.store.write_in(WriteLock::Market).await?;
        let kept = self.end(app, &mut tx, &outcome).await?;
        tx.commit().await?;
        Ok(if kept { outcome } else { Outcome::Lost })
    }
}

/// Does claimed work of one topic.
pub(crate) async fn work(app: &App, topic: Topic, holder: &str, claims: &[Refresh]) -> Result<Vec<(String, Outcome)>, Error> {
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
            Topic::Files => crate::market::load_watched(app, lease).await?,
            Topic::Quote => continue,
        };
        outcomes.push((claim.symbol.clone(), outcome));
    }
    Ok(outcomes)
}

/// Answers may have changed: of one stock, and so of everybody who looks at it.
async fn stock_changed(tx: &mut Tx, symbol: &str) -> Result<(), Error> {
    store::stocks::mark_changed(tx, &[symbol]).await?;
    Ok(versions::bump_market(tx).await?)
}
